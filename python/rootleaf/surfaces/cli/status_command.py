"""`rootleaf status`: prints what an index holds and what is wrong with it."""

from __future__ import annotations

import os

from rootleaf.indexing.status import status
from rootleaf.store.paths import shown_path
from rootleaf.surfaces.cli.console import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import Skipped, Status

_KILO = 1000


def run(request: Namespace, console: Console) -> int:
    """Looks at the index that lies nearest, or at the one that was named."""
    path = request.path if request.path is not None else os.getcwd()
    found = status(path, request.db_path)
    if request.json:
        console.write_json(found.to_json())
    else:
        _write_status(found, console)
    return 0


def _write_status(found: Status, console: Console) -> None:
    console.write(console.style(console.harmless(found.db_path), "path"))
    rows = [
        ("files", f"{found.files:,}"),
        ("chunks", f"{found.chunks:,} in {counted(found.chunksets, 'chunkset')}"),
        ("size", f"{_size(found.size_bytes)} for {_size(found.text_bytes)} of text"),
        ("embedder", _embedder(found)),
        ("generation", f"{found.generation:,} (schema {found.schema_version})"),
        ("snapshot", found.snapshot),
        ("journal", found.journal),
    ]
    for name, value in rows:
        console.write(console.harmless(f"  {name:<12}{value}"))
    for root in found.roots:
        what = f"{root.selection}, {counted(root.files, 'file')}"
        console.write(console.harmless(f"  {'root':<12}{shown_path(root.path)}: {what}"))
    if found.incomplete_files:
        to_go = f"{counted(found.incomplete_files, 'file')} to go; index again to go on"
        console.write(console.style(f"  incomplete: {to_go}", "warning"))
    _write_skipped(console, "front matter not understood", found.unparsed_front_matter)
    _write_skipped(console, "skipped", found.skipped)
    _write_paths(console, "files that are gone, still answered from", found.held_back)
    _write_paths(console, "files whose metadata is of rules that have changed", found.stale_rules)
    if found.ignored:
        console.write(console.style("ignored", "bold"))
        for rule in found.ignored:
            console.write(
                console.harmless(
                    f"  {rule.rule}: {counted(rule.files, 'file')}, "
                    f"{rule.directories} {'directory' if rule.directories == 1 else 'directories'}"
                )
            )


def _embedder(found: Status) -> str:
    if found.dimension is None:
        return "none: keyword search"
    lacking = f"; {counted(found.without_vector, 'chunkset')} without a vector"
    return (
        f"{found.embedder}, {found.dimension:,} dimensions{lacking if found.without_vector else ''}"
    )


def _write_skipped(console: Console, title: str, skipped: Iterable[Skipped]) -> None:
    _write_list(console, title, [f"{shown_path(one.path)}: {one.reason}" for one in skipped])


def _write_paths(console: Console, title: str, paths: Iterable[str]) -> None:
    _write_list(console, title, [shown_path(path) for path in paths])


def _write_list(console: Console, title: str, lines: list[str]) -> None:
    if not lines:
        return
    console.write(console.style(f"{title} ({len(lines)})", "bold"))
    for line in lines:
        console.write(console.harmless(f"  {line}"))


def _size(size_bytes: int) -> str:
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB"):
        if size < _KILO:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"

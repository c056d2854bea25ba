"""`rootleaf status`: prints what an index holds and what is wrong with it."""

from __future__ import annotations

import os

from rootleaf.indexing.status import status
from rootleaf.store.paths import shown_path
from rootleaf.surfaces.cli.console import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import Finding, Status

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
    for root in found.roots:
        what = f"{root.selection}, {counted(root.files, 'file')}"
        state = "" if root.state == "present" else f", {root.state}"
        rows.append(("root", f"{shown_path(root.path)}: {what}{state}"))
    for name, value in rows:
        console.write(console.harmless(f"  {name:<12}{value}"))
    reasons = {one.path: one.reason for one in (*found.skipped, *found.unparsed_front_matter)}
    for finding in found.findings:
        _write_finding(finding, reasons, console)
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


def _write_finding(finding: Finding, reasons: Mapping[str, str], console: Console) -> None:
    count = f" ({len(finding.files)})" if finding.files else ""
    console.write(console.style(console.harmless(f"{finding.title}{count}"), "warning"))
    has_reason = finding.code in {"files.skipped", "front_matter.unparsed"}
    for path in finding.files:
        reason = f": {reasons[path]}" if has_reason and path in reasons else ""
        console.write(console.harmless(f"  {shown_path(path)}{reason}"))
    if finding.advice:
        console.write(console.harmless(f"  {finding.advice}"))
    for command in finding.commands:
        console.write(console.harmless(f"  try: {command}"))


def _size(size_bytes: int) -> str:
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB"):
        if size < _KILO:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _KILO
    return f"{size:.1f} GB"

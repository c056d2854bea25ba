"""`rootleaf index`: reads files into an index, and says what was done and what was not."""

from __future__ import annotations

from rootleaf.indexing.run import index
from rootleaf.store.paths import shown_path
from rootleaf.surfaces.cli.console import counted
from rootleaf.surfaces.cli.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import IndexReport

_DONE = 0
_DONE_WITH_WARNINGS = 3
_SHOWN_LINES = 5


def run(request: Namespace, console: Console) -> int:
    """Indexes a directory, the project, or one file."""
    shows_progress = console.has_error_terminal and not (request.quiet or request.json)
    embedded: list[tuple[int, int]] = []
    with (
        Progress(is_shown=shows_progress) as files,
        Progress(is_shown=shows_progress, unit=" texts") as texts,
    ):

        def count_texts(done: int, total: int) -> None:
            embedded[:] = [(done, total)]
            texts.count(done, total)

        try:
            report = index(
                request.path,
                request.db_path,
                request.glob,
                request.prune,
                request.embedder,
                embed=request.embed,
                file=request.file,
                all_markdown=request.all_markdown,
                ignore_files=request.ignore_files,
                on_progress=files.advance if shows_progress else None,
                on_embedded=count_texts,
            )
        except KeyboardInterrupt:
            _say_what_is_kept(embedded, console)
            raise
    if request.json:
        console.write_json(report.to_json())
    else:
        _write_warnings(report, console)
        if not request.quiet:
            for notice in report.notices:
                console.say(notice)
            _write_changes(report, console)
            _write_summary(report, console)
    return _DONE_WITH_WARNINGS if report.has_warnings else _DONE


def _say_what_is_kept(embedded: list[tuple[int, int]], console: Console) -> None:
    kept = "What was indexed until then is kept"
    if embedded:
        done, total = embedded[0]
        kept = f"All files are indexed, and {done:,} of {counted(total, 'text')} embedded, and kept"
    console.warn(f"Interrupted. {kept}; the same command goes on from there")


def _write_warnings(report: IndexReport, console: Console) -> None:
    _warn(
        console,
        [f"skipped {shown_path(one.path)}: {one.reason}" for one in report.skipped],
    )
    _warn(
        console,
        [
            f"read as {one.encoding}: {shown_path(one.path)} is no UTF-8 at byte {one.byte_offset}"
            for one in report.decoded_by_fallback
        ],
    )
    _warn(
        console,
        [
            f"front matter not understood: {shown_path(one.path)}, {one.reason}"
            for one in report.unparsed_front_matter
        ],
    )
    for warning in report.warnings:
        console.warn(warning)
    if report.held_back_reason is not None:
        console.warn(report.held_back_reason)
    _warn(console, [f"kept, though gone: {shown_path(path)}" for path in report.held_back])
    _warn(
        console,
        [f"metadata of rules that have changed: {shown_path(path)}" for path in report.stale_rules],
    )
    _warn(
        console,
        [f"metadata missing or unreadable: {shown_path(path)}" for path in report.unscanned],
    )


def _warn(console: Console, lines: list[str]) -> None:
    shown = lines if len(lines) <= _SHOWN_LINES + 1 else lines[:_SHOWN_LINES]
    for line in shown:
        console.warn(line)
    if len(shown) < len(lines):
        console.warn(f"and {len(lines) - len(shown)} more of these; `rootleaf status` names all")


def _write_changes(report: IndexReport, console: Console) -> None:
    removed = [f"removed: {shown_path(path)}" for path in report.pruned]
    moved = [
        f"moved: {shown_path(one.old_path)} to {shown_path(one.new_path)}" for one in report.moved
    ]
    for lines in (removed, moved):
        shown = lines if len(lines) <= _SHOWN_LINES + 1 else lines[:_SHOWN_LINES]
        for line in shown:
            console.say(line)
        if len(shown) < len(lines):
            console.say(f"and {len(lines) - len(shown):,} more of these; `--json` names all")


def _write_summary(report: IndexReport, console: Console) -> None:
    unchanged = report.files_unchanged - len(report.moved)
    parts = [
        f"{counted(report.files_indexed, 'file')} indexed",
        f"{unchanged:,} unchanged" if unchanged else "",
        f"{len(report.moved):,} moved" if report.moved else "",
        f"{counted(len(report.pruned), 'file')} removed" if report.pruned else "",
        f"{len(report.held_back):,} held back" if report.held_back else "",
        f"{report.metadata_refreshed:,} with other metadata" if report.metadata_refreshed else "",
        f"{counted(report.embedded, 'text')} embedded" if report.embedded else "",
        f"{counted(report.without_vector, 'chunkset')} without a vector"
        if report.without_vector
        else "",
        f"{len(report.skipped):,} skipped" if report.skipped else "",
    ]
    done = ", ".join(part for part in parts if part)
    cut = ""
    if report.chunks:
        cut = f" ({counted(report.chunks, 'chunk')}, {counted(report.chunksets, 'chunkset')})"
    root = console.style(console.harmless(report.root), "path")
    console.write(f"{root}: {done}{cut} in {report.took_ms / 1000:.1f} s")

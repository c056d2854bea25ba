"""`rootleaf doctor`: says how an index is, and mends it where that is asked for."""

from __future__ import annotations

import os

from rootleaf.indexing.doctor import doctor
from rootleaf.store.paths import shown_path
from rootleaf.surfaces.cli.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from rootleaf.indexing.health import Check, DoctorReport
    from rootleaf.surfaces.cli.console import Console

_HEALTHY = 0
_UNREADABLE = 1
_FINDINGS = 3
_SHOWN_LINES = 10


def run(request: Namespace, console: Console) -> int:
    """Looks over the index that lies nearest, or the one that was named."""
    path = request.path if request.path is not None else os.getcwd()
    shows_progress = console.has_error_terminal and not request.json
    with Progress(is_shown=shows_progress, unit=" documents") as progress:
        report = doctor(
            path,
            request.db_path,
            request.repair,
            on_progress=progress.count if shows_progress else None,
        )
    if request.json:
        console.write_json(report.to_json())
    else:
        _write(report, console)
    if not report.is_readable:
        return _UNREADABLE
    return _HEALTHY if report.ok and not (report.repaired or report.lost) else _FINDINGS


def _write(report: DoctorReport, console: Console) -> None:
    console.write(console.style(console.harmless(shown_path(report.db_path)), "path"))
    for check in report.checks:
        _write_check(check, console)
    if report.saved is not None:
        console.write(console.harmless(f"saved before the repair: {shown_path(report.saved)}"))
    _write_list("repaired", report.repaired, console)
    _write_list("lost here; an index run reads them again from their files", report.lost, console)
    if report.ok:
        console.write("healthy")
    elif not report.is_readable:
        console.write(console.style("cannot be read", "error"))
    for command in report.commands:
        console.write(console.harmless(f"  try: {command}"))


def _write_check(check: Check, console: Console) -> None:
    word = "ok" if check.ok and not check.found else check.found
    if not check.ok:
        word = console.style(f"{check.severity}: {check.found}", check.severity)
    console.write(f"  {check.name:<11}{console.harmless(word) if check.ok else word}")
    for item in check.items[:_SHOWN_LINES]:
        console.write(console.harmless(f"    {item}"))
    if len(check.items) > _SHOWN_LINES:
        console.write(f"    and {len(check.items) - _SHOWN_LINES:,} more; `--json` names all")


def _write_list(title: str, lines: Iterable[str], console: Console) -> None:
    lines = list(lines)
    if not lines:
        return
    console.write(console.style(title, "bold"))
    for line in lines[:_SHOWN_LINES]:
        console.write(console.harmless(f"  {line}"))
    if len(lines) > _SHOWN_LINES:
        console.write(f"  and {len(lines) - _SHOWN_LINES:,} more; `--json` names all")

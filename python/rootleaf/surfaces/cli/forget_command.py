"""`rootleaf forget`: drops a directory from an index, and says what that was."""

from __future__ import annotations

from rootleaf.indexing.forgetting import forget
from rootleaf.surfaces.cli.console import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console


def run(request: Namespace, console: Console) -> int:
    """Forgets one directory; an index that holds nothing of it is no failure."""
    report = forget(request.path, request.db_path)
    if request.json:
        console.write_json(report.to_json())
        return 0
    has_dropped = bool(report.forgotten or report.roots)
    if not request.quiet or not has_dropped:
        for notice in report.notices:
            console.say(notice)
    if has_dropped and not request.quiet:
        parts = [counted(len(report.forgotten), "document")]
        if report.roots:
            parts.append(counted(len(report.roots), "root"))
        place = console.style(console.harmless(report.path), "path")
        console.write(f"{place}: {' and '.join(parts)} forgotten in {report.took_ms / 1000:.1f} s")
    return 0

"""What a run has to do.

Which files to read, which rows to renew from what is stored, which rows to remove.
"""

from __future__ import annotations

from rootleaf.documents.fingerprints import stat_signature
from rootleaf.documents.walking import walk
from rootleaf.indexing.gone import Missing, classify_missing
from rootleaf.store.paths import join_root
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.documents.rules import Rules
    from rootleaf.documents.selection import Selection
    from rootleaf.documents.walking import Walk
    from rootleaf.store.records import FileMark


class Task(Value):
    """What is to be done for one file; `mark` is its row, if it has one.

    `read`: its bytes are read and compared with the row. `resolve`: its metadata is resolved by the
    current rules, `rechunk`: its text is cut by the current chunker; both from the stored text
    where the bytes are the same.
    """

    path: str
    relative_path: str
    mark: FileMark | None
    read: bool
    resolve: bool
    rechunk: bool


class Plan(Value):
    """A run before it begins. `tasks` are ordered by path.

    `stale` are rows on other rules that it cannot reach.
    """

    files_seen: int
    tasks: list[Task]
    walk: Walk
    missing: Missing
    stale: list[FileMark]


def plan_root(
    root: str,
    selection: Selection,
    marks: dict[str, FileMark],
    rules: Rules,
    *,
    ignore_files: bool,
    rechunk: bool,
) -> Plan:
    """Compares a root with its rows.

    Args:
        root: Its real path.
        selection: What of it is read.
        marks: Its rows by relative path.
        rules: Its current metadata rules.
        ignore_files: Whether ignore files count.
        rechunk: Whether the rows were cut by another chunker, so that each one is to be renewed.
    """
    walked = walk(root, selection, ignore_files=ignore_files)
    found = {file.relative_path: file for file in walked.files}
    missing = classify_missing(
        root, [mark for path, mark in marks.items() if path not in found], ignore_files=ignore_files
    )
    found.update((file.relative_path, file) for file in missing.hidden)
    tasks = []
    for relative_path, file in sorted(found.items()):
        mark = marks.get(relative_path)
        task = Task(
            path=file.path,
            relative_path=relative_path,
            mark=mark,
            read=mark is None or mark.stat_signature != stat_signature(file.stat),
            resolve=mark is None or mark.rules_identity != rules.identity,
            rechunk=mark is None or rechunk,
        )
        if task.read or task.resolve or task.rechunk:
            tasks.append(task)
    excluded = {mark.path for mark in missing.excluded}
    beyond = [mark for path, mark in marks.items() if path not in found and path not in excluded]
    if rechunk:
        tasks.extend(rechunk_task(root, mark) for mark in beyond)
    return Plan(
        files_seen=len(found),
        tasks=tasks,
        walk=walked,
        missing=missing,
        stale=[mark for mark in beyond if mark.rules_identity != rules.identity],
    )


def rechunk_task(root: str, mark: FileMark) -> Task:
    """Cuts the stored text of a row by the current chunker; its file is not looked at."""
    return Task(
        path=join_root(root, mark.path),
        relative_path=mark.path,
        mark=mark,
        read=False,
        resolve=False,
        rechunk=True,
    )

"""What a run has to do.

Which files to read, which rows to renew from what is stored, which to move and to remove.
"""

from __future__ import annotations

import os

from rootleaf.documents.fingerprints import stat_signature
from rootleaf.documents.spelling import is_listed
from rootleaf.documents.walking import walk
from rootleaf.indexing.gone import find_gone, hold_back_reason
from rootleaf.indexing.missing import classify_missing
from rootleaf.indexing.moves import find_moves
from rootleaf.store.paths import join_root
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container

    from rootleaf.documents.rules import Rules
    from rootleaf.documents.selection import Selection
    from rootleaf.documents.walking import Walk
    from rootleaf.indexing.moves import Move
    from rootleaf.store.records import FileMark


class Task(Value):
    """What is to be done for one file; `mark` is its row, if it has one.

    `read`: its bytes are read and compared with the row. `resolve`: its metadata is resolved by the
    current rules, `rechunk`: its text is cut by the current chunker; both from the stored text
    where the bytes are the same or cannot be read.
    """

    path: str
    relative_path: str
    mark: FileMark | None
    read: bool
    resolve: bool
    rechunk: bool


class Plan(Value):
    """A run before it begins. `tasks` are ordered by path.

    `gone` are rows whose file is gone and was not found under another name, and `hold_back` says
    why they are to be kept; `excluded` are those whose file an ignore file keeps out now; `stale`
    are rows on other rules that stay so if they are not removed.
    """

    files_seen: int
    tasks: list[Task]
    walk: Walk
    moves: list[Move]
    gone: list[FileMark]
    hold_back: str | None
    excluded: list[FileMark]
    stale: list[FileMark]


def plan_root(
    root: str,
    selection: Selection,
    marks: dict[str, FileMark],
    rules: Rules,
    *,
    ignore_files: bool,
    rechunk: bool,
    prune: bool | None,
    command: str,
    own_files: Container[str] = (),
) -> Plan:
    """Compares a root with its rows.

    Args:
        root: Its real path.
        selection: What of it is read.
        marks: Its rows by relative path.
        rules: Its current metadata rules.
        ignore_files: Whether ignore files count.
        rechunk: Whether the rows were cut by another chunker, so that each one is to be renewed.
        prune: True removes what a rule would hold back; False moves and removes nothing.
        command: What removes rows that are held back.
        own_files: Paths that are never indexed: those of the index itself, which each run changes.
    """
    walked = walk(root, selection, ignore_files=ignore_files)
    found = {file.relative_path: file for file in walked.files if file.path not in own_files}
    gone = {mark.path: mark for mark in find_gone(root, marks, found=found).marks}
    present = [mark for path, mark in marks.items() if path not in found and path not in gone]
    missing = classify_missing(root, present, selection, ignore_files=ignore_files)
    listings: dict[str, Collection[str] | None] = {}
    for file in missing.hidden:
        if is_listed(root, file.relative_path, listings):
            found[file.relative_path] = file
        else:
            gone[file.relative_path] = marks[file.relative_path]
    moves: list[Move] = []
    if prune is not False:
        unknown = (file for path, file in found.items() if path not in marks)
        moves = find_moves(gone.values(), unknown)
        for move in moves:
            del gone[move.mark.path]
    hold_back = hold_back_reason(root, list(gone.values()), len(marks), command=command)
    moved = {move.relative_path for move in moves}
    tasks = [
        Task(
            path=file.path,
            relative_path=relative_path,
            mark=mark,
            read=mark is None or mark.stat_signature != stat_signature(file.stat),
            resolve=mark is None or mark.rules_identity != rules.identity,
            rechunk=mark is None or rechunk,
        )
        for relative_path, file in sorted(found.items())
        for mark in [marks.get(relative_path)]
        if relative_path not in moved
    ]
    # Rows that go their way need no other metadata.
    leaving = {move.mark.path for move in moves}
    if prune is not False:
        leaving.update(mark.path for mark in missing.excluded)
        leaving.update(gone if prune or hold_back is None else ())
    reaches = selection.matcher().reaches
    root_name = os.path.basename(root)
    stale = []
    for path, mark in marks.items():
        if path in found:
            continue
        differs = mark.rules_identity != rules.identity
        resolve = differs and path not in leaving and reaches(path, root_name=root_name)
        if resolve or rechunk:
            tasks.append(stored_task(root, mark, resolve=resolve, rechunk=rechunk))
        if differs and not resolve:
            stale.append(mark)
    return Plan(
        files_seen=len(found),
        tasks=[task for task in tasks if task.read or task.resolve or task.rechunk],
        walk=walked,
        moves=moves,
        gone=list(gone.values()),
        hold_back=hold_back,
        excluded=missing.excluded,
        stale=stale,
    )


def file_task(move: Move) -> Task:
    """Reads the file of a move that was refused like any file that has no row."""
    return Task(
        path=move.path,
        relative_path=move.relative_path,
        mark=None,
        read=True,
        resolve=True,
        rechunk=True,
    )


def stored_task(root: str, mark: FileMark, *, resolve: bool, rechunk: bool) -> Task:
    """Renews a row from its stored text; its file is not looked at."""
    return Task(
        path=join_root(root, mark.path),
        relative_path=mark.path,
        mark=mark,
        read=False,
        resolve=resolve,
        rechunk=rechunk,
    )

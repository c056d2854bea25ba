"""Performing the tasks of a plan and removing rows.

It is what the run of a root and that of one file have in common.
"""

from __future__ import annotations

from rootleaf.indexing.gone import is_away, is_root_certain
from rootleaf.indexing.preparing import prepare
from rootleaf.store.paths import join_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.documents.rules import Rules
    from rootleaf.indexing.batches import BatchWriter
    from rootleaf.indexing.plan import Task
    from rootleaf.indexing.tally import Tally
    from rootleaf.store.records import FileMark
    from rootleaf.store.sqlite_writing import SqliteTransaction


def perform_tasks(
    tasks: list[Task],
    rules: Rules,
    writer: BatchWriter,
    tally: Tally,
    *,
    on_progress: Callable[[int, int, str], None] | None = None,
    record_progress: bool = True,
) -> None:
    """Prepares and writes all tasks; a file that cannot be read costs that file and is named.

    Args:
        tasks: What to do.
        rules: The root's metadata rules.
        writer: Where to.
        tally: Is told of each outcome.
        on_progress: Called after each file with how many are done, how many there are, and its
            path.
        record_progress: Whether the database says, until all is done, how many files are to go.
    """
    total = len(tasks)
    for done, task in enumerate(tasks, start=1):
        change = prepare(task, rules, writer.store)
        tally.count(change)
        if not change.is_empty:
            writer.add(change, total - done if record_progress else None)
        if on_progress is not None:
            on_progress(done, total, task.path)
    writer.flush(0 if record_progress else None)


def remove_gone(
    marks: list[FileMark],
    root: str,
    write: SqliteTransaction,
    tally: Tally,
    *,
    hold_back: Callable[[list[FileMark]], str | None] | None,
) -> None:
    """Removes rows whose file is gone, each checked again under the write lock.

    A row stays, and is named, if its file is back, the root is away, or a rule holds back what is
    gone by now.

    Args:
        marks: The rows.
        root: The real path of their root.
        write: The transaction.
        tally: Is told of each row.
        hold_back: Says why rows are to be kept, or None; None where none is to be.
    """
    removals = []
    kept = []
    for mark in marks:
        path = join_root(root, mark.path)
        if not is_away(root, mark) or not is_root_certain(root):
            kept.append(path)
        elif write.holds(mark):
            removals.append(mark)
    if kept:
        tally.hold_back(kept, _BACK if is_root_certain(root) else f"{root} {_WENT_AWAY}")
    reason = hold_back(removals) if hold_back is not None and removals else None
    if reason is not None:
        tally.hold_back([join_root(root, mark.path) for mark in removals], reason)
        return
    for mark in removals:
        write.remove(mark.document_id)
        tally.pruned.append(join_root(root, mark.path))


_BACK = "Files that were gone came back during the run and keep their documents; run it again"
_WENT_AWAY = "went away during the run; its documents were kept"

"""Performing the tasks of a plan and removing rows.

It is what the run of a root and that of one file have in common.
"""

from __future__ import annotations

import os

from rootleaf.documents.presence import is_gone
from rootleaf.indexing.preparing import prepare
from rootleaf.store.paths import join_root
from rootleaf.types import Skipped

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
        outcome = prepare(task, rules, writer.store)
        if isinstance(outcome, Skipped):
            tally.fail(outcome)
            if task.resolve and task.mark is not None:
                tally.stale_rules.append(task.path)
        else:
            tally.count(outcome)
            if not outcome.is_empty:
                writer.add(outcome, total - done if record_progress else None)
        if on_progress is not None:
            on_progress(done, total, task.path)
    writer.flush(0 if record_progress else None)


def remove_gone(marks: list[FileMark], root: str, write: SqliteTransaction, tally: Tally) -> None:
    """Removes rows whose file is gone, each checked again.

    A row stays, and is named, if its file is back or the root is away.
    """
    for mark in marks:
        path = join_root(root, mark.path)
        if os.path.isdir(root) and is_gone(path):
            write.remove(mark.document_id)
            tally.pruned.append(path)
        else:
            tally.held_back.append(path)

"""Dropping what an index holds of a directory: the public `forget`.

The files themselves are not looked at; the directory need not exist.
"""

from __future__ import annotations

import os
import time

from rootleaf.errors import NotIndexedError
from rootleaf.indexing.roots import is_below, path_below
from rootleaf.indexing.snapshot import remove_snapshot, renew_snapshot
from rootleaf.indexing.stored_paths import find_stored, near_paths
from rootleaf.store.locating import locate
from rootleaf.store.paths import check_path, join_root, quoted
from rootleaf.store.sqlite import open_for_reading, open_for_writing
from rootleaf.types import ForgetReport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.protocol import Store, Transaction
    from rootleaf.store.records import StoredRoot
    from rootleaf.store.sqlite import SqliteStore


def forget(
    dir: str | os.PathLike[str],  # noqa: A002 - the specification names it so
    db_path: str | os.PathLike[str] | None = None,
) -> ForgetReport:
    """Drops from an index all documents below a directory, and nothing else.

    A root at or below it is dropped as a whole; of a root around it the rest stays. The text leaves
    the database file, its log and the snapshot. No file of the directory is touched.

    Args:
        dir: The directory, or a single document's file; need not exist. It is looked up as it is
            given, and by its real path where the index holds nothing of it under that name.
        db_path: The database. None stands for the nearest one from `dir` upward.

    Returns:
        What was dropped. Nothing, if the index holds nothing there: a notice then says what it
        does hold, and nothing was written.

    Raises:
        NotIndexedError: There is no database; none is made.
        InvalidInputError: An argument is no path; the message names it.
        StoreError: The database cannot be used, or stays locked by another program.
    """
    started = time.perf_counter()
    check_path("dir", dir)
    given = os.fspath(dir)
    try:
        database = locate(given, db_path)
        with open_for_reading(database) as store:
            target = find_stored(given, store)
            notices = [] if target else [_nothing_there(given, store)]
    except NotIndexedError as error:
        hint = f"Name the database: rootleaf forget {quoted(given)} --db DB"
        raise NotIndexedError(error.message, hint=hint) from None
    forgotten: list[str] = []
    roots: list[str] = []
    if target is not None:
        with open_for_writing(database) as store:
            notices += _drop(target, store, forgotten, roots)
    return ForgetReport(
        path=given if target is None else target,
        db_path=database,
        forgotten=tuple(sorted(forgotten)),
        roots=tuple(roots),
        notices=tuple(notices),
        took_ms=(time.perf_counter() - started) * 1000,
    )


def _drop(target: str, store: SqliteStore, forgotten: list[str], roots: list[str]) -> list[str]:
    notices = []
    with store.writing() as write:
        # Under the lock: another process may have recorded other roots since.
        for root in write.roots():
            if root.path == target or is_below(root.path, target):
                below = ""
                roots.append(root.path)
            elif is_below(target, root.path):
                below = path_below(target, root.path)
                _forget_skipped(target, root, write)
                if os.path.lexists(target):
                    ignore_file = quoted(os.path.join(root.path, ".rootleafignore"))
                    notices.append(
                        "What is still on disk comes back with the next run of "
                        f"`rootleaf index {quoted(root.path)}`, unless {ignore_file} keeps it out"
                    )
            else:
                continue
            names = write.forget(root.root_id, below)
            forgotten.extend(join_root(root.path, name) for name in names)
            if not below:
                write.remove_root(root.root_id)
        # Within the transaction: one that is killed leaves no snapshot that tells more than the
        # database. It holds the words of what was dropped, also where it knows that it was.
        remove_snapshot(store)
    if not store.erase_traces():
        notices.append(
            "Another program uses the index: what was forgotten may be found in the bytes of "
            f"{store.db_path} and {store.db_path}-wal until that program is done and the index is "
            "written again"
        )
    with store.reading():
        problem = renew_snapshot(store)
    return notices if problem is None else [*notices, problem]


def _forget_skipped(target: str, root: StoredRoot, write: Transaction) -> None:
    """What the last run said of files there goes with them."""
    kept = tuple(
        entry for entry in root.skipped if entry.path != target and not is_below(entry.path, target)
    )
    if kept != root.skipped:
        write.set_run(root.root_id, skipped=kept)


def _nothing_there(given: str, store: Store) -> str:
    roots = [root.path for root in store.roots()]
    message = f"The index {store.db_path} holds nothing of {given}"
    if not roots:
        return f"{message}: it is empty"
    message += f"; its {'root is' if len(roots) == 1 else 'roots are'} {', '.join(roots)}"
    near = near_paths(given, store)
    return f"{message}; did you mean {' or '.join(near)}?" if near else message

"""Roots that are no longer where they were recorded, seen from a root that is indexed now.

A directory that is renamed takes the database in it along. Its rows are adopted: only the root's
path is another, nothing is read or cut again, and no document answers twice.
"""

from __future__ import annotations

import os

from rootleaf.documents.presence import may_root_be_there
from rootleaf.indexing.roots import find_root, is_below
from rootleaf.store.paths import is_default_db_path, join_root, quoted
from rootleaf.types import Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rootleaf.store.protocol import Store, Transaction
    from rootleaf.store.records import StoredRoot


def find_moved_root(store: Store, root: str) -> StoredRoot | None:
    """The recorded root that became `root`, if that is certain enough.

    The database has to lie where that of `root` lies by default, `root` must not be recorded, and
    of the recorded roots that are gone there must be exactly one of whose files half or more lie
    below `root` by the same relative paths. So no root is taken for a renamed one that is only
    away, on a drive that is not mounted.
    """
    roots = store.roots()
    if home_of(store.db_path) != root or find_root(roots, root) is not None:
        return None
    candidates = [
        other
        for other in roots
        if not may_root_be_there(other.path) and _is_now(root, other, store)
    ]
    return candidates[0] if len(candidates) == 1 else None


def adopt_moved_root(store: Store, root: str) -> str | None:
    """Gives the recorded root that became `root` its path.

    Args:
        store: Opened for writing.
        root: The real path of the root that is indexed.

    Returns:
        A sentence for a person, or None where nothing was adopted.
    """
    moved = find_moved_root(store, root)
    if moved is None:
        return None
    with store.writing() as write:
        # Under the lock: another process may have adopted it, or recorded `root`, meanwhile.
        recorded = write.roots()
        if find_root(recorded, root) is not None or moved not in recorded:
            return None
        write.move_root(moved.root_id, root)
        _move_skipped(moved, root, write)
    return f"{moved.path} is {root} now: its documents were kept under the new name"


def home_of(db_path: str) -> str | None:
    """The directory whose database lies here by default, by its real path; None where none does."""
    if not is_default_db_path(db_path):
        return None
    return os.path.realpath(os.path.dirname(os.path.dirname(db_path)))


def other_roots_notices(roots: Iterable[StoredRoot], root: str, db_path: str) -> list[str]:
    """What to say, when a root is recorded, of others that may be the same directory.

    Args:
        roots: The roots that were recorded before.
        root: The real path of the root that is added.
        db_path: The database.
    """
    notices = []
    for other in roots:
        command = f"rootleaf forget {quoted(other.path)} --db {quoted(db_path)}"
        if not may_root_be_there(other.path):
            notices.append(
                f"{other.path} is not there any more, and its documents still answer; if it was "
                f"moved or deleted: `{command}`. If a drive is not mounted, mount it instead"
            )
        elif home_of(db_path) == root:
            notices.append(
                f"This index also holds {other.path}, whose documents answer too; if it came here "
                f"with a copy of that directory: `{command}`"
            )
    return notices


def _is_now(root: str, other: StoredRoot, store: Store) -> bool:
    names = store.paths_below(other.root_id, "")
    there = sum(os.path.lexists(join_root(root, name)) for name in names)
    return 2 * there >= len(names)


def _move_skipped(moved: StoredRoot, root: str, write: Transaction) -> None:
    if moved.skipped:
        skipped = tuple(
            Skipped(path=root + entry.path[len(moved.path) :], reason=entry.reason)
            if is_below(entry.path, moved.path)
            else entry
            for entry in moved.skipped
        )
        write.set_run(moved.root_id, skipped=skipped)

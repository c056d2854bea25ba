"""The log beside a database (`-wal`): whether there is one, and bringing it to the disk.

SQLite syncs it only when it folds it into the file. Until then a commit survives the end of every
process, but not that of the power.
"""

from __future__ import annotations

import os

from rootleaf.store.paths import companion_path
from rootleaf.store.sqlite_errors import disk_error


def has_log(db_path: str) -> bool:
    """Whether something may have been committed that is not in the file yet."""
    return _is_filled(companion_path(db_path, "wal"))


def has_journal(db_path: str) -> bool:
    """Whether a rollback journal says that the file may hold half a transaction."""
    return _is_filled(companion_path(db_path, "journal"))


def _is_filled(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False


def sync_log(db_path: str) -> None:
    """Waits until all that was committed would survive a power failure.

    SQLite holds no lock on the log, so that closing the file here gives none up.

    Raises:
        StoreError: The disk fails or is full. What was committed can be read until the power fails.
    """
    if not has_log(db_path):
        return
    try:
        # Windows syncs what is open for writing only.
        descriptor = os.open(
            companion_path(db_path, "wal"), os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
        )
    except FileNotFoundError:
        # It was folded in, and SQLite synced both before it removed it.
        return
    except OSError as error:
        raise disk_error(db_path, error.strerror or "") from error
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise disk_error(db_path, error.strerror or "") from error
    finally:
        os.close(descriptor)

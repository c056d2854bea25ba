"""Which journal a database has: a log (WAL) where that can be had, else a rollback journal.

A log needs memory that processes share through a file beside the database, which some file systems
cannot give: network drives, some containers and mounts. With a rollback journal a commit is as
whole; a writer and readers then wait for each other.
"""

from __future__ import annotations

import os
import sqlite3
import time

from rootleaf.store.open_files import connect
from rootleaf.store.paths import companion_path
from rootleaf.store.sqlite_errors import is_full

LOG = "wal"
ROLLBACK = "truncate"

_CHECKPOINT_PAGES = 4000
"""How much log (16 MB) gathers before it is folded in.

The log of an ordinary run is folded in once, at its end.
"""


def use_journal(connection: sqlite3.Connection, busy_seconds: float, *, may_have_log: bool) -> None:
    """Gives a database that is open for writing the journal that it has, or a log to a new one.

    Raises:
        sqlite3.OperationalError: Also where there can be no log; see `lacks_shared_memory`.
    """
    if not may_have_log or (_has_table(connection) and _mode(connection) != LOG):
        # It was given up here. To try again each time would write to the file each time.
        connection.execute(f"PRAGMA journal_mode = {ROLLBACK}")
        connection.execute("PRAGMA synchronous = FULL")
        return
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # The shared memory is asked for at the next read, not before.
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself when two processes create one database at once.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    # Each commit is whole after a crash of the program. After a power failure in the middle of a
    # run its last ones may be missing, with their files' marks, and the next run makes them again;
    # a run that ends syncs the log (`sync_log`). FULL would cost a flush of the disk for each batch
    # and protect nothing that is not in the files.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")


def lacks_shared_memory(error: sqlite3.OperationalError, db_path: str) -> bool:
    """Whether an error says that a log cannot be had at this place, rather than no file at all."""
    said = str(error)
    if not any(word in said for word in ("disk I/O error", "locking protocol", "unable to open")):
        return False
    directory = os.path.dirname(db_path) or "."
    if is_full(directory) or not os.access(directory, os.W_OK) or not os.path.isfile(db_path):
        return False
    # Absent in Python 3.10: what is tried instead then fails in the same way, and is named.
    name = getattr(error, "sqlite_errorname", "SQLITE_IOERR_SHM")
    return name.startswith(("SQLITE_IOERR_SHM", "SQLITE_PROTOCOL", "SQLITE_CANTOPEN"))


def give_up_log(db_path: str, busy_seconds: float) -> None:
    """Folds the log of a database into it, and gives it a rollback journal for good.

    Alone with the file SQLite keeps to itself what it would share
    (https://www.sqlite.org/wal.html, "Use of WAL Without Shared-Memory"); who is not alone waits.
    """
    connection = connect(db_path, timeout=busy_seconds, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        connection.execute(f"PRAGMA journal_mode = {ROLLBACK}")
    finally:
        connection.close()
    # Made by the attempt, and of no use to anybody where it cannot be shared.
    shared_memory = companion_path(db_path, "shm")
    if os.path.exists(shared_memory):
        os.unlink(shared_memory)


def roll_back(db_path: str, busy_seconds: float) -> bool:
    """Undoes what a writer that was killed left half done, as SQLite does before it reads.

    Only who may write to the file can do so. Says whether there was something, and it was done.
    """
    if not os.path.exists(companion_path(db_path, "journal")) or not os.access(db_path, os.W_OK):
        return False
    try:
        connection = connect(db_path, timeout=busy_seconds, isolation_level=None)
    except sqlite3.Error:
        return False
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return True


def _has_table(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None


def _mode(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA journal_mode").fetchone()[0])

"""Turns what SQLite says into errors that name the file and what to do about it."""

from __future__ import annotations

import os
import sqlite3

from rootleaf.errors import StoreError
from rootleaf.store.paths import companion_path, is_default_db_path, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


_SHARED_MEMORY_BYTES = 32 * 1024
"""What SQLite makes beside a database in WAL mode when it is opened."""


class SqliteErrors:
    """A context in which no exception of `sqlite3` escapes; it may be entered again."""

    def __init__(self, db_path: str) -> None:
        self._db_path = db_path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, sqlite3.Error):
            raise store_error(error, self._db_path) from error


def store_error(error: sqlite3.Error, db_path: str) -> StoreError:
    """The error to raise for one of SQLite's.

    Told apart by SQLite's own texts, since Python 3.10 does not carry its codes.
    """
    said = str(error)
    if "locked" in said or "busy" in said:
        return StoreError(
            f"The index {db_path} is being written by another program and stays locked",
            hint="Try again when it is done",
            code="store.busy",
        )
    if "full" in said:
        return _full(db_path)
    if "disk I/O error" in said:
        return disk_error(db_path, said)
    if "readonly" in said or "unable to open" in said:
        return _not_opened(db_path, said)
    return damaged(db_path, said)


def directory_in_the_way(db_path: str) -> StoreError | None:
    """The error for a directory that lies where SQLite has a file beside a database; else None."""
    for kind in ("wal", "shm", "journal"):
        path = companion_path(db_path, kind)
        if os.path.isdir(path):
            return StoreError(
                f"{path} is a directory, where SQLite has a file of the index {db_path}; the index "
                "was left as it is",
                hint=f"mv {quoted(path)} {quoted(path + '.moved')}",
                code="store.in_the_way",
            )
    return None


def disk_error(db_path: str, said: str) -> StoreError:
    """The error for a disk that did not read or write what it was told to."""
    in_the_way = directory_in_the_way(db_path)
    if in_the_way is not None:
        return in_the_way
    directory = os.path.dirname(db_path)
    if is_full(directory) or "space" in said.lower():
        return _full(db_path)
    return StoreError(
        f"Nothing can be read or written at the index {db_path}: the disk is full, or fails; "
        "what it held before is whole",
        hint=f"Check the disk, and run the same command again: df {quoted(directory)}",
    )


def is_full(directory: str) -> bool:
    """Whether the disk that holds a directory has no room for what SQLite needs beside a file."""
    try:
        # Absent on Windows.
        room = os.statvfs(directory)
    except (OSError, AttributeError):
        return False
    # Some file systems count no files, and have 0 of 0 left.
    has_no_file_left = room.f_files > 0 and room.f_favail == 0
    return room.f_bavail * room.f_frsize < _SHARED_MEMORY_BYTES or has_no_file_left


def _full(db_path: str) -> StoreError:
    directory = os.path.dirname(db_path)
    return StoreError(
        f"The disk that holds {directory} is full; what the index held before is whole",
        hint=f"Free some space there and run the same command again: df {quoted(directory)}",
        code="store.full",
    )


def _not_opened(db_path: str, said: str) -> StoreError:
    in_the_way = directory_in_the_way(db_path)
    if in_the_way is not None:
        return in_the_way
    directory = os.path.dirname(db_path)
    if is_full(directory):
        return _full(db_path)
    why = read_only(db_path)
    if why is not None:
        return why
    return StoreError(
        f"The index {db_path} cannot be opened or written here: {said}",
        hint=f"Check permissions and disk: ls -ld {quoted(directory)} {quoted(db_path)}; "
        f"df {quoted(directory)}",
    )


def read_only(db_path: str) -> StoreError | None:
    """The error for a file or a directory that has to be written and may not be, if it is so."""
    for path, kind in ((os.path.dirname(db_path), "directory"), (db_path, "file")):
        if os.path.exists(path) and not os.access(path, os.W_OK):
            return StoreError(
                f"The index {db_path} cannot be written: the {kind} {path} is read-only for you",
                hint=f"Keep an index elsewhere: {_index_command(db_path, 'FILE')}",
            )
    return None


def log_unreadable(db_path: str) -> StoreError:
    """The error for a log that a run left and that only who may write beside it can read."""
    directory = os.path.dirname(db_path)
    return StoreError(
        f"The index {db_path} was left by a run that did not end, and nothing can be written "
        f"beside it, which reading it needs",
        hint=f"As someone who may write in {directory}: {_index_command(db_path, db_path)}",
    )


def damaged(db_path: str, reason: str) -> StoreError:
    """The error for a database that cannot be read as one of ours."""
    return StoreError(
        f"The index {db_path} is damaged: {reason}",
        hint=repair_command(db_path),
        code="store.damaged",
    )


def replaced(db_path: str) -> StoreError:
    """The error for a file that lies no longer where it was opened."""
    return StoreError(
        f"The index {db_path} was replaced or removed by another program while it was open; "
        "nothing was written to the former file",
        hint="Run the same command again",
        code="store.replaced",
    )


def repair_command(db_path: str) -> str:
    """The command that mends what can be mended of a database."""
    return f"rootleaf doctor --repair --db {quoted(db_path)}"


def rebuild_hint(db_path: str) -> str:
    """How to get an index again whose file is of no use."""
    moved = f"mv {quoted(db_path)} {quoted(db_path + '.damaged')}"
    if is_default_db_path(db_path):
        root = os.path.dirname(os.path.dirname(db_path))
        return f"Move it away and index again: {moved} && rootleaf index {quoted(root)}"
    return f"Move it away and index again: {moved} && rootleaf index ROOT --db {quoted(db_path)}"


def _index_command(db_path: str, database: str) -> str:
    root = "ROOT"
    if is_default_db_path(db_path):
        root = quoted(os.path.dirname(os.path.dirname(db_path)))
        if database == db_path:
            return f"rootleaf index {root}"
    return f"rootleaf index {root} --db {quoted(database)}"

"""Turns what SQLite says into errors that name the file and what to do about it."""

from __future__ import annotations

import os
import sqlite3

from rootleaf.errors import StoreError
from rootleaf.store.paths import is_default_db_path, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


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
    directory = os.path.dirname(db_path)
    if "locked" in said or "busy" in said:
        return StoreError(
            f"The index {db_path} is being written by another program and stays locked",
            hint="Try again when it is done",
            code="store.busy",
        )
    if "full" in said:
        return StoreError(
            f"The disk that holds {directory} is full; the index is as it was",
            hint="Free some space there and run the same command again",
            code="store.full",
        )
    if "disk I/O error" in said:
        return StoreError(
            f"Nothing can be read or written at the index {db_path}: the disk is full, or fails",
            hint=f"Check the disk, and run the same command again: df {quoted(directory)}",
            code="store.full" if _is_full(directory) else None,
        )
    if "readonly" in said or "unable to open" in said:
        return StoreError(
            f"The index {db_path} cannot be opened or written here: {said}",
            hint=f"Check the permissions: ls -ld {quoted(directory)} {quoted(db_path)}",
        )
    return damaged(db_path, said)


def _is_full(directory: str) -> bool:
    import shutil

    try:
        return shutil.disk_usage(directory).free == 0
    except OSError:
        return False


def damaged(db_path: str, reason: str) -> StoreError:
    """The error for a database that cannot be read as one of ours."""
    return StoreError(f"The index {db_path} is damaged: {reason}", hint=rebuild_hint(db_path))


def rebuild_hint(db_path: str) -> str:
    """How to get an index again whose file is of no use."""
    moved = f"mv {quoted(db_path)} {quoted(db_path + '.damaged')}"
    if is_default_db_path(db_path):
        root = os.path.dirname(os.path.dirname(db_path))
        return f"Move it away and index again: {moved} && rootleaf index {quoted(root)}"
    return f"Move it away and index again: {moved} && rootleaf index ROOT --db {quoted(db_path)}"

"""Which databases this process has open, and how to look into such a file without harm.

POSIX has a process lose all its locks on a file when it closes any descriptor of that file. SQLite
knows its own descriptors and minds that; it cannot know of ours. If we opened and closed the file
of a database while a connection reads it, another process that closes the database would think
itself the last one and remove the log under the reader: https://www.sqlite.org/howtocorrupt.html,
section 2.2.
"""

from __future__ import annotations

import os
import sqlite3
from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

_guard = allocate_lock()
_counts: dict[str, int] = {}


class OpenConnection(sqlite3.Connection):
    """A connection that counts as open until it is closed."""

    counted_path: str | None = None

    def close(self) -> None:
        """Lets go of the database; a second call does nothing."""
        super().close()
        path, self.counted_path = self.counted_path, None
        if path is not None:
            _count(path, -1)


def connect(db_path: str, target: str | None = None, **options: Any) -> sqlite3.Connection:
    """A connection to a database, as `sqlite3.connect` makes it.

    Args:
        db_path: The file.
        target: What to connect to, where that is another spelling of it.
        options: As `sqlite3.connect` takes them.
    """
    path = os.path.realpath(db_path)
    # Before it is opened, so that it has no lock yet that could be lost.
    _count(path, 1)
    try:
        connection = sqlite3.connect(target or db_path, factory=OpenConnection, **options)
    except BaseException:
        _count(path, -1)
        raise
    connection.counted_path = path
    return connection


class Unopened:
    """A block within which no connection to a database is opened in this process.

    Entering it tells whether none is open already: only then may the file be opened otherwise.
    """

    def __init__(self, db_path: str) -> None:
        self._path = os.path.realpath(db_path)

    def __enter__(self) -> bool:
        _guard.acquire()
        return self._path not in _counts

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _guard.release()


def _count(path: str, change: int) -> None:
    with _guard:
        count = _counts.get(path, 0) + change
        if count > 0:
            _counts[path] = count
        else:
            _counts.pop(path, None)


if hasattr(os, "register_at_fork"):
    # A child that was made while another thread looked into a file would wait for it for ever.
    os.register_at_fork(after_in_child=lambda: _guard.release() if _guard.locked() else None)

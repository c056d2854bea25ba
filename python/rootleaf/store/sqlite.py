"""The store in one SQLite file, and the two ways to open it."""

from __future__ import annotations

import os

from rootleaf.store.file_identity import file_identity
from rootleaf.store.sqlite_moments import SqliteMoment, SqliteMoments
from rootleaf.store.sqlite_opening import connect_for_reading, connect_for_writing
from rootleaf.store.sqlite_reading import SqliteReading

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from types import TracebackType

    from typing_extensions import Self

    from rootleaf.store.sqlite_examining import SqliteExamination
    from rootleaf.store.sqlite_mending import SqliteMending
    from rootleaf.store.sqlite_writing import SqliteTransaction

_ERASING_MS = 3000
"""How long other processes are waited for; what is to be erased is out of reach by then."""


class SqliteStore(SqliteReading, SqliteMoments):
    """A store in an open database; see `rootleaf.store.protocol.Store`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        db_path: str,
        *,
        is_immutable: bool = False,
        identity: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(connection, db_path, is_immutable=is_immutable)
        self._identity = identity

    def reading(self) -> SqliteMoment:
        """A block within which all that is read is of one moment."""
        return SqliteMoment(self._connection, self._errors)

    def writing(self) -> SqliteTransaction:
        """A write transaction, begun when its `with` block is entered."""
        from rootleaf.store.sqlite_writing import SqliteTransaction

        return SqliteTransaction(self._connection, self.db_path, self._identity)

    def mending(self) -> SqliteMending:
        """A write transaction that mends what an examination finds."""
        from rootleaf.store.sqlite_mending import SqliteMending

        return SqliteMending(self._connection, self.db_path, self._identity)

    def examination(self) -> SqliteExamination:
        """What can be asked of it, though it may be damaged."""
        from rootleaf.store.sqlite_examining import SqliteExamination

        return SqliteExamination(self._connection, self.db_path)

    def erase_traces(self) -> bool:
        """Rewrites the file, so that nothing is left in it of what was removed.

        What SQLite moves about within its pages it does not overwrite, even with `secure_delete`.

        Returns:
            Whether that was done. Not, where another process writes or keeps the log by reading, or
            where the disk has no room for a second copy; after a bounded wait.
        """
        import sqlite3

        try:
            self._connection.execute(f"PRAGMA busy_timeout = {_ERASING_MS}")
            self._connection.execute("VACUUM")
            (busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            return False
        return not busy

    def settle(self) -> None:
        """Brings what was committed to the disk, and into the file itself if nobody keeps the log.

        SQLite does the latter when the last connection is closed, which never comes where a
        long-lived process reads. What lies in the log would then be taken for that of whatever
        file somebody puts in the place of this one.

        Raises:
            StoreError: The disk fails or is full. What was committed can be read until the power
                fails.
        """
        import sqlite3

        from rootleaf.store.sqlite_log import has_log, sync_log

        if has_log(self.db_path):
            with self._errors:
                (patience_ms,) = self._connection.execute("PRAGMA busy_timeout").fetchone()
                self._connection.execute("PRAGMA busy_timeout = 0")
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error:
                # Locked, or a disk that fails: then so does the next line.
                pass
            finally:
                with self._errors:
                    self._connection.execute(f"PRAGMA busy_timeout = {patience_ms}")
        sync_log(self.db_path)

    def has_log(self) -> bool:
        """Whether the database has a log, so that readers and a writer need not wait."""
        from rootleaf.store.sqlite_journal import LOG

        with self._errors:
            (mode,) = self._connection.execute("PRAGMA journal_mode").fetchone()
        return mode == LOG or self.is_immutable

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_for_reading(db_path: str) -> SqliteStore:
    """Opens a database so that it can only be read, all of it as of one moment.

    Nothing is created but the `-wal` and `-shm` files that SQLite wants; where the directory is not
    writable the file is read as immutable, and `is_immutable` says so.

    Raises:
        NotIndexedError: There is no database at `db_path`, or it was never written to.
        StoreError: The file is foreign, newer, damaged or unreadable.
    """
    db_path = os.path.abspath(db_path)
    while True:
        identity = file_identity(db_path)
        connection, immutable = connect_for_reading(db_path)
        if identity == file_identity(db_path):
            return SqliteStore(connection, db_path, is_immutable=immutable)
        # Another file took its place meanwhile; each time, so that this comes to an end.
        connection.close()


def open_for_writing(db_path: str) -> SqliteStore:
    """Opens a database for reading and writing, and creates it where there is none.

    `.rootleaf/` is made when the path names it; any other directory has to exist.

    Raises:
        StoreError: The file is foreign, newer, damaged or cannot be written; it is then left as it
            is.
    """
    db_path = os.path.abspath(db_path)
    while True:
        identity = file_identity(db_path)
        connection = connect_for_writing(db_path)
        opened = file_identity(db_path)
        if identity is None or identity == opened:
            return SqliteStore(connection, db_path, identity=opened)
        connection.close()

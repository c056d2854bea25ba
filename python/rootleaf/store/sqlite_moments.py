"""Moments: what is read of a database between two looks at it is of one state."""

from __future__ import annotations

from rootleaf.store.schema import STATE_ID_BYTES
from rootleaf.store.sqlite_errors import damaged
from rootleaf.store.sqlite_opening import check_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from types import TracebackType

    from rootleaf.store.sqlite_errors import SqliteErrors


class SqliteMoments:
    """The part of a store that knows which moment it reads."""

    db_path: str
    _connection: sqlite3.Connection
    _errors: SqliteErrors

    def state(self) -> tuple[int, bytes]:
        """The generation and its state id, which together tell this content from any other."""
        with self._errors:
            row = self._connection.execute(
                "SELECT generation, state_id FROM states ORDER BY generation DESC LIMIT 1"
            ).fetchone()
        if row is None or not isinstance(row[1], bytes) or len(row[1]) != STATE_ID_BYTES:
            raise damaged(self.db_path, "it does not know its own state")
        return row[0], row[1]

    def commits_seen(self) -> int:
        """A number that is another one whenever somebody else has committed since it was asked for.

        Of no use to compare connections with: https://www.sqlite.org/pragma.html#pragma_data_version.
        """
        with self._errors:
            (number,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(number)

    def move_on(self) -> None:
        """Lets a store that was opened for reading read as of now."""
        self.end_moment()
        with self._errors:
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT 1 FROM meta").fetchone()

    def is_in_moment(self) -> bool:
        """Whether all that is read now is of one moment."""
        return self._connection.in_transaction

    def forget_pages(self) -> None:
        """Reads the file again, though no commit has changed it, and looks whether it is ours.

        Raises:
            StoreError: It is not, or cannot be read.
        """
        self.end_moment()
        with self._errors:
            # Lets go of every page that is not in use, and none is.
            self._connection.execute("PRAGMA shrink_memory")
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            check_version(self._connection, self.db_path)

    def end_moment(self) -> None:
        """Lets go of the moment that is read, until `move_on`: the log may be folded in."""
        if self._connection.in_transaction:
            with self._errors:
                self._connection.execute("ROLLBACK")


class SqliteMoment:
    """A read transaction, in a connection that may have one already."""

    def __init__(self, connection: sqlite3.Connection, errors: SqliteErrors) -> None:
        self._connection = connection
        self._errors = errors
        self._begun = False

    def __enter__(self) -> None:
        if not self._connection.in_transaction:
            with self._errors:
                self._connection.execute("BEGIN")
            self._begun = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._begun and self._connection.in_transaction:
            with self._errors:
                self._connection.execute("ROLLBACK")

"""The generation that a write transaction leads to, which it raises once, and only if it has to."""

from __future__ import annotations

from rootleaf.store.schema import STATES_KEPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from rootleaf.store.sqlite_errors import SqliteErrors


class SqliteGenerations:
    """What every half of a write transaction needs to say that content has changed."""

    _connection: sqlite3.Connection
    _errors: SqliteErrors
    _generation: int | None

    def _raise_generation(self) -> int:
        """The generation that this transaction leads to: the revision of what it writes."""
        if self._generation is None:
            with self._errors:
                (value,) = self._connection.execute(
                    "SELECT value FROM meta WHERE name = 'generation'"
                ).fetchone()
            self._generation = int(value) + 1
        return self._generation

    def _write_generation(self, generation: int) -> None:
        self._connection.execute(
            "UPDATE meta SET value = ? WHERE name = 'generation'", (generation,)
        )
        self._connection.execute("INSERT INTO states VALUES (?, randomblob(16))", (generation,))
        self._connection.execute(
            "DELETE FROM states WHERE generation <= ?", (generation - STATES_KEPT,)
        )

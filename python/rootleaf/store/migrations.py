"""Numbered steps that bring a database from one schema to the next.

Each is one transaction: a database is of one version or of the next, never between. A step that
leads on from a version leads to a new generation too, of which no snapshot was made.
"""

from __future__ import annotations

from rootleaf.store.schema import APPLICATION_ID, CREATE_VERSION_1

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

MIGRATIONS: tuple[tuple[str, ...], ...] = (CREATE_VERSION_1,)
"""The statements that lead to version 1, 2, …; a step that was released is never changed."""

_NEW_STATE = (
    "UPDATE meta SET value = value + 1 WHERE name = 'generation'",
    "DELETE FROM states",
    "INSERT INTO states SELECT value, randomblob(16) FROM meta WHERE name = 'generation'",
)


def migrate(
    connection: sqlite3.Connection, migrations: tuple[tuple[str, ...], ...] | None = None
) -> None:
    """Applies the steps that a database lacks; does nothing to a current one.

    Args:
        connection: In no transaction; it waits for other writers.
        migrations: All steps there are; those of this program where None.
    """
    steps = MIGRATIONS if migrations is None else migrations
    while _version(connection) < len(steps):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Again under the write lock, since another process may have been faster.
            version = _version(connection)
            if version < len(steps):
                _step(connection, version, steps[version])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _step(connection: sqlite3.Connection, version: int, statements: tuple[str, ...]) -> None:
    for statement in statements:
        connection.execute(statement)
    if version:
        for statement in _NEW_STATE:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version + 1}")
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('schema_version', ?)", (version + 1,))


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version

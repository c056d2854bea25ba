"""Numbered steps that bring a database from one schema to the next.

Each is committed whole or not at all.
"""

from __future__ import annotations

from rootleaf.store.schema import APPLICATION_ID, CREATE_VERSION_1, SCHEMA_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

MIGRATIONS: tuple[tuple[str, ...], ...] = (CREATE_VERSION_1,)
"""The statements that lead to version 1, 2, …; a step that was released is never changed."""


def migrate(connection: sqlite3.Connection) -> None:
    """Applies the steps that a database lacks, in one transaction; does nothing to a current one.

    The version is read again under the write lock, since another process may have been faster.
    """
    if _version(connection) == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_version(connection), SCHEMA_VERSION):
            for statement in MIGRATIONS[number]:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute(
            "INSERT OR REPLACE INTO meta VALUES ('schema_version', ?)", (SCHEMA_VERSION,)
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version

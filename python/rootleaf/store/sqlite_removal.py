"""Dropping rows of whole directories and roots from the SQLite store, and moving a root.

Statements work on sets of rows: a directory of a hundred thousand documents is a few of them.
"""

from __future__ import annotations

from rootleaf.store.sqlite_generations import SqliteGenerations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

_BELOW = "root_id = :root AND (:below = '' OR path = :below OR (path >= :first AND path < :end))"
_IDS_BELOW = f"SELECT document_id FROM documents WHERE {_BELOW}"


class SqliteRemoval(SqliteGenerations):
    """The part of a write transaction that is about whole directories and roots."""

    def forget(self, root_id: int, below: str) -> list[str]:
        """Removes the documents of a root at or below a relative path, and overwrites their bytes.

        All vectors that no document uses then go with them. An empty path stands for the whole
        root.
        Gives the relative paths of what was removed.
        """
        with self._errors:
            self._connection.execute("PRAGMA secure_delete = ON")
            names = paths_below(self._connection, root_id, below)
            if not names:
                return []
            bounds = {**_bounds(root_id, below), "revision": self._raise_generation()}
            self._connection.execute(
                f"INSERT OR REPLACE INTO tombstones SELECT document_id, :revision FROM documents"
                f" WHERE {_BELOW}",
                bounds,
            )
            for table in ("chunksets", "texts", "documents"):
                self._connection.execute(
                    f"DELETE FROM {table} WHERE document_id IN ({_IDS_BELOW})", bounds
                )
            # Earlier texts of these documents too: a vector does not say whose it was, and one that
            # is paid for again is better than one that tells of a text that was to be forgotten.
            self._connection.execute(
                "DELETE FROM vectors"
                " WHERE NOT EXISTS (SELECT 1 FROM chunksets WHERE chunksets.key = vectors.key)"
            )
        return names

    def remove_root(self, root_id: int) -> None:
        """Removes a root that has no documents any more."""
        with self._errors:
            self._connection.execute("DELETE FROM roots WHERE root_id = ?", (root_id,))

    def move_root(self, root_id: int, path: str) -> None:
        """Gives a root another path.

        Its documents keep all but the beginning of theirs.
        """
        revision = self._raise_generation()
        with self._errors:
            self._connection.execute("UPDATE roots SET path = ? WHERE root_id = ?", (path, root_id))
            self._connection.execute(
                "UPDATE documents SET revision = ? WHERE root_id = ?", (revision, root_id)
            )


def paths_below(connection: sqlite3.Connection, root_id: int, below: str) -> list[str]:
    """The relative paths of a root's documents at or below one, in order; below "" lie all."""
    rows = connection.execute(
        f"SELECT path FROM documents WHERE {_BELOW} ORDER BY path", _bounds(root_id, below)
    )
    return [path for (path,) in rows]


def _bounds(root_id: int, below: str) -> dict[str, object]:
    # "0" is the character behind "/", so that nothing that merely begins alike lies between.
    return {"root": root_id, "below": below, "first": f"{below}/", "end": f"{below}0"}

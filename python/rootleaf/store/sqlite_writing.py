"""Writing to the SQLite store, in transactions that take the write lock when they begin."""

from __future__ import annotations

import json
import sqlite3
import time

from rootleaf.store.file_identity import file_identity
from rootleaf.store.metadata_text import written
from rootleaf.store.protocol import KEY_BYTES
from rootleaf.store.sqlite_errors import SqliteErrors, replaced, store_error
from rootleaf.store.sqlite_reading import read_roots
from rootleaf.store.sqlite_removal import SqliteRemoval
from rootleaf.store.sqlite_vector_writing import SqliteVectorWriting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from typing_extensions import Self

    from rootleaf.store.records import DocumentVersion, FileMark, StoredRoot
    from rootleaf.types import IgnoredBy, Skipped


class SqliteTransaction(SqliteRemoval, SqliteVectorWriting):
    """One write transaction.

    See `rootleaf.store.protocol.Transaction` for what each method promises.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        db_path: str,
        identity: tuple[int, int] | None = None,
    ) -> None:
        self._connection = connection
        self._identity = identity
        self._db_path = db_path
        self._errors = SqliteErrors(db_path)
        self._generation: int | None = None

    def __enter__(self) -> Self:
        # A deferred transaction that reads first and writes later could not be waited for: SQLite
        # refuses the upgrade at once when another writer was faster.
        with self._errors:
            self._connection.execute("BEGIN IMMEDIATE")
        if self._identity is not None and self._identity != file_identity(self._db_path):
            # A repair holds the lock while it renames, so that this is seen by who waited for it.
            self._undo()
            raise replaced(self._db_path)
        self._generation = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            try:
                if self._generation is not None:
                    self._write_generation(self._generation)
                self._connection.execute("COMMIT")
                return
            except sqlite3.Error as failure:
                self._undo()
                raise store_error(failure, self._db_path) from failure
            except BaseException:
                self._undo()
                raise
        self._undo()

    def _undo(self) -> None:
        # A full disk or a failed read ends the transaction on SQLite's side already.
        with self._errors:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def roots(self) -> list[StoredRoot]:
        """The roots as they are under the write lock."""
        with self._errors:
            return read_roots(self._connection)

    def add_root(self, path: str, selection: str, chunker: str) -> int:
        """Records a root and returns its id, or that of the root recorded already."""
        with self._errors:
            row = self._connection.execute(
                "SELECT root_id FROM roots WHERE path = ?", (path,)
            ).fetchone()
            if row is None:
                cursor = self._connection.execute(
                    "INSERT INTO roots (path, selection, chunker) VALUES (?, ?, ?)",
                    (path, selection, chunker),
                )
                return cursor.lastrowid or 0
        return int(row[0])

    def set_analyzer(self, identity: str) -> None:
        """Records the analyzer at work, where another one is recorded."""
        with self._errors:
            self._connection.execute(
                "UPDATE meta SET value = :analyzer WHERE name = 'analyzer' AND value <> :analyzer",
                {"analyzer": identity},
            )

    def set_run(
        self,
        root_id: int,
        *,
        selection: str | None = None,
        chunker: str | None = None,
        files_to_go: int | None = None,
        skipped: tuple[Skipped, ...] | None = None,
        ignored: tuple[IgnoredBy, ...] | None = None,
    ) -> None:
        """Records how a run of a root stands; what is None stays."""
        values: dict[str, object] = {}
        if selection is not None:
            values["selection"] = selection
        if chunker is not None:
            values["chunker"] = chunker
        if files_to_go is not None:
            values["files_to_go"] = files_to_go
        if skipped is not None:
            values["skipped"] = _json([[entry.path, entry.reason] for entry in skipped])
        if ignored is not None:
            values["ignored"] = _json([[by.rule, by.files, by.directories] for by in ignored])
        assignments = ", ".join(f"{name} = :{name}" for name in values)
        if assignments:
            with self._errors:
                self._connection.execute(
                    f"UPDATE roots SET {assignments} WHERE root_id = :root",
                    {**values, "root": root_id},
                )

    def put_document(
        self, root_id: int, version: DocumentVersion, inherited: Mapping[bytes, int] | None = None
    ) -> int:
        """Stores a version of a document and returns the document's id."""
        problem = version.front_matter_problem
        columns: dict[str, object] = {
            "root_id": root_id,
            "path": version.path,
            "revision": self._raise_generation(),
            "stat_signature": version.stat_signature,
            "content_hash": version.content_hash,
            "text_bytes": len(version.text.encode()),
            "chunk_count": version.chunk_count,
            "front_matter": version.front_matter,
            "problem_line": problem.line if problem else None,
            "problem_reason": problem.reason if problem else None,
            "rules_identity": version.rules_identity,
            "metadata": written(version.metadata),
        }
        with self._errors:
            row = self._connection.execute(
                "SELECT document_id FROM documents WHERE root_id = ? AND path = ?",
                (root_id, version.path),
            ).fetchone()
            if row is None:
                cursor = self._connection.execute(_INSERT_DOCUMENT, columns)
                document_id = cursor.lastrowid or 0
                statement = "INSERT INTO texts (text, document_id) VALUES (?, ?)"
            else:
                document_id = int(row[0])
                self._connection.execute(_UPDATE_DOCUMENT, {**columns, "document_id": document_id})
                statement = "UPDATE texts SET text = ? WHERE document_id = ?"
            self._connection.execute(statement, (version.text, document_id))
            self._write_chunksets(
                document_id,
                version.chunkset_keys,
                was_there=row is not None,
                inherited=inherited,
            )
        return document_id

    def holds(self, mark: FileMark) -> bool:
        """Whether the row of `mark` is still of that file and content."""
        with self._errors:
            row = self._connection.execute(
                "SELECT 1 FROM documents WHERE document_id = ? AND path = ? AND content_hash = ?",
                (mark.document_id, mark.path, mark.content_hash),
            ).fetchone()
        return row is not None

    def move(
        self,
        root_id: int,
        mark: FileMark,
        *,
        path: str,
        stat_signature: str,
        rules_identity: str,
        metadata: Mapping[str, str | list[str]],
    ) -> bool:
        """Gives a document another path below its root, if that is free and `mark` still holds."""
        with self._errors:
            taken = self._connection.execute(
                "SELECT 1 FROM documents WHERE root_id = ? AND path = ?", (root_id, path)
            ).fetchone()
            if taken is not None or not self.holds(mark):
                return False
            values = (path, stat_signature, rules_identity, _json(metadata))
            self._connection.execute(
                "UPDATE documents SET path = ?, stat_signature = ?, rules_identity = ?,"
                " metadata = ?, revision = ? WHERE document_id = ?",
                (*values, self._raise_generation(), mark.document_id),
            )
        return True

    def touch(self, document_id: int, stat_signature: str) -> None:
        """Records that a file's stat signature changed and its bytes did not."""
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET stat_signature = ? WHERE document_id = ?",
                (stat_signature, document_id),
            )

    def set_metadata(
        self, document_id: int, rules_identity: str, metadata: Mapping[str, str | list[str]]
    ) -> None:
        """Replaces the metadata of a document and the rules it was resolved by."""
        revision = self._raise_generation()
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET rules_identity = ?, metadata = ?, revision = ?"
                " WHERE document_id = ?",
                (rules_identity, written(metadata), revision, document_id),
            )

    def set_chunksets(self, document_id: int, chunk_count: int, chunkset_keys: bytes) -> None:
        """Replaces the chunksets of a document whose text is the same."""
        revision = self._raise_generation()
        with self._errors:
            cursor = self._connection.execute(
                "UPDATE documents SET chunk_count = ?, revision = ? WHERE document_id = ?",
                (chunk_count, revision, document_id),
            )
            # Another process may have removed the document since it was read.
            if cursor.rowcount:
                self._write_chunksets(
                    document_id, chunkset_keys, was_there=True, text_is_the_same=True
                )

    def remove(self, document_id: int) -> None:
        """Removes a document; its id is never used again."""
        revision = self._raise_generation()
        with self._errors:
            for table in ("chunksets", "texts", "documents"):
                self._connection.execute(
                    f"DELETE FROM {table} WHERE document_id = ?", (document_id,)
                )
            self._connection.execute(
                "INSERT OR REPLACE INTO tombstones VALUES (?, ?)", (document_id, revision)
            )

    def _write_chunksets(
        self,
        document_id: int,
        keys: bytes,
        *,
        was_there: bool,
        text_is_the_same: bool = False,
        inherited: Mapping[bytes, int] | None = None,
    ) -> None:
        """Writes the chunksets that differ from the stored ones.

        An appended entry costs one row. Keys that are new to the document are dated as `inherited`
        says, else by the clock.
        """
        stored: list[tuple[bytes, int]] = []
        if was_there:
            stored = self._connection.execute(
                "SELECT key, first_seen FROM chunksets WHERE document_id = ? ORDER BY ordinal",
                (document_id,),
            ).fetchall()
        inherited = inherited or {}
        unknown_date = int(time.time())
        if text_is_the_same and stored:
            unknown_date = max(date for _, date in stored)
        dates: dict[bytes, list[int]] = {}
        for key, date in reversed(stored):
            dates.setdefault(key, []).append(date)
        changed = []
        count = len(keys) // KEY_BYTES
        for ordinal in range(count):
            key = keys[ordinal * KEY_BYTES : (ordinal + 1) * KEY_BYTES]
            known = dates.get(key)
            row = (key, known.pop() if known else inherited.get(key, unknown_date))
            if ordinal >= len(stored) or stored[ordinal] != row:
                changed.append((document_id, ordinal, *row))
        self._connection.executemany(
            "INSERT OR REPLACE INTO chunksets VALUES (?, ?, ?, ?)", changed
        )
        if len(stored) > count:
            self._connection.execute(
                "DELETE FROM chunksets WHERE document_id = ? AND ordinal >= ?", (document_id, count)
            )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_DOCUMENT_COLUMNS = (
    "root_id", "path", "revision", "stat_signature", "content_hash", "text_bytes", "chunk_count",
    "front_matter", "problem_line", "problem_reason", "rules_identity", "metadata",
)  # fmt: skip
_INSERT_DOCUMENT = (
    f"INSERT INTO documents ({', '.join(_DOCUMENT_COLUMNS)})"
    f" VALUES ({', '.join(f':{name}' for name in _DOCUMENT_COLUMNS)})"
)
_UPDATE_DOCUMENT = (
    f"UPDATE documents SET {', '.join(f'{name} = :{name}' for name in _DOCUMENT_COLUMNS)}"
    " WHERE document_id = :document_id"
)

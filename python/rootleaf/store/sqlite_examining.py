"""Looking at a database row by row: what SQLite says of its pages, and what our tables promise.

Columns come as the bytes that lie there, because whatever lies there is what is looked for.
"""

from __future__ import annotations

import json
import sqlite3

from rootleaf.store.schema import (
    CREATE_VERSION_1,
    FLOAT_BYTES,
    KEYWORD_ONLY,
    LARGEST_NUMBER,
    LATEST_SECOND,
    NO_MODEL_YET,
    STATE_ID_BYTES,
)
from rootleaf.store.sqlite_errors import SqliteErrors
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_COMPLAINTS = 5
_KEY_BYTES = 16

_DOCUMENTS = (
    "SELECT document_id, root_id, CAST(documents.path AS BLOB), content_hash, text_bytes,"
    " chunk_count, front_matter, problem_line, problem_reason, rules_identity,"
    " CAST(metadata AS BLOB), CAST(text AS BLOB) FROM documents LEFT JOIN texts USING (document_id)"
    " ORDER BY document_id"
)

# What a column has to hold that every reader takes as it comes. What else may lie in a table is
# looked at row by row.
_KINDS = {
    "roots": {
        "path": "text", "selection": "text", "chunker": "text", "files_to_go": "integer",
        "skipped": "text", "ignored": "text",
    },
    "documents": {
        "root_id": "integer", "path": "text", "revision": "integer", "stat_signature": "text",
    },
    "texts": {"text": "text"},
    "chunksets": {"ordinal": "integer", "first_seen": "integer"},
    "models": {
        "name": "text", "revision": "text", "dimension": "integer", "is_normalised": "integer",
        "preprocessing": "text", "text_form": "text",
    },
    "tombstones": {"revision": "integer"},
}  # fmt: skip

# Texts that are read as such; those of documents are looked at one by one.
_DECODED = {
    "roots": ("path", "selection", "chunker", "skipped", "ignored"),
    "documents": ("path", "stat_signature", "problem_reason", "rules_identity"),
    "models": ("name", "revision", "preprocessing", "text_form"),
}

# What has to be without any row, by the name of what is wrong.
_STRAYS = {
    "texts": "SELECT document_id FROM texts WHERE document_id NOT IN"
    " (SELECT document_id FROM documents)",
    "chunksets": "SELECT DISTINCT document_id FROM chunksets WHERE document_id NOT IN"
    " (SELECT document_id FROM documents)",
    "documents": "SELECT document_id FROM documents WHERE root_id NOT IN"
    " (SELECT root_id FROM roots)",
    "vectors": "SELECT vector_id FROM vectors WHERE model_id NOT IN (SELECT model_id FROM models)",
    "tombstones": "SELECT document_id FROM tombstones WHERE document_id IN"
    " (SELECT document_id FROM documents)",
}

_WHERE_GIVEN = f" WHERE document_id < {LARGEST_NUMBER}"
_HIGHEST_DOCUMENT = (
    f"SELECT max(ifnull((SELECT max(document_id) FROM documents{_WHERE_GIVEN}), 0),"
    f" ifnull((SELECT max(document_id) FROM tombstones{_WHERE_GIVEN}), 0))"
)


class ExaminedDocument(Value):
    """A row of `documents` with what belongs to it, as it lies there; `text` None: it has none."""

    document_id: int
    root_id: int
    path: str
    content_hash: object
    text_bytes: object
    chunk_count: object
    front_matter: object
    problem: tuple[object, object]
    rules_identity: object
    metadata: bytes | None
    text: bytes | None
    ordinals: tuple[object, ...]
    keys: bytes

    @property
    def has_plain_ordinals(self) -> bool:
        """Whether its chunksets are numbered from 0 without a gap."""
        return self.ordinals == tuple(range(len(self.ordinals)))


class ExaminedRoot(Value):
    """A row of `roots`; what is no text there is empty here."""

    root_id: int
    path: str
    selection: str
    chunker: str


class ExaminedCounters(Value):
    """The counters of a database, as far as they are numbers, and what they have to agree with."""

    generation: int | None
    highest_revision: int
    highest_state: int
    has_state: bool
    highest_document: int
    document_sequence: int
    model: object
    has_model: bool
    analyzer: object


class SqliteExamination:
    """What can be asked of a database that may be damaged.

    Args:
        connection: In a transaction, so that all is of one moment.
        db_path: For errors.
    """

    def __init__(self, connection: sqlite3.Connection, db_path: str) -> None:
        self._connection = connection
        self._errors = SqliteErrors(db_path)

    def complaints(self) -> list[str]:
        """What SQLite says of the pages and indexes of the file; nothing where all is well."""
        try:
            rows = self._connection.execute(f"PRAGMA integrity_check({_MOST_COMPLAINTS})")
            return [line for (line,) in rows if line != "ok"]
        except sqlite3.Error as error:
            return [str(error)]

    def altered_schema(self) -> list[str]:
        """Tables and indexes that are not as this version makes them, and what acts on its own.

        A trigger, or an index that forbids rows, changes what is written here; a table of somebody
        else's does not.
        """
        expected = sqlite3.connect(":memory:")
        try:
            for statement in CREATE_VERSION_1:
                expected.execute(statement)
            wanted = _schema(expected)
        finally:
            expected.close()
        with self._errors:
            found = _schema(self._connection)
            acting = self._connection.execute(
                "SELECT name, tbl_name FROM sqlite_master WHERE type IN ('trigger', 'index')"
            ).fetchall()
        altered = {name for name, made in wanted.items() if found.get(name) != made}
        altered.update(name for name, table in acting if table in wanted and name not in wanted)
        return sorted(altered)

    def misplaced_values(self) -> list[str]:
        """Columns with values of another kind than the table says, which SQLite lets pass."""
        found = []
        with self._errors:
            for table, kinds in _KINDS.items():
                sums = ", ".join(f"sum(typeof({name}) <> '{kind}')" for name, kind in kinds.items())
                counts = self._connection.execute(f"SELECT {sums} FROM {table}").fetchone()
                found += [
                    f"{table}.{name}: {count:,} values that are no {kind}"
                    for (name, kind), count in zip(kinds.items(), counts, strict=True)
                    if count
                ]
            for table, names in _DECODED.items():
                rows = self._connection.execute(
                    f"SELECT {', '.join(f'CAST({name} AS BLOB)' for name in names)} FROM {table}"
                )
                bad = {
                    name
                    for row in rows
                    for name, value in zip(names, row, strict=True)
                    if not _is_decodable(value)
                }
                found += [f"{table}.{name}: text that is no UTF-8" for name in sorted(bad)]
            (count,) = self._connection.execute(
                "SELECT count(*) FROM chunksets WHERE first_seen NOT BETWEEN 0 AND ?",
                (LATEST_SECOND,),
            ).fetchone()
        if count:
            found.append(f"chunksets.first_seen: {count:,} values that are no date")
        return found

    def schema_version(self) -> int:
        """The version that the header names."""
        return _number(self._one("PRAGMA user_version"))

    def documents(self) -> Iterator[ExaminedDocument]:
        """All rows of documents, by id."""
        with self._errors:
            for row in self._connection.execute(_DOCUMENTS):
                chunksets = self._connection.execute(
                    "SELECT ordinal, key FROM chunksets WHERE document_id = ? ORDER BY ordinal",
                    row[:1],
                ).fetchall()
                yield ExaminedDocument(
                    document_id=row[0],
                    root_id=row[1],
                    path=bytes(row[2]).decode("utf-8", "replace"),
                    content_hash=row[3],
                    text_bytes=row[4],
                    chunk_count=row[5],
                    front_matter=row[6],
                    problem=(row[7], row[8]),
                    rules_identity=row[9],
                    metadata=row[10],
                    text=row[11],
                    ordinals=tuple(ordinal for ordinal, _ in chunksets),
                    keys=b"".join(_key(key) for _, key in chunksets),
                )

    def count_documents(self) -> int:
        """How many rows of documents there are."""
        return _number(self._one("SELECT count(*) FROM documents"))

    def documents_by_root(self) -> dict[int, int]:
        """How many documents each root has that has any, by its id."""
        with self._errors:
            return dict(
                self._connection.execute("SELECT root_id, count(*) FROM documents GROUP BY root_id")
            )

    def impossible_models(self, most_dimensions: int) -> dict[int, str]:
        """Models that no embedder has, or none of whose vectors has their width; names by id."""
        with self._errors:
            return dict(
                self._connection.execute(
                    "SELECT model_id, name FROM models WHERE dimension NOT BETWEEN 1 AND ?"
                    " OR is_normalised NOT IN (0, 1) OR"
                    " EXISTS (SELECT 1 FROM vectors WHERE vectors.model_id = models.model_id)"
                    " AND NOT EXISTS (SELECT 1 FROM vectors WHERE"
                    " vectors.model_id = models.model_id"
                    f" AND length(floats) = dimension * {FLOAT_BYTES})",
                    (most_dimensions,),
                )
            )

    def strays(self) -> dict[str, list[int]]:
        """Rows that belong to nothing, by their table; a document belongs to its root."""
        with self._errors:
            found = {
                name: [row_id for (row_id,) in self._connection.execute(statement)]
                for name, statement in _STRAYS.items()
            }
        return {name: ids for name, ids in found.items() if ids}

    def roots(self) -> list[ExaminedRoot]:
        """All roots, by id."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT root_id, CAST(path AS BLOB), CAST(selection AS BLOB),"
                " CAST(chunker AS BLOB) FROM roots ORDER BY root_id"
            ).fetchall()
        return [
            ExaminedRoot(
                root_id=root_id,
                path=bytes(path or b"").decode("utf-8", "replace"),
                selection=bytes(selection or b"").decode("utf-8", "replace"),
                chunker=bytes(chunker or b"").decode("utf-8", "replace"),
            )
            for root_id, path, selection, chunker in rows
        ]

    def unreadable_roots(self) -> list[int]:
        """Roots whose lists of skipped and ignored files cannot be read, or are none."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT root_id, CAST(skipped AS BLOB), CAST(ignored AS BLOB) FROM roots"
            ).fetchall()
        return [row[0] for row in rows if not (_is_list(row[1], 2) and _is_list(row[2], 3))]

    def counters(self) -> ExaminedCounters:
        """The counters that the rest has to agree with."""
        generation = self._one("SELECT value FROM meta WHERE name = 'generation'")
        model = self._one("SELECT value FROM meta WHERE name = 'model'")
        state_id = self._one(
            "SELECT state_id FROM states WHERE generation ="
            " (SELECT value FROM meta WHERE name = 'generation')"
        )
        return ExaminedCounters(
            generation=generation if isinstance(generation, int) else None,
            highest_revision=_number(
                self._one(
                    "SELECT max(ifnull((SELECT max(revision) FROM documents), 0),"
                    " ifnull((SELECT max(revision) FROM tombstones), 0))"
                )
            ),
            highest_state=_number(self._one("SELECT max(generation) FROM states")),
            has_state=isinstance(state_id, bytes) and len(state_id) == STATE_ID_BYTES,
            highest_document=_number(self._one(_HIGHEST_DOCUMENT)),
            document_sequence=_number(
                self._one("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")
            ),
            model=model,
            has_model=model in (NO_MODEL_YET, KEYWORD_ONLY)
            or self._one("SELECT 1 FROM models WHERE model_id = ?", model) is not None,
            analyzer=self._one("SELECT value FROM meta WHERE name = 'analyzer'"),
        )

    def vectors(self) -> Iterator[tuple[int, bool, bytes]]:
        """Id, whether it has the width that its model says, and floats of each vector."""
        with self._errors:
            yield from (
                (row_id, bool(is_wide), floats)
                for row_id, is_wide, floats in self._connection.execute(
                    "SELECT vector_id, typeof(floats) = 'blob' AND"
                    f" length(floats) = dimension * {FLOAT_BYTES} AND typeof(key) = 'blob' AND"
                    f" length(key) = {_KEY_BYTES}, CAST(floats AS BLOB)"
                    " FROM vectors JOIN models USING (model_id)"
                )
            )

    def _one(self, statement: str, *values: object) -> object:
        with self._errors:
            try:
                row = self._connection.execute(statement, values).fetchone()
            except sqlite3.InterfaceError:
                return None
        return None if row is None else row[0]


def _schema(connection: sqlite3.Connection) -> dict[str, str | None]:
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index')"
        " AND name <> 'sqlite_stat1'"
    )
    return {name: None if sql is None else " ".join(sql.split()) for name, sql in rows}


def _is_decodable(value: object) -> bool:
    if not isinstance(value, bytes):
        return True
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _key(key: object) -> bytes:
    # What is no key at all is told from every key by its length.
    return key if isinstance(key, bytes) and len(key) == _KEY_BYTES else b"?"


def _number(found: object) -> int:
    return found if isinstance(found, int) else 0


def _is_list(stored: object, width: int) -> bool:
    if not isinstance(stored, bytes):
        return False
    try:
        found = json.loads(stored.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return isinstance(found, list) and all(
        isinstance(entry, list) and len(entry) == width for entry in found
    )

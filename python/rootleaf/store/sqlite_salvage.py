"""Copying what can still be read of a damaged database into a new one.

SQLite stops at the first page that it cannot follow. Rows are therefore asked for by ranges of
their key, and a range that fails is halved until what fails is one row. Texts and vectors that no
page leads to any more are looked for on every page.
"""

from __future__ import annotations

import sqlite3

from rootleaf.store.paths import join_root
from rootleaf.store.row_carving import carved_rows
from rootleaf.store.salvaged_values import checked_row, readable_text, whole_number
from rootleaf.store.schema import PAGE_BYTES
from rootleaf.store.sqlite_mending import UNKNOWN_HASH
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Row = tuple[Any, ...]

_BLIND_IDS = 1 << 17
"""How many ids are tried of a table whose end cannot be found."""

_MOST_FAILURES = 1 << 18
"""How many ranges of a table may fail: a counter that is damaged may name an end far beyond all."""

_PROBES = 256

_IDS_SKIPPED = 1_000_000
"""How far ids go on above the highest known one where the counter itself was lost."""

_COLUMNS: dict[str, tuple[str, ...]] = {
    "roots": ("root_id", "path", "selection", "chunker", "files_to_go", "skipped", "ignored"),
    "documents": (
        "document_id", "root_id", "path", "revision", "stat_signature", "content_hash",
        "text_bytes", "chunk_count", "front_matter", "problem_line", "problem_reason",
        "rules_identity", "metadata",
    ),
    "texts": ("document_id", "text"),
    "chunksets": ("document_id", "ordinal", "key", "first_seen"),
    "models": (
        "model_id", "name", "revision", "dimension", "is_normalised", "preprocessing", "text_form",
    ),
    "vectors": ("vector_id", "model_id", "key", "floats"),
}  # fmt: skip
"""Columns of the tables that are copied; the first is the key that ranges are made of."""


class Salvage(Value):
    """What came over.

    `lost` names the documents of which no text could be read, by path where that is known;
    `restored` counts those whose row was made anew, because only its text was there; `vectors` and
    `documents` count what the new database holds.
    """

    lost: tuple[str, ...]
    documents: int
    restored: int
    vectors: int


class SqliteSalvage:
    """Copies the readable rows of a database.

    Args:
        source: The damaged database; nothing is written to it.
        target: An empty one of the current schema, in a write transaction.
        source_path: The file of the damaged one.
        hash_of: Gives the hash that documents keep of the bytes of their file.
        known_root: The path of the only root, where the place of the database tells it.
        default_selection: What a root reads whose selection was lost.
    """

    def __init__(
        self,
        source: sqlite3.Connection,
        target: sqlite3.Connection,
        *,
        source_path: str,
        hash_of: Callable[[bytes], bytes],
        known_root: str | None,
        default_selection: str,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        self._source = source
        self._target = target
        self._known_root = known_root
        self._default_selection = default_selection
        self._on_progress = on_progress
        self._copied = 0
        self._source_path = source_path
        self._hash_of = hash_of
        self._failed: set[str] = set()
        source.text_factory = bytes

    def copy(self) -> Salvage:
        """Copies all there is, and gives what it was."""
        names = dict(self._names())
        self._copy_table("roots")
        self._copy_table("documents")
        self._copy_table("texts")
        self._carve_texts()
        restored = self._restore_rows(names)
        self._restore_roots()
        lost = self._drop_textless(names)
        self._copy_table("chunksets")
        self._copy_table("models")
        self._copy_table("vectors")
        self._carve_vectors()
        self._copy_meta()
        return Salvage(
            lost=lost,
            documents=self._count("documents"),
            restored=restored,
            vectors=self._count("vectors"),
        )

    def highest_generation(self) -> int:
        """A number that no generation of the damaged database lies above."""
        statements = (
            "SELECT value FROM meta WHERE name = 'generation'",
            "SELECT max(generation) FROM states",
            "SELECT max(revision) FROM tombstones",
        )
        found = [whole_number(self._first(statement)) for statement in statements]
        (revision,) = self._target.execute("SELECT max(revision) FROM documents").fetchone()
        # What was read may be damaged in itself; the counter has to stay within what SQLite holds.
        known = [number for number in [*found, revision or 0] if number < 1 << 53]
        return max(known)

    def document_sequence(self) -> int:
        """A number that no document's id lies above, so that none is given twice."""
        counter = whole_number(
            self._first("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")
        )
        highest = max(
            self._highest("documents"), self._highest("texts"), self._highest("chunksets")
        )
        (kept,) = self._target.execute("SELECT max(document_id) FROM documents").fetchone()
        highest = max(highest, kept or 0)
        if highest <= counter < 1 << 53:
            return counter
        return highest + _IDS_SKIPPED

    def _copy_table(self, table: str) -> None:
        columns = _COLUMNS[table]
        marks = ", ".join("?" for _ in columns)
        statement = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        for row in self._rows(table):
            kept = checked_row(table, row)
            if kept is None:
                continue
            try:
                self._target.execute(statement, kept)
            except sqlite3.IntegrityError:
                # A value that is no longer what the table takes is as lost as one out of reach.
                continue
            self._copied += 1
            if self._on_progress is not None:
                self._on_progress(self._copied)

    def _rows(self, table: str) -> Iterator[Row]:
        columns = _COLUMNS[table]
        key = columns[0]
        statement = (
            f"SELECT {', '.join(columns)} FROM {table} WHERE {key} >= ? AND {key} <= ?"
            f" ORDER BY {key}"
        )
        highest = self._highest(table) or _BLIND_IDS
        ranges = [(0, highest)] if self._is_reachable(table, highest) else []
        if not ranges:
            self._failed.add(table)
        failures = 0
        while ranges and failures < _MOST_FAILURES:
            low, high = ranges.pop()
            try:
                for row in self._source.execute(statement, (low, high)):
                    yield row
                    low = row[0]
            except sqlite3.Error:
                failures += 1
                self._failed.add(table)
                try:
                    for row in self._source.execute(f"{statement} DESC", (low, high)):
                        yield row
                        high = row[0]
                except sqlite3.Error:
                    pass
                if low < high:
                    middle = (low + high) // 2
                    ranges += [(middle + 1, high), (low, middle)]
                elif table == "chunksets":
                    yield from self._single_chunksets(low)

    def _carve_texts(self) -> None:
        """Looks on every page for texts that are missing; one that its file's hash knows wins."""
        if "texts" not in self._failed and not self._has_textless():
            return
        hashes = dict(self._target.execute("SELECT document_id, content_hash FROM documents"))
        there = {row_id for (row_id,) in self._target.execute("SELECT document_id FROM texts")}
        for document_id, (_, content) in self._carved("nt"):
            text = readable_text(content)
            if text is None or document_id in there:
                continue
            if hashes.get(document_id) == self._hash_of(text.encode()):
                there.add(document_id)
            # Another may be of an earlier time; the repair holds each to the hash of its file.
            self._target.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (document_id, text))

    def _carve_vectors(self) -> None:
        if "vectors" not in self._failed:
            return
        for vector_id, (_, *values) in self._carved("nibb"):
            self._target.execute(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?, ?)", (vector_id, *values)
            )

    def _carved(self, shape: str) -> Iterator[Any]:
        # What lies in the log alone would not be found.
        self._first("PRAGMA wal_checkpoint(TRUNCATE)")
        return carved_rows(self._source_path, PAGE_BYTES, shape)

    def _has_textless(self) -> bool:
        return bool(
            self._target.execute(
                "SELECT 1 FROM documents WHERE document_id NOT IN (SELECT document_id FROM texts)"
            ).fetchone()
        )

    def _is_reachable(self, table: str, highest: int) -> bool:
        """Whether any row can be looked for: not where the page that leads to all is damaged."""
        statement = f"SELECT 1 FROM {table} WHERE {_COLUMNS[table][0]} = ?"
        step = max(1, highest // _PROBES)
        for row_id in range(0, highest + 1, step):
            try:
                self._source.execute(statement, (row_id,)).fetchone()
            except sqlite3.Error:
                continue
            return True
        return False

    def _single_chunksets(self, document_id: int) -> Iterator[Row]:
        """The chunksets of a document that lie on pages that can be read, up to the first gap."""
        for direction in ("", " DESC"):
            try:
                yield from self._source.execute(
                    "SELECT document_id, ordinal, key, first_seen FROM chunksets"
                    f" WHERE document_id = ? ORDER BY ordinal{direction}",
                    (document_id,),
                )
            except sqlite3.Error:
                continue

    def _highest(self, table: str) -> int:
        key = _COLUMNS[table][0]
        highest = whole_number(
            self._first(f"SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT 1")
        )
        if highest:
            return highest
        if table in {"documents", "texts", "chunksets"}:
            return whole_number(
                self._first("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")
            )
        return 0

    def _names(self) -> Iterator[tuple[int, tuple[int, str]]]:
        """Root and path of each document, as an index knows them without its row."""
        for direction in ("", " DESC"):
            try:
                for document_id, root_id, path in self._source.execute(
                    "SELECT document_id, root_id, path FROM documents"
                    " INDEXED BY sqlite_autoindex_documents_1"
                    f" ORDER BY root_id{direction}, path{direction}"
                ):
                    name = readable_text(path)
                    if name is not None and isinstance(root_id, int):
                        yield document_id, (root_id, name)
            except sqlite3.Error:
                continue

    def _restore_rows(self, names: Mapping[int, tuple[int, str]]) -> int:
        """Makes rows for texts that have none any more, to be filled from the text."""
        rowless = self._target.execute(
            "SELECT document_id FROM texts WHERE document_id NOT IN"
            " (SELECT document_id FROM documents)"
        ).fetchall()
        restored = 0
        for (document_id,) in rowless:
            if document_id not in names:
                continue
            root_id, path = names[document_id]
            done = self._target.execute(
                "INSERT OR IGNORE INTO documents (document_id, root_id, path, revision,"
                " stat_signature, content_hash, text_bytes, chunk_count, front_matter)"
                " VALUES (?, ?, ?, 0, '', ?, 0, 0, 'absent')",
                (document_id, root_id, path, UNKNOWN_HASH),
            )
            restored += done.rowcount
        return restored

    def _restore_roots(self) -> None:
        """Makes rows for roots that have none any more, as far as their path is known."""
        paths: dict[int, str] = {}
        try:
            for root_id, path in self._source.execute(
                "SELECT root_id, path FROM roots INDEXED BY sqlite_autoindex_roots_1 ORDER BY path"
            ):
                name = readable_text(path)
                if name is not None:
                    paths[root_id] = name
        except sqlite3.Error:
            pass
        missing = [
            root_id
            for (root_id,) in self._target.execute(
                "SELECT DISTINCT root_id FROM documents WHERE root_id NOT IN"
                " (SELECT root_id FROM roots)"
            ).fetchall()
        ]
        if self._known_root is not None and len(missing) == 1 and not self._count("roots"):
            paths.setdefault(missing[0], self._known_root)
        for root_id in missing:
            if root_id in paths:
                self._target.execute(
                    "INSERT OR IGNORE INTO roots (root_id, path, selection, chunker)"
                    " VALUES (?, ?, ?, '')",
                    (root_id, paths[root_id], self._default_selection),
                )

    def _drop_textless(self, names: Mapping[int, tuple[int, str]]) -> tuple[str, ...]:
        """Drops rows without text and texts without row, and names what is lost with them."""
        roots = dict(self._target.execute("SELECT root_id, path FROM roots").fetchall())
        whole = {
            document_id
            for (document_id,) in self._target.execute(
                "SELECT document_id FROM documents JOIN texts USING (document_id)"
                " JOIN roots USING (root_id)"
            )
        }
        rows = self._target.execute("SELECT document_id, root_id, path FROM documents").fetchall()
        paths = dict(names)
        paths.update({document_id: (root_id, path) for document_id, root_id, path in rows})
        nameless = [
            document_id
            for (document_id,) in self._target.execute("SELECT document_id FROM texts")
            if document_id not in whole and document_id not in paths
        ]
        lost = [
            join_root(roots[root_id], path) if root_id in roots else path
            for document_id, (root_id, path) in paths.items()
            if document_id not in whole
        ]
        lost += [f"document {document_id}, whose path is lost" for document_id in nameless]
        for table in ("texts", "documents"):
            self._target.execute(
                f"DELETE FROM {table} WHERE document_id NOT IN (SELECT document_id FROM documents"
                " JOIN texts USING (document_id) JOIN roots USING (root_id))"
            )
        return tuple(sorted(lost))

    def _copy_meta(self) -> None:
        for name in ("analyzer", "model"):
            value = self._first("SELECT value FROM meta WHERE name = ?", name)
            if name == "analyzer":
                value = readable_text(value)
            if value is not None:
                self._target.execute("UPDATE meta SET value = ? WHERE name = ?", (value, name))
        self._target.execute(
            "DELETE FROM chunksets WHERE document_id NOT IN (SELECT document_id FROM documents)"
        )
        self._target.execute(
            "DELETE FROM vectors WHERE model_id NOT IN (SELECT model_id FROM models)"
        )

    def _count(self, table: str) -> int:
        return int(self._target.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def _first(self, statement: str, *values: object) -> object:
        try:
            row = self._source.execute(statement, values).fetchone()
        except sqlite3.Error:
            return None
        return None if row is None else row[0]

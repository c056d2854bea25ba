"""Reading from the SQLite store."""

from __future__ import annotations

import json
import os
import time

from rootleaf.store.metadata_text import find_metadata, unreadable_texts
from rootleaf.store.paths import companion_path, join_root
from rootleaf.store.records import (
    Changes,
    Counts,
    FileMark,
    MetadataCheck,
    StoredDocument,
    StoredRoot,
)
from rootleaf.store.schema import STATE_ID_BYTES
from rootleaf.store.sqlite_errors import SqliteErrors, damaged
from rootleaf.store.sqlite_vectors import SqliteVectorReading
from rootleaf.types import IgnoredBy, IndexedFile, Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

# As bytes, because what lies there may be no UTF-8.
_METADATA = "CAST(metadata AS BLOB)"
_SELECT_DOCUMENTS = (
    "SELECT document_id, roots.path, documents.path, text, front_matter, rules_identity,"
    f" {_METADATA} FROM documents JOIN texts USING (document_id) JOIN roots USING (root_id)"
)


class SqliteReading(SqliteVectorReading):
    """The reading half of the store.

    See `rootleaf.store.protocol.Store` for what each method promises.
    """

    def __init__(
        self, connection: sqlite3.Connection, db_path: str, *, is_immutable: bool = False
    ) -> None:
        self.db_path = db_path
        self.is_immutable = is_immutable
        self._connection = connection
        self._errors = SqliteErrors(db_path)

    def generation(self) -> int:
        """The counter that every write of content raises."""
        return self._number("generation")

    def schema_version(self) -> int:
        """The number of the last migration that was applied."""
        return self._number("schema_version")

    def state_id(self, generation: int) -> bytes | None:
        """16 bytes drawn at random by the write that led to a generation, if it is known."""
        with self._errors:
            row = self._connection.execute(
                "SELECT state_id FROM states WHERE generation = ?", (generation,)
            ).fetchone()
        if row is None:
            return None
        if not isinstance(row[0], bytes) or len(row[0]) != STATE_ID_BYTES:
            raise damaged(self.db_path, f"the id of generation {generation} is not 16 bytes")
        return row[0]

    def analyzer(self) -> str:
        """The identity of the analyzer of the last run that wrote anything."""
        return str(self._meta("analyzer"))

    def roots(self) -> list[StoredRoot]:
        """The roots, ordered by path."""
        with self._errors:
            try:
                return read_roots(self._connection)
            except (ValueError, TypeError) as error:
                raise damaged(
                    self.db_path, f"what it says of a root is unreadable: {error}"
                ) from error

    def documents(self) -> Iterator[StoredDocument]:
        """All documents, ordered by path."""
        # Roots never lie inside one another, so the order of their paths, each with its separator,
        # is the order of their documents' paths; within a root the index gives it.
        for root in sorted(self.roots(), key=lambda root: os.path.join(root.path, "")):
            with self._errors:
                for row in self._connection.execute(
                    f"{_SELECT_DOCUMENTS} WHERE root_id = ? ORDER BY documents.path",
                    (root.root_id,),
                ):
                    yield self._document(row)

    def documents_by_id(self, document_ids: Iterable[int]) -> dict[int, StoredDocument]:
        """The documents of these ids that there are, by id."""
        with self._errors:
            rows = []
            for document_id in document_ids:
                rows += self._connection.execute(
                    f"{_SELECT_DOCUMENTS} WHERE document_id = ?", (document_id,)
                ).fetchall()
        return {row[0]: self._document(row) for row in rows}

    def changes_since(self, revision: int) -> Changes:
        """What a reader of generation `revision` does not know yet."""
        changed_ids, removed_ids = self.changed_ids_since(revision)
        documents = self.documents_by_id(changed_ids)
        return Changes(documents=list(documents.values()), removed_ids=removed_ids)

    def changed_ids_since(self, revision: int) -> tuple[list[int], list[int]]:
        """The ids of the documents that `changes_since` gives, and of those that were removed."""
        with self._errors:
            changed, removed = (
                self._connection.execute(
                    f"SELECT document_id FROM {table} WHERE revision > ?",
                    (revision,),
                ).fetchall()
                for table in ("documents", "tombstones")
            )
        return [row[0] for row in changed], [row[0] for row in removed]

    def texts(self, root_id: int) -> Iterator[tuple[int, str, str, str]]:
        """Id, relative path, text and front-matter state of a root's documents, ordered by path."""
        with self._errors:
            yield from self._connection.execute(
                "SELECT document_id, path, text, front_matter"
                " FROM documents JOIN texts USING (document_id) WHERE root_id = ? ORDER BY path",
                (root_id,),
            )

    def text(self, document_id: int) -> str | None:
        """The text of one document, or None when there is no such document."""
        with self._errors:
            row = self._connection.execute(
                "SELECT text FROM texts WHERE document_id = ?", (document_id,)
            ).fetchone()
        return None if row is None else str(row[0])

    def first_seen(self, document_id: int, ordinals: Sequence[int] | None = None) -> list[str]:
        """For each chunkset of a document the UTC time it was first seen, in document order."""
        wanted = "" if ordinals is None else f" AND ordinal IN ({', '.join('?' * len(ordinals))})"
        with self._errors:
            rows = self._connection.execute(
                f"SELECT first_seen FROM chunksets WHERE document_id = ?{wanted} ORDER BY ordinal",
                (document_id, *(ordinals or ())),
            ).fetchall()
        return [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) for (seconds,) in rows]

    def first_seen_by_key(self, document_ids: Iterable[int]) -> dict[bytes, int]:
        """When each chunkset of some documents was first seen, in seconds since 1970, by key."""
        dates: dict[bytes, int] = {}
        with self._errors:
            for document_id in document_ids:
                for key, date in self._connection.execute(
                    "SELECT key, first_seen FROM chunksets WHERE document_id = ?", (document_id,)
                ):
                    dates[key] = min(date, dates.get(key, date))
        return dates

    def marks(self, root_id: int) -> dict[str, FileMark]:
        """What is known of each file of a root, by its relative path, ordered by path."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT document_id, path, stat_signature, content_hash, rules_identity,"
                f" {_METADATA} FROM documents WHERE root_id = ? ORDER BY path",
                (root_id,),
            ).fetchall()
        unreadable = unreadable_texts({row[5] for row in rows if row[5] is not None})
        return {
            path: FileMark(
                document_id=document_id,
                path=path,
                stat_signature=stat_signature,
                content_hash=content_hash,
                rules_identity=None if stored is None or stored in unreadable else rules_identity,
            )
            for document_id, path, stat_signature, content_hash, rules_identity, stored in rows
        }

    def paths_below(self, root_id: int, below: str) -> list[str]:
        """The relative paths of a root's documents at or below one, in order; below "" lie all."""
        from rootleaf.store.sqlite_removal import paths_below

        with self._errors:
            return paths_below(self._connection, root_id, below)

    def unparsed_front_matter(self) -> list[Skipped]:
        """The documents whose front matter could not be parsed, with line and reason."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT roots.path, documents.path, problem_line, problem_reason"
                " FROM documents JOIN roots USING (root_id) WHERE front_matter = 'unparsed'"
            ).fetchall()
        found = [(join_root(root, path), line, reason) for root, path, line, reason in rows]
        return [Skipped(path=path, reason=f"line {n}: {why}") for path, n, why in sorted(found)]

    def counts(self, root_id: int | None = None) -> Counts:
        """How much is stored, in all or for one root."""
        where = "" if root_id is None else " WHERE root_id = :root"
        with self._errors:
            files, chunks, text_bytes = self._connection.execute(
                "SELECT count(*), ifnull(sum(chunk_count), 0), ifnull(sum(text_bytes), 0)"
                f" FROM documents{where}",
                {"root": root_id},
            ).fetchone()
            (chunksets,) = self._connection.execute(
                "SELECT count(*) FROM chunksets"
                if root_id is None
                else f"SELECT count(*) FROM chunksets JOIN documents USING (document_id){where}",
                {"root": root_id},
            ).fetchone()
        return Counts(files=files, chunks=chunks, chunksets=chunksets, text_bytes=text_bytes)

    def count_other_rules(self, root_id: int, rules_identity: str) -> int:
        """How many documents of a root were resolved by rules of another identity, or never."""
        with self._errors:
            (count,) = self._connection.execute(
                "SELECT count(*) FROM documents WHERE root_id = ? AND rules_identity IS NOT ?",
                (root_id, rules_identity),
            ).fetchone()
        return int(count)

    def other_rules(self, root_id: int, rules_identity: str) -> list[str]:
        """The relative paths of these documents, ordered."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT path FROM documents WHERE root_id = ? AND rules_identity IS NOT ?"
                " ORDER BY path",
                (root_id, rules_identity),
            ).fetchall()
        return [path for (path,) in rows]

    def check_metadata(self) -> MetadataCheck:
        """Looks at the metadata of every document."""
        with self._errors:
            rows = self._connection.execute(
                f"SELECT root_id, document_id, rules_identity, {_METADATA} FROM documents"
            ).fetchall()
        identities: dict[int, set[str]] = {}
        for root_id, identity in {(row[0], row[2]) for row in rows}:
            identities.setdefault(root_id, set()).update(() if identity is None else (identity,))
        unscanned = [row[:2] for row in rows if row[3] is None or row[2] is None]
        bad = unreadable_texts({row[3] for row in rows if row[3] is not None})
        unreadable = (
            [row[:2] for row in rows if row[3] in bad and row[2] is not None] if bad else []
        )
        return MetadataCheck(
            identities={root_id: frozenset(found) for root_id, found in identities.items()},
            unscanned=self._paths_by_root(unscanned),
            unreadable=self._paths_by_root(unreadable),
        )

    def _paths_by_root(self, documents: Iterable[tuple[int, int]]) -> dict[int, tuple[str, ...]]:
        paths: dict[int, list[str]] = {}
        with self._errors:
            for root_id, document_id in documents:
                (path,) = self._connection.execute(
                    "SELECT path FROM documents WHERE document_id = ?", (document_id,)
                ).fetchone()
                paths.setdefault(root_id, []).append(path)
        return {root_id: tuple(sorted(found)) for root_id, found in paths.items()}

    def indexed_files(self) -> list[IndexedFile]:
        """Id, path and metadata of each document, by path."""
        with self._errors:
            rows = self._connection.execute(
                f"SELECT document_id, roots.path, documents.path, {_METADATA}"
                " FROM documents JOIN roots USING (root_id)"
            ).fetchall()
        files = [
            IndexedFile(
                document_id=document_id,
                path=join_root(root, path),
                metadata=find_metadata(metadata) or {},
            )
            for document_id, root, path, metadata in rows
        ]
        return sorted(files, key=lambda file: file.path)

    def size_bytes(self) -> int:
        """The size of the database file, with what is not yet folded into it."""
        size = 0
        for path in (self.db_path, companion_path(self.db_path, "wal")):
            try:
                size += os.path.getsize(path)
            except OSError:
                continue
        return size

    def close(self) -> None:
        """Lets go of the database; a second call does nothing."""
        with self._errors:
            self._connection.close()

    def _document(
        self, row: tuple[int, str, str, str, str, str | None, bytes | None]
    ) -> StoredDocument:
        document_id, root, path, text, front_matter, rules_identity, stored = row
        metadata = find_metadata(stored)
        return StoredDocument(
            document_id=document_id,
            root=root,
            path=join_root(root, path),
            text=text,
            front_matter=front_matter,
            rules_identity=None if metadata is None else rules_identity,
            metadata=metadata if metadata is not None else {},
        )

    def _number(self, name: str) -> int:
        return int(self._meta(name))

    def _meta(self, name: str) -> Any:
        with self._errors:
            row = self._connection.execute(
                "SELECT value FROM meta WHERE name = ?", (name,)
            ).fetchone()
        if row is None:
            raise damaged(self.db_path, f"its {name} is missing")
        return row[0]


def read_roots(connection: sqlite3.Connection) -> list[StoredRoot]:
    """The roots of a database, ordered by path."""
    rows = connection.execute(
        "SELECT root_id, path, selection, chunker, files_to_go, skipped, ignored"
        " FROM roots ORDER BY path"
    ).fetchall()
    return [
        StoredRoot(
            root_id=root_id,
            path=path,
            selection=selection,
            chunker=chunker,
            files_to_go=files_to_go,
            skipped=tuple(Skipped(path=path, reason=why) for path, why in json.loads(skipped)),
            ignored=tuple(
                IgnoredBy(rule=rule, files=files, directories=directories)
                for rule, files, directories in json.loads(ignored)
            ),
        )
        for root_id, path, selection, chunker, files_to_go, skipped, ignored in rows
    ]

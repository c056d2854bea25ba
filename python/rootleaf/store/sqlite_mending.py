"""Putting right what a database says of its documents, in one write transaction.

A text is never changed here. What is derived from it is made again by the caller and written; what
belongs to nothing is removed, and counters are raised to what they have to agree with.
"""

from __future__ import annotations

from rootleaf.store.metadata_text import written
from rootleaf.store.schema import KEYWORD_ONLY, LARGEST_NUMBER, NO_MODEL_YET, SCHEMA_VERSION
from rootleaf.store.sqlite_examining import SqliteExamination
from rootleaf.store.sqlite_writing import SqliteTransaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rootleaf.types import Problem

_IDS_SKIPPED = 1_000_000
"""How far ids go on above the highest known one where the counter itself was lost."""

UNKNOWN_HASH = bytes(16)
"""Stands for the hash of no file, so that the next run of the root reads the file again."""


def next_sequence(counter: int, highest_document: int) -> int:
    """The last id to count on from, which no id that was given lies above."""
    if highest_document <= counter < LARGEST_NUMBER:
        return counter
    return highest_document + (_IDS_SKIPPED if counter >= LARGEST_NUMBER else 0)


class SqliteMending(SqliteTransaction):
    """A write transaction that mends what `examination` finds."""

    def examination(self) -> SqliteExamination:
        """What is there, under the write lock."""
        return SqliteExamination(self._connection, self._db_path)

    def begin_new_state(self, highest_known: int) -> None:
        """Leads to a generation above all that were seen, which nothing was made of yet.

        Documents count as changed, and what was made of any state before is not recognised.
        """
        generation = self._raise_generation()
        self._generation = max(generation, highest_known + 1)
        with self._errors:
            self._connection.execute("DELETE FROM states")
            self._connection.execute("UPDATE documents SET revision = ?", (self._generation,))
            self._connection.execute(
                "DELETE FROM tombstones WHERE document_id >= ?", (LARGEST_NUMBER,)
            )
            self._connection.execute("UPDATE tombstones SET revision = ?", (self._generation,))

    def restore_counters(self, document_sequence: int) -> None:
        """Puts in what has to be there at least, so that everything can be read."""
        with self._errors:
            self._connection.executemany(
                "INSERT OR IGNORE INTO meta VALUES (?, ?)",
                [
                    ("generation", 0), ("analyzer", ""), ("model", 0),
                    ("schema_version", SCHEMA_VERSION),
                ],
            )  # fmt: skip
            self._connection.execute(
                "UPDATE meta SET value = 0 WHERE name = 'generation' AND"
                " (typeof(value) <> 'integer' OR value NOT BETWEEN 0 AND ?)",
                (LARGEST_NUMBER - 1,),
            )
            self._connection.execute(
                "UPDATE meta SET value = '' WHERE name = 'analyzer' AND typeof(value) <> 'text'"
            )
            self._connection.execute(
                # The one whose vectors most chunksets have, if any: it was most likely that.
                "UPDATE meta SET value = ifnull((SELECT model_id FROM vectors JOIN chunksets USING"
                " (key) JOIN models USING (model_id) GROUP BY model_id ORDER BY count(*) DESC"
                " LIMIT 1), ?) WHERE name = 'model' AND (typeof(value) <> 'integer' OR"
                " value <> ? AND value NOT IN (SELECT model_id FROM models))",
                (NO_MODEL_YET, KEYWORD_ONLY),
            )
            # Whatever lay there, be it no number or twice: one row, so that ids are counted on.
            self._connection.execute("DELETE FROM sqlite_sequence WHERE name = 'documents'")
            self._connection.execute(
                "INSERT INTO sqlite_sequence VALUES ('documents', ?)", (document_sequence,)
            )

    def remove_strays(self, strays: Mapping[str, Iterable[int]]) -> None:
        """Removes rows that belong to nothing; documents go with all that is theirs."""
        for name, ids in strays.items():
            column = "vector_id" if name == "vectors" else "document_id"
            if name == "documents":
                for document_id in ids:
                    self.remove(document_id)
                continue
            with self._errors:
                self._connection.executemany(
                    f"DELETE FROM {name} WHERE {column} = ?", [(row_id,) for row_id in ids]
                )

    def remove_vectors(self, vector_ids: Iterable[int]) -> None:
        """Removes vectors that nothing can be compared with."""
        with self._errors:
            self._connection.executemany(
                "DELETE FROM vectors WHERE vector_id = ?", [(one,) for one in vector_ids]
            )

    def remove_models(self, model_ids: Iterable[int]) -> None:
        """Removes models with their vectors; where the recorded one goes, none is recorded."""
        with self._errors:
            for model_id in model_ids:
                for statement in (
                    "DELETE FROM vectors WHERE model_id = ?",
                    "DELETE FROM models WHERE model_id = ?",
                    "UPDATE meta SET value = 0 WHERE name = 'model' AND value = ?",
                ):
                    self._connection.execute(statement, (model_id,))

    def join_roots(self, inner: int, outer: int, below: str) -> None:
        """Gives the documents of a root to one around it, which reads their files again.

        A file of which the outer root has a document keeps that one.

        Args:
            inner: The id of the root that is removed.
            outer: The id of the other.
            below: The path of the one below the other; empty where they have one path.
        """
        prefix = f"{below}/" if below else ""
        with self._errors:
            documents = self._connection.execute(
                "SELECT document_id, path FROM documents WHERE root_id = ?", (inner,)
            ).fetchall()
            for document_id, path in documents:
                taken = self._connection.execute(
                    "SELECT document_id FROM documents WHERE root_id = ? AND path = ?",
                    (outer, prefix + path),
                ).fetchone()
                if taken is None:
                    self._connection.execute(
                        "UPDATE documents SET root_id = ?, path = ? WHERE document_id = ?",
                        (outer, prefix + path, document_id),
                    )
                else:
                    self.remove(document_id)
                self.set_unread(document_id if taken is None else taken[0])
            # Where the one was cut by another version, its documents are cut again.
            self._connection.execute(
                "UPDATE roots SET chunker = '' WHERE root_id = ? AND chunker <>"
                " (SELECT chunker FROM roots WHERE root_id = ?)",
                (outer, inner),
            )
        self.remove_root(inner)

    def set_root_path(self, root_id: int, path: str) -> None:
        """Gives a root a path that a directory can have."""
        with self._errors:
            self._connection.execute("UPDATE roots SET path = ? WHERE root_id = ?", (path, root_id))

    def clear_run(self, root_id: int) -> None:
        """Forgets what the last run of a root said of files that are no documents."""
        self.set_run(root_id, skipped=(), ignored=())

    def set_text_bytes(self, document_id: int, text_bytes: int) -> None:
        """Corrects the size that is kept of a text."""
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET text_bytes = ? WHERE document_id = ?",
                (text_bytes, document_id),
            )

    def set_front_matter(self, document_id: int, state: str, problem: Problem | None) -> None:
        """Corrects what is kept of how the front matter of a text was understood."""
        line, reason = (problem.line, problem.reason) if problem else (None, None)
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET front_matter = ?, problem_line = ?, problem_reason = ?"
                " WHERE document_id = ?",
                (state, line, reason, document_id),
            )

    def replace_text(self, document_id: int, text: str) -> None:
        """Stores what can be read of a text that is no text as it lies there.

        The next run of its root reads the file again.
        """
        with self._errors:
            self._connection.execute(
                "UPDATE texts SET text = ? WHERE document_id = ?", (text, document_id)
            )
        self.set_unread(document_id)

    def cut_again(self, document_id: int, chunk_count: int, keys: bytes) -> None:
        """Gives a document the chunksets of its text; those that it had keep their dates."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT key, first_seen FROM chunksets WHERE document_id = ? AND"
                " typeof(key) = 'blob' AND length(key) = 16 AND typeof(first_seen) = 'integer'"
                " ORDER BY ordinal",
                (document_id,),
            ).fetchall()
            self._connection.execute("DELETE FROM chunksets WHERE document_id = ?", (document_id,))
            self._connection.executemany(
                "INSERT INTO chunksets VALUES (?, ?, ?, ?)",
                [(document_id, ordinal, *row) for ordinal, row in enumerate(rows)],
            )
        self.set_chunksets(document_id, chunk_count, keys)

    def set_unread(self, document_id: int) -> None:
        """Has the next run of its root read the file of a document, whatever its marks say."""
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET stat_signature = '', content_hash = ? WHERE document_id = ?",
                (UNKNOWN_HASH, document_id),
            )

    def restore_metadata(
        self, document_id: int, rules_identity: str, metadata: Mapping[str, str | list[str]]
    ) -> None:
        """Puts metadata that was resolved anew in the place of what cannot be read."""
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET rules_identity = ?, metadata = ? WHERE document_id = ?",
                (rules_identity, written(metadata), document_id),
            )

    def clear_metadata(self, document_id: int) -> None:
        """Says of a document's metadata that it was never looked for."""
        with self._errors:
            self._connection.execute(
                "UPDATE documents SET rules_identity = NULL, metadata = NULL WHERE document_id = ?",
                (document_id,),
            )

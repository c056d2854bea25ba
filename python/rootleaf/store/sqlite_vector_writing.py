"""Writing models and vectors to the SQLite store."""

from __future__ import annotations

from rootleaf.store.protocol import UNUSED_VECTORS_KEPT
from rootleaf.store.sqlite_generations import SqliteGenerations
from rootleaf.store.sqlite_vectors import MODEL_COLUMNS, find_model_id, read_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.store.records import Model

_HAS_CHUNKSET = "EXISTS (SELECT 1 FROM chunksets WHERE chunksets.key = vectors.key)"
_IN_USE = f"model_id = (SELECT value FROM meta WHERE name = 'model') AND {_HAS_CHUNKSET}"


class SqliteVectorWriting(SqliteGenerations):
    """What a write transaction does with vectors.

    See `rootleaf.store.protocol.Transaction` for what each method promises.
    """

    def model(self) -> Model | None:
        """The recorded model, under the write lock."""
        with self._errors:
            return read_model(self._connection)

    def set_model(self, model: Model) -> None:
        """Records the model whose vectors documents have from now on."""
        before = self.model()
        if before == model:
            return
        with self._errors:
            self._connection.execute(
                "UPDATE meta SET value = ? WHERE name = 'model'", (self._model_id(model),)
            )
        # All of them, because a view holds vectors of one model: it gives up the others at once.
        if before is not None:
            revision = self._raise_generation()
            with self._errors:
                self._connection.execute("UPDATE documents SET revision = ?", (revision,))

    def put_vectors(self, model: Model, vectors: Sequence[tuple[bytes, bytes]]) -> int:
        """Keeps vectors by chunkset key; one that is there for the model and key stays."""
        with self._errors:
            model_id = self._model_id(model)
            added = []
            for key, floats in vectors:
                cursor = self._connection.execute(
                    "INSERT OR IGNORE INTO vectors (model_id, key, floats) VALUES (?, ?, ?)",
                    (model_id, key, floats),
                )
                if cursor.rowcount:
                    added.append(key)
        if added and self.model() == model:
            self._mark_changed(added)
        return len(added)

    def _mark_changed(self, keys: list[bytes]) -> None:
        """Has the documents that hold a chunkset of these keys count as changed."""
        with self._errors:
            gained: set[int] = set()
            for key in keys:
                rows = self._connection.execute(
                    "SELECT document_id FROM chunksets WHERE key = ?", (key,)
                )
                gained.update(document_id for (document_id,) in rows)
        if gained:
            revision = self._raise_generation()
            with self._errors:
                self._connection.executemany(
                    "UPDATE documents SET revision = ? WHERE document_id = ?",
                    [(revision, document_id) for document_id in sorted(gained)],
                )

    def trim_vectors(self) -> int:
        """Removes vectors that are not in use, the oldest first, as far as they are too many."""
        with self._errors:
            stored, in_use = self._connection.execute(
                f"SELECT count(*), ifnull(sum({_IN_USE}), 0) FROM vectors"
            ).fetchone()
            too_many = stored - in_use - max(UNUSED_VECTORS_KEPT, in_use)
            if too_many <= 0:
                return 0
            cursor = self._connection.execute(
                "DELETE FROM vectors WHERE vector_id IN (SELECT vector_id FROM vectors"
                f" WHERE NOT ({_IN_USE}) ORDER BY vector_id LIMIT ?)",
                (too_many,),
            )
        return cursor.rowcount

    def _model_id(self, model: Model) -> int:
        """The id of a model, which is added where it is not known."""
        model_id = find_model_id(self._connection, model)
        if model_id:
            return model_id
        names = ", ".join(f":{name}" for name in MODEL_COLUMNS)
        cursor = self._connection.execute(
            f"INSERT INTO models ({', '.join(MODEL_COLUMNS)}) VALUES ({names})", model.to_json()
        )
        return cursor.lastrowid or 0

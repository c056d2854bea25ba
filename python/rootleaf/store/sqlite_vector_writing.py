"""Writing models and vectors to the SQLite store."""

from __future__ import annotations

from rootleaf.store.protocol import UNUSED_VECTORS_KEPT
from rootleaf.store.schema import KEYWORD_ONLY
from rootleaf.store.sqlite_generations import SqliteGenerations
from rootleaf.store.sqlite_vectors import (
    MODEL_COLUMNS,
    find_model_id,
    read_is_keyword_only,
    read_model,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rootleaf.store.records import Model

# Below the 999 parameters that a statement may have in every build of SQLite.
_KEYS_AT_ONCE = 500
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
            model_id = self._model_id(model)
            # Vectors that were put aside are back at once.
            has_vectors = self._connection.execute(
                "SELECT 1 FROM vectors WHERE model_id = ? LIMIT 1", (model_id,)
            ).fetchone()
        self._record_model(model_id, all_change=before is not None or has_vectors is not None)

    def set_keyword_only(self) -> None:
        """Records that documents are to have no vectors from now on; those there are stay aside."""
        with self._errors:
            if read_is_keyword_only(self._connection):
                return
        self._record_model(KEYWORD_ONLY, all_change=self.model() is not None)

    def _record_model(self, model_id: int, *, all_change: bool) -> None:
        with self._errors:
            self._connection.execute("UPDATE meta SET value = ? WHERE name = 'model'", (model_id,))
        # All of them, because a view holds vectors of one model: it gives up the others at once.
        if all_change:
            revision = self._raise_generation()
            with self._errors:
                self._connection.execute("UPDATE documents SET revision = ?", (revision,))

    def put_vectors(self, model: Model, vectors: Sequence[tuple[bytes, bytes]]) -> int:
        """Keeps vectors by chunkset key; one that is there for the model and key stays."""
        added = dict(vectors)
        with self._errors:
            model_id = self._model_id(model)
            for (key,) in self._by_keys(
                f"SELECT key FROM vectors WHERE model_id = {model_id} AND key", list(added)
            ):
                del added[key]
            self._connection.executemany(
                "INSERT INTO vectors (model_id, key, floats) VALUES (?, ?, ?)",
                [(model_id, key, floats) for key, floats in added.items()],
            )
        if added and self.model() == model:
            self._mark_changed(list(added))
        return len(added)

    def _mark_changed(self, keys: list[bytes]) -> None:
        """Has the documents that hold a chunkset of these keys count as changed."""
        with self._errors:
            rows = self._by_keys("SELECT DISTINCT document_id FROM chunksets WHERE key", keys)
            gained = {document_id for (document_id,) in rows}
        if gained:
            revision = self._raise_generation()
            with self._errors:
                self._connection.executemany(
                    "UPDATE documents SET revision = ? WHERE document_id = ?",
                    [(revision, document_id) for document_id in sorted(gained)],
                )

    def _by_keys(self, statement: str, keys: list[bytes]) -> list[tuple[Any]]:
        """What a statement that ends in the name of a column finds for keys, hundreds at once."""
        found = []
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            some = keys[start : start + _KEYS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            found += self._connection.execute(f"{statement} IN ({marks})", some).fetchall()
        return found

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

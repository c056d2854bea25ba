"""Reading models and vectors from the SQLite store."""

from __future__ import annotations

from rootleaf.store.records import Model
from rootleaf.store.schema import FLOAT_BYTES, KEYWORD_ONLY
from rootleaf.store.sqlite_errors import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from rootleaf.store.sqlite_errors import SqliteErrors

MODEL_COLUMNS = ("name", "revision", "dimension", "is_normalised", "preprocessing", "text_form")

# Both indices are walked in the order of their keys: for each document in its turn, the keys would
# be looked up all over an index that is larger than SQLite's cache, at ten times the cost.
_WITHOUT_VECTOR = (
    "chunksets INDEXED BY chunksets_by_key CROSS JOIN documents USING (document_id)"
    " WHERE NOT EXISTS"
    " (SELECT 1 FROM vectors WHERE model_id = :model AND vectors.key = chunksets.key)"
    " AND (:root IS NULL OR root_id = :root)"
)


class SqliteVectorReading:
    """What the store says of vectors.

    See `rootleaf.store.protocol.Store` for what each method promises.
    """

    db_path: str
    _connection: sqlite3.Connection
    _errors: SqliteErrors

    def model(self) -> Model | None:
        """The recorded model, whose vectors documents have."""
        with self._errors:
            return read_model(self._connection)

    def is_keyword_only(self) -> bool:
        """Whether it was asked for that documents have no vectors."""
        with self._errors:
            return read_is_keyword_only(self._connection)

    def vectors(self, document_id: int) -> list[bytes | None]:
        """For each chunkset of a document its vector of the recorded model."""
        with self._errors:
            rows = self._connection.execute(
                "SELECT floats, dimension FROM chunksets"
                " JOIN meta ON meta.name = 'model'"
                " LEFT JOIN models ON models.model_id = meta.value"
                " LEFT JOIN vectors ON vectors.model_id = meta.value"
                " AND vectors.key = chunksets.key"
                " WHERE document_id = ? ORDER BY ordinal",
                (document_id,),
            ).fetchall()
        for floats, dimension in rows:
            if floats is not None and len(floats) != dimension * FLOAT_BYTES:
                raise damaged(self.db_path, f"a vector has not the {dimension} floats of its model")
        return [floats for floats, _ in rows]

    def count_without_vector(self, root_id: int | None = None) -> int:
        """How many chunksets lack a vector of the recorded model."""
        model = self.model()
        if model is None:
            return 0
        return self._count("count(*)", model, root_id)

    def count_keys_without_vector(self, model: Model, root_id: int | None = None) -> int:
        """How many distinct chunkset keys lack a vector of a model."""
        return self._count("count(DISTINCT key)", model, root_id)

    def documents_without_vector(self, model: Model, root_id: int | None = None) -> list[int]:
        """The documents with a chunkset that lacks a vector of a model, by root and path."""
        with self._errors:
            rows = self._connection.execute(
                f"SELECT document_id FROM {_WITHOUT_VECTOR}"
                " GROUP BY document_id ORDER BY root_id, path",
                self._named(model, root_id),
            ).fetchall()
        return [document_id for (document_id,) in rows]

    def keys_without_vector(self, model: Model, document_id: int) -> list[tuple[int, bytes]]:
        """Ordinal and key of each chunkset of a document that lacks a vector of a model."""
        with self._errors:
            return self._connection.execute(
                "SELECT ordinal, key FROM chunksets WHERE document_id = :document AND NOT EXISTS"
                " (SELECT 1 FROM vectors WHERE model_id = :model AND vectors.key = chunksets.key)"
                " ORDER BY ordinal",
                {"document": document_id, **self._named(model, None)},
            ).fetchall()

    def _count(self, what: str, model: Model, root_id: int | None) -> int:
        with self._errors:
            (count,) = self._connection.execute(
                f"SELECT {what} FROM {_WITHOUT_VECTOR}", self._named(model, root_id)
            ).fetchone()
        return int(count)

    def _named(self, model: Model, root_id: int | None) -> dict[str, int | None]:
        return {"model": find_model_id(self._connection, model), "root": root_id}


def read_model(connection: sqlite3.Connection) -> Model | None:
    """The recorded model of a database."""
    row = connection.execute(
        f"SELECT {', '.join(f'models.{name}' for name in MODEL_COLUMNS)} FROM models"
        " JOIN meta ON meta.name = 'model' AND meta.value = model_id"
    ).fetchone()
    if row is None:
        return None
    name, revision, dimension, is_normalised, preprocessing, text_form = row
    return Model(
        name=name,
        revision=revision,
        dimension=dimension,
        is_normalised=bool(is_normalised),
        preprocessing=preprocessing,
        text_form=text_form,
    )


def read_is_keyword_only(connection: sqlite3.Connection) -> bool:
    """Whether a database is to have no vectors."""
    row = connection.execute("SELECT value FROM meta WHERE name = 'model'").fetchone()
    return row is not None and row[0] == KEYWORD_ONLY


def find_model_id(connection: sqlite3.Connection, model: Model) -> int:
    """The id under which a database knows a model; 0 where it does not."""
    conditions = " AND ".join(f"{name} = :{name}" for name in MODEL_COLUMNS)
    row = connection.execute(
        f"SELECT model_id FROM models WHERE {conditions}", model.to_json()
    ).fetchone()
    return 0 if row is None else int(row[0])

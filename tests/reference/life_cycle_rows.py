"""What a database really holds and answers, in the form that the model can be compared with."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3

from life_cycle_model import SPOILED
from life_cycle_vocabulary import FILTERS, QUERIES, front_matter_of, metadata_by
from rootleaf import chunk, index, index_file, search
from rootleaf.errors import NotIndexedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from life_cycle_model import Model, Row

    Rows = dict[tuple[str, str], dict[str, Any]]
    Question = tuple[str, dict[str, list[str]] | None]

QUESTIONS: list[Question] = [(query, None) for query in QUERIES]
QUESTIONS += [(query, where) for query in QUERIES[:2] for where in FILTERS]

_COLUMNS = (
    "SELECT roots.path, documents.path, document_id, revision, stat_signature, content_hash, text,"
    " front_matter, rules_identity, metadata, chunk_count"
    " FROM documents JOIN texts USING (document_id) JOIN roots USING (root_id)"
)


def stored_rows(db_path: str) -> Rows:
    """All rows by the name of their root and their path; none where there is no database."""
    if not os.path.exists(db_path) or os.path.getsize(db_path) == 0:
        return {}
    connection = sqlite3.connect(db_path)
    try:
        chunksets: dict[int, list[tuple[bytes, int]]] = {}
        for document_id, key, date in connection.execute(
            "SELECT document_id, key, first_seen FROM chunksets ORDER BY document_id, ordinal"
        ):
            chunksets.setdefault(document_id, []).append((key, date))
        return {
            (os.path.basename(root), path): {
                "document_id": document_id,
                "revision": revision,
                "signature": signature,
                "hash": digest,
                "text": text,
                "front_matter": front_matter,
                "rules": rules,
                "metadata": None if metadata is None else json.loads(metadata),
                "chunk_count": chunk_count,
                "dates": chunksets.get(document_id, []),
            }
            for root, path, document_id, revision, signature, digest, text, front_matter, rules,
                metadata, chunk_count in connection.execute(_COLUMNS)
        }  # fmt: skip
    finally:
        connection.close()


def expected_row(path: str, row: Row) -> dict[str, Any]:
    """What must stand in a row of this version, as far as the model says."""
    return {
        "hash": hashlib.blake2b(row.text.encode(), digest_size=16).digest(),
        "text": row.text,
        "front_matter": front_matter_of(row.text)[0],
        "metadata": row.metadata(path),
        "chunk_count": len(chunk(row.text).chunks),
        "dates": row.dates,
    }


def expected_rows(model: Model) -> Rows:
    """What `stored_rows` must give, without ids, revisions, signatures and rules' identities."""
    return {
        (name, path): expected_row(path, row)
        for name, root in model.roots.items()
        for path, row in root.rows.items()
    }


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A stored row without what the model does not say."""
    unsaid = ("document_id", "revision", "signature", "rules")
    return {name: value for name, value in row.items() if name not in unsaid}


def spoil_row(db_path: str, document_id: int, how: str) -> None:
    """Leaves a row as another program might: without metadata, or with what is none."""
    metadata = SPOILED[how]
    connection = sqlite3.connect(db_path)
    try:
        with connection:
            connection.execute(
                "UPDATE documents SET metadata = ?, rules_identity = CASE WHEN ? IS NULL"
                " THEN NULL ELSE rules_identity END WHERE document_id = ?",
                (None if metadata is None else json.dumps(metadata), metadata and "", document_id),
            )
    finally:
        connection.close()


def answers(db_path: str, base: str, question: Question) -> Any:
    """What a search says, without ids, dates, notices and the place of the tree."""
    query, where = question
    try:
        found = search(query, db_path=db_path, where=where, top_k=4).to_json()
    except NotIndexedError:
        return "not indexed"
    return settled(found, base)


def settled(found: dict[str, Any], base: str) -> Any:
    """An answer as JSON says it, without what two equal indexes may differ in."""
    for name in ("took_ms", "notices", "stale_files"):
        del found[name]
    for hit in found["hits"]:
        del hit["document_id"], hit["updated"]
    return json.loads(json.dumps(found).replace(base, "BASE"))


class FreshIndexes:
    """Indexes made afresh of the versions that a model holds; their answers are remembered."""

    def __init__(self) -> None:
        self._answers: dict[str, list[Any]] = {}

    def answers(self, model: Model, base: str) -> list[Any]:
        """What an index of these versions, in a tree at `base`, answers to all questions."""
        versions = {
            name: {
                path: (row.text, metadata_by(row.rules, path)) for path, row in root.rows.items()
            }
            for name, root in model.roots.items()
        }
        key = json.dumps(versions, sort_keys=True)
        if key not in self._answers:
            self._answers[key] = self._ask(versions, base)
        return self._answers[key]

    def _ask(self, versions: dict[str, dict[str, tuple[str, Any]]], base: str) -> list[Any]:
        shutil.rmtree(base, ignore_errors=True)
        os.makedirs(base)
        db_path = os.path.join(base, "index.db")
        try:
            for name, files in versions.items():
                self._index(os.path.join(base, name), db_path, files)
            return [answers(db_path, base, question) for question in QUESTIONS]
        finally:
            shutil.rmtree(base)

    @staticmethod
    def _index(root: str, db_path: str, files: dict[str, tuple[str, Any]]) -> None:
        rules = [{"glob": path, "metadata": given} for path, (_, given) in files.items()]
        os.makedirs(root)
        with open(os.path.join(root, ".rootleaf-metadata.json"), "w", encoding="utf-8") as file:
            json.dump({"rules": rules}, file)
        for path, (text, _) in files.items():
            place = os.path.join(root, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        index(root, db_path, glob="**/*", ignore_files=False)
        for path in files:
            if path.rpartition("/")[2].startswith("."):
                index_file(os.path.join(root, path), root, db_path)

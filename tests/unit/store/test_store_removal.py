"""Removing whole directories from the store."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from rootleaf.store.records import DocumentVersion, Model
from rootleaf.store.sqlite import open_for_writing

if TYPE_CHECKING:
    from pathlib import Path


def version_of(name: str, keys: bytes) -> DocumentVersion:
    """A version of a document whose file need not be there."""
    return DocumentVersion(
        path=name,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text=f"# {name}\n",
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata={},
        chunk_count=1,
        chunkset_keys=keys,
    )


def test_no_vector_of_a_forgotten_text_stays(tmp_path: Path) -> None:
    """Neither of an earlier text, which may have been theirs, nor of another model.

    One that another document has stays, of whatever model.
    """
    model = Model(
        name="m", revision="1", dimension=1, is_normalised=True, preprocessing="", text_form="t"
    )
    other = Model(**{**model.to_json(), "revision": "2"})
    keys = [letter.encode() * 16 for letter in "kab"]
    db_path = str(tmp_path / "x.db")
    with open_for_writing(db_path) as store, store.writing() as transaction:
        root_id = transaction.add_root("/nowhere", "all markdown", "c")
        transaction.put_document(root_id, version_of("kept.md", keys[0]))
        transaction.put_document(root_id, version_of("d/1.md", keys[0] + keys[1]))
        for of_model in (model, other):
            transaction.put_vectors(of_model, [(key, b"1234") for key in keys])
    with open_for_writing(db_path) as store, store.writing() as transaction:
        assert transaction.forget(root_id, "d") == ["d/1.md"]
    connection = sqlite3.connect(db_path)
    left = [key for (key,) in connection.execute("SELECT key FROM vectors")]
    connection.close()
    assert left == [keys[0]] * 2

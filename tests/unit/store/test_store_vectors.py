"""Vectors belong to texts and models, not to documents; what gains or loses them is noticed."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf.errors import StoreError
from rootleaf.store import sqlite_vector_writing
from rootleaf.store.records import DocumentVersion, Model
from rootleaf.store.sqlite import SqliteStore, open_for_reading, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ONE = Model(
    name="one",
    revision="1",
    dimension=2,
    is_normalised=True,
    preprocessing="none",
    text_form="texts 1",
)
OTHER = Model(**{**ONE.to_json(), "name": "other"})


def key(letter: str) -> bytes:
    """The chunkset key that a letter stands for."""
    return letter.encode() * 16


def floats(number: int) -> bytes:
    """Eight bytes that stand for a vector of two floats."""
    return number.to_bytes(8, "little")


def version(path: str, letters: str) -> DocumentVersion:
    """A version whose chunksets have the keys named by letters."""
    return DocumentVersion(
        path=path,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text="# A\n",
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata={},
        chunk_count=1,
        chunkset_keys=b"".join(map(key, letters)),
    )


@pytest.fixture
def db_path(tmp_path: Path) -> str:
    """A path in an empty directory where a database may be made."""
    return str(tmp_path / "notes.db")


@pytest.fixture
def store(db_path: str) -> Iterator[SqliteStore]:
    """A store with two roots: `/r` has a.md (a, b, a) and b.md (b, c), `/s` has a.md (c)."""
    with open_for_writing(db_path) as opened:
        with opened.writing() as write:
            first = write.add_root("/r", "all markdown", "chunker 1")
            second = write.add_root("/s", "all markdown", "chunker 1")
            write.put_document(first, version("a.md", "aba"))
            write.put_document(first, version("b.md", "bc"))
            write.put_document(second, version("a.md", "c"))
        yield opened


def put(store: SqliteStore, model: Model, *vectors: tuple[str, int]) -> None:
    """Keeps vectors, given by the letters of their keys."""
    with store.writing() as write:
        write.put_vectors(model, [(key(letter), floats(number)) for letter, number in vectors])


def record(store: SqliteStore, model: Model) -> None:
    """Records a model."""
    with store.writing() as write:
        write.set_model(model)


def stored_letters(store: SqliteStore) -> set[str]:
    """The letters of all keys that have a vector of any model."""
    rows = store._connection.execute("SELECT key FROM vectors").fetchall()
    return {found[:1].decode() for (found,) in rows}


def test_a_vector_is_that_of_every_chunkset_with_its_key(store: SqliteStore) -> None:
    """In whatever document and however often it stands there."""
    record(store, ONE)
    put(store, ONE, ("a", 1), ("c", 3))
    assert store.vectors(1) == [floats(1), None, floats(1)]
    assert store.vectors(2) == [None, floats(3)]
    assert store.vectors(3) == [floats(3)]


def test_what_lacks_a_vector_is_counted_and_named(store: SqliteStore) -> None:
    """In all and for one root: chunksets, distinct keys, documents, and the keys of a document."""
    assert store.count_without_vector() == 0, "without a model there is nothing to lack"
    assert store.count_keys_without_vector(ONE) == 3
    record(store, ONE)
    assert store.count_without_vector() == 6
    put(store, ONE, ("a", 1))
    assert (store.count_without_vector(), store.count_without_vector(1)) == (4, 3)
    assert (store.count_keys_without_vector(ONE), store.count_keys_without_vector(ONE, 2)) == (2, 1)
    assert store.documents_without_vector(ONE) == [1, 2, 3]
    assert store.documents_without_vector(ONE, 2) == [3]
    assert store.keys_without_vector(ONE, 1) == [(1, key("b"))]
    put(store, ONE, ("b", 2))
    assert store.documents_without_vector(ONE, 1) == [2]
    assert store.count_keys_without_vector(OTHER) == 3


def test_documents_that_gain_a_vector_have_changed_and_no_others(store: SqliteStore) -> None:
    """Those of another root too: their chunksets gained it as well."""
    record(store, ONE)
    before = store.generation()
    put(store, ONE, ("c", 3))
    assert store.generation() == before + 1
    assert {found.document_id for found in store.changes_since(before).documents} == {2, 3}


def test_a_vector_that_is_there_is_never_overwritten(store: SqliteStore) -> None:
    """What was paid for stays as it is, and nothing counts as changed."""
    record(store, ONE)
    put(store, ONE, ("a", 1))
    before = store.generation()
    put(store, ONE, ("a", 9))
    assert store.vectors(1)[0] == floats(1)
    assert store.generation() == before


def test_vectors_of_another_model_are_kept_and_not_seen(store: SqliteStore) -> None:
    """Until it is recorded: then all documents have changed, since all of them have others."""
    record(store, ONE)
    put(store, ONE, ("a", 1))
    before = store.generation()
    put(store, OTHER, ("a", 5), ("b", 6))
    assert store.generation() == before
    assert store.vectors(1) == [floats(1), None, floats(1)]
    record(store, OTHER)
    assert store.vectors(1) == [floats(5), floats(6), floats(5)]
    assert len(store.changes_since(before)) == 3
    record(store, ONE)
    assert store.vectors(1) == [floats(1), None, floats(1)], "and the first one's are there still"
    again = store.generation()
    record(store, ONE)
    assert store.generation() == again


@pytest.mark.parametrize(
    "field",
    [{"revision": "2"}, {"dimension": 3}, {"preprocessing": "lower"}, {"text_form": "texts 2"}],
)
def test_models_that_differ_in_anything_are_two(
    store: SqliteStore, field: dict[str, object]
) -> None:
    """A name alone does not make a vector comparable."""
    record(store, ONE)
    put(store, ONE, ("a", 1))
    changed = Model(**{**ONE.to_json(), **field})
    assert store.count_keys_without_vector(changed) == 3
    record(store, changed)
    assert store.model() == changed
    assert store.vectors(1) == [None, None, None]


def test_the_vectors_of_a_removed_document_wait_for_its_return(store: SqliteStore) -> None:
    """They are a cache by text."""
    record(store, ONE)
    put(store, ONE, ("a", 1), ("b", 2))
    with store.writing() as write:
        write.remove(1)
    assert store.count_keys_without_vector(ONE) == 1
    with store.writing() as write:
        back = write.put_document(1, version("moved.md", "ab"))
    assert store.vectors(back) == [floats(1), floats(2)]


def test_unused_vectors_beyond_the_bound_go_oldest_first(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many are kept as are in use, or as the least bound says; used ones always."""
    monkeypatch.setattr(sqlite_vector_writing, "UNUSED_VECTORS_KEPT", 2)
    record(store, ONE)
    put(store, ONE, ("w", 1), ("a", 1), ("x", 1))
    put(store, OTHER, ("y", 1))
    with store.writing() as write:
        assert write.trim_vectors() == 1
    assert stored_letters(store) == set("axy")
    put(store, ONE, ("b", 1), ("c", 1), ("z", 1))
    before = store.generation()
    with store.writing() as write:
        assert write.trim_vectors() == 0, "three in use vouch for three"
    put(store, ONE, ("v", 1))
    with store.writing() as write:
        assert write.trim_vectors() == 1
    assert stored_letters(store) == set("abcyzv")
    assert store.generation() == before


def test_a_vector_of_the_wrong_size_is_damage_and_named(store: SqliteStore, db_path: str) -> None:
    """Not handed on to be read as other numbers."""
    record(store, ONE)
    put(store, ONE, ("a", 1))
    with sqlite3.connect(db_path) as connection:
        connection.execute("UPDATE vectors SET floats = x'0000'")
    connection.close()
    with open_for_reading(db_path) as reading, pytest.raises(StoreError, match="2 floats"):
        reading.vectors(1)

"""The collection and its views: writes and what they show, allowed sets, what is refused."""

from __future__ import annotations

import math
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyroaring
import pytest
from rootleaf.engine.collection import Collection, IndexedDocument, SnapshotIdentity, View
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path


def document(document_id: int, text: str, **fields: Any) -> IndexedDocument:
    """A document at a path made of its id."""
    return IndexedDocument(
        document_id=document_id, path=f"/r/{document_id}.md", name="", text=text, **fields
    )


def rows(*shape: int) -> memoryview[float]:
    """An array of float32: the first number is 1, those after it 0."""
    numbers = array("f", [1.0] + [0.0] * (math.prod(shape) - 1))
    return memoryview(numbers.tobytes()).cast("f", shape)


def found(view: View, query: str, **options: Any) -> list[int]:
    """The documents of an answer, best first, each once."""
    return list(dict.fromkeys(view.search(query, top_k=10, **options).document_ids))


def orchard() -> Collection:
    """Four documents of one word each, the first two alike."""
    collection = Collection()
    collection.add([document(1, "pear\n"), document(2, "pear\n")])
    collection.add([document(3, "plum\n", metadata={"kind": "stone"})])
    collection.add([document(4, "pear plum\n", metadata={"kind": ["stone", "core"]})])
    return collection


def test_a_view_stays_as_it_is() -> None:
    """Writes are seen by the views that are taken after them."""
    collection = orchard()
    before = collection.view()
    collection.remove([1])
    collection.add([document(2, "quince\n"), document(5, "pear\n")])
    assert found(before, "pear") == [1, 2, 4]
    assert found(collection.view(), "pear") == [5, 4]
    assert (before.document_count, collection.view().document_count) == (4, 4)


def test_adding_an_id_again_replaces_the_document() -> None:
    """In a later batch, and in one batch the last counts."""
    collection = orchard()
    collection.add([document(1, "fig\n"), document(1, "quince\n")])
    assert collection.view().document_count == 4
    assert found(collection.view(), "fig") == []
    assert found(collection.view(), "quince") == [1]
    assert found(collection.view(), "pear") == [2, 4]


def test_removing_says_how_many() -> None:
    """Ids of no document, or named twice, count nothing."""
    collection = orchard()
    assert collection.remove([]) == 0
    assert collection.remove([2, 2, 77, 3]) == 2
    assert collection.remove(pyroaring.BitMap([2, 4])) == 1
    assert found(collection.view(), "pear plum") == [1]


def test_a_merge_leaves_one_segment_and_changes_no_answer() -> None:
    """The answers before and after are the same, to the last bit."""
    collection = orchard()
    collection.remove([2])
    before = collection.view()
    collection.merge()
    after = collection.view()
    assert after.segment_count == 1
    for query in ("pear", "plum", "pear plum walnut"):
        assert {name: column.tolist() for name, column in before.search(query).columns.items()} == {
            name: column.tolist() for name, column in after.search(query).columns.items()
        }


@pytest.mark.parametrize(
    "allowed",
    [
        [4, 1, 99],
        (1, 4, 4),
        {1, 4},
        range(4, 0, -3),
        iter([1, 4]),
        pyroaring.BitMap([1, 4, 2**32 - 1]),
        pyroaring.FrozenBitMap([1, 4]),
        pyroaring.BitMap64([1, 4, 2**40]),
    ],
)
def test_a_set_of_allowed_documents_may_be_brought(allowed: Any) -> None:
    """As any iterable of ints, or as a bitmap; ids of no document are passed over."""
    ranking = orchard().view().search("pear plum", allowed=allowed)
    assert sorted(set(ranking.document_ids)) == [1, 4]
    assert ranking.allowed_documents == 2


@pytest.mark.parametrize("allowed", [[], (), pyroaring.BitMap(), [77]])
def test_an_empty_allowed_set_matches_nothing(allowed: Any) -> None:
    """None is no limit, and no id is no document."""
    view = orchard().view()
    ranking = view.search("pear", allowed=allowed)
    assert len(ranking) == 0
    assert (ranking.allowed_documents, ranking.matched_documents) == (0, 0)
    assert found(view, "pear", allowed=None) == [1, 2, 4]


def test_allowed_and_where_are_both_kept() -> None:
    """A document has to be in both, and the statistics are of those."""
    view = orchard().view()
    ranking = view.search("pear plum", where={"kind": "stone"}, allowed=[1, 4])
    alone = Collection()
    alone.add([document(4, "pear plum\n")])
    assert list(ranking.document_ids) == [4]
    assert ranking.bm25.tolist() == alone.view().search("pear plum").bm25.tolist()


def test_everything_can_be_removed() -> None:
    """The collection is empty then, and goes on."""
    collection = orchard()
    collection.remove(range(10))
    view = collection.view()
    assert (view.document_count, view.chunkset_count, view.segment_count) == (0, 0, 0)
    assert len(view.search("pear")) == 0
    collection.merge()
    collection.add([document(1, "pear\n")])
    assert found(collection.view(), "pear") == [1]


def test_a_batch_with_a_fault_adds_nothing() -> None:
    """The documents before the faulty one neither."""
    collection = orchard()
    with pytest.raises(InvalidInputError, match="text must be a str, not bytes"):
        collection.add([document(7, "pear\n"), document(8, b"pear")])  # type: ignore[arg-type]
    assert collection.view().document_count == 4


def test_threads_share_a_collection() -> None:
    """Writers take turns, and each write is there in the end."""
    collection = Collection()

    def write(first: int) -> None:
        for step in range(20):
            collection.add([document(first + step, "pear\n")])
            collection.view().search("pear")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(0, 400, 100)))
    assert collection.view().search("pear", top_k=0).matched_documents == 80


@pytest.mark.parametrize(
    ("allowed", "message"),
    [
        ("12", "allowed must be an iterable of int, not str"),
        (b"12", "allowed must be an iterable of int, not bytes"),
        (3, "allowed must be an iterable of int, not int"),
        ([1, "2"], "an id in allowed must be an int, not str"),
        ([True], "an id in allowed must be an int, not bool"),
        ([-1], "an id in allowed must be 0 to 18446744073709551615, not -1"),
        ([2**64], "an id in allowed must be 0 to 18446744073709551615"),
        ([1.0], "an id in allowed must be an int, not float"),
    ],
)
def test_what_is_no_set_of_ids_is_refused(allowed: Any, message: str) -> None:
    """The error says which argument, what was expected, and what came."""
    with pytest.raises(InvalidInputError, match=message):
        orchard().view().search("pear", allowed=allowed)
    with pytest.raises(InvalidInputError, match=message.replace("allowed", "document_ids")):
        orchard().remove(allowed)


@pytest.mark.parametrize("batch", [["text"], [None], {"a": 1}])
def test_a_batch_holds_documents(batch: Any) -> None:
    """Anything else is named."""
    with pytest.raises(InvalidInputError, match="batch must hold IndexedDocument, not"):
        Collection().add(batch)


def pears() -> Collection:
    """Three documents, of which the first two have vectors that are at right angles."""
    collection = Collection()
    collection.add([document(1, "pear\n", vectors=[[1.0, 0.0]]), document(2, "plum\n")])
    collection.add([document(3, "fig\n", vectors=array("f", [0.0, 1.0]).tobytes())])
    return collection


def test_what_no_word_finds_is_found_by_its_vector() -> None:
    """And what has no vector by its words; each is told with what it is made of."""
    view = pears().view()
    assert (view.without_vector, view.dimension) == (1, 2)
    ranking = view.search("plum", query_vector=[0.0, 1.0])
    assert list(ranking.document_ids) == [3, 2]
    assert ranking.similarity is not None
    assert ranking.similarity.tolist() == [1.0, 0.0]
    assert ranking.bm25[0] == 0.0 < ranking.bm25[1]
    assert (ranking.without_vector, ranking.best_similarity) == (1, 1.0)


def test_weights_say_what_counts() -> None:
    """A part of weight 0 ranks nothing by itself; the order of naming changes no bit."""
    view = pears().view()
    by_words = view.search(
        "plum", query_vector=[0.0, 1.0], weights={"coverage": 1.0, "similarity": 0.0}
    )
    assert list(by_words.document_ids) == [2]
    assert by_words.score.tolist() == by_words.coverage.tolist()
    one = view.search("pear", query_vector=[0.6, 0.8], weights={"coverage": 0.3, "similarity": 0.7})
    other = view.search(
        "pear", query_vector=[0.6, 0.8], weights={"similarity": 0.7, "coverage": 0.3}
    )
    assert one.score.tolist() == other.score.tolist()


def test_ranks_are_told_when_asked_for() -> None:
    """Without a vector they cost a pass over everything."""
    view = orchard().view()
    assert view.search("pear").rank_keyword is None
    ranked = view.search("pear", ranks=True).rank_keyword
    assert ranked is not None
    assert ranked.tolist() == [1.0, 1.0, 3.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query_vector": [1.0, 0.0, 0.0]}, "3 elements, and those of the index have 2"),
        ({"query_vector": [3.0, 4.0]}, "has a length of 5"),
        ({"query_vector": [float("nan"), 0.0]}, "holds a NaN"),
        ({"query_vector": []}, "query_vector must hold numbers"),
        ({"query_vector": "ab"}, "query_vector must be a sequence of numbers or a buffer"),
        ({"query_vector": [1.0, 0.0], "fusion": "sum"}, "fusion must be 'weighted' or 'rrf'"),
        ({"query_vector": rows(1, 2)}, "query_vector must have one dimension, not 2"),
        ({"query_vector": [1.0, 0.0], "weights": {"size": 1.0}}, "no part 'size'"),
        ({"weights": {"bm25": 10**400}}, r"weights\['bm25'\] must be a float"),
        ({"query_vector": [1.0, 0.0], "weights": {"bm25": -1.0}}, "weight of 'bm25' must be 0 or"),
        ({"weights": [1.0]}, "weights must be a mapping"),
        ({"weights": {"bm25": "1"}}, "must be a float, not str"),
        ({"candidates": 0}, "candidates must be at least 1, not 0"),
        ({"ranks": 1}, "ranks must be a bool, not int"),
    ],
)
def test_a_wrong_question_is_named(options: dict[str, Any], message: str) -> None:
    """The error says which argument, what was expected, and what came."""
    with pytest.raises(InvalidInputError, match=message):
        pears().view().search("pear", **options)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 0.0, 0.0]], "3 elements, and those of the collection 2"),
        ([[1.0, 0.0], [0.0, 1.0]], "/r/9.md: there must be a vector, or none, for each"),
        ([[0.0, 0.0]], "/r/9.md: vector 0 is zero"),
        ([[float("inf"), 0.0]], "/r/9.md: vector 0 holds an infinity"),
        ([["a"]], r"vectors\[0\] must hold numbers"),
        (3, "vectors must be a buffer of float32 or a sequence of .*, not int"),
        (rows(2, 1), "/r/9.md: there must be a vector, or none, for each of the document's 1"),
        (rows(1, 1, 2), "vectors must have one or two dimensions, not 3"),
        (b"abc", "vectors must hold whole float32 of 4 bytes, not 3 bytes"),
    ],
)
def test_wrong_vectors_are_refused_where_they_enter(vectors: Any, message: str) -> None:
    """Nothing of the batch is added, and the document is named."""
    collection = pears()
    with pytest.raises(InvalidInputError, match=message):
        collection.add([document(9, "pear\n", vectors=vectors)])
    assert collection.view().document_count == 3


@pytest.mark.parametrize("merged", [False, True])
def test_vectors_of_removed_documents_bind_nobody(merged: bool, tmp_path: Path) -> None:
    """Once no document has a vector, those that come and questions may be of another width."""
    collection = Collection()
    collection.add(
        [document(n, "pear\n", vectors=[[1.0, 0.0]] if n == 1 else None) for n in (1, 2, 3)]
    )
    collection.remove([1])
    if merged:
        collection.merge()
    assert collection.view().dimension == 0
    assert found(collection.view(), "pear", query_vector=[0.0, 0.0, 1.0]) == [2, 3]
    collection.add([document(4, "plum\n", vectors=[[0.0, 0.0, 1.0]])])
    assert (collection.view().dimension, collection.view().without_vector) == (3, 2)
    assert found(collection.view(), "fig", query_vector=[0.0, 0.0, 1.0]) == [4]
    identity = SnapshotIdentity(database_id=b"d" * 16, generation=1)
    collection.view().write_snapshot(str(tmp_path / "s"), identity)
    again = Collection.from_snapshot(str(tmp_path / "s"), identity)
    assert again is not None
    assert found(again.view(), "fig", query_vector=[0.0, 0.0, 1.0]) == [4]
    again.merge()
    assert found(again.view(), "fig", query_vector=[0.0, 0.0, 1.0]) == [4]
    with pytest.raises(InvalidInputError, match="2 elements, and those of the index have 3"):
        again.view().search("pear", query_vector=[1.0, 0.0])


def test_a_snapshot_stands_for_one_database_state(tmp_path: Path) -> None:
    """Of another database, analyzer or generation, damaged or absent: it is no collection."""
    path = str(tmp_path / "index.snapshot")
    made = SnapshotIdentity(database_id=b"d" * 16, generation=7)
    pears().view().write_snapshot(path, made)
    collection = Collection.from_snapshot(path, made)
    assert collection is not None
    assert (collection.generation, collection.view().document_count) == (7, 3)
    later = SnapshotIdentity(database_id=b"d" * 16, generation=8)
    assert Collection.from_snapshot(path, later) is None
    older = Collection.from_snapshot(path, later, may_be_older=True)
    assert older is not None
    assert older.generation == 7
    for other in (
        SnapshotIdentity(database_id=b"e" * 16, generation=7),
        SnapshotIdentity(database_id=b"d" * 16, generation=6),
        SnapshotIdentity(database_id=b"d" * 16, generation=7, analyzer_id="another"),
        SnapshotIdentity(database_id=b"d" * 16, generation=7, max_tokens=128),
    ):
        assert Collection.from_snapshot(path, other, may_be_older=True) is None
    assert Collection.from_snapshot(str(tmp_path / "absent"), made) is None
    (tmp_path / "index.snapshot").write_bytes((tmp_path / "index.snapshot").read_bytes()[:-9])
    assert Collection.from_snapshot(path, made) is None


@pytest.mark.parametrize("database_id", [b"short", "d" * 16, None])
def test_an_identity_has_sixteen_bytes(database_id: Any, tmp_path: Path) -> None:
    """Anything else is refused where it enters."""
    identity = SnapshotIdentity(database_id=database_id, generation=1)
    with pytest.raises(InvalidInputError, match="database_id"):
        pears().view().write_snapshot(str(tmp_path / "s"), identity)

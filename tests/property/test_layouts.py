"""However documents came into a collection, it answers as a new one that was given them at once."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyroaring
from hypothesis import given
from hypothesis import strategies as st
from random_corpora import filters, metadata, queries, texts, words
from rootleaf.engine.chunker import chunk_columns
from rootleaf.engine.collection import Collection, IndexedDocument, SnapshotIdentity, View

if TYPE_CHECKING:
    from pathlib import Path

DIMENSION = 3
IDS = st.integers(0, 9)
Documents = dict[int, IndexedDocument]


def unit(seed: int) -> list[float]:
    """A unit vector; few different ones, so that similarities are often equal."""
    numbers = [(seed * factor) % 5 - 2 for factor in (1, 3, 7)]
    length = math.sqrt(sum(number * number for number in numbers)) or 1.0
    return [number / length for number in numbers] if any(numbers) else [1.0, 0.0, 0.0]


def vectors_of(text: str, seed: int) -> list[list[float] | None] | None:
    """One for most chunksets; none at all for some documents."""
    if seed % 4 == 0:
        return None
    return [
        None if (seed + ordinal) % 5 == 0 else unit(seed + ordinal)
        for ordinal in range(chunk_columns(text).len_chunksets())
    ]


@st.composite
def documents(draw: st.DrawFn) -> IndexedDocument:
    """Ids and paths collide; texts may be empty."""
    text = draw(st.one_of(st.just(""), texts))
    return IndexedDocument(
        document_id=draw(IDS),
        path=f"/root/{draw(st.integers(0, 4))}.md",
        name=draw(words),
        text=text,
        field_text=draw(words),
        metadata=draw(metadata),
        vectors=vectors_of(text, draw(st.integers(0, 30))),
    )


writes = st.lists(
    st.one_of(
        st.lists(documents(), max_size=4).map(lambda batch: ("add", batch)),
        st.lists(IDS, max_size=4).map(lambda ids: ("remove", ids)),
        st.just(("merge", None)),
    ),
    max_size=7,
)
questions = st.fixed_dictionaries(
    {
        "query": queries,
        "top_k": st.integers(0, 4),
        "per_document": st.integers(1, 4),
        "candidates": st.integers(1, 6),
        "query_vector": st.one_of(st.none(), st.integers(0, 30).map(unit)),
        "fusion": st.sampled_from(["weighted", "rrf"]),
        "ranks": st.booleans(),
    }
)


def write(collection: Collection, held: Documents, kind: str, what: Any) -> None:
    """One write to a collection, and to a plain mapping."""
    if kind == "merge":
        collection.merge()
    elif kind == "remove":
        removed = {number for number in what if held.pop(number, None) is not None}
        assert collection.remove(what) == len(removed)
    else:
        collection.add(what)
        held.update({document.document_id: document for document in what})


def fresh(held: Documents, seed: int = 0) -> View:
    """A new collection of these documents, in one batch and another order."""
    batch = list(held.values())
    random.Random(seed).shuffle(batch)
    collection = Collection()
    collection.add(batch)
    return collection.view()


def answer(view: View, **question: Any) -> dict[str, Any]:
    """Everything that a ranking says; `tolist` keeps every bit."""
    ranking = view.search(question.pop("query"), **question)
    return {name: column.tolist() for name, column in ranking.columns.items()} | {
        name: getattr(ranking, name)
        for name in (
            "allowed_documents",
            "allowed_chunksets",
            "matched_documents",
            "without_vector",
            "best_coverage",
            "best_similarity",
            "rarest_identifier",
        )
    }


def matches(document: IndexedDocument, where: dict[str, list[str]]) -> bool:
    """Keys AND-ed, values OR-ed, compared as written."""
    for key, wanted in where.items():
        values = document.metadata.get(key, [])
        if not set([values] if isinstance(values, str) else values) & set(wanted):
            return False
    return True


@given(writes, questions, st.integers(0, 100))
def test_no_sequence_of_writes_changes_a_bit(
    steps: list[tuple[str, Any]], question: dict[str, Any], seed: int
) -> None:
    """After each write the answers are those of a fresh collection of the same documents."""
    collection, held = Collection(), Documents()
    for kind, what in steps:
        write(collection, held, kind, what)
        view = collection.view()
        expected = fresh(held, seed)
        assert view.document_count == len(held)
        assert view.chunkset_count == expected.chunkset_count
        assert view.without_vector == expected.without_vector
        assert answer(view, **question) == answer(expected, **question)


@given(writes, questions, filters, st.one_of(st.none(), st.sets(IDS)), st.booleans())
def test_a_filter_and_an_allowed_set_are_a_corpus(
    steps: list[tuple[str, Any]],
    question: dict[str, Any],
    where: dict[str, list[str]],
    allowed: set[int] | None,
    as_bitmap: bool,
) -> None:
    """A search within both answers as a collection of only these documents, to the last bit."""
    collection, held = Collection(), Documents()
    for kind, what in steps:
        write(collection, held, kind, what)
    within = {
        number: document
        for number, document in held.items()
        if matches(document, where) and (allowed is None or number in allowed)
    }
    given_ids: Any = pyroaring.BitMap(allowed) if as_bitmap and allowed is not None else allowed
    found = answer(collection.view(), where=where, allowed=given_ids, **question)
    assert found == answer(fresh(within), **question)


@given(writes, writes, questions)
def test_a_view_stays_while_the_collection_goes_on(
    before: list[tuple[str, Any]], after: list[tuple[str, Any]], question: dict[str, Any]
) -> None:
    """A reader's view answers as it did, whatever is written afterwards."""
    collection, held = Collection(), Documents()
    for kind, what in before:
        write(collection, held, kind, what)
    view = collection.view()
    expected = answer(view, **question)
    for kind, what in after:
        write(collection, held, kind, what)
        assert answer(view, **question) == expected


@given(writes, writes, questions)
def test_a_collection_goes_on_from_a_snapshot(
    tmp_path_factory: Any,
    before: list[tuple[str, Any]],
    after: list[tuple[str, Any]],
    question: dict[str, Any],
) -> None:
    """Written, opened and written to, it answers as one that was never on disk."""
    path: Path = tmp_path_factory.getbasetemp() / "layouts.snapshot"
    collection, held = Collection(), Documents()
    for kind, what in before:
        write(collection, held, kind, what)
    identity = SnapshotIdentity(database_id=bytes(range(16)), generation=len(before))
    collection.view().write_snapshot(str(path), identity)
    opened = Collection.from_snapshot(str(path), identity)
    assert opened is not None
    assert answer(opened.view(), **question) == answer(collection.view(), **question)
    for kind, what in after:
        write(opened, held, kind, what)
    assert answer(opened.view(), **question) == answer(fresh(held), **question)


def test_readers_beside_a_writer_see_whole_writes() -> None:
    """Each view holds both documents of every pair, or neither, and the answers of its moment."""
    collection = Collection()

    def document(number: int) -> IndexedDocument:
        return IndexedDocument(document_id=number, path=f"/{number}", name="", text="pear\n")

    def read(_: int) -> bool:
        view = collection.view()
        found = set(view.search("pear", top_k=1000).document_ids)
        again = set(view.search("pear", top_k=1000).document_ids)
        return found == again and len(found) == view.document_count and len(found) % 2 == 0

    with ThreadPoolExecutor(4) as pool:
        reads = pool.map(read, range(400))
        for number in range(0, 200, 2):
            collection.add([document(number), document(number + 1)])
            if number % 6 == 0:
                collection.remove([number, number + 1])
        assert all(reads)
    assert collection.view().document_count == 132

"""The documents that a filter and a caller's own set admit are those that pyroaring computes."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap
from rootleaf.engine.collection import Collection, IndexedDocument

KEYS = ("kind", "team")
VALUES = ("a", "b", "c")

rows = st.lists(
    st.fixed_dictionaries({key: st.lists(st.sampled_from(VALUES), max_size=2) for key in KEYS}),
    min_size=1,
    max_size=40,
)
filters = st.dictionaries(
    st.sampled_from(KEYS), st.lists(st.sampled_from((*VALUES, "none")), min_size=1, max_size=3)
)


@given(
    rows,
    st.sets(st.integers(0, 39), max_size=20),
    filters,
    st.none() | st.sets(st.integers(0, 45), max_size=30),
    st.booleans(),
)
def test_admitted_documents_are_what_the_sets_give(
    metadata: list[dict[str, list[str]]],
    removed: set[int],
    where: dict[str, list[str]],
    allowed: set[int] | None,
    merged: bool,
) -> None:
    """Keys and-ed, values or-ed, with the caller's set and without what was removed."""
    collection = Collection()
    documents = [
        IndexedDocument(
            document_id=number, path=f"/{number:02}.md", name="", text="quince", metadata=own
        )
        for number, own in enumerate(metadata)
    ]
    collection.add(documents[::2])
    collection.add(documents[1::2])
    collection.remove(removed)
    if merged:
        collection.merge()
    expected = BitMap(range(len(metadata))) - BitMap(removed)
    for key, values in where.items():
        of_value = [
            BitMap(number for number, own in enumerate(metadata) if value in own[key])
            for value in values
        ]
        expected &= reduce(BitMap.union, of_value)
    if allowed is not None:
        expected &= BitMap(allowed)
    ranking = collection.view().search(
        "quince",
        where=where or None,
        allowed=None if allowed is None else BitMap(allowed),
        top_k=100,
    )
    assert BitMap(ranking.document_ids) == expected
    assert ranking.allowed_documents == len(expected)

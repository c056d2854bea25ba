"""Many queries at once are ranked as each of them alone, whatever the number of threads."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.collection import Collection, IndexedDocument

if TYPE_CHECKING:
    from rootleaf.engine.view import Ranking

WORDS = ("alpha", "beta", "gamma", "delta", "rest")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def columns(ranking: Ranking) -> object:
    """All that a ranking tells, ready to be compared bit for bit."""
    counts = (ranking.allowed_documents, ranking.matched_documents, ranking.best_coverage)
    return {name: column.tobytes() for name, column in ranking.columns.items()}, counts


def filled(bodies: list[str]) -> Collection:
    """A collection of one document for each body."""
    collection = Collection()
    collection.add(
        IndexedDocument(
            document_id=number,
            path=f"{number}.md",
            name=str(number),
            text=f"# {body}\n\n{body}\n",
            metadata={"kind": "even" if number % 2 == 0 else "odd"},
            vectors=[[1.0, 0.0] if number % 3 else [0.6, 0.8]],
        )
        for number, body in enumerate(bodies)
    )
    return collection


@given(
    st.lists(texts, max_size=10),
    st.lists(texts, max_size=10),
    st.integers(1, 5),
    st.sampled_from([None, {"kind": "odd"}]),
    st.booleans(),
)
def test_many_searches_equal_single_ones(
    bodies: list[str],
    queries: list[str],
    threads: int,
    where: dict[str, str] | None,
    with_vectors: bool,
) -> None:
    """With a filter and with vectors too."""
    view = filled(bodies).view()
    vectors = [[0.0, 1.0] for _ in queries] if with_vectors and bodies else None
    many = view.search_many(queries, where=where, query_vectors=vectors, threads=threads)
    single = [
        view.search(query, where=where, query_vector=vectors[i] if vectors else None)
        for i, query in enumerate(queries)
    ]
    assert list(map(columns, many)) == list(map(columns, single))


def test_a_view_is_searched_by_threads_while_its_collection_goes_on() -> None:
    """Each answers from the view that it holds."""
    collection = filled(["alpha beta"] * 20)
    view = collection.view()
    expected = columns(view.search("alpha"))
    wrong: list[object] = []

    def search() -> None:
        for _ in range(50):
            found = [columns(one) for one in view.search_many(["alpha"] * 4, threads=2)]
            wrong.extend(one for one in found if one != expected)

    threads = [threading.Thread(target=search) for _ in range(os.cpu_count() or 2)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        collection.remove([3])
        collection.add([IndexedDocument(document_id=3, path="3.md", name="3", text="alpha\n")])
    for thread in threads:
        thread.join()
    assert not wrong

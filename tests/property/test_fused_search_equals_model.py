"""A search by words and by vector equals its definition, made of the whole keyword list."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_corpora import queries, texts, words
from rootleaf.engine.chunker import chunk_columns
from rootleaf.engine.collection import Collection, IndexedDocument, View

Place = tuple[int, int]
ALL = 10_000


def unit(seed: int) -> list[float]:
    """A unit vector of two numbers."""
    return [math.cos(seed), math.sin(seed)]


@st.composite
def corpora(draw: st.DrawFn) -> list[tuple[IndexedDocument, list[int]]]:
    """Documents in the order of their paths, and the seeds of their vectors (0: it has none)."""
    found = []
    for number, (text, name) in enumerate(draw(st.lists(st.tuples(texts, words), max_size=6))):
        count = chunk_columns(text).len_chunksets()
        seeds = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
        vectors = [unit(seed) if seed else None for seed in seeds]
        document = IndexedDocument(
            document_id=number, path=f"/{number}.md", name=name, text=text, vectors=vectors
        )
        found.append((document, seeds))
    return found


def view_of(corpus: list[tuple[IndexedDocument, list[int]]]) -> View:
    """All documents, each in a batch of its own."""
    collection = Collection()
    for document, _ in corpus:
        collection.add([document])
    return collection.view()


def measures_of(
    view: View, corpus: list[tuple[IndexedDocument, list[int]]], query: str, seed: int
) -> dict[Place, tuple[float, float, float]]:
    """bm25, coverage and similarity of every chunkset, 0 where it has none."""
    by_keyword = view.search(query, top_k=ALL, per_document=ALL)
    keyword = {
        (number, ordinal): (bm25, coverage)
        for number, ordinal, bm25, coverage in zip(
            by_keyword.document_ids,
            by_keyword.ordinals,
            by_keyword.bm25,
            by_keyword.coverage,
            strict=True,
        )
    }
    measures = {}
    for document, seeds in corpus:
        for ordinal, own in enumerate(seeds):
            place = (document.document_id, ordinal)
            cosine = math.cos(own - seed) if own else 0.0
            measures[place] = (*keyword.get(place, (0.0, 0.0)), cosine if cosine > 1e-6 else 0.0)
    return measures


def candidates_of(measures: dict[Place, tuple[float, float, float]], cap: int) -> set[Place]:
    """All of both lists, the best `cap` of each document."""
    union: set[Place] = set()
    for part in (1, 2):
        kept: list[Place] = []
        for place in sorted(measures, key=lambda place: (-measures[place][part], place)):
            own = sum(1 for other in kept if other[0] == place[0])
            if measures[place][part] > 0.0 and own < cap:
                kept.append(place)
        union |= set(kept)
    return union


def rank_of(value: float, values: list[float]) -> int:
    """1 more than the number of greater ones; 0 is in no list."""
    return 1 + sum(other > value + 1e-9 for other in values) if value > 0.0 else 0


@given(
    corpora(),
    queries,
    st.integers(0, 6),
    st.sampled_from([("weighted", False), ("weighted", True), ("rrf", False)]),
    st.sampled_from([2, 3, ALL]),
)
def test_a_fused_search_scores_as_defined(
    corpus: list[tuple[IndexedDocument, list[int]]],
    query: str,
    seed: int,
    way: tuple[str, bool],
    per_document: int,
) -> None:
    """With room for all: each chunkset's measures, ranks and score are those of the definition."""
    # Two vectors at one angle from the question are equals to the definition, and not in float32.
    angles = {own for _, seeds in corpus for own in seeds if own}
    assume(len({round(math.cos(own - seed), 6) for own in angles}) == len(angles))
    fusion, explained = way
    view = view_of(corpus)
    measures = measures_of(view, corpus, query, seed)
    ranking = view.search(
        query,
        query_vector=unit(seed),
        fusion=fusion,
        top_k=ALL,
        per_document=per_document,
        ranks=explained,
    )
    expected = candidates_of(measures, max(per_document, 3))
    places = list(zip(ranking.document_ids, ranking.ordinals, strict=True))
    assert set(places) <= expected
    for number in {place[0] for place in expected}:
        own = sum(place[0] == number for place in expected)
        assert sum(place[0] == number for place in places) == min(own, per_document)
    lists = [[own[part] for own in measures.values()] for part in range(3)]
    columns: dict[str, Any] = ranking.columns
    has_ranks = explained or fusion == "rrf"
    assert ("rank_keyword" in columns, "rank_vector" in columns) == (has_ranks, has_ranks)
    for row, place in enumerate(places):
        bm25, coverage, similarity = measures[place]
        assert columns["bm25"][row] == bm25
        assert columns["coverage"][row] == coverage
        assert columns["similarity"][row] == pytest.approx(similarity, abs=1e-6)
        ranks = (rank_of(coverage, lists[1]), rank_of(similarity, lists[2]))
        if has_ranks:
            assert (columns["rank_keyword"][row], columns["rank_vector"][row]) == ranks
        score = (
            0.5 * coverage + 0.5 * columns["similarity"][row]
            if fusion == "weighted"
            else sum(1.0 / (60.0 + rank) for rank in ranks if rank > 0)
        )
        assert ranking.score[row] == pytest.approx(score, abs=1e-12)
    assert ranking.without_vector == sum(not own for _, seeds in corpus for own in seeds)
    assert ranking.best_coverage == max(lists[1], default=0.0)
    assert ranking.best_similarity == pytest.approx(max(lists[2], default=0.0), abs=1e-6)
    assert ranking.matched_documents == len({place[0] for place in expected})


@given(corpora(), queries, st.integers(0, 6), st.integers(1, 3), st.integers(1, 4))
def test_documents_stand_best_first(
    corpus: list[tuple[IndexedDocument, list[int]]],
    query: str,
    seed: int,
    top_k: int,
    per_document: int,
) -> None:
    """A document by its best chunkset, ties by path; its chunksets best first, ties by place."""
    ranking = view_of(corpus).search(
        query, query_vector=unit(seed), top_k=top_k, per_document=per_document
    )
    rows = list(zip(ranking.document_ids, ranking.ordinals, ranking.score, strict=True))
    groups: dict[int, list[tuple[float, int]]] = {}
    for number, ordinal, score in rows:
        groups.setdefault(number, []).append((-score, ordinal))
    assert len(groups) <= top_k
    assert all(len(own) <= per_document and own == sorted(own) for own in groups.values())
    best = [(own[0][0], number) for number, own in groups.items()]
    assert best == sorted(best)
    assert [row[0] for row in rows] == [number for number, own in groups.items() for _ in own]

"""The core's ranking equals the model of `tests/reference`, and keeps its promises about order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from bm25_model import Source, matches, rank, score, units_of
from hypothesis import given
from hypothesis import strategies as st
from random_corpora import corpora, filters, queries
from rootleaf.engine.analyzer import analyze
from rootleaf.engine.keyword import Ranking, Segment, SegmentBuilder

if TYPE_CHECKING:
    import random
    from pathlib import Path

# Those of the vocabulary that name one thing by their form.
IDENTIFIERS = {
    "ERC-20",
    "eth_getBalance",
    "EIP-1559",
    "transferFrom",
    "fetchUserTokens",
    "fetch_user_tokens",
    "src/net.py",
    "v2.0",
    "ops@example.test",
}

Row = tuple[int, int, float, float]


def build(sources: list[Source]) -> Segment:
    """A segment of these documents, added in this order."""
    builder = SegmentBuilder()
    for source in sources:
        builder.add(
            source.document_id,
            source.path,
            source.name,
            source.text,
            source.front_matter_parsed,
            source.field_text,
            source.metadata,
        )
    return builder.build()


def rows(ranking: Ranking) -> list[Row]:
    """The columns of a ranking side by side."""
    return list(
        zip(
            ranking.document_ids,
            ranking.ordinals,
            ranking.bm25,
            ranking.coverage,
            strict=True,
        )
    )


def assert_equals_model(sources: list[Source], ranking: Ranking, query: str, top_k: int) -> None:
    """Same chunksets with the same scores; where scores are equal up to rounding, either order."""
    units = [unit for source in sources for unit in units_of(source)]
    expected = rank(sources, units, query, top_k)
    scores = score(units, query)
    assert ranking.matched_documents == len({document_id for document_id, _ in scores})
    assert len(ranking) == len(expected)
    wholes = {analyze(word)[0][0] for word in query.split() if word in IDENTIFIERS}
    counts = [sum(whole in unit.frequency for unit in units) for whole in wholes]
    assert ranking.rarest_identifier == min(filter(None, counts), default=0)
    for (document_id, ordinal, bm25, coverage), (_, _, in_model) in zip(
        rows(ranking), expected, strict=True
    ):
        assert coverage == pytest.approx(in_model, rel=1e-6, abs=1e-9)
        measures = scores[document_id, ordinal]
        assert (bm25, coverage) == pytest.approx(measures, rel=1e-6, abs=1e-9)


@given(corpora(), queries, st.integers(0, 5))
def test_a_search_equals_the_model(sources: list[Source], query: str, top_k: int) -> None:
    """Without a filter: hits and scores of the plain model, to 1e-6."""
    ranking = build(sources).search(query, top_k=top_k)
    assert_equals_model(sources, ranking, query, top_k)
    assert ranking.allowed_documents == len(sources)


@given(corpora(), queries, filters)
def test_a_filtered_search_equals_the_model_of_the_filtered_set(
    sources: list[Source], query: str, where: dict[str, list[str]]
) -> None:
    """With a filter: number, average length and frequencies are those of the matching documents."""
    ranking = build(sources).search(query, where=where, top_k=3)
    allowed = [source for source in sources if matches(source, where)]
    assert_equals_model(allowed, ranking, query, 3)
    assert ranking.allowed_documents == len(allowed)
    assert ranking.allowed_chunksets == sum(len(units_of(source)) for source in allowed)


@given(corpora(), queries, filters)
def test_a_filter_is_a_corpus(
    sources: list[Source], query: str, where: dict[str, list[str]]
) -> None:
    """A filtered search answers as an index of only the matching documents, to the last bit."""
    filtered = build(sources).search(query, where=where, top_k=4)
    alone = build([source for source in sources if matches(source, where)])
    ranking = alone.search(query, top_k=4)
    assert rows(filtered) == rows(ranking)
    assert filtered.matched_documents == ranking.matched_documents
    assert filtered.allowed_chunksets == alone.chunkset_count


@given(corpora(), queries, filters, st.randoms(use_true_random=False))
def test_insertion_order_changes_no_bit(
    sources: list[Source], query: str, where: dict[str, list[str]], shuffler: random.Random
) -> None:
    """Documents may be added in any order."""
    shuffled = list(sources)
    shuffler.shuffle(shuffled)
    one, other = build(sources), build(shuffled)
    for given_where in (None, where):
        first = one.search(query, where=given_where, top_k=5)
        second = other.search(query, where=given_where, top_k=5)
        assert rows(first) == rows(second)


@given(corpora(), queries)
def test_rankings_are_ordered_and_bounded(sources: list[Source], query: str) -> None:
    """Scores fall, coverage lies in 0..1, and ties go to the smaller path, then the position."""
    ranking = build(sources).search(query, top_k=5, per_document=2)
    paths = {source.document_id: source.path for source in sources}
    for document_id, ordinal, bm25, coverage in rows(ranking):
        assert bm25 > 0.0
        assert 0.0 < coverage <= 1.0
        assert list(ranking.document_ids).count(document_id) <= 2
        assert ordinal >= 0
    best: dict[int, float] = {}
    for document_id, _, _, coverage in rows(ranking):
        best.setdefault(document_id, coverage)
    for (one, high), (other, low) in pairwise(best.items()):
        assert high > low or (high == low and paths[one] < paths[other])


@given(corpora(), queries, st.sampled_from(["token", "walnut", "user net"]))
def test_naming_a_word_twice_changes_nothing(sources: list[Source], query: str, again: str) -> None:
    """Distinct words of a query count once, in whatever order they come."""
    segment = build(sources)
    once = segment.search(f"{query} {again}", top_k=5)
    assert rows(once) == rows(segment.search(f"{again} {query} {again}", top_k=5))


@given(corpora(), st.lists(st.sampled_from(["token", "user", "net", "walnut", "the"]), max_size=5))
def test_coverage_of_plain_words_is_bm25_by_the_greatest(
    sources: list[Source], words: list[str]
) -> None:
    """Where no word has parts the two measures agree up to one factor for the whole query."""
    ranking = build(sources).search(" ".join(words), top_k=5)
    factors = [bm25 / coverage for _, _, bm25, coverage in rows(ranking)]
    assert factors == pytest.approx(factors[:1] * len(factors))


def eip_sources(shared_data: Path) -> list[Source]:
    """A sample of real documents, with a metadata value that divides them."""
    files = sorted((shared_data / "corpora" / "eips").rglob("*.md"))[::25]
    return [
        Source(i, str(file), file.stem, file.read_text(encoding="utf-8"), "", {"n": str(i % 3)})
        for i, file in enumerate(files)
    ]


EIP_QUERIES = [
    "transaction fee market",
    "eth_getBalance block number",
    "ERC-20 transferFrom",
    "how are the hashes of the state computed",
    "EIP-1559",
]


def test_real_documents_score_as_in_the_model(shared_data: Path) -> None:
    """On real documents, filtered and not, the core equals the model."""
    sources = eip_sources(shared_data)
    segment = build(sources)
    for query in EIP_QUERIES:
        assert_equals_model(sources, segment.search(query, top_k=10), query, 10)
    allowed = [source for source in sources if source.metadata["n"] in {"0", "2"}]
    for query in EIP_QUERIES:
        ranking = segment.search(query, where={"n": ["0", "2"]}, top_k=10)
        assert_equals_model(allowed, ranking, query, 10)


def test_threads_that_share_a_segment_get_equal_answers(shared_data: Path) -> None:
    """Searches run at once and see the same segment."""
    segment = build(eip_sources(shared_data))
    jobs: list[tuple[str, dict[str, str] | None]] = [
        (query, where) for query in EIP_QUERIES for where in (None, {"n": "1"}, {"n": "7"})
    ] * 40
    alone = [rows(segment.search(query, where=where, top_k=5)) for query, where in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(
            pool.map(lambda job: rows(segment.search(job[0], where=job[1], top_k=5)), jobs)
        )
    assert together == alone

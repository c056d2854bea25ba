"""BM25 over chunksets, slow and obvious: the model that the core is held against.

It works from public terms and chunks alone. Every chunkset has the words of its document's name and
front matter, of its heading path, and of its leaves; see the core's `lexical/fields.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rootleaf.engine.analyzer import NO_TERM, analyze, query_words
from rootleaf.engine.chunker import KINDS, chunk_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.engine.analyzer import QueryWord

FIELDS = ("name", "front_matter", "headings", "body")
WEIGHTS = {"name": 3.0, "front_matter": 3.0, "headings": 2.5, "body": 1.0}
K1, B = 1.4, 0.3
PARTS_SHARE = 0.7
MAX_FREQUENCY, MAX_PATH_WORDS = 255, 256


class Source(NamedTuple):
    """A document as it is given to the builder."""

    document_id: int
    path: str
    name: str
    text: str
    field_text: str = ""
    metadata: dict[str, str | list[str]] = {}  # noqa: RUF012 - never changed
    front_matter_parsed: bool = True


class Unit(NamedTuple):
    """A chunkset: weighted frequency of each term, and weighted length."""

    document_id: int
    ordinal: int
    frequency: dict[str, float]
    length: float


def tally(texts: list[str]) -> tuple[Counter[str], int]:
    """Frequencies of the terms of some texts, and how many words they have."""
    analysed = [analyze(text) for text in texts]
    words = sum(1 + max((position for _, position in terms), default=-1) for terms in analysed)
    return Counter(term for terms in analysed for term, _ in terms), words


def field_tallies(source: Source) -> list[dict[str, tuple[Counter[str], int]]]:
    """For each chunkset of a document: frequencies of terms and number of words in each field."""
    columns = chunk_columns(source.text, front_matter_parsed=source.front_matter_parsed)
    utf8 = source.text.encode()
    found = []
    for ordinal, first in enumerate(columns.chunkset_firsts):
        body = []
        for leaf in range(first, first + columns.chunkset_counts[ordinal]):
            if KINDS[columns.kinds[leaf]] == "table":
                body.append(utf8[columns.head_starts[leaf] : columns.head_ends[leaf]].decode())
            body.append(utf8[columns.starts[leaf] : columns.ends[leaf]].decode())
        path: list[str] = []
        for ancestor in reversed(columns.ancestors(first)):
            longer = [*path, utf8[columns.starts[ancestor] : columns.ends[ancestor]].decode()]
            if tally(longer)[1] > MAX_PATH_WORDS:
                break
            path = longer
        texts = ([source.name], [source.field_text], path, body)
        found.append(dict(zip(FIELDS, map(tally, texts), strict=True)))
    return found


def units_of(source: Source) -> list[Unit]:
    """The chunksets of a document with the words of their four fields."""
    units = []
    for ordinal, tallies in enumerate(field_tallies(source)):
        frequency: dict[str, float] = {}
        for field, (counts, _) in tallies.items():
            for term, count in counts.items():
                weighted = WEIGHTS[field] * min(count, MAX_FREQUENCY)
                frequency[term] = frequency.get(term, 0.0) + weighted
        length = sum(WEIGHTS[field] * words for field, (_, words) in tallies.items())
        units.append(Unit(source.document_id, ordinal, frequency, length))
    return units


Key = tuple[int, int]


class Measures(NamedTuple):
    """A chunkset against a query."""

    bm25: float
    coverage: float


def score(units: list[Unit], query: str) -> dict[Key, Measures]:
    """The measures of every chunkset in which a term of the query stands."""
    average = sum(unit.length for unit in units) / len(units) if units else 0.0
    words = query_words(query)
    containing = {
        term: sum(term in unit.frequency for unit in units) for word in words for term in word.terms
    }

    def idf(term: str) -> float:
        n = containing[term]
        return math.log(1 + (len(units) - n + 0.5) / (n + 0.5))

    def weight(term: str, unit: Unit) -> float:
        tf = unit.frequency.get(term, 0.0)
        return idf(term) * tf * (K1 + 1) / (tf + K1 * (1 - B + B * unit.length / average))

    def parts_of(word: QueryWord, at: int) -> list[int]:
        return [part for part, around in enumerate(word.enclosing) if around == at]

    def greatest(word: QueryWord, at: int) -> float:
        own = idf(word.terms[at]) * (K1 + 1)
        of_parts = sum(greatest(word, part) for part in parts_of(word, at))
        return own if containing[word.terms[at]] or not of_parts else min(own, of_parts)

    def covered(word: QueryWord, unit: Unit, at: int) -> float:
        own, parts = weight(word.terms[at], unit), parts_of(word, at)
        if not parts:
            return own
        most = PARTS_SHARE if containing[word.terms[at]] else 1.0
        reachable = sum(greatest(word, part) for part in parts)
        of_parts = sum(covered(word, unit, part) for part in parts)
        return max(own, of_parts * most * min(1.0, greatest(word, at) / reachable))

    def roots(word: QueryWord, measure: Callable[[int], float]) -> float:
        return word.weight * sum(measure(at) for at in parts_of(word, NO_TERM))

    term_weights: dict[str, float] = {}
    for word in words:
        for term in word.terms:
            term_weights[term] = max(word.weight, term_weights.get(term, 0.0))
    whole = sum(roots(word, partial(greatest, word)) for word in words)

    def measures(unit: Unit) -> Measures:
        asked = sum(roots(word, partial(covered, word, unit)) for word in words)
        bm25 = sum(share * weight(term, unit) for term, share in term_weights.items())
        return Measures(bm25, asked / whole)

    return {
        (unit.document_id, unit.ordinal): measures(unit)
        for unit in units
        if any(term in unit.frequency for term in term_weights)
    }


def matches(source: Source, where: dict[str, list[str]]) -> bool:
    """Whether a document passes a filter: any value of every key."""
    for key, wanted in where.items():
        values = source.metadata.get(key, [])
        if not set(wanted) & {values} if isinstance(values, str) else not set(wanted) & set(values):
            return False
    return True


def rank(
    sources: list[Source], units: list[Unit], query: str, top_k: int, per_document: int = 3
) -> list[tuple[int, int, float]]:
    """(document_id, ordinal, coverage): by the best chunkset, ties by path, position."""
    scores = {key: measures.coverage for key, measures in score(units, query).items()}
    by_document: dict[int, list[tuple[float, int]]] = {}
    for (document_id, ordinal), value in scores.items():
        by_document.setdefault(document_id, []).append((-value, ordinal))
    paths = {source.document_id: source.path.encode() for source in sources}
    order = sorted(by_document, key=lambda d: (min(by_document[d])[0], paths[d], d))
    return [
        (document_id, ordinal, -negative)
        for document_id in order[:top_k]
        for negative, ordinal in sorted(by_document[document_id])[:per_document]
    ]

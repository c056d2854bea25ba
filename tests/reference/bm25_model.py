"""BM25 over chunksets, slow and obvious: the model that the core is held against.

It works from public terms and chunks alone. Every chunkset has the words of its document's name and
front matter, of its heading path, and of its leaves; see the core's `lexical/fields.hpp`.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from rootleaf.engine.analyzer import analyze, query_terms
from rootleaf.engine.chunker import KINDS, chunk_columns

FIELDS = ("name", "front_matter", "headings", "body")
WEIGHTS = {"name": 1.0, "front_matter": 0.5, "headings": 2.5, "body": 1.0}
K1, B = 1.2, 0.4
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


def score(units: list[Unit], query: str) -> dict[tuple[int, int], float]:
    """The BM25 score of every chunkset in which a term of the query stands."""
    average = sum(unit.length for unit in units) / len(units) if units else 0.0
    scores: dict[tuple[int, int], float] = {}
    for term in sorted(query_terms(query)):
        matching = [unit for unit in units if term in unit.frequency]
        n = len(matching)
        idf = math.log(1 + (len(units) - n + 0.5) / (n + 0.5))
        for unit in matching:
            tf = unit.frequency[term]
            weight = idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * unit.length / average))
            key = (unit.document_id, unit.ordinal)
            scores[key] = scores.get(key, 0.0) + weight
    return scores


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
    """(document_id, ordinal, score): documents by their best chunkset, ties by path, position."""
    scores = score(units, query)
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

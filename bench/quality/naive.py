"""BM25 as a first program has it: the floor that every other way is compared with.

A unit is an answer (a section, a turn) with the text of all its chunksets. Words are runs of
letters and digits, lower-cased; no stemming, no stop list, k1 = 1.5, b = 0.75, idf as in Lucene.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from rootleaf.engine.chunker import chunk_columns

if TYPE_CHECKING:
    from quality.sets import Corpus

K1 = 1.5
B = 0.75


def words(text: str) -> list[str]:
    """Its words."""
    return re.findall(r"[^\W_]+", text.lower())


class NaiveRanker:
    """Ranks the answers of a corpus for a query."""

    def __init__(self, corpus: Corpus) -> None:
        texts: dict[str, dict[str, None]] = {}
        for number, document in enumerate(corpus.documents):
            columns = chunk_columns(document.text)
            utf8 = document.text.encode()
            for ordinal in range(columns.len_chunksets()):
                pieces = texts.setdefault(corpus.answer_of(number, columns, ordinal), {})
                for chunk in columns.chunkset_chunks(ordinal):
                    pieces[utf8[columns.starts[chunk] : columns.ends[chunk]].decode()] = None
        self._answers = list(texts)
        self._counts = [Counter(words("\n".join(pieces))) for pieces in texts.values()]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean_length = sum(self._lengths) / len(self._lengths)
        self._documents_with = Counter(word for counts in self._counts for word in counts)

    def found(self, query: str) -> list[str]:
        """The answers that hold a word of the query, best first."""
        scores = {
            answer: score
            for answer, counts, length in zip(
                self._answers, self._counts, self._lengths, strict=True
            )
            if (score := self._score(words(query), counts, length)) > 0
        }
        return sorted(scores, key=lambda answer: -scores[answer])

    def _score(self, query: list[str], counts: Counter[str], length: int) -> float:
        norm = K1 * (1 - B + B * length / self._mean_length)
        total = 0.0
        for word in query:
            if word in counts:
                others = len(self._answers) - self._documents_with[word]
                idf = math.log(1 + (others + 0.5) / (self._documents_with[word] + 0.5))
                total += idf * counts[word] * (K1 + 1) / (counts[word] + norm)
        return total

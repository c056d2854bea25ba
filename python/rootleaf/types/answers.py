"""What a search returns."""

from __future__ import annotations

from rootleaf.types.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


class LineSpan(Value):
    """A range of lines that a cheatsheet shows; 1-based, inclusive."""

    start_line: int
    end_line: int


class Hit(Value):
    """One document of an answer, with its ranked chunksets merged.

    `score` is in 0..1 and equal for equal matches; `context` is the cheatsheet. `parts` are the
    measures of its best chunkset by name, all that the score is made of and that stand beside it:
    an open list. `coverage`, `bm25` and `similarity` are three of them; the last is 0 for a
    chunkset without a vector, and None where no vectors were compared. Reads like a mapping too:
    `hit["file_path"]`.
    """

    file_path: str
    document_id: int
    source: str
    title: str | None
    score: float
    similarity: float | None
    coverage: float
    bm25: float
    parts: Mapping[str, float]
    context: str
    spans: tuple[LineSpan, ...]
    chunk_ids: tuple[int, ...]
    updated: str
    metadata: Mapping[str, str | list[str]]

    def __getitem__(self, name: str) -> Any:
        if name not in self._fields:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def keys(self) -> tuple[str, ...]:
        """The names a hit can be read by, so that `dict(hit)` works."""
        return self._fields

    def get(self, name: str, default: Any = None) -> Any:
        """What is read by the name, or the default."""
        return getattr(self, name) if name in self._fields else default


class Omitted(Value):
    """What limits left out of an answer: hits, and tokens of the hits that were cut."""

    hits: int
    tokens: int


class Answer(Value):
    """What a search returns: a sequence of hits, best first, and the state they were found in.

    `verdict` is `answered`, `empty_index`, `filter_matched_nothing`, `no_match`, `gate_closed`,
    `below_min_score` or `budget_too_small` (a notice then says which would do); `mode` is
    `keyword`, or `hybrid` where vectors were compared.

    `best_similarity` and `best_coverage` are the greatest of all documents that the filter leaves,
    and `gate_measure` is their weighted sum; None where nothing was admitted, or compared. `gate`
    is the threshold that it was held against, None for no gate. An answer that
    `has_rare_identifier` (of the query, in a handful of chunksets) passes any. `best_score` is that
    of the best document, before `min_score`; None where none was ranked. `without_vector` counts
    chunksets, among those that the filter leaves, which were ranked by their words alone; 0 by
    keyword.
    """

    query: str
    verdict: str
    mode: str
    best_score: float | None
    best_similarity: float | None
    best_coverage: float
    gate_measure: float | None
    gate: float | None
    has_rare_identifier: bool
    without_vector: int
    stale_files: int
    omitted: Omitted
    notices: tuple[str, ...]
    took_ms: float
    hits: tuple[Hit, ...]

    def __len__(self) -> int:
        return len(self.hits)

    def __bool__(self) -> bool:
        return bool(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

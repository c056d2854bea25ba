"""Ranks and fusion, slow and obvious: the model that the core is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def ranks(candidates: Sequence[float], full_list: Sequence[float]) -> list[int]:
    """1 and the number of greater measures; 0 for what is not above 0, and so in no list."""
    return [
        1 + sum(other > measure for other in full_list) if measure > 0 else 0
        for measure in candidates
    ]


def weighted(parts: Mapping[str, Sequence[float]], weights: Mapping[str, float]) -> list[float]:
    """The sum of weight × measure, for each candidate."""
    rows = zip(*(parts[name] for name in weights), strict=True)
    return [sum(w * x for w, x in zip(weights.values(), row, strict=True)) for row in rows]


def reciprocal_ranks(
    parts: Mapping[str, Sequence[float]], weights: Mapping[str, float]
) -> list[float]:
    """The sum of weight / (60 + rank), for each candidate, over the lists that it is in."""
    rows = zip(*(parts[name] for name in weights), strict=True)
    return [
        sum(w / (60 + rank) for w, rank in zip(weights.values(), row, strict=True) if rank)
        for row in rows
    ]

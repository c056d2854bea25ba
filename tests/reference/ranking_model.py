"""Measures of rankings, slow and obvious, after their textbook definitions: the model."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def dcg(gains: Sequence[float]) -> float:
    """Each gain by the logarithm of its place, counted from 2."""
    places = np.arange(2, len(gains) + 2)
    return float(np.sum(np.asarray(gains, dtype=float) / np.log2(places)))


def ndcg(gains: Sequence[float], best_gains: Sequence[float], cut: int) -> float:
    """The ideal is the best of all orders, each tried."""
    ideal = max(dcg(order[:cut]) for order in permutations(best_gains))
    return dcg(gains[:cut]) / ideal


def recall(ranks: Sequence[int | None], cut: int) -> float:
    """How many of the relevant are in the set of what was found by then."""
    found = {number for number, rank in enumerate(ranks) if rank in range(1, cut + 1)}
    return len(found) / len(ranks)


def reciprocal_rank(ranks: Sequence[int | None], depth: int) -> float:
    """Walks down the list until something relevant stands there."""
    for place in range(1, depth + 1):
        if place in ranks:
            return 1 / place
    return 0.0


def interval(values: Sequence[float], rounds: int) -> tuple[float, float]:
    """Of means of samples drawn with another generator; only their law is the same."""
    drawing = np.random.default_rng(7)
    means = drawing.choice(np.asarray(values), size=(rounds, len(values))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def best_split(
    with_answer: Sequence[float], without_answer: Sequence[float]
) -> tuple[float, int, int]:
    """The greatest sum of both shares that any threshold reaches, with kept and suppressed.

    Every threshold that makes a difference is tried; among equals the lowest is taken.
    """
    best = (1.0, len(with_answer), 0)
    for threshold in sorted({*with_answer, *without_answer, np.inf}):
        kept = sum(measure >= threshold for measure in with_answer)
        suppressed = sum(measure < threshold for measure in without_answer)
        worth = kept / len(with_answer) + suppressed / len(without_answer)
        if worth > best[0] + 1e-12:
            best = (worth, kept, suppressed)
    return best

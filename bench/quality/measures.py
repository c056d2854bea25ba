"""Measures of a ranked list against known answers, and what a mean of them is worth.

Means are over questions. Intervals are by bootstrap over questions with a fixed seed: 2.5th to
97.5th percentile of the means of resampled questions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CUT = 10
MEASURES = ("recall@5", "recall@10", "nDCG@10", "MRR")
RESAMPLES = 2000
SEED = 2024


def measured(found: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """The measures of one question.

    Args:
        found: Answers, best first, each once.
        grades: The grade of each relevant answer, above 0; one or more.

    Returns:
        By name: the share of relevant answers among the first five and ten; gain (grade, discounted
        by the logarithm of the place) of the first ten, divided by the greatest possible; one over
        the place of the first relevant answer, 0 without one.
    """
    gain = sum(
        grades.get(answer, 0) / math.log2(place + 2) for place, answer in enumerate(found[:CUT])
    )
    ideal = sum(
        grade / math.log2(place + 2)
        for place, grade in enumerate(sorted(grades.values(), reverse=True)[:CUT])
    )
    places = [place for place, answer in enumerate(found) if answer in grades]
    return {
        "recall@5": sum(place < 5 for place in places) / len(grades),
        "recall@10": sum(place < 10 for place in places) / len(grades),
        "nDCG@10": gain / ideal,
        "MRR": 1 / (places[0] + 1) if places else 0.0,
    }


def with_interval(values: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Mean and 95 % interval of one figure of each question, rounded as results state it."""
    column = np.asarray(values, dtype=float)
    low, high = np.percentile(_means(column), (2.5, 97.5))
    return {
        "mean": round(float(column.mean()), 3),
        "low": round(float(low), 3),
        "high": round(float(high), 3),
    }


def difference(values: Sequence[float], others: Sequence[float]) -> dict[str, float]:
    """Mean difference between two ways to answer the same questions, paired, with its interval."""
    return with_interval(np.asarray(values, dtype=float) - np.asarray(others, dtype=float))


def _means(column: np.ndarray) -> np.ndarray:
    drawn = np.random.default_rng(SEED).integers(0, len(column), (RESAMPLES, len(column)))
    means: np.ndarray = column[drawn].mean(axis=1)
    return means

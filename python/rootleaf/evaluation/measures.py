"""Measures of rankings against known answers: numbers in, numbers out.

A rank counts from 1; None stands for what was not found.
"""

from __future__ import annotations

import math

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BOOTSTRAP_SEED = 2024
BOOTSTRAP_ROUNDS = 1000
_OUTSIDE_EACH_SIDE = 0.025


class Figure(Value):
    """A mean over questions with its 95 % interval."""

    mean: float
    low: float
    high: float


def recall(ranks: Sequence[int | None], cut: int) -> float:
    """The share of the relevant answers that stand among the first `cut`, 0 to 1.

    Args:
        ranks: The rank of each relevant answer, in any order; at least one.
        cut: How many places count.
    """
    return sum(rank is not None and rank <= cut for rank in ranks) / len(ranks)


def reciprocal_rank(ranks: Iterable[int | None]) -> float:
    """1 divided by the best rank; 0 where nothing was found."""
    return 1 / min((rank for rank in ranks if rank is not None), default=math.inf)


def dcg(gains: Iterable[float]) -> float:
    """Discounted cumulative gain: the sum of gain / log2(rank + 1).

    The gain is the grade itself, not 2^grade - 1.

    Source: Järvelin and Kekäläinen, ACM TOIS 20 (2002), with log2 discounts from rank 1 on, as
    trec_eval has them.
    """
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg(gains: Sequence[float], best_gains: Iterable[float], cut: int) -> float:
    """DCG of the first `cut` places, divided by the greatest that could be reached; 0 to 1.

    Args:
        gains: The gain at each place of the ranking, best place first; 0 for what is irrelevant.
        best_gains: All gains that there are, in any order; their sum is above 0, and no ranking
            can gain more.
        cut: How many places count.
    """
    ideal = sorted(best_gains, reverse=True)
    return dcg(gains[:cut]) / dcg(ideal[:cut])


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean, by the percentiles of resampled means; the seed is fixed.

    Equal values in equal order give the same interval.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3.
    """
    import random

    drawing = random.Random(BOOTSTRAP_SEED)  # noqa: S311 - resampling is no secret
    size = len(values)
    means = sorted(sum(drawing.choices(values, k=size)) / size for _ in range(BOOTSTRAP_ROUNDS))
    outside = round(BOOTSTRAP_ROUNDS * _OUTSIDE_EACH_SIDE)
    return means[outside], means[-1 - outside]


def figure(values: Sequence[float]) -> Figure:
    """The mean of the values of all questions, at least one, with its interval."""
    low, high = bootstrap_interval(values)
    return Figure(mean=sum(values) / len(values), low=low, high=high)

"""Measures of a ranked list against known answers, as results state them.

The formulas are those of `rootleaf.evaluation.measures`. Means are over questions, intervals by
bootstrap over questions with a fixed seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rootleaf.evaluation.measures import figure, ndcg, recall, reciprocal_rank

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CUT = 10
MEASURES = ("recall@5", "recall@10", "nDCG@10", "MRR")


def measured(found: Sequence[str], grades: Mapping[str, int]) -> dict[str, float]:
    """The measures of one question by name.

    Args:
        found: Answers, best first, each once.
        grades: The grade of each relevant answer, above 0; one or more.
    """
    rank_of = {answer: rank for rank, answer in enumerate(found, 1)}
    ranks = [rank_of.get(answer) for answer in grades]
    return {
        "recall@5": recall(ranks, 5),
        "recall@10": recall(ranks, CUT),
        "nDCG@10": ndcg([grades.get(answer, 0) for answer in found], grades.values(), CUT),
        "MRR": reciprocal_rank(ranks),
    }


def with_interval(values: Sequence[float]) -> dict[str, float]:
    """Mean and 95 % interval of one figure of each question, rounded as results state it."""
    of_all = figure(values)
    return {
        "mean": round(of_all.mean, 3),
        "low": round(of_all.low, 3),
        "high": round(of_all.high, 3),
    }


def difference(values: Sequence[float], others: Sequence[float]) -> dict[str, float]:
    """Mean difference between two ways to answer the same questions, paired, with its interval."""
    return with_interval([one - other for one, other in zip(values, others, strict=True)])

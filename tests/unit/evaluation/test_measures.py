"""Measures equal their definitions, slow models, and examples worked by hand."""

from __future__ import annotations

import math

import pytest
import ranking_model
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.evaluation.measures import (
    bootstrap_interval,
    dcg,
    figure,
    ndcg,
    recall,
    reciprocal_rank,
)

ranks = st.lists(st.one_of(st.none(), st.integers(1, 20)), min_size=1, max_size=8)
grades = st.lists(st.floats(0.25, 3), min_size=1, max_size=6)


def test_dcg_and_ndcg_are_those_of_the_worked_example() -> None:
    """Gains 3 2 3 0 1 2, the example that textbooks work: DCG 6.861, ideal 7.141, nDCG 0.961.

    By hand: 3 + 2/1.585 + 3/2 + 0 + 1/2.585 + 2/2.807; the ideal order is 3 3 2 2 1 0.
    """
    gains = [3, 2, 3, 0, 1, 2]
    assert dcg(gains) == pytest.approx(6.861, abs=5e-4)
    assert dcg(sorted(gains, reverse=True)) == pytest.approx(7.141, abs=5e-4)
    assert ndcg(gains, gains, 6) == pytest.approx(0.961, abs=5e-4)


def test_a_single_answer_gains_by_its_place_alone() -> None:
    """At rank 1, 2, 3 and beyond the cut: 1, 1/log2(3), 1/2, 0, whatever its grade."""
    for grade in (1, 2):
        assert ndcg([grade, 0, 0], [grade], 10) == 1
        assert ndcg([0, grade, 0], [grade], 10) == pytest.approx(1 / math.log2(3))
        assert ndcg([0, 0, grade], [grade], 10) == 0.5
        assert ndcg([0, 0, grade], [grade], 2) == 0


def test_the_ideal_is_cut_where_the_ranking_is() -> None:
    """With more answers than places the best ranking still has 1."""
    assert ndcg([2, 1], [1, 2, 1, 1], 2) == 1


@given(grades, st.integers(1, 8), st.randoms())
def test_ndcg_equals_the_model_that_tries_all_orders(
    best_gains: list[float], cut: int, shuffling: object
) -> None:
    """Whatever was found wherever; and it lies between 0 and 1."""
    gains = [*best_gains, 0.0, 0.0]
    shuffling.shuffle(gains)  # type: ignore[attr-defined]
    measured = ndcg(gains, best_gains, cut)
    assert measured == pytest.approx(ranking_model.ndcg(gains, best_gains, cut))
    assert 0 <= measured <= 1 + 1e-12


@given(ranks, st.integers(1, 12))
def test_recall_and_reciprocal_rank_equal_their_models(found: list[int | None], cut: int) -> None:
    """What was not found counts in the denominator; the best rank alone makes the other."""
    assert recall(found, cut) == ranking_model.recall(found, cut)
    assert reciprocal_rank(found) == ranking_model.reciprocal_rank(found, 20)


def test_the_mean_of_reciprocal_ranks_is_that_of_the_worked_example() -> None:
    """Right answers at ranks 3, 2 and 1, as encyclopedias have it: (1/3 + 1/2 + 1) / 3 = 11/18."""
    values = [reciprocal_rank([rank]) for rank in (3, 2, 1)]
    assert figure(values).mean == pytest.approx(11 / 18)


def test_the_interval_is_that_of_resampled_means() -> None:
    """Within what other draws of the same law give, and the same each time."""
    values = [((7 * number) % 40) / 40 for number in range(40)]
    below, above = ranking_model.interval(values, 20_000)
    low, high = bootstrap_interval(values)
    assert [low, high] == pytest.approx([below, above], abs=0.015)
    assert bootstrap_interval(values) == (low, high)
    assert figure(values).mean == pytest.approx(sum(values) / 40)


def test_equal_values_have_an_interval_without_width() -> None:
    """Nothing varies, so nothing is uncertain."""
    found = figure([0.5] * 9)
    assert (found.low, found.mean, found.high) == (0.5, 0.5, 0.5)

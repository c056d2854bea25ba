"""The suggested gate separates as well as any threshold can, and says what it is worth."""

from __future__ import annotations

import math

import pytest
import ranking_model
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.evaluation.gate import FEWEST, split_at, spread, suggest

measures = st.lists(
    st.one_of(st.integers(0, 30).map(lambda number: number / 20), st.floats(0, 2)),
    min_size=1,
    max_size=25,
)


@given(measures, measures)
def test_no_threshold_separates_better_than_the_suggested_one(
    with_answer: list[float], without_answer: list[float]
) -> None:
    """Its counts are those of the best of all thresholds, each tried."""
    worth, kept, suppressed = ranking_model.best_split(with_answer, without_answer)
    split = suggest(with_answer, without_answer).split
    if split is None:
        assert worth == 1
        return
    reached = split.kept / len(with_answer) + split.suppressed / len(without_answer)
    assert reached == pytest.approx(worth)
    assert (split.kept, split.suppressed) == (kept, suppressed)
    # As a search counts: what is below is closed.
    assert split == split_at(split.threshold, with_answer, without_answer)


def test_the_threshold_is_short_and_lies_between_the_sets() -> None:
    """It is to be typed by a person; two digits do where there is room for them."""
    suggestion = suggest([0.6123, 0.7] * 20, [0.2, 0.4987] * 20)
    assert suggestion.split is not None
    assert suggestion.split.threshold == 0.56
    assert suggestion.setting == "ROOTLEAF_EMPTY_GATE=0.56"
    assert suggestion.option == "--empty-gate 0.56"
    assert suggestion.caveats == ()
    close = suggest([0.50013] * 40, [0.50011] * 40)
    assert close.split is not None
    assert close.split.threshold == 0.50012
    assert (close.split.lost, close.split.let_through) == (0, 0)


def test_too_few_questions_are_said_to_be_too_few() -> None:
    """On each side on its own, from the stated number on."""
    enough, few = [0.9] * FEWEST, [0.1] * (FEWEST - 1)
    (caveat,) = suggest(enough, few).caveats
    assert "too few questions without an answer" in caveat
    assert str(FEWEST - 1) in caveat
    (caveat,) = suggest(few, [0.05] * FEWEST).caveats
    assert "too few questions with an answer" in caveat


def test_an_overlap_is_said_with_its_ends_and_its_questions() -> None:
    """The least of those with an answer, the greatest of those without, how many lie there."""
    (caveat,) = suggest([0.3, *[0.8] * 40], [0.5, *[0.1] * 40]).caveats
    assert caveat == "the two sets overlap: between 0.30 and 0.50 lie 2 questions of both kinds"


def test_without_two_sides_nothing_is_suggested() -> None:
    """The side that is missing is named."""
    assert suggest([], [0.1]).split is None
    assert suggest([0.1], []).caveats == ("no question without an answer: nothing to separate",)
    assert "with an answer" in suggest([], [0.1]).caveats[0]


def test_measures_that_do_not_tell_apart_give_no_threshold() -> None:
    """Where questions without an answer measure more, no gate is better than any."""
    suggestion = suggest([0.1, 0.2], [0.3, 0.4])
    assert suggestion.split is None
    assert "no threshold" in suggestion.caveats[0]


def test_what_passes_any_gate_is_lost_and_suppressed_by_none() -> None:
    """An exact identifier counts as endless: never below a threshold."""
    suggestion = suggest([0.2, math.inf], [0.1, math.inf])
    assert suggestion.split is not None
    assert (suggestion.split.kept, suggestion.split.let_through) == (2, 1)
    assert any("identifier" in caveat for caveat in suggestion.caveats)


def test_a_question_at_the_threshold_is_kept() -> None:
    """Closed is what is below."""
    split = split_at(0.5, [0.5], [0.5, 0.49])
    assert (split.kept, split.lost, split.suppressed, split.let_through) == (1, 0, 1, 1)


@given(measures)
def test_quartiles_equal_those_of_numpy(values: list[float]) -> None:
    """By linear interpolation."""
    import numpy as np

    found = spread(values)
    assert found is not None
    quartiles = (found.least, found.lower_quartile, found.median, found.upper_quartile)
    expected = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    assert [*quartiles, found.greatest] == pytest.approx(list(expected))
    assert found.count == len(values)

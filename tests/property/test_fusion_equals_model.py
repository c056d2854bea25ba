"""Fusion and ranks in the core equal the model of `tests/reference`, bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fusion_model import ranks as model_ranks
from fusion_model import reciprocal_ranks, weighted
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.fusion import fuse, ranks
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    import random

# Few values, so that equal measures are frequent; and any at all.
MEASURES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0]) | st.floats(0.0, 1.0)
WEIGHTS = st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]) | st.floats(0.0, 10.0)


@st.composite
def lists(draw: st.DrawFn) -> tuple[dict[str, list[float]], list[int]]:
    """Measures of all chunksets by list, and which of them are candidates."""
    count = draw(st.integers(1, 30))
    full = {
        name: draw(st.lists(MEASURES, min_size=count, max_size=count))
        for name in ("coverage", "similarity")
    }
    return full, draw(st.lists(st.integers(0, count - 1), unique=True, max_size=count))


@given(lists(), WEIGHTS, WEIGHTS)
def test_fusion_of_candidates_equals_the_model(
    drawn: tuple[dict[str, list[float]], list[int]], first: float, second: float
) -> None:
    """Ranks are those in the full lists; what one list lacks counts by the other."""
    full, candidates = drawn
    parts = {name: [measures[i] for i in candidates] for name, measures in full.items()}
    places = {name: ranks(parts[name], measures) for name, measures in full.items()}
    assert places == {name: model_ranks(parts[name], measures) for name, measures in full.items()}
    weights = {"similarity": first, "coverage": second}
    assert fuse("weighted", parts, weights) == weighted(parts, weights)
    assert fuse("rrf", places, weights) == reciprocal_ranks(places, weights)


@given(lists(), st.randoms(use_true_random=False))
def test_ranks_and_scores_do_not_depend_on_the_order_of_candidates_or_lists(
    drawn: tuple[dict[str, list[float]], list[int]], random: random.Random
) -> None:
    """Ties are equal ranks: nothing is left for an order to decide."""
    full, candidates = drawn
    shuffled = random.sample(candidates, len(candidates))
    by_candidate = {}
    for order in (candidates, shuffled):
        places = {}
        for name, measures in full.items():
            mixed = random.sample(measures, len(measures))
            places[name] = ranks([measures[i] for i in order], mixed)
        scores = fuse("rrf", places, {"coverage": 1.0, "similarity": 0.5})
        by_candidate[tuple(order)] = dict(zip(order, scores, strict=True))
    assert by_candidate[tuple(candidates)] == by_candidate[tuple(shuffled)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rff", {}, {}), "fusion must be 'weighted' or 'rrf', not 'rff'"),
        (("rrf", {"a": ["x"]}, {}), "parts['a'] must hold numbers: must be real number, not str"),
        (("rrf", {"a": [float("nan")]}, {}), "parts['a'] must hold finite numbers, not nan"),
        (("weighted", {"a": [1.0]}, {"a": float("inf")}), "weights must hold finite numbers"),
        (("weighted", {"a": [1.0]}, {"a": -1.0}), "the weight of 'a' must be 0 or more"),
        (("weighted", {"a": [1.0]}, {"b": 1.0}), "a score has no part 'b'; its parts are: a"),
        (("weighted", {"a": [1.0], "b": []}, {}), "'b' has 0, not 1"),
    ],
)
def test_what_cannot_be_fused_is_named(arguments: tuple[object, ...], message: str) -> None:
    """The way of fusing, the part or the weight, and what would be right."""
    with pytest.raises(InvalidInputError) as caught:
        fuse(*arguments)  # type: ignore[arg-type]
    assert message in caught.value.message

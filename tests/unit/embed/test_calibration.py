"""What a model's numbers are worth: stated by the model, or stated to be unknown."""

from __future__ import annotations

import math

import pytest
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.calibration import (
    KEYWORD,
    KEYWORD_GATE,
    UNCALIBRATED,
    Calibration,
    calibration_of,
)
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def test_a_model_that_states_nothing_has_no_gate() -> None:
    """Nobody knows what its similarities mean, so that no answer is emptied because of them."""
    assert calibration_of(FakeEmbedder()) is UNCALIBRATED
    assert calibration_of(object()) is UNCALIBRATED
    assert UNCALIBRATED.gate is None


def test_what_a_model_states_is_used_as_it_stands() -> None:
    """The fake's, and that of the package, which names the questions it comes from."""
    stated = Calibration(similarity_weight=0.5, gate=0.7, gate_coverage_weight=0)
    assert calibration_of(FakeEmbedder(calibration=stated)) is stated
    builtin = calibration_of(BuiltinEmbedder())
    assert builtin.gate is not None
    assert builtin.source


def test_a_ranking_without_vectors_counts_coverage_alone() -> None:
    """Its gate is off unless asked for; its threshold is stated beside it."""
    assert (KEYWORD.similarity_weight, KEYWORD.gate_similarity_weight) == (0, 0)
    assert KEYWORD.gate_coverage_weight == 1
    assert KEYWORD.gate is None
    assert 0 < KEYWORD_GATE < 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("similarity_weight", 1.5),
        ("similarity_weight", None),
        ("similarity_weight", True),
        ("gate", math.nan),
        ("gate", -0.1),
        ("gate", "0.5"),
        ("gate_coverage_weight", math.inf),
        ("gate_similarity_weight", -1),
    ],
)
def test_a_number_that_cannot_be_is_refused_by_name(field: str, value: object) -> None:
    """Instead of rankings that nobody can explain."""
    numbers: dict[str, Any] = {"similarity_weight": 0.4, field: value}
    stated = Calibration(**numbers)
    with pytest.raises(InvalidInputError, match=f"^{field} of a calibration must be"):
        calibration_of(FakeEmbedder(calibration=stated))


def test_what_is_no_calibration_is_refused() -> None:
    """A dictionary, say."""
    embedder = FakeEmbedder()
    embedder.calibration = {"gate": 0.5}  # type: ignore[assignment]
    with pytest.raises(InvalidInputError, match="must be a Calibration or None, not dict"):
        calibration_of(embedder)

"""What the similarities of a model are worth: its weight in a score, and the gate's threshold.

Each embedder states its own as `calibration`, with the questions that they were measured on; what
holds for any ranking without a model stands here.
"""

from __future__ import annotations

from math import isfinite

from rootleaf.errors import InvalidInputError
from rootleaf.types import Value


class Calibration(Value):
    """How similarity and coverage are weighed for one model.

    Attributes:
        similarity_weight: w of score = (1 - w) · coverage + w · similarity, 0 to 1.
        gate_similarity_weight: Of the best similarity in the gate measure, 0 or more.
        gate_coverage_weight: Of the best coverage in it, 0 or more. The gate measure is the sum of
            both, each by its weight.
        gate: The gate measure below which an answer is empty; None leaves the gate off unless a
            threshold is given.
        source: The questions and the run that the numbers come from.
    """

    similarity_weight: float
    gate_similarity_weight: float = 1.0
    gate_coverage_weight: float = 0.0
    gate: float | None = None
    source: str = ""


UNCALIBRATED = Calibration(
    similarity_weight=0.4,
    gate_coverage_weight=1.0,
    source="the model states no calibration, so its gate is off",
)
"""For an embedder that states none; the weight is that of the built-in one."""

KEYWORD = Calibration(
    similarity_weight=0.0,
    gate_similarity_weight=0.0,
    gate_coverage_weight=1.0,
    source="coverage alone (bench/quality); the gate is off unless it is asked for",
)
"""For a ranking without vectors."""

KEYWORD_GATE = 0.12
"""The calibrated threshold of a ranking without vectors, for whoever asks for one."""


def calibration_of(embedder: object) -> Calibration:
    """What an embedder states of itself, checked; `UNCALIBRATED` where it states nothing.

    Raises:
        InvalidInputError: What it states is no calibration, or a number in it cannot be.
    """
    calibration = getattr(embedder, "calibration", None)
    if calibration is None:
        return UNCALIBRATED
    if not isinstance(calibration, Calibration):
        kind = type(calibration).__name__
        message = f"calibration of an embedder must be a Calibration or None, not {kind}"
        raise InvalidInputError(message, hint="See rootleaf.embed.calibration.Calibration")
    for field, most in (
        ("similarity_weight", 1.0),
        ("gate_similarity_weight", None),
        ("gate_coverage_weight", None),
        ("gate", None),
    ):
        value = getattr(calibration, field)
        if value is None and field == "gate":
            continue
        if type(value) not in (int, float) or not isfinite(value) or value < 0:
            message = f"{field} of a calibration must be a number of 0 or more, not {value!r}"
            raise InvalidInputError(message)
        if most is not None and value > most:
            message = f"{field} of a calibration must be at most {most:g}, not {value!r}"
            raise InvalidInputError(message)
    return calibration

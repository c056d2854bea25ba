"""The gate: whether an answer is close enough to its question to be given at all.

Something is always first, so that a ranking cannot say that there is no answer; an absolute measure
can. It reads the best of all documents that the filter leaves, whatever the ranking shows of them.
"""

from __future__ import annotations

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.view import Ranking
    from rootleaf.searching.query_embedder import Meaning
    from rootleaf.searching.request import Request

RARE_CHUNKSETS = 5
"""An identifier that stands in as many chunksets or fewer passes the gate."""


class Gate(Value):
    """What a gate has found.

    Attributes:
        measure: The weighted sum of best similarity and best coverage; None where no document was
            admitted.
        threshold: What it is compared with; None: there is no gate.
        has_rare_identifier: Whether an identifier of the question stands in a handful of chunksets.
        is_closed: Whether the measure is below, and there is no such identifier.
        notice: Why there is no gate, where that is not how it was asked for.
    """

    measure: float | None
    threshold: float | None = None
    has_rare_identifier: bool = False
    is_closed: bool = False
    notice: str | None = None


def read_gate(ranking: Ranking, request: Request, meaning: Meaning) -> Gate:
    """The gate of a ranking; `meaning` is what the question was compared by."""
    if ranking.allowed_chunksets == 0:
        return Gate(measure=None)
    calibration = meaning.calibration
    measure = (
        calibration.gate_similarity_weight * ranking.best_similarity
        + calibration.gate_coverage_weight * ranking.best_coverage
    )
    asked = request.empty_gate
    threshold, notice = calibration.gate, None
    if meaning.notice is not None:
        # What was asked for is a threshold of a sum with similarity, which coverage alone seldom
        # reaches.
        threshold = None
        if asked:
            notice = f"The gate of {asked:g} is of another measure, and was not applied"
    elif asked is not None:
        threshold = asked or None
    elif meaning.vector is not None and threshold is None:
        notice = (
            "This model states no gate, so that a question is answered by what is nearest, "
            "however far: --empty-gate sets a threshold, and 0 leaves it off"
        )
    # Without a word in common there is nothing that the gate could keep back; but that nothing has
    # a similarity above 0 is one distance among others.
    is_held_against = ranking.matched_documents > 0 or meaning.vector is not None
    is_below = threshold is not None and measure < threshold and is_held_against
    has_rare_identifier = 0 < ranking.rarest_identifier <= RARE_CHUNKSETS
    return Gate(
        measure=measure,
        threshold=threshold,
        has_rare_identifier=has_rare_identifier,
        is_closed=is_below and not has_rare_identifier,
        notice=notice,
    )

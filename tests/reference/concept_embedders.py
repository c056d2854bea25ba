"""Embedders whose similarities can be told beforehand, and such as go wrong."""

from __future__ import annotations

from array import array
from math import hypot

from rootleaf.embed.calibration import Calibration
from rootleaf.embed.fake import FakeEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONCEPTS = (
    ("deploy", "release", "ship"),
    ("undo", "rollback", "revert"),
    ("fruit", "apple", "pear"),
    ("printer", "sticker", "label"),
)
CALIBRATION = Calibration(
    similarity_weight=0.5, gate_similarity_weight=1.0, gate_coverage_weight=1.0, gate=0.5
)


class ConceptEmbedder(FakeEmbedder):
    """Counts the words of each concept; any two texts are a little alike, as those of models are.

    Attributes:
        answer_with: Gives the vector of a question in place of the counts, where it is set.
    """

    def __init__(
        self, *, name: str = "concepts", calibration: Calibration | None = CALIBRATION
    ) -> None:
        super().__init__(len(CONCEPTS) + 3, name=name, calibration=calibration)
        self.answer_with: Callable[[str], object] | None = None

    def embed_query(self, text: str) -> bytes:
        """The vector of a question."""
        self.queries.append(text)
        if self.answer_with is None:
            return self._counted(text, -1)
        return self.answer_with(text)  # type: ignore[return-value]

    def vector(self, text: str) -> bytes:
        """The vector of a passage."""
        return self._counted(text, -2)

    def _counted(self, text: str, without_any: int) -> bytes:
        words = text.lower().split()
        counts = [float(sum(map(words.count, concept))) for concept in CONCEPTS]
        counts += [0.3, 0.0, 0.0]
        if not any(counts[: len(CONCEPTS)]):
            counts[without_any] = 1.0
        length = hypot(*counts)
        return array("f", [count / length for count in counts]).tobytes()


class FaultyEmbedder(ConceptEmbedder):
    """Gives what is no vector for passages with a certain word."""

    def __init__(self, fault: Sequence[float], word: str = "broken") -> None:
        super().__init__()
        self.fault = array("f", fault).tobytes()
        self.word = word

    def vector(self, text: str) -> bytes:
        """The vector of a passage, or the fault."""
        return self.fault if self.word in text else super().vector(text)

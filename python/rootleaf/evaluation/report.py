"""What an evaluation found, as values."""

from __future__ import annotations

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rootleaf.evaluation.gate import Split, Spread, Suggestion
    from rootleaf.evaluation.measures import Figure
    from rootleaf.types import LineSpan

CUT = 10
"""How far down an answer figures look, and how far down what was expected may stand."""


class Expected(Value):
    """An entry that answers a question, and where it came.

    `entry` is as it was written; `rank` that of the first hit that shows it, from 1, or None where
    none of the hits does. `missing` says what the index does not hold of it: it cannot be found.
    """

    entry: str
    grade: float
    rank: int | None
    missing: str | None


class FirstHit(Value):
    """The first hit of an answer: its document as entries name it, and the lines it shows."""

    entry: str
    spans: tuple[LineSpan, ...]
    score: float

    @property
    def place(self) -> str:
        """Document and lines: `notes/deploy.md:1,5-7`."""
        lines = (
            str(span.start_line)
            if span.start_line == span.end_line
            else f"{span.start_line}-{span.end_line}"
            for span in self.spans
        )
        return f"{self.entry}:{','.join(lines)}"


class Outcome(Value):
    """One question and what came of it.

    `measure` is what the gate looks at, `passes` whether the question is answered whatever its
    threshold, `closed` whether nothing is answered while the gate is as it stands; None where it
    is off. `mode` is that of the answer.
    """

    line: int
    name: str | None
    query: str
    mode: str
    expected: tuple[Expected, ...]
    first: FirstHit | None
    measure: float
    passes: bool
    closed: bool | None
    is_miss: bool


class Gate(Value):
    """How the gate does on the questions.

    `measure` names what it looks at: `gate_measure`, or `coverage`, which it is in keyword mode.
    `threshold` is where it stands, None where it is off; `split` what it does there. `with_answer`
    and `without_answer` say how the measures of the two kinds of questions lie.
    """

    measure: str
    threshold: float | None
    split: Split | None
    with_answer: Spread | None
    without_answer: Spread | None
    suggestion: Suggestion


class Evaluation(Value):
    """How well an index answers a set of questions.

    `figures` are of the questions with an answer, by name: `recall@5`, `recall@10`, `nDCG@10`,
    `MRR`, and `evidence@N` for each budget of N tokens; empty where there is no such question. They
    are of the ranking: the gate is off in them. `mode` is `hybrid` if any answer was found by
    meaning too, else `keyword`; answers of the other kind have no part in `gate`. `outcomes` are in
    the order of the questions. `warnings` are what should be mended, `notices` what answers said.
    """

    db_path: str
    mode: str
    top_k: int
    with_answer: int
    without_answer: int
    figures: Mapping[str, Figure]
    gate: Gate
    outcomes: tuple[Outcome, ...]
    warnings: tuple[str, ...]
    notices: tuple[str, ...]
    took_ms: float

    @property
    def misses(self) -> tuple[Outcome, ...]:
        """The questions whose answer is not as expected, in order.

        Their first hit shows nothing that was expected, or something that was expected is not among
        the first ten.
        """
        return tuple(outcome for outcome in self.outcomes if outcome.is_miss)

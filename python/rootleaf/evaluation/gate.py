"""Where a gate should stand: the measures of questions with an answer, and of those without.

A gate closes a question whose measure is below its threshold. What passes whatever the threshold is
(the exact match of a rare identifier) counts with an endless measure here.
"""

from __future__ import annotations

import math

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 30
"""Below so many questions on a side its share says little: even where none of n is wrong, up to
3 / n may be (the rule of three), a tenth here."""

_MOST_DIGITS = 17


class Spread(Value):
    """How measures lie: their number, and their quartiles from the least to the greatest."""

    count: int
    least: float
    lower_quartile: float
    median: float
    upper_quartile: float
    greatest: float


class Split(Value):
    """What a threshold does to questions.

    `kept` and `lost` count those with an answer, `suppressed` and `let_through` those without.
    """

    threshold: float
    kept: int
    lost: int
    suppressed: int
    let_through: int


class Suggestion(Value):
    """The threshold that separates best, and how far to trust it.

    It has the greatest sum of two shares: of the questions with an answer, those that it keeps; of
    those without, those that it suppresses. Among equals, the one that loses the fewest. `split` is
    None where there is none: `caveats` then say why. `setting` and `option` are what to write.
    """

    split: Split | None
    setting: str | None
    option: str | None
    caveats: tuple[str, ...]


def spread(measures: Sequence[float]) -> Spread | None:
    """The spread of measures; None of none. Quartiles are interpolated between neighbours."""
    if not measures:
        return None
    ordered = sorted(measures)
    return Spread(
        count=len(ordered),
        least=ordered[0],
        lower_quartile=_quantile(ordered, 0.25),
        median=_quantile(ordered, 0.5),
        upper_quartile=_quantile(ordered, 0.75),
        greatest=ordered[-1],
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def split_at(
    threshold: float, with_answer: Sequence[float], without_answer: Sequence[float]
) -> Split:
    """What a threshold does to questions of these measures."""
    lost = sum(measure < threshold for measure in with_answer)
    suppressed = sum(measure < threshold for measure in without_answer)
    return Split(
        threshold=threshold,
        kept=len(with_answer) - lost,
        lost=lost,
        suppressed=suppressed,
        let_through=len(without_answer) - suppressed,
    )


def suggest(with_answer: Sequence[float], without_answer: Sequence[float]) -> Suggestion:
    """The threshold that separates two sets of measures best."""
    lacking = [
        f"no question {which} an answer: nothing to separate"
        for which, measures in (("with", with_answer), ("without", without_answer))
        if not measures
    ]
    if lacking:
        return _none(*lacking)
    gap = _best_gap(sorted(with_answer), sorted(without_answer))
    if gap is None:
        return _none("no threshold does better than no gate: the measures do not tell them apart")
    threshold = _shortest_between(*gap)
    return Suggestion(
        split=split_at(threshold, with_answer, without_answer),
        setting=f"ROOTLEAF_EMPTY_GATE={threshold!r}",
        option=f"--empty-gate {threshold!r}",
        caveats=tuple(_caveats(with_answer, without_answer)),
    )


def _none(*caveats: str) -> Suggestion:
    return Suggestion(split=None, setting=None, option=None, caveats=caveats)


def _best_gap(
    with_answer: Sequence[float], without_answer: Sequence[float]
) -> tuple[float, float] | None:
    """The neighbouring measures between which the best threshold lies; both are sorted."""
    best, best_gap = len(with_answer) * len(without_answer), None
    values = sorted({*with_answer, *without_answer} - {math.inf})
    lost = suppressed = 0
    for value, following in zip(values, [*values[1:], math.inf], strict=True):
        while lost < len(with_answer) and with_answer[lost] <= value:
            lost += 1
        while suppressed < len(without_answer) and without_answer[suppressed] <= value:
            suppressed += 1
        # The sum of both shares, times both sizes, so that equal ones are equal.
        kept = len(with_answer) - lost
        worth = kept * len(without_answer) + suppressed * len(with_answer)
        if worth > best:
            best, best_gap = worth, (value, following)
    return best_gap


def _shortest_between(low: float, high: float) -> float:
    """The number with the fewest digits near the middle of low and high, above low, at most high.

    With two digits at least; just above `low` where there is no end.
    """
    middle = low + 0.01 if math.isinf(high) else (low + high) / 2
    for digits in range(2, _MOST_DIGITS):
        shortest = round(middle, digits)
        if low < shortest <= high:
            return shortest
    return high


def _caveats(with_answer: Sequence[float], without_answer: Sequence[float]) -> list[str]:
    caveats = []
    for which, measures in (("with", with_answer), ("without", without_answer)):
        if len(measures) < FEWEST:
            caveats.append(
                f"too few questions {which} an answer to trust it: {len(measures)}, "
                f"and {FEWEST} or more tell something"
            )
    low, high = min(with_answer), max(without_answer)
    if low <= high:
        inside = sum(low <= measure <= high for measure in (*with_answer, *without_answer))
        words = (
            "some without an answer match a rare identifier and pass any gate"
            if math.isinf(high)
            else f"between {low:.2f} and {high:.2f} lie {inside} questions of both kinds"
        )
        caveats.append(f"the two sets overlap: {words}")
    return caveats

"""Two histograms back to back, in text: questions without an answer, and with one, by measure."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTHS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_MOST_BINS = 22
_LEAST_WIDTH, _GREATEST_WIDTH = 48, 100
_SIDES = 22
"""Columns beside the bars: the measure, both counts, and the blanks between."""


class Bins:
    """Equal bins over measures; a threshold is the border of two of them.

    Args:
        with_answer: The measures of one side.
        without_answer: Those of the other.
        border: Where one bin has to end and the next to begin; None leaves it open.
        other: What has to lie in a bin too.

    Attributes:
        width: How wide each is.
        lowest: The least of all that has to lie in a bin.
        first: The number of the first one; that which begins at the border has number 0.
        with_answer: How many measures of that side each holds, from the lowest.
        without_answer: Likewise.
    """

    def __init__(
        self,
        with_answer: Sequence[float],
        without_answer: Sequence[float],
        border: float | None,
        other: float | None = None,
    ) -> None:
        marks = [mark for mark in (border, other) if mark is not None]
        every = [*with_answer, *without_answer, *marks]
        low, high = min(every), max(every)
        fitting = (width for width in WIDTHS if (high - low) / width <= _MOST_BINS - 2)
        self.width = next(fitting, (high - low) / (_MOST_BINS - 2))
        self._border = 0.0 if border is None else border
        self.lowest = low
        # A border above all measures ends the last bin; it begins none.
        numbers = [self._number(one) for one in (*with_answer, *without_answer)]
        if other is not None:
            numbers.append(self._number(other))
        if border is not None:
            numbers.append(0 if max(numbers) >= 0 else -1)
        self.first, last = min(numbers), max(numbers)
        self.with_answer = [0] * (last - self.first + 1)
        self.without_answer = [0] * (last - self.first + 1)
        for measures, counts in (
            (with_answer, self.with_answer),
            (without_answer, self.without_answer),
        ):
            for measure in measures:
                counts[self._number(measure) - self.first] += 1

    def low(self, position: int) -> float:
        """Where the bin at a position, from 0, begins; the one before it ends there."""
        return self._border + (self.first + position) * self.width

    def label(self, position: int) -> str:
        """Where a bin begins, in two decimals or more; not below 0 where no measure is."""
        low = self.low(position)
        text = f"{low if self.lowest < 0 else max(low, 0.0):.3f}"
        return text.removesuffix("0")

    def __len__(self) -> int:
        return len(self.with_answer)

    def _number(self, measure: float) -> int:
        return math.floor((measure - self._border) / self.width)


def histogram(
    with_answer: Sequence[float],
    without_answer: Sequence[float],
    *,
    threshold: float | None,
    suggested: float | None = None,
    columns: int,
    is_ascii: bool,
) -> list[str]:
    """The lines of the picture, the greatest measures first; none of no measures.

    Each side has a scale of its own, since there may be many more questions of one kind.

    Args:
        with_answer: Measures of questions with an answer; their bars go to the right.
        without_answer: Measures of those without; to the left.
        threshold: Where the gate stands; between the bins above and below it goes a line.
        suggested: Another threshold: the bin that holds it is marked, or the line is.
        columns: How wide lines may be; from 48 on they are no wider.
        is_ascii: Draw with characters that every encoding has.
    """
    if not with_answer and not without_answer:
        return []
    bar, axis, rule = ("#", "|", "-") if is_ascii else ("█", "│", "─")
    columns = min(max(columns, _LEAST_WIDTH), _GREATEST_WIDTH)
    half = (columns - _SIDES) // 2
    marked = suggested if threshold is None else threshold
    bins = Bins(with_answer, without_answer, marked, suggested)
    rows = []
    for position in range(len(bins)):
        left = _bar(bins.without_answer, position, half, bar)
        right = _bar(bins.with_answer, position, half, bar)
        counts = bins.without_answer[position] or "", bins.with_answer[position] or ""
        low = bins.low(position)
        mark = ""
        is_inside = suggested is not None and low < suggested < low + bins.width
        if is_inside and suggested != marked:
            mark = f"  < suggested {suggested:g}"
        row = f"{bins.label(position):>7} {counts[0]:>5} {left:>{half}}{axis}{right} {counts[1]}"
        rows.append((low, row.rstrip() + mark))
    lines = [row for low, row in rows if marked is not None and low < marked]
    above = [row for low, row in rows if marked is None or low >= marked]
    head = f"{'':13} {'without an answer':>{half}}{axis}with an answer"
    if marked is None:
        return [head, *reversed(above)]
    word = "suggested gate" if threshold is None else "gate"
    if suggested == threshold:
        word = "gate, as suggested"
    label = f"{marked:7.3g} {word} "
    return [head, *reversed(above), label + rule * (columns - len(label)), *reversed(lines)]


def _bar(counts: Sequence[int], position: int, half: int, bar: str) -> str:
    """As long as its share of the greatest; what is there at all can be seen."""
    count = counts[position]
    return bar * max(round(half * count / max(counts)), 1) if count else ""

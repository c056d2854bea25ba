"""The same picture as SVG: with an answer upward, without downward, the thresholds across both."""

from __future__ import annotations

from rootleaf.surfaces.cli.gate_histogram import Bins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WIDTH, _HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 24, 696, 98, 400
_MIDDLE = (_TOP + _BOTTOM) / 2
_CHAR_WIDTH = 7.5
_NEAR_ZERO = 1e-9
_BAR_HEIGHT = (_BOTTOM - _TOP) / 2 - 26
_WITH, _WITHOUT, _INK, _FAINT, _SUGGESTED = "#1b6ca8", "#c2571a", "#222", "#888", "#2a7d3f"


def picture(
    with_answer: Sequence[float],
    without_answer: Sequence[float],
    *,
    measure: str,
    threshold: float | None,
    suggested: float | None = None,
) -> str:
    """An SVG document of the two distributions; there is at least one measure.

    Args:
        with_answer: Measures of questions with an answer.
        without_answer: Measures of those without.
        measure: What to call what is measured.
        threshold: Where the gate stands; None where it is off.
        suggested: Another threshold to show.
    """
    marked = suggested if threshold is None else threshold
    bins = Bins(with_answer, without_answer, marked, suggested)
    title = f"Questions by {measure}"
    summary = (
        f"{len(with_answer)} with an answer, {len(without_answer)} without; "
        f"{'gate off' if threshold is None else f'gate {threshold:g}'}"
    )
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        f"<desc>{summary}</desc>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        _text(_LEFT, 26, title, size=17),
        _text(_LEFT, 48, f"with an answer ({len(with_answer)}), upward", fill=_WITH),
        _text(_LEFT + 200, 48, f"without ({len(without_answer)}), downward", fill=_WITHOUT),
        *_bars(bins, bins.with_answer, _WITH, -1),
        *_bars(bins, bins.without_answer, _WITHOUT, 1),
        f'<path d="M{_LEFT} {_MIDDLE:g}H{_RIGHT}" stroke="{_INK}"/>',
        *_axis(bins),
    ]
    marks = []
    if threshold is not None:
        marks.append((_x(bins, threshold), f"gate {threshold:g}", _INK, 74))
    if suggested is not None and suggested != threshold:
        marks.append((_x(bins, suggested), f"suggested {suggested:g}", _SUGGESTED, 92))
    # All lines first, so that none crosses the words of another.
    parts += [_line(across, stroke, baseline) for across, _, stroke, baseline in marks]
    parts += [part for mark in marks for part in _label(*mark)]
    return "\n".join([*parts, "</svg>", ""])


def _bars(bins: Bins, counts: Sequence[int], fill: str, direction: int) -> Iterator[str]:
    """Each side has a scale of its own; over or under each bar stands its count."""
    greatest = max(counts, default=0)
    wide = (_RIGHT - _LEFT) / len(bins)
    for position, count in enumerate(counts):
        if count:
            high = _BAR_HEIGHT * count / greatest
            left = _LEFT + position * wide
            top = _MIDDLE - high if direction < 0 else _MIDDLE
            yield (
                f'<rect x="{left + 1:.2f}" y="{top:.2f}" width="{wide - 2:.2f}" '
                f'height="{high:.2f}" fill="{fill}"/>'
            )
            baseline = top - 5 if direction < 0 else top + high + 14
            yield _text(left + wide / 2, baseline, str(count), fill=fill, anchor="middle", size=11)


def _axis(bins: Bins) -> Iterator[str]:
    for position in range(len(bins) + 1):
        across = _x(bins, bins.low(position))
        yield f'<path d="M{across:.2f} {_BOTTOM}v5" stroke="{_FAINT}"/>'
        # A bin may begin below 0 although no measure can; its label would say 0 beside the place.
        if position or bins.low(0) > -_NEAR_ZERO or bins.lowest < 0:
            yield _text(across, _BOTTOM + 20, bins.label(position), anchor="middle", size=11)


def _line(across: float, stroke: str, baseline: int) -> str:
    return (
        f'<path d="M{across:.2f} {baseline - 12}V{_BOTTOM}" stroke="{stroke}" stroke-width="2" '
        'stroke-dasharray="6 4"/>'
    )


def _label(across: float, words: str, stroke: str, baseline: int) -> Iterator[str]:
    """The words of a threshold beside its line, on the side where there is more room."""
    is_right = across > (_LEFT + _RIGHT) / 2
    wide = len(words) * _CHAR_WIDTH
    left = across - 4 - wide if is_right else across + 4
    yield f'<rect x="{left:.2f}" y="{baseline - 13}" width="{wide}" height="17" fill="#fff"/>'
    anchor = "end" if is_right else "start"
    yield _text(across + (-6 if is_right else 6), baseline, words, fill=stroke, anchor=anchor)


def _x(bins: Bins, measure: float) -> float:
    """Where a measure lies across."""
    share = (measure - bins.low(0)) / (bins.width * len(bins))
    return _LEFT + share * (_RIGHT - _LEFT)


def _text(
    across: float,
    baseline: float,
    words: str,
    *,
    fill: str = _INK,
    anchor: str = "start",
    size: int = 13,
) -> str:
    return (
        f'<text x="{across:.2f}" y="{baseline:.2f}" fill="{fill}" text-anchor="{anchor}" '
        f'font-size="{size}">{words}</text>'
    )

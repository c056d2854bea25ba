"""The gate as a picture: what share of questions each threshold would shut out.

One panel for each way; needs nothing but the standard library.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, PANEL_HEIGHT = 760, 250
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 34, 44
LEGEND_HEIGHT = 58
COLOURS = ("#0b6e99", "#b3470b", "#5a7d1a")
KINDS = (("answered", ""), ("unrelated", ' stroke-dasharray="6 4"'))


def picture(gate: dict[str, Any]) -> str:
    """The SVG of the part `gate` of a result."""
    height = LEGEND_HEIGHT + PANEL_HEIGHT * len(gate)
    most = max(figures["curves"]["thresholds"][-1] for figures in gate.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        ' font-family="sans-serif" font-size="12">',
        "<title>Share of questions that the gate shuts out, by its threshold</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        *_legend(list(next(iter(gate.values()))["curves"]["shut"])[: len(COLOURS)]),
    ]
    for number, (way, figures) in enumerate(gate.items()):
        parts += _panel(way, figures, LEGEND_HEIGHT + PANEL_HEIGHT * number, most)
    return "\n".join([*parts, "</svg>", ""])


def _legend(sets: Sequence[str]) -> list[str]:
    lines = []
    for number, name in enumerate(sets):
        x = LEFT + 200 * number
        lines += [_line([(x, 16), (x + 26, 16)], COLOURS[number]), _text(x + 32, 20, name)]
    for number, (label, dash) in enumerate(
        (("answered", ""), ("about something else", KINDS[1][1]))
    ):
        x = LEFT + 200 * number
        lines += [_line([(x, 40), (x + 26, 40)], "#444444", dash), _text(x + 32, 44, label)]
    return lines


def _panel(way: str, figures: dict[str, Any], top: int, most: float) -> list[str]:
    low, high = top + PANEL_HEIGHT - BOTTOM, top + TOP

    def x_of(value: float) -> float:
        return LEFT + value / most * (WIDTH - LEFT - RIGHT)

    def y_of(percent: float) -> float:
        return low - percent / 100 * (low - high)

    lines = []
    for percent in (0, 25, 50, 75, 100):
        y = y_of(percent)
        lines += [
            _line([(LEFT, y), (WIDTH - RIGHT, y)], "#dddddd", width=1),
            _text(LEFT - 6, y + 4, f"{percent} %", "end"),
        ]
    for tenth in range(int(most * 10) + 1):
        if tenth % 2 == 0:
            lines.append(_text(x_of(tenth / 10), low + 16, f"{tenth / 10:.1f}", "middle"))
    steps = figures["curves"]["thresholds"]
    # The sets of few questions come last, and have no curve worth looking at.
    for colour, shares in zip(COLOURS, figures["curves"]["shut"].values(), strict=False):
        for kind, dash in KINDS:
            points = [
                (x_of(step), y_of(share)) for step, share in zip(steps, shares[kind], strict=True)
            ]
            points.append((x_of(most), y_of(shares[kind][-1])))
            lines.append(_line(points, colour, dash))
    threshold = x_of(figures["threshold"])
    return [
        *lines,
        _line([(threshold, low), (threshold, high - 4)], "#000000", width=1),
        _text(threshold + 4, high - 6, f"threshold {figures['threshold']:g}"),
        _text(LEFT, top + 12, way, weight=' font-weight="bold"'),
        _text((LEFT + WIDTH - RIGHT) / 2, low + 34, _measure(figures), "middle"),
    ]


def _measure(figures: dict[str, Any]) -> str:
    weight = figures["coverage_weight"]
    coverage = "best coverage" if weight == 1 else f"{weight:g} · best coverage"
    return f"best similarity + {coverage}" if figures["similarity_weight"] else coverage


def _line(
    points: Sequence[tuple[float, float]], colour: str, dash: str = "", width: float = 2
) -> str:
    shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{shown}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222222"{weight}>'
        f"{escape(text)}</text>"
    )

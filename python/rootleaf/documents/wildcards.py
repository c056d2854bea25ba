"""Regular expressions for wildcards that do not backtrack themselves to death.

What stands between two wildcards is taken where it first fits: a later place could not fit the rest
any better. So only the last wildcard of a kind may be tried again, and matching stays quadratic at
worst.
"""

from __future__ import annotations

STAR = "*"
"""A piece that stands for any characters of one name."""

CROSSING = "**/"
"""A piece for any number of whole directories; it begins the pattern or follows a `/`."""


def expression(pieces: list[str]) -> str:
    """The regular expression (with DOTALL) of a pattern.

    Args:
        pieces: In order: `STAR`, `CROSSING`, or regular expressions of a fixed length; the last may
        have any.
    """
    groups = 0
    runs: list[list[str]] = [[]]
    for piece in pieces:
        if piece == CROSSING:
            runs.append([])
        else:
            runs[-1].append(piece)
    written = []
    for position, run in enumerate(runs):
        inner, groups = _within_names(run, groups)
        if position == 0:
            written.append(inner)
        elif position == len(runs) - 1:
            written.append("(?:.*/)?" + inner)
        elif inner:
            groups += 1
            written.append(_taken_once("(?:.*?/)??" + inner, groups))
    return "".join(written)


def _within_names(run: list[str], groups: int) -> tuple[str, int]:
    fixed: list[list[str]] = [[]]
    for piece in run:
        if piece != STAR:
            fixed[-1].append(piece)
        elif len(fixed) == 1 or fixed[-1]:
            fixed.append([])
    written = []
    for position, pieces in enumerate(fixed):
        inner = "".join(pieces)
        if position == 0:
            written.append(inner)
        elif position == len(fixed) - 1:
            written.append("[^/]*" + inner)
        else:
            groups += 1
            written.append(_taken_once("[^/]*?" + inner, groups))
    return "".join(written), groups


def _taken_once(inner: str, group: int) -> str:
    # Python 3.10 has no atomic groups; a look-ahead and what it found are one.
    return f"(?=(?P<g{group}>{inner}))(?P=g{group})"

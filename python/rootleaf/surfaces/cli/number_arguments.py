"""Numbers on the command line: what each kind admits, and what is said of others."""

from __future__ import annotations

import argparse

_LEAST_TOP_OF_FIGURES = 10


def whole_number(text: str) -> int:
    """0 or more."""
    try:
        count = int(text)
    except ValueError:
        message = f"{text!r} is not a whole number"
        raise argparse.ArgumentTypeError(message) from None
    if count < 0:
        message = f"{text} is below 0"
        raise argparse.ArgumentTypeError(message)
    return count


def positive_number(text: str) -> int:
    """1 or more."""
    count = whole_number(text)
    if count == 0:
        message = "0 leaves no room"
        raise argparse.ArgumentTypeError(message)
    return count


def ten_or_more(text: str) -> int:
    """As many places as figures look at, or more."""
    count = whole_number(text)
    if count < _LEAST_TOP_OF_FIGURES:
        message = f"{text} is below {_LEAST_TOP_OF_FIGURES}, which the figures look at"
        raise argparse.ArgumentTypeError(message)
    return count


def threshold(text: str) -> float:
    """What a gate may stand at: 0 or more; 0 is off."""
    value = _real_number(text)
    if not 0.0 <= value < float("inf"):
        message = f"{text} is not a number of 0 or more"
        raise argparse.ArgumentTypeError(message)
    return value


def score(text: str) -> float:
    """0 to 1."""
    value = _real_number(text)
    if not 0.0 <= value <= 1.0:
        message = f"{text} is not between 0 and 1"
        raise argparse.ArgumentTypeError(message)
    return value


def _real_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        message = f"{text!r} is not a number"
        raise argparse.ArgumentTypeError(message) from None

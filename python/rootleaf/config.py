"""The settings that come from the environment; the only module that reads it.

A setting is read when it is asked for, so that a program may change its environment between two
calls. An empty value is none. `SETTINGS` is what `rootleaf settings` and docs/settings.md show.
"""

from __future__ import annotations

import os
from math import isfinite

from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _threshold(text: str) -> float:
    number = float(text)
    if not isfinite(number) or number < 0:
        raise ValueError
    return number


class Setting(Value):
    """One variable.

    Attributes:
        name: Of the variable.
        default: What holds where it is not set, in words.
        meaning: What it changes, in words.
        allowed: What its value may be, in words.
        parse: Makes the value of its text; raises ValueError where that cannot be one.
    """

    name: str
    default: str
    meaning: str
    allowed: str
    parse: Callable[[str], Any]

    def value(self) -> Any:
        """What it is set to; None where it is not.

        Raises:
            InvalidInputError: The text cannot be one; the message names it and what is allowed.
        """
        text = os.environ.get(self.name)
        if not text:
            return None
        try:
            return self.parse(text)
        except ValueError:
            raise self.refusal(text) from None

    def refusal(self, text: str, allowed: str | None = None) -> InvalidInputError:
        """The error for a text that cannot be; `allowed` says more than the table, if given."""
        message = f"{self.name} is {text!r}; allowed: {allowed or self.allowed}"
        return InvalidInputError(message, hint=f"unset {self.name}")


EMBEDDER = Setting(
    name="ROOTLEAF_EMBEDDER",
    default="recorded, else builtin",
    meaning="the embedder of index and search",
    allowed="builtin, minilm, none, or the name of a plug-in, with `:ARGUMENT` where it takes one",
    parse=str,
)
EMPTY_GATE = Setting(
    name="ROOTLEAF_EMPTY_GATE",
    default="per embedder",
    meaning="the gate measure below which an answer is empty; 0 turns the gate off",
    allowed="a number of 0 or more",
    parse=_threshold,
)
ISA = Setting(
    name="ROOTLEAF_ISA",
    default="detected",
    meaning="the instruction set that vectors are compared with",
    allowed="scalar, sse2, avx2, avx512 or neon, as far as the processor has it",
    parse=str,
)
NO_COLOR = Setting(
    name="NO_COLOR",
    default="not set",
    meaning="no colour on a terminal",
    allowed="anything",
    parse=str,
)
SETTINGS = (EMBEDDER, EMPTY_GATE, ISA, NO_COLOR)


def embedder() -> str | None:
    """The embedder that `ROOTLEAF_EMBEDDER` names, known or not; None where it names none."""
    name: str | None = EMBEDDER.value()
    return name


def empty_gate() -> float | None:
    """The threshold that `ROOTLEAF_EMPTY_GATE` sets, 0 or more; None where it sets none.

    Raises:
        InvalidInputError: It is no such number.
    """
    gate: float | None = EMPTY_GATE.value()
    return gate


def no_color() -> bool:
    """Whether `NO_COLOR` is set to anything but the empty string: output then carries no colour."""
    return NO_COLOR.value() is not None


def is_dumb_terminal() -> bool:
    """Whether `TERM` says that the terminal understands no control sequences."""
    return os.environ.get("TERM") == "dumb"


def isa() -> str:
    """The instruction set that `ROOTLEAF_ISA` has vectors compared with; "" leaves the choice."""
    return ISA.value() or ""

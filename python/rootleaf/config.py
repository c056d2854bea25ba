"""The settings that come from the environment; the only module that reads it.

A setting is read when it is asked for, so that a program may change its environment between two
calls.
"""

from __future__ import annotations

import os


def no_color() -> bool:
    """Whether `NO_COLOR` is set to anything but the empty string: output then carries no colour."""
    return bool(os.environ.get("NO_COLOR"))


def is_dumb_terminal() -> bool:
    """Whether `TERM` says that the terminal understands no control sequences."""
    return os.environ.get("TERM") == "dumb"


def isa() -> str:
    """The instruction set that `ROOTLEAF_ISA` has vectors compared with; "" leaves the choice."""
    return os.environ.get("ROOTLEAF_ISA", "")

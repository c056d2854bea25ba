"""Which instruction set vectors are compared with; results are the same bits on every one.

The widest that this CPU has is chosen by itself. Another can be forced, by a program or by
`ROOTLEAF_ISA`, so that each can be tested and measured.
"""

from __future__ import annotations

from rootleaf import _core, config
from rootleaf.errors import InvalidInputError

_setting = ""


def available() -> tuple[str, ...]:
    """The instruction sets that can be used here, the narrowest first; `scalar` always can."""
    return tuple(_core.available_isas())


def active() -> str:
    """The one that vectors are compared with."""
    return _core.active_isa()


def force(isa: str | None) -> None:
    """Has all threads use `isa` from their next search on; None: the widest again.

    Raises:
        InvalidInputError: It is none of `available()`; nothing is changed.
    """
    _force(isa, "isa")


def use_setting() -> None:
    """Forces what `ROOTLEAF_ISA` names, if that changed since the last call.

    So that a program's own `force` holds until somebody changes the variable.

    Raises:
        InvalidInputError: The variable names none of `available()`.
    """
    global _setting  # noqa: PLW0603 - there is one active kernel in a process
    setting = config.isa()
    if setting != _setting:
        _force(setting or None, "ROOTLEAF_ISA")
        _setting = setting


def _force(isa: object, name: str) -> None:
    if isa is not None and isa not in available():
        message = f"{name} is {isa!r}, which cannot be used here; {', '.join(available())} can"
        raise InvalidInputError(message, hint=f"{name}={available()[-1]}")
    _core.force_isa("" if isa is None else str(isa))

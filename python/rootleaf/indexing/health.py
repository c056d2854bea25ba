"""The values that `rootleaf.doctor` returns."""

from __future__ import annotations

from rootleaf.types import Value

ERROR = "error"
WARNING = "warning"
NOTICE = "notice"
NONE = "none"


class Check(Value):
    """One thing that was looked at.

    Attributes:
        name: What was looked at; one word.
        ok: Whether nothing has to be done about it.
        severity: `none`; `notice`, which is no fault; `warning`: answers are right, and something
            is slower or less safe than it could be; `error`: answers may be wrong or incomplete.
        found: What was found, in a sentence; empty where there is nothing to be said.
        items: What it was found at: paths, mostly.
        command: The command that mends it, or None where there is none or no need for one.
    """

    name: str
    ok: bool
    severity: str
    found: str = ""
    items: tuple[str, ...] = ()
    command: str | None = None


class DoctorReport(Value):
    """How a database is.

    Attributes:
        db_path: The database.
        ok: Whether it can be read and no check found anything that needs doing.
        is_readable: Whether it could be opened and read at all; nothing is `ok` where not.
        checks: Each check, in a fixed order. After a repair they say how it is now.
        repaired: What was mended, in sentences; empty without a repair.
        lost: Documents whose text could not be read any more, by path where that is known. They
            come back from their files with the next `rootleaf index` of their root.
        saved: The file that all was saved to before something was replaced, or None.
        commands: What to run next, each a complete command line.
        took_ms: How long it took.
    """

    db_path: str
    ok: bool
    is_readable: bool
    checks: tuple[Check, ...]
    repaired: tuple[str, ...]
    lost: tuple[str, ...]
    saved: str | None
    commands: tuple[str, ...]
    took_ms: float


def sound(name: str, found: str = "") -> Check:
    """A check that found nothing to do."""
    return Check(name=name, ok=True, severity=NONE, found=found)


def finding(
    name: str,
    severity: str,
    found: str,
    *,
    items: tuple[str, ...] = (),
    command: str | None = None,
) -> Check:
    """A check that found something; a notice is no fault."""
    return Check(
        name=name,
        ok=severity == NOTICE,
        severity=severity,
        found=found,
        items=items,
        command=command,
    )

"""Run one command as a child and measure what that child used.

CPU time and peak memory come from `wait4`, so they are the child's own (with the children it waited
for), whatever else the machine does. Wall time is kept beside them but decides nothing.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Measurement:
    """One run of a command: CPU seconds (user + system), wall seconds, peak RSS, and its output."""

    cpu_seconds: float
    wall_seconds: float
    peak_rss_bytes: int
    stdout: str
    stderr: str


# Done, and done with warnings: a file that is not understood is no failed run.
GOOD_CODES = frozenset({0, 3})


def run(command: Sequence[str]) -> Measurement:
    """Run `command` to its end and measure it; RuntimeError with its output if it fails."""
    # Files, not pipes: nothing has to drain them while the child runs.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        child = subprocess.Popen(list(command), stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall_seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        stdout, stderr = _text(out), _text(err)
    if child.returncode not in GOOD_CODES:
        message = f"{list(command)} ended with {child.returncode}:\n{stdout}{stderr}"
        raise RuntimeError(message)
    return Measurement(
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        wall_seconds=wall_seconds,
        peak_rss_bytes=usage.ru_maxrss * 1024,
        stdout=stdout,
        stderr=stderr,
    )


def own_peak_rss_bytes() -> int:
    """Peak RSS of this very program: a child's figure starts there, so it must be the smaller."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")

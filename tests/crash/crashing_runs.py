"""Processes that run `rootleaf` and do not come to their end, or not to a good one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

KILLS = int(os.environ.get("ROOTLEAF_KILLS", "25"))
"""How often all tests together that count their kills kill a process; `make crash KILLS=300`."""

SEED = int(os.environ.get("ROOTLEAF_CRASH_SEED", "1"))

# The imports are done when it says that it is ready, so that the moments lie within the run.
_DRIVER = (
    "import sys; from rootleaf.surfaces.cli import console, grammar, index_command, main;"
    "sys.stdout.write('ready\\n'); sys.stdout.flush(); sys.exit(main.main(sys.argv[1:]))"
)

_EMBEDDING_DRIVER = (
    "import sys; from rootleaf import index; from rootleaf.embed.fake import FakeEmbedder;"
    "sys.stdout.write('ready\\n'); sys.stdout.flush();"
    "index(sys.argv[1], sys.argv[2], prune=True, embedder=FakeEmbedder())"
)


def environment(**more: str) -> dict[str, str]:
    """The environment of a run: none of our own settings but the given ones, and no vectors.

    These tests are about rows; those about vectors bring their embedder, which comes first.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ROOTLEAF_")}
    return {**kept, "ROOTLEAF_EMBEDDER": "none", **more}


def start(*arguments: str, driver: str = _DRIVER) -> subprocess.Popen[str]:
    """A run that has its imports behind it."""
    run = subprocess.Popen(
        [sys.executable, "-c", driver, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    return run


def undisturbed_seconds(*arguments: str) -> float:
    """How long a run takes when nothing happens to it."""
    run = start(*arguments)
    begun = time.perf_counter()
    run.communicate(timeout=120)
    assert run.returncode in {0, 3}
    return time.perf_counter() - begun


def end_after(
    seconds: float, *arguments: str, sent: signal.Signals = signal.SIGKILL
) -> tuple[int, str]:
    """Sends a run a signal after a while; gives its exit code and what it said of errors."""
    run = start(*arguments)
    until = time.perf_counter() + seconds
    while (left := until - time.perf_counter()) > 0:
        time.sleep(left)
    run.send_signal(sent)
    _, said = run.communicate(timeout=120)
    return run.returncode, said


def kill_embedding_when(is_time: Callable[[], bool], root: str, db_path: str) -> bool:
    """As `kill_when`, of a run that embeds what it indexes, with the embedder for tests."""
    return kill_when(is_time, root, db_path, driver=_EMBEDDING_DRIVER)


def kill_when(
    is_time: Callable[[], bool], *arguments: str, delay: float = 0.0, driver: str = _DRIVER
) -> bool:
    """Kills a run as soon as a condition holds; gives whether it came to that."""
    run = start(*arguments, driver=driver)
    came = False
    while run.poll() is None and not came:
        came = is_time()
    if came and delay:
        time.sleep(delay)
    run.kill()
    run.communicate(timeout=120)
    return came and run.returncode == -signal.SIGKILL


@pytest.fixture(scope="session")
def failing_calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes calls fail, compiled; skipped by name without a compiler."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        message = "needs Linux and a C compiler (cc) to make calls fail"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    library = tmp_path_factory.mktemp("failing") / "failing_calls.so"
    source = Path(__file__).with_name("failing_calls.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(library),
         str(source), "-ldl"],
        check=True,
    )  # fmt: skip
    return library


class FailingDisk:
    """Runs whose calls on files below a directory fail from some call on."""

    def __init__(self, library: Path, directory: Path) -> None:
        self._library = library
        self._directory = directory
        self._counts = directory.parent / "calls.txt"

    def run(
        self, calls: str, from_call: int, how: str, *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs `rootleaf`; `from_call` 0 lets all go well."""
        self._counts.unlink(missing_ok=True)
        return subprocess.run(
            [sys.executable, "-m", "rootleaf", *arguments],
            env=environment(
                LD_PRELOAD=str(self._library),
                FAILING_BELOW=str(self._directory),
                FAILING_CALLS=calls,
                FAILING_FROM=str(from_call),
                FAILING_HOW=how,
                FAILING_COUNT=str(self._counts),
            ),
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    def calls_made(self) -> list[str]:
        """The calls of the last run of those that were named, in order."""
        return self._counts.read_text().splitlines() if self._counts.exists() else []


def mounts(*arguments: str) -> bool:
    """Whether a mount was allowed."""
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0

"""The tree of the life-cycle tests on the disk, what people do to it, and processes that die."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import signal
import tempfile
import time
from unittest import mock

from life_cycle_model import Disk
from rootleaf.documents import reading
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.store import sqlite, sqlite_opening, sqlite_writing
from rootleaf.store.paths import snapshot_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

_MEMORY = "/dev/shm"


class Clock:
    """Stands in for the module `time` where the store asks for the date."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def time(self) -> float:
        """A moment that only the test moves."""
        return float(self.now)


class Place:
    """Two roots and a database that they share."""

    def __init__(self) -> None:
        directory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
        self.directory = os.path.realpath(tempfile.mkdtemp(dir=directory))
        self.base = os.path.join(self.directory, "used")
        self.fresh = os.path.join(self.directory, "anew")
        self.db_path = os.path.join(self.base, "index.db")
        self.clock = Clock()
        self.embedder = FakeEmbedder(4)
        self.deleted: dict[str, str] = {}
        self.snapshots: list[bytes] = []
        os.mkdir(self.base)
        # The wait for the clock of the file system is done here once for each run, not by file.
        self._patches = contextlib.ExitStack()
        self._patches.enter_context(mock.patch.object(reading, "TIMESTAMP_TICK_NS", 0))
        self._patches.enter_context(mock.patch.object(sqlite_writing, "time", self.clock))

    def close(self) -> None:
        """Leaves nothing behind."""
        self._patches.close()
        shutil.rmtree(self.directory)

    def root(self, name: str) -> str:
        """The path of a root."""
        return os.path.join(self.base, name)

    def disk(self, name: str) -> Disk:
        """What lies below a root now."""
        return Disk(self.root(name))

    def files(self) -> list[str]:
        """All files of the roots that are there, from the base; no rules and no ignore files."""
        found = []
        for directory, _, names in os.walk(self.base):
            relative = os.path.relpath(directory, self.base)
            if relative != "." and ".away" not in relative:
                found += [
                    f"{relative}/{name}" for name in names if not name.startswith(".rootleaf")
                ]
        return sorted(found)

    def read(self, path: str) -> str:
        """The text of a file, named from the base."""
        with open(os.path.join(self.base, path), encoding="utf-8") as file:
            return file.read()

    def write(self, path: str, text: str, mode: str = "w") -> None:
        """Writes a file, with the directories to it, if its root is there."""
        place = os.path.join(self.base, path)
        if not os.path.isdir(os.path.join(self.base, path.partition("/")[0])):
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, mode, encoding="utf-8") as file:
            file.write(text)

    def write_special(self, path: str, text: str | None) -> None:
        """Writes a rules or ignore file, or removes it."""
        if text is not None:
            self.write(path, text)
        elif os.path.exists(os.path.join(self.base, path)):
            os.remove(os.path.join(self.base, path))

    def edit_unseen(self, path: str) -> None:
        """Other text of the same length, and the modification time put back."""
        place = os.path.join(self.base, path)
        status = os.stat(place)
        other = {"alpha": "delta", "delta": "alpha", "gamma": "theta", "theta": "gamma"}
        self.write(path, re.sub("|".join(other), lambda found: other[found[0]], self.read(path)))
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))

    def rename(self, old: str, new: str) -> None:
        """Moves a file or a directory; a file takes the place of another one."""
        source, target = os.path.join(self.base, old), os.path.join(self.base, new)
        if not os.path.isdir(os.path.join(self.base, new.partition("/")[0])):
            return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.replace(source, target)

    def mix(self, directory: str, names: tuple[str, ...]) -> None:
        """Files of a directory change names with one another."""
        for one, other in itertools.pairwise(names):
            paths = [f"{directory}/{name}" for name in (one, other)]
            if all(os.path.exists(os.path.join(self.base, path)) for path in paths):
                self.swap(*paths)

    def delete(self, paths: list[str]) -> None:
        """Deletes files, and remembers them for `restore`."""
        if paths:
            self.deleted = {path: self.read(path) for path in paths}
        for path in paths:
            os.remove(os.path.join(self.base, path))

    def delete_directory(self, directory: str, *, itself: bool) -> None:
        """Deletes all below a directory of a root, and perhaps the directory."""
        place = os.path.join(self.base, directory)
        if os.path.isdir(place):
            self.delete([path for path in self.files() if path.startswith(f"{directory}/")])
            shutil.rmtree(place)
            if not itself:
                os.mkdir(place)

    def swap(self, one: str, other: str) -> None:
        """Two files change names."""
        spare = os.path.join(self.base, "spare")
        os.replace(os.path.join(self.base, one), spare)
        if one != other:
            os.replace(os.path.join(self.base, other), os.path.join(self.base, one))
        os.replace(spare, os.path.join(self.base, other))

    def go_away(self, name: str) -> None:
        """A root is unmounted, or mounted again."""
        here, away = self.root(name), self.root(f"{name}.away")
        if os.path.isdir(here):
            os.rename(here, away)
        elif os.path.isdir(away):
            os.rename(away, here)

    def listing(self) -> list[str]:
        """All that there is, but for what SQLite lays beside an open database."""
        return sorted(
            os.path.join(directory, name)
            for directory, names, files in os.walk(self.base)
            for name in [*names, *files]
            if not name.endswith(("-wal", "-shm"))
        )

    def contents(self) -> list[bytes | None]:
        """The bytes of the database and of its snapshot."""
        return [self._bytes(self.db_path), self._bytes(snapshot_path(self.db_path))]

    def keep_snapshot(self) -> None:
        """Puts the snapshot aside."""
        kept = self._bytes(snapshot_path(self.db_path))
        if kept is not None:
            self.snapshots.append(kept)

    def put_snapshot(self, which: int) -> None:
        """Lays a snapshot of an earlier time beside the database, or removes the one there."""
        path = snapshot_path(self.db_path)
        if which < len(self.snapshots):
            with open(path, "wb") as file:
                file.write(self.snapshots[which])
        elif os.path.exists(path):
            os.remove(path)

    @staticmethod
    def await_tick() -> None:
        """Waits, 4 ms at most, until the file system's clock gives what is written now a new time.

        The program waits by itself after reading a file that was just written; it is told not to.
        """
        coarse = getattr(time, "CLOCK_REALTIME_COARSE", 5)
        before = time.clock_gettime_ns(coarse)
        while time.clock_gettime_ns(coarse) == before:
            time.sleep(0.0005)

    @staticmethod
    def _bytes(path: str) -> bytes | None:
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None


def run_and_kill(run: Callable[[Callable[..., None]], object], *, at: str, count: int) -> bool:
    """Runs in another process that kills itself; tells whether it came to that.

    Args:
        run: Takes the callback of `index`.
        at: `file`: after the progress of so many files; `statement`: before so many statements to
            the database since it was opened for writing, the commits among them.
        count: How many.
    """
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(60)
            _die_at(run, at, count)
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def _die_at(run: Callable[[Callable[..., None]], object], at: str, count: int) -> None:
    left = count

    def step(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(db_path: str) -> sqlite3.Connection:
        connection = sqlite_opening.connect_for_writing(db_path)
        if at == "statement":
            connection.set_trace_callback(step)
        return connection

    with mock.patch.object(sqlite, "connect_for_writing", connect):
        run(step if at == "file" else lambda *_: None)
    os._exit(0)

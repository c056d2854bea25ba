"""A handle that threads share while others write: every answer is of one state of the index."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from rootleaf import MemoryIndex, index, index_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rootleaf.types import Answer

pytestmark = pytest.mark.usefixtures("without_vectors")

ROUNDS = 30


def text(version: int) -> str:
    """A note whose title and both sections tell its version."""
    return f"# Version {version}\n\nqueue one {version}\n\n## Rest\n\nqueue two {version}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with one note that will change and twenty that will not."""
    directory = tmp_path.resolve() / "notes"
    directory.mkdir()
    (directory / "changing.md").write_text(text(0))
    for number in range(20):
        (directory / f"{number}.md").write_text(f"# Note {number}\n\nlever {number}\n")
    index(directory)
    return directory


def versions_of(answer: Answer) -> set[str]:
    """Every version that is told in the changing note's hit."""
    return set(re.findall(r"\d+", " ".join(hit.context + (hit.title or "") for hit in answer)))


class Asking:
    """Threads that search until they are told to stop, and what they saw."""

    def __init__(self, memory: MemoryIndex, count: int) -> None:
        self.answers: list[Answer] = []
        self.errors: list[Exception] = []
        self._stop = threading.Event()
        self._memory = memory
        self._threads = [threading.Thread(target=self._ask) for _ in range(count)]

    def __enter__(self) -> Asking:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self) -> None:
        try:
            while not self._stop.is_set():
                self.answers.append(self._memory.search("queue version"))
                self.answers += self._memory.search_many(["queue", "version"], threads=2)
        except Exception as error:  # noqa: BLE001 - the test shows it
            self.errors.append(error)


def write_here(memory: MemoryIndex, root: Path) -> None:
    """Writes the note again and again in this thread, under the lock."""
    for version in range(1, ROUNDS):
        with memory.lock:
            (root / "changing.md").write_text(text(version))
            index_file(root / "changing.md", root)


def write_without_lock(_memory: MemoryIndex, root: Path) -> None:
    """Likewise without it."""
    for version in range(1, ROUNDS):
        (root / "changing.md").write_text(text(version))
        index_file(root / "changing.md", root)


def write_elsewhere(_memory: MemoryIndex, root: Path) -> None:
    """Likewise in another process."""
    program = (
        "import sys, rootleaf\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from test_memory_index_threads import ROUNDS, text\n"
        "for version in range(1, ROUNDS):\n"
        "    open(f'{sys.argv[1]}/changing.md', 'w').write(text(version))\n"
        "    rootleaf.index(sys.argv[1])\n"
    )
    directory = __file__.rpartition("/")[0]
    subprocess.run([sys.executable, "-c", program, str(root), directory], check=True)


@pytest.mark.parametrize("write", [write_here, write_without_lock, write_elsewhere])
def test_every_answer_is_of_one_state(
    root: Path, write: Callable[[MemoryIndex, Path], None]
) -> None:
    """The text, the title and the score of a hit belong together, whoever writes meanwhile."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        with Asking(memory, 3) as asking:
            write(memory, root)
        assert not asking.errors
        assert {len(answer) for answer in asking.answers} == {1}
        seen = [versions_of(answer) for answer in asking.answers]
        assert {len(versions) for versions in seen} == {1}
        assert versions_of(memory.search("queue version")) == {str(ROUNDS - 1)}


def test_writers_of_one_process_take_turns(root: Path) -> None:
    """No write is lost, and what each thread wrote is found."""

    def add(memory: MemoryIndex, number: int) -> None:
        with memory.lock:
            path = root / f"added{number}.md"
            path.write_text(f"# Added\n\nnectarine {number}\n")
            index_file(path, root)

    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        threads = [threading.Thread(target=add, args=(memory, n)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(memory.search("nectarine", top_k=10)) == 4

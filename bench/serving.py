"""How many whole answers a second a handle gives, and how long they take while others write.

    python bench/serving.py [--corpus NAME] [--embedder E] [--seconds S] [--threads N] [--out FILE]

One process holds a `rootleaf.MemoryIndex` and searches from threads, cheatsheets rendered, in turn:
with nobody writing; with another process that edits one file of median size and indexes, again and
again; with a thread of the same process that does so under the handle's lock. Then, with nobody
else, the file is edited and indexed by another process, and the next search is timed: what a commit
costs a reader.
`search_many` asks all questions at once.

Saturated, every thread asks as soon as it has an answer, and three that want two cores wait for
each other, whatever they do: so the same is measured beside a process that does nothing but burn a
core. Paced, questions come at a fixed rate, and each is timed from when it was due, so that one
that is late delays those behind it. The rate is a quarter of what was answered with nobody writing:
where somebody else takes one of two cores, half of what is left.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provenance import provenance, shared_data
from questions import QUESTIONS
from rootleaf import MemoryIndex, index, index_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

TOP = 5
PACE = 0.25
FRESH_ROUNDS = 15
BURNING = "while True: pass"
EDITING = (
    "import itertools, sys, rootleaf\n"
    "for turn in itertools.count():\n"
    "    open(sys.argv[1], 'a').write(f'\\nturn {turn}\\n')\n"
    "    rootleaf.index(sys.argv[2], sys.argv[3])\n"
)
INDEXING_ONE = "import sys, rootleaf; rootleaf.index_file(*sys.argv[1:])"


def main() -> int:
    """Measures and prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="eips")
    parser.add_argument(
        "--embedder", action="append", help="what is searched by, each in turn (none, builtin)"
    )
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    where = provenance()
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["query"] for line in lines if line.strip()]
    files = 0
    figures = {}
    files = 0
    for embedder in given.embedder or ("none", "builtin"):
        with tempfile.TemporaryDirectory() as directory:
            # By its real path, which is how the index names files.
            root = Path(directory).resolve() / "root"
            shutil.copytree(shared_data() / "corpora" / given.corpus, root)
            database = root.parent / "index.db"
            files = index(root, database, embedder=embedder).files_seen
            serving = Serving(root, database, queries, given.threads)
            figures[embedder] = serving.figures(given.seconds)
    result = {
        "bench": "serving",
        "provenance": where,
        "corpus": {"name": given.corpus, "files": files},
        "top_k": TOP,
        "threads": given.threads,
        "seconds": given.seconds,
        "figures": figures,
    }
    text = json.dumps(result, indent=2) + "\n"
    sys.stdout.write(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    return 0


class Serving:
    """One handle, and what is done to its database while it serves."""

    def __init__(self, root: Path, database: Path, queries: list[str], threads: int) -> None:
        self._root = root
        self._database = database
        by_size = sorted(root.rglob("*.md"), key=lambda path: (path.stat().st_size, path))
        self._edited = by_size[len(by_size) // 2]
        self._queries = queries
        self._threads = threads
        self._memory = MemoryIndex(database)

    def figures(self, seconds: float) -> dict[str, Any]:
        """Each way of serving by its name."""
        self._asked(seconds / 5)  # warms what a served index keeps warm
        alone = self._asked(seconds)
        rate = alone["answers per second"] * PACE
        beside = {
            "nobody writes": nullcontext,
            "another process burns a core": self._burning,
            "another process writes": self._writing,
            "a thread writes under the lock": self._a_thread,
        }
        figures: dict[str, Any] = {"saturated": {}, "paced": {}}
        for name, company in beside.items():
            with company():
                figures["saturated"][name] = self._asked(seconds)
                figures["paced"][name] = self._asked(seconds, rate)
        figures["search_many, answers per second"] = self._asked_many(seconds)
        figures["first search after a commit of one file, ms"] = self._fresh()
        return figures

    def _asked(self, seconds: float, rate: float | None = None) -> dict[str, float]:
        end = time.perf_counter() + seconds
        took_ms: list[list[float]] = [[] for _ in range(self._threads)]
        pause = 0.0 if rate is None else self._threads / rate
        threads = [
            threading.Thread(target=self._ask, args=(end, number, own, pause))
            for number, own in enumerate(took_ms)
        ]
        begun = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        elapsed = time.perf_counter() - begun
        ordered = sorted(took for own in took_ms for took in own)
        return {
            "answers per second": round(len(ordered) / elapsed, 1),
            "p50 ms": round(statistics.median(ordered), 3),
            "p99 ms": round(ordered[int(len(ordered) * 0.99)], 3),
            "most ms": round(ordered[-1], 3),
        }

    def _ask(self, end: float, first: int, took_ms: list[float], pause: float) -> None:
        turn = first
        due = time.perf_counter() + first * pause / self._threads
        while (begun := time.perf_counter()) < end:
            if pause:
                time.sleep(max(0.0, due - begun))
                begun = due
                due += pause
            self._memory.search(self._queries[turn % len(self._queries)], TOP)
            took_ms.append((time.perf_counter() - begun) * 1000.0)
            turn += 1

    def _asked_many(self, seconds: float) -> float:
        begun = time.perf_counter()
        count = 0
        while time.perf_counter() < begun + seconds:
            count += len(self._memory.search_many(self._queries, TOP))
        return round(count / (time.perf_counter() - begun), 1)

    def _fresh(self) -> dict[str, float]:
        took_ms = []
        for turn in range(FRESH_ROUNDS):
            with self._edited.open("a", encoding="utf-8") as file:
                file.write(f"\nfresh {turn}\n")
            arguments = [str(self._edited), str(self._root), str(self._database)]
            subprocess.run([sys.executable, "-c", INDEXING_ONE, *arguments], check=True)
            begun = time.perf_counter()
            self._memory.search(self._queries[turn % len(self._queries)], TOP)
            took_ms.append((time.perf_counter() - begun) * 1000.0)
        return {"median": round(statistics.median(took_ms), 2), "most": round(max(took_ms), 2)}

    def _burning(self) -> AbstractContextManager[None]:
        return self._another_process(BURNING)

    def _writing(self) -> AbstractContextManager[None]:
        return self._another_process(EDITING)

    @contextmanager
    def _another_process(self, program: str) -> Iterator[None]:
        arguments = [str(self._edited), str(self._root), str(self._database)]
        process = subprocess.Popen([sys.executable, "-c", program, *arguments])
        try:
            yield
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def _a_thread(self) -> Iterator[None]:
        stop = threading.Event()

        def write() -> None:
            turn = 0
            while not stop.is_set():
                with self._memory.lock:
                    with self._edited.open("a", encoding="utf-8") as file:
                        file.write(f"\nhere {turn}\n")
                    index_file(self._edited, self._root, self._database)
                turn += 1

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


if __name__ == "__main__":
    raise SystemExit(main())

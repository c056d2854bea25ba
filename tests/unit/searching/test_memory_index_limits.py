"""What a handle takes of a process: descriptors, memory, locks; and what it gives back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from rootleaf import MemoryIndex, index, index_file, search
from rootleaf.errors import InvalidInputError, MetadataGhosts
from rootleaf.searching.moment import KnownDocument, KnownDocuments
from rootleaf.store.records import StoredDocument

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
counts_descriptors = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="descriptors are counted on Linux only"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed directory of ten notes."""
    return notes(tmp_path.resolve() / "notes")


def notes(directory: Path) -> Path:
    """Makes and indexes ten notes."""
    directory.mkdir()
    for number in range(10):
        (directory / f"{number}.md").write_text(
            f"---\nkind: note\n---\n# Note {number}\n\nqueue {number}\n"
        )
    index(directory)
    return directory


def db(root: Path) -> Path:
    """Its database."""
    return root / ".rootleaf/index.db"


def in_threads(count: int, work: Callable[[], object]) -> None:
    """Runs the same in many threads at once; raises what one of them raised."""
    errors: list[BaseException] = []
    gate = threading.Barrier(count)

    def run() -> None:
        try:
            gate.wait()
            work()
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def descriptors() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))


@counts_descriptors
def test_two_hundred_threads_share_a_handle_and_close_gives_all_back(root: Path) -> None:
    """No file stays open, and no snapshot mapped."""
    before = descriptors()
    memory = MemoryIndex(db(root))
    in_threads(200, lambda: [memory.search("queue") for _ in range(3)])
    memory.close()
    assert descriptors() == before
    with open("/proc/self/maps", encoding="utf-8") as maps:
        assert str(root) not in maps.read()


@counts_descriptors
def test_fifty_handles_cost_little_and_close_gives_all_back(tmp_path: Path) -> None:
    """A connection each: the file, its log, its shared memory."""
    roots = [notes(tmp_path.resolve() / str(number)) for number in range(50)]
    before = descriptors()
    handles = [MemoryIndex(db(one)) for one in roots]
    for memory in handles:
        assert memory.search("queue")
    assert descriptors() <= before + 4 * len(handles)
    for memory in handles:
        memory.close()
    assert descriptors() == before


@counts_descriptors
def test_closing_while_threads_search_leaves_nothing_open(root: Path) -> None:
    """What runs ends well; a connection that comes back after `close` is closed too."""
    from rootleaf.errors import ClosedIndexError

    before = descriptors()
    for _ in range(20):
        memory = MemoryIndex(db(root))

        def ask(memory: MemoryIndex = memory) -> None:
            try:
                while True:
                    assert len(memory.search("queue")) == 5
            except ClosedIndexError:
                return

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        memory.close()
        for thread in threads:
            thread.join()
        assert descriptors() == before


WRITE = """
import os, sys, rootleaf
for number in range(40):
    with open(sys.argv[1] + f"/big{number % 4}.md", "w") as file:
        file.write("# Big\\n\\n" + f"word{number} " * 20000)
    rootleaf.index(sys.argv[1])
"""


def test_a_handle_that_is_idle_lets_the_log_be_folded_in(root: Path) -> None:
    """Its size after many runs of another process is nothing, whatever they wrote."""
    with MemoryIndex(db(root)) as memory:
        # A connection is kept as soon as the file was not changed just now.
        while not memory._serving._readers._free:
            memory.search("queue")
        subprocess.run([sys.executable, "-c", WRITE, str(root)], check=True)
        assert os.path.getsize(f"{db(root)}-wal") == 0
        assert memory.search("word39")


def test_a_handle_that_searches_all_the_time_keeps_the_log_small(root: Path) -> None:
    """It is begun anew as soon as all of it is in the file, and does not grow with each run."""
    with MemoryIndex(db(root)) as memory:
        is_done = threading.Event()

        def ask() -> None:
            while not is_done.is_set():
                memory.search("queue")

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        subprocess.run([sys.executable, "-c", WRITE, str(root)], check=True)
        is_done.set()
        for thread in threads:
            thread.join()
        # Forty runs write some 12 MB.
        assert os.path.getsize(f"{db(root)}-wal") < 8_000_000


def test_an_error_within_the_lock_lets_it_go(root: Path) -> None:
    """And what was committed before it is shown; another thread gets the lock."""
    with MemoryIndex(db(root)) as memory:
        (root / "new.md").write_text("# New\n\nA nectarine.\n")

        def write_and_fail() -> None:
            with memory.lock, memory.lock:
                index_file(root / "new.md", root)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        assert memory.search("nectarine")

        def take() -> None:
            with memory.lock:
                memory.refresh()

        in_threads(4, take)


def in_child(work: Callable[[], object]) -> int:
    """The exit code of a fork that does something, and is killed if that does not end."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@forks
def test_a_fork_is_free_of_the_locks_of_its_parent(root: Path) -> None:
    """Whether the thread that forks holds the handle's lock, or another one does."""
    with MemoryIndex(db(root)) as memory:

        def use() -> None:
            assert len(memory.search("queue")) == 5
            with memory.lock:
                memory.refresh()
            assert len(memory.search_many(["queue", "note"], threads=2)) == 2

        def leave_and_use() -> None:
            memory.lock.__exit__(None, None, None)
            use()

        with memory.lock:
            assert in_child(use) == 0
            assert in_child(leave_and_use) == 0
        is_held, may_go = threading.Event(), threading.Event()

        def hold() -> None:
            with memory.lock, memory._serving._bringing_up:
                is_held.set()
                may_go.wait()

        holding = threading.Thread(target=hold)
        holding.start()
        is_held.wait()
        try:
            assert in_child(use) == 0
        finally:
            may_go.set()
            holding.join()
        use()


def test_what_is_kept_of_documents_is_counted_as_what_it_is() -> None:
    """Also where two threads read one at once; else less and less would be kept."""

    def known(number: int, text: str) -> KnownDocument:
        document = mock.Mock(spec=StoredDocument, document_id=number, text=text)
        return KnownDocument(document=document, dates=[], prepared=mock.Mock())

    kept = KnownDocuments(most_bytes=40)
    for _ in range(100):
        kept.put(known(1, "x" * 10))
    kept.put(known(2, "y" * 10))
    assert len(kept) == 2
    kept.put(known(3, "z" * 10))
    assert kept.get(1) is None
    assert len(kept) == 2
    kept.put(known(4, "too long" * 100))
    assert len(kept) == 0


def test_ids_that_can_be_gone_through_once_count_for_each_query(root: Path) -> None:
    """Also in the refusal, which asks again with them."""
    (root / "1.md").unlink()
    ids = [one.document_id for one in search("queue", root, top_k=10)]
    where = {"kind": "note"}
    with MemoryIndex(db(root)) as memory:
        with pytest.raises(MetadataGhosts) as alone:
            memory.search("queue 1", where=where, allowed=iter(ids))
        with pytest.raises(MetadataGhosts) as refused:
            memory.search_many(["nothing of this", "queue 1"], where=where, allowed=iter(ids))
        assert refused.value.commands == alone.value.commands
        assert str(refused.value) == str(alone.value)
        many = memory.search_many(["queue", "note"], allowed=iter(ids[:2]))
        assert [len(one) for one in many] == [2, 2]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"top_k": -1}, "top_k"),
        ({"min_score": 2}, "min_score"),
        ({"budget_tokens": 0}, "budget_tokens"),
        ({"where": "kind"}, "where"),
        ({"threads": 1.5}, "threads"),
        ({"threads": True}, "threads"),
    ],
)
@pytest.mark.parametrize("queries", [[], ["queue"]])
def test_wrong_arguments_of_many_are_refused_by_name(
    root: Path, queries: list[str], options: dict[str, Any], name: str
) -> None:
    """With and without a query."""
    with MemoryIndex(db(root)) as memory, pytest.raises(InvalidInputError, match=name):
        memory.search_many(queries, **options)

"""Whatever is done to the file under an open handle, it answers as a search that opens it anew."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import MemoryIndex, index, search
from rootleaf.errors import RootleafError, StoreError
from rootleaf.searching.moment import KnownDocuments

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rootleaf.searching.moment import MomentStore

pytestmark = pytest.mark.usefixtures("without_vectors")


def answered(ask: Callable[[], Any]) -> Any:
    """All of an answer but how long it took; or the error."""
    try:
        told = ask().to_json()
    except RootleafError as error:
        return type(error), error.code, str(error)
    del told["took_ms"]
    return told


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed directory; `older.db` beside it is a copy from before `new.md`."""
    directory = tmp_path.resolve() / "notes"
    directory.mkdir()
    for number in range(20):
        (directory / f"{number}.md").write_text(f"# Note {number}\n\nqueue {number}\n")
    index(directory)
    shutil.copy(directory / ".rootleaf/index.db", directory.parent / "older.db")
    return directory


def elsewhere(statement: str) -> None:
    """Runs a statement in another process, which takes no lock of this one along."""
    subprocess.run([sys.executable, "-c", f"import os, shutil, rootleaf; {statement}"], check=True)


def same_as_search(memory: MemoryIndex, query: str) -> Any:
    """What the handle answers, once that is known to be what a search answers."""
    told = answered(lambda: memory.search(query))
    assert told == answered(lambda: search(query, db_path=memory.db_path))
    return told


def add(root: Path) -> None:
    """Another process indexes one file more."""
    (root / "new.md").write_text("# New\n\nA nectarine.\n")
    elsewhere(f"rootleaf.index({str(root)!r})")


def test_a_backup_that_is_put_back_is_what_is_found(root: Path) -> None:
    """No part of the database that it replaces is left in a log that is read over it."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        memory.search("queue")
        add(root)
        assert same_as_search(memory, "nectarine")["hits"]
        os.replace(root.parent / "older.db", root / ".rootleaf/index.db")
        assert same_as_search(memory, "nectarine")["verdict"] == "no_match"
        assert len(same_as_search(memory, "queue")["hits"]) == 5


def test_an_index_that_is_overwritten_in_place_is_read_anew(root: Path) -> None:
    """Though the path leads to the same file, and no commit was made."""
    add(root)
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert same_as_search(memory, "nectarine")["hits"]
        elsewhere(
            f"shutil.copyfile({str(root.parent / 'older.db')!r}, {memory.db_path!r})",
        )
        assert same_as_search(memory, "nectarine")["verdict"] == "no_match"


LEAVING_ITS_LOG = """
import sqlite3
reading = sqlite3.connect({database!r})
reading.execute("BEGIN")
reading.execute("SELECT * FROM meta").fetchone()
rootleaf.index({root!r})
os._exit(0)
"""
"""Indexes, and ends before what it wrote is folded into the database."""


@pytest.mark.parametrize("has_log", [True, False])
def test_a_copy_that_says_the_same_and_holds_other_texts_is_read_anew(
    root: Path, has_log: bool
) -> None:
    """Overwritten in place, be it under a log that says that all is as it was.

    Then it looks for a while as if the log was being folded in.
    """
    for number in range(40):
        (root / f"long {number}.md").write_text(f"# Long {number}\n\n{'plum ' * 400}\n")
    index(root)
    database, edited = root / ".rootleaf/index.db", root.parent / "edited.db"
    shutil.copy(database, edited)
    commit(str(edited), "UPDATE texts SET text = replace(text, 'plum', 'kiwi')")
    if has_log:
        (root / "new.md").write_text("# New\n\nA nectarine.\n")
        elsewhere(LEAVING_ITS_LOG.format(database=str(database), root=str(root)))
    with MemoryIndex(database) as memory:
        assert same_as_search(memory, "plum")["hits"]
        elsewhere(f"shutil.copyfile({str(edited)!r}, {memory.db_path!r})")
        end = time.monotonic() + 30
        while has_log and "kiwi" not in str(memory.search("plum").hits):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert "kiwi" in str(same_as_search(memory, "plum")["hits"])


@pytest.mark.skipif(os.name != "posix", reason="a file that is open cannot be removed")
def test_a_log_that_is_removed_is_not_read_any_more(root: Path) -> None:
    """What others commit then goes to another one, which a connection that is open never sees."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert memory.search("queue").hits
        for number in range(3):
            (root / f"new {number}.md").write_text(f"# New\n\nA nectarine {number}.\n")
            elsewhere(LEAVING_ITS_LOG.format(database=memory.db_path, root=str(root)))
            assert len(same_as_search(memory, "nectarine")["hits"]) == number + 1
            for kind in ("wal", "shm"):
                os.unlink(f"{memory.db_path}-{kind}")
            assert same_as_search(memory, "nectarine")["hits"] == []


@pytest.mark.skipif(os.name != "posix", reason="a file that is open cannot be removed")
def test_a_log_that_is_removed_while_threads_read_it_is_left_with_the_last_of_them(
    root: Path,
) -> None:
    """SQLite has all connections of a process read one log, whichever file that is by then."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        readers = memory._serving._readers
        reading = readers.lend()
        for kind in ("wal", "shm"):
            os.unlink(f"{memory.db_path}-{kind}")
        (root / "new.md").write_text("# New\n\nA nectarine.\n")
        elsewhere(LEAVING_ITS_LOG.format(database=memory.db_path, root=str(root)))
        end = threading.Timer(0.05, reading.__exit__, (None, None, None))
        end.start()
        assert memory.search("nectarine").hits
        end.join()
        assert same_as_search(memory, "nectarine")["hits"]


def test_a_log_that_is_folded_in_is_no_reason_to_begin_anew(root: Path) -> None:
    """After a run, which ends so, only what it changed is read."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        for number in range(3):
            memory.search("queue")
            collection = memory._serving._collection
            (root / f"new {number}.md").write_text(f"# New\n\nA nectarine {number}.\n")
            elsewhere(f"rootleaf.index({str(root)!r})")
            assert len(same_as_search(memory, "nectarine")["hits"]) == number + 1
            assert memory._serving._collection is collection


@pytest.mark.parametrize(
    "statement", ["os.truncate({!r}, 8192)", "open({!r}, 'wb').write(b'garbage' * 9999)"]
)
def test_an_index_that_is_spoiled_in_place_is_an_error(root: Path, statement: str) -> None:
    """Also where the connection that is open has kept what was in it."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert same_as_search(memory, "queue")["hits"]
        elsewhere(statement.format(memory.db_path))
        assert same_as_search(memory, "queue")[0] is StoreError
        # A new file: SQLite would read what lies in place of the old one through its shared memory.
        os.replace(root.parent / "older.db", memory.db_path)
        assert same_as_search(memory, "queue")["hits"]


def test_an_index_that_is_emptied_in_place_is_an_empty_index(root: Path) -> None:
    """It says that there is none, as where the file is gone."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert memory.search("queue")
        elsewhere(f"open({memory.db_path!r}, 'wb').close()")
        answer = memory.search("queue")
        assert (answer.verdict, len(answer.notices)) == ("empty_index", 1)


def commit(db_path: str, statement: str) -> None:
    """Somebody commits what is no new state: a run that goes on, or another program."""
    connection = sqlite3.connect(db_path)
    with connection:
        connection.execute(statement)
    connection.close()


def test_how_far_a_run_has_come_is_told_as_it_is_now(root: Path) -> None:
    """A run records that without raising the generation."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        for files in (7, 0, 3):
            commit(memory.db_path, f"UPDATE roots SET files_to_go = {files}")
            assert len(same_as_search(memory, "queue")["notices"]) == (files > 0)


def test_a_row_that_is_looked_for_after_another_commit_is_asked_for_again(root: Path) -> None:
    """What was committed between the look at the database and the row is no part of an answer."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        note = next(file.document_id for file in memory.documents() if file.path.endswith("/0.md"))
        while (lent := memory._serving._readers.glance()) is None:
            memory.search("queue")
        memory._serving._readers.take_back(lent)
        (root / "0.md").write_text("# Note 0\n\nA quince.\n")
        asked = []

        def ask(rows: MomentStore) -> bool:
            asked.append(rows.moment.state)
            if len(asked) == 1:
                elsewhere(f"rootleaf.index({str(root)!r})")
            (document,) = rows.documents_by_id([note]).values()
            return "quince" in document.text

        memory._serving._moment.documents = KnownDocuments()
        assert memory._serving.read(ask)
        assert len(set(asked)) == len(asked) == 2
        assert same_as_search(memory, "quince")["hits"]


def test_metadata_that_another_program_spoils_is_refused_at_once(root: Path) -> None:
    """By a handle that vouched for it a moment ago; and it is shown as it is."""
    where = {"kind": "runbook"}
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        # A connection is kept as soon as the file was not changed just now.
        while not memory._serving._readers._free:
            assert memory.search("queue", where=where).verdict == "filter_matched_nothing"
        for text in ("7", "NULL", '\'{"kind": "runbook"}\''):
            commit(memory.db_path, f"UPDATE documents SET metadata = {text}")
            assert same_as_search(memory, "queue")["hits"]
            assert answered(lambda: memory.search("queue", where=where)) == answered(
                lambda: search("queue", db_path=memory.db_path, where=where)
            )


def test_replaced_again_and_again_it_is_never_called_gone(root: Path) -> None:
    """Threads search while files are renamed over one another; each answer is of one of them."""
    database = root / ".rootleaf/index.db"
    add(root)
    kept = [root.parent / "older.db", root.parent / "newer.db"]
    shutil.copy(database, kept[1])
    with MemoryIndex(database) as memory:
        found: list[Any] = []
        is_done = threading.Event()

        def ask() -> None:
            while not is_done.is_set():
                found.append(answered(lambda: memory.search("queue nectarine", top_k=30)))

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for turn in range(60):
            shutil.copy(kept[turn % 2], root.parent / "coming.db")
            os.replace(root.parent / "coming.db", database)
        is_done.set()
        for thread in threads:
            thread.join()
        assert {type(one) for one in found} == {dict}, [one for one in found if type(one) is tuple]
        assert {len(one["hits"]) for one in found} <= {20, 21}


@pytest.mark.skipif(os.name != "posix", reason="a file that is open cannot be renamed over")
def test_a_directory_that_may_not_be_entered_any_more_is_an_error_of_ours(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `rootleaf.search` says it; no error of the system reaches who asks."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        memory.search("queue")
        stat = os.stat

        def refused(path: Any, *args: Any, **options: Any) -> os.stat_result:
            if os.fspath(path) == memory.db_path:
                raise PermissionError(13, "Permission denied", path)
            return stat(path, *args, **options)

        monkeypatch.setattr(os, "stat", refused)
        with pytest.raises(StoreError, match="Permission denied"):
            memory.search("queue")
        monkeypatch.undo()
        assert memory.search("queue")

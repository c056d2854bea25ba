"""A handle that stays open answers as a search that opens the database anew does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import MemoryIndex, forget, index, index_file, search
from rootleaf.errors import (
    ClosedIndexError,
    InvalidInputError,
    MetadataStale,
    NotIndexedError,
    StoreError,
)
from rootleaf.store.sqlite_reading import SqliteReading

if TYPE_CHECKING:
    from pathlib import Path

    from rootleaf.types import Answer

pytestmark = pytest.mark.usefixtures("without_vectors")

NOTES = {
    "deploy.md": "---\nkind: runbook\n---\n# Deploy\n\nPush the tag, then watch the queue.\n",
    "undo.md": "---\nkind: decision\n---\n# Undo\n\nPress the red lever; the queue drains.\n",
    "wiki/queue.md": "# Queue\n\n## Limits\n\nThe queue holds forty jobs.\n\n## Owner\n\nOps.\n",
}
QUERIES = ("queue", "red lever", "forty jobs limits", "nothing of this", "", "Ops owner queue")


def plain(answer: Answer) -> dict[str, Any]:
    """All that an answer says but how long it took."""
    told = answer.to_json()
    del told["took_ms"]
    return told


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed directory of three notes."""
    directory = tmp_path.resolve() / "notes"
    for name, text in NOTES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    index(directory)
    return directory


def db(root: Path) -> Path:
    """Its database."""
    return root / ".rootleaf/index.db"


def in_another_process(statement: str) -> None:
    """Runs a statement of Python in a process of its own."""
    subprocess.run([sys.executable, "-c", f"import rootleaf; {statement}"], check=True)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"where": {"kind": ["runbook", "decision"]}},
        {"top_k": 1, "explain": True, "cite": True},
        {"budget_tokens": 30},
        {"min_score": 0.5},
        {"allowed": [2, 3]},
    ],
)
def test_it_answers_as_search_does(root: Path, options: dict[str, Any]) -> None:
    """One by one and many at once, the first time and from what it knows by then."""
    with MemoryIndex(db(root)) as memory:
        for _ in range(2):
            expected = [plain(search(query, db_path=db(root), **options)) for query in QUERIES]
            assert [plain(memory.search(query, **options)) for query in QUERIES] == expected
            many = memory.search_many(QUERIES, threads=2, **options)
            assert list(map(plain, many)) == expected


def test_a_commit_of_another_process_is_seen_by_the_next_search(root: Path) -> None:
    """A new file, a changed one, a removed one."""
    with MemoryIndex(db(root)) as memory:
        assert memory.search("nectarine").verdict == "no_match"
        (root / "new.md").write_text("# New\n\nA nectarine.\n")
        (root / "undo.md").write_text("# Undo\n\nPress the green lever.\n")
        in_another_process(f"rootleaf.index({str(root)!r})")
        assert memory.search("nectarine").hits[0].file_path == str(root / "new.md")
        assert "green" in memory.search("lever").hits[0].context
        (root / "new.md").unlink()
        in_another_process(f"rootleaf.index({str(root)!r})")
        assert memory.search("nectarine").verdict == "no_match"
        assert [plain(memory.search(query)) for query in QUERIES] == [
            plain(search(query, db_path=db(root))) for query in QUERIES
        ]


def test_only_what_changed_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One document of three; never all of them, and none where nothing changed."""
    read: list[int] = []
    changed_ids_since = SqliteReading.changed_ids_since

    def counted(self: SqliteReading, revision: int) -> Any:
        changed_ids, removed_ids = changed_ids_since(self, revision)
        read.append(len(changed_ids) + len(removed_ids))
        return changed_ids, removed_ids

    with MemoryIndex(db(root)) as memory:
        monkeypatch.setattr(SqliteReading, "changed_ids_since", counted)
        monkeypatch.setattr(SqliteReading, "documents", None)
        memory.search("queue")
        assert read == []
        (root / "undo.md").write_text("# Undo\n\nPress the green lever.\n")
        index_file(root / "undo.md", root)
        read.clear()
        memory.search("queue")
        memory.search("queue")
        assert read == [1]


def test_while_the_lock_is_held_searches_answer_from_before(root: Path) -> None:
    """Of any thread; what was written is shown in one step when it is let go."""
    with MemoryIndex(db(root)) as memory:
        before = [plain(memory.search(query)) for query in QUERIES]
        seen: list[dict[str, Any]] = []

        def ask() -> None:
            seen.extend(plain(memory.search(query)) for query in QUERIES)

        with memory.lock, memory.lock:
            (root / "undo.md").write_text("# Undo\n\nPress the queue.\n")
            (root / "deploy.md").write_text("# Deploy\n\nPush the lever.\n")
            (root / "more.md").write_text("# More\n\nAnother queue.\n")
            index(root)
            asking = threading.Thread(target=ask)
            asking.start()
            asking.join()
            ask()
        assert seen == before + before
        assert [plain(memory.search(query)) for query in QUERIES] == [
            plain(search(query, db_path=db(root))) for query in QUERIES
        ]


def test_refreshing_waits_for_the_lock_and_searching_does_not(root: Path) -> None:
    """`refresh` in one thread ends only when the other has let go."""
    with MemoryIndex(db(root)) as memory:
        refreshed = threading.Event()

        def refresh() -> None:
            memory.refresh()
            refreshed.set()

        with memory.lock:
            thread = threading.Thread(target=refresh)
            thread.start()
            memory.search("queue")
            assert not refreshed.is_set()
        thread.join()
        assert refreshed.is_set()


def test_a_deleted_database_is_empty_and_said_to_be_until_it_is_back(root: Path) -> None:
    """No error and no silence; an unchanged copy answers as before."""
    kept = shutil.copytree(root / ".rootleaf", root.parent / "kept")
    with MemoryIndex(db(root)) as memory:
        expected = plain(memory.search("queue"))
        shutil.rmtree(root / ".rootleaf")
        answer = memory.search("queue")
        assert (answer.verdict, len(answer)) == ("empty_index", 0)
        assert any(str(db(root)) in notice for notice in answer.notices)
        assert memory.documents() == []
        assert not (root / ".rootleaf").exists()
        shutil.copytree(kept, root / ".rootleaf")
        assert plain(memory.search("queue")) == expected


def test_another_database_in_its_place_is_read(root: Path, tmp_path: Path) -> None:
    """By rename; also where its counter stands at the same number."""
    other = tmp_path / "other"
    other.mkdir()
    for name in NOTES:
        (other / name).parent.mkdir(exist_ok=True)
        (other / name).write_text("# Other\n\nA nectarine in the queue.\n")
    index(other, tmp_path / "other.db")
    with MemoryIndex(db(root)) as memory:
        memory.search("queue")
        os.replace(tmp_path / "other.db", db(root))
        assert {hit.file_path for hit in memory.search("nectarine")} == {
            str(other / name) for name in NOTES
        }


def test_a_damaged_database_is_an_error_until_it_is_mended(root: Path, tmp_path: Path) -> None:
    """Each search says so; none answers from what it kept."""
    shutil.copy(db(root), tmp_path / "kept.db")
    with MemoryIndex(db(root)) as memory:
        expected = plain(memory.search("queue"))
        (tmp_path / "garbage").write_bytes(b"no database at all" * 1000)
        os.replace(tmp_path / "garbage", db(root))
        for _ in range(2):
            with pytest.raises(StoreError):
                memory.search("queue")
        os.replace(tmp_path / "kept.db", db(root))
        assert plain(memory.search("queue")) == expected


def test_after_close_every_call_raises(root: Path) -> None:
    """The documented error; a second `close` does nothing."""
    memory = MemoryIndex(db(root))
    memory.close()
    memory.close()
    calls = (
        lambda: memory.search("queue"),
        lambda: memory.search_many(["queue"]),
        memory.documents,
        memory.refresh,
        memory.status,
        memory.lock.__enter__,
    )
    for call in calls:
        with pytest.raises(ClosedIndexError) as raised:
            call()
        assert raised.value.code == "index.closed"


def test_wrong_arguments_are_refused_by_name(root: Path) -> None:
    """A query that is none, queries that are one string, a database that is not there."""
    with MemoryIndex(db(root)) as memory:
        with pytest.raises(InvalidInputError, match="query"):
            memory.search(7)  # type: ignore[arg-type]
        with pytest.raises(InvalidInputError, match="queries"):
            memory.search_many("queue")
        with pytest.raises(InvalidInputError, match="threads"):
            memory.search_many(["queue"], threads=0)
        assert memory.search_many([]) == []
    with pytest.raises(NotIndexedError):
        MemoryIndex(root / "none.db")


def test_documents_tells_ids_paths_and_metadata(root: Path) -> None:
    """By path; an id is never that of another document."""
    with MemoryIndex(db(root)) as memory:
        found = memory.documents()
        assert [one.path for one in found] == [str(root / name) for name in sorted(NOTES)]
        assert found[0].metadata == {"kind": "runbook"}
        assert found[0].document_id == memory.search("tag").hits[0].document_id
        forget(root / "deploy.md", db(root))
        index(root)
        again = {one.path: one.document_id for one in memory.documents()}
        assert again[found[0].path] not in {one.document_id for one in found}


def test_it_creates_and_changes_nothing(root: Path) -> None:
    """Searching, asking for documents and status, closing."""

    def listing() -> dict[str, int]:
        return {
            entry.name: entry.stat().st_mtime_ns
            for entry in os.scandir(root / ".rootleaf")
            if not entry.name.endswith(("-wal", "-shm"))
        }

    before = listing()
    with MemoryIndex(db(root)) as memory:
        memory.search("queue")
        memory.documents()
        assert memory.status().files == len(NOTES)
        memory.refresh()
    assert listing() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_of_a_fork_searches_too(root: Path) -> None:
    """And so does the parent afterwards."""
    with MemoryIndex(db(root)) as memory:
        expected = plain(memory.search("queue"))
        child = os.fork()
        if child == 0:
            os._exit(0 if plain(memory.search("queue")) == expected else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert plain(memory.search("queue")) == expected


def test_an_edit_of_the_rules_is_seen_by_the_next_filtered_search(root: Path) -> None:
    """Though nothing is read again while the file is the same; also one in the same moment."""
    rules = root / ".rootleaf-metadata.json"
    template = '{"rules": [{"glob": "**", "metadata": {"team": "TEAM"}}]}'
    with MemoryIndex(db(root)) as memory:
        assert memory.search("queue", where={"kind": "runbook"})
        for team in ("a", "b", "c"):
            rules.write_text(template.replace("TEAM", team))
            with pytest.raises(MetadataStale):
                memory.search("queue", where={"kind": "runbook"})
            index(root)
            for _ in range(3):
                assert memory.search("queue", where={"team": team})
        rules.unlink()
        with pytest.raises(MetadataStale):
            memory.search("queue", where={"kind": "runbook"})

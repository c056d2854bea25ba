"""What is written is what is read; the generation counts changes of content and nothing else."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from typing import TYPE_CHECKING

import pytest
from rootleaf.errors import StoreError
from rootleaf.store import sqlite_generations, sqlite_opening
from rootleaf.store.records import DocumentVersion
from rootleaf.store.sqlite import SqliteStore, open_for_reading, open_for_writing
from rootleaf.types import IgnoredBy, Problem, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def version(
    path: str = "a.md", keys: str = "ab", text: str = "# A\n", **metadata: str | list[str]
) -> DocumentVersion:
    """A version whose chunksets have the keys named by the letters of `keys`."""
    return DocumentVersion(
        path=path,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text=text,
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata=metadata,
        chunk_count=len(keys) + 1,
        chunkset_keys=b"".join(letter.encode() * 16 for letter in keys),
    )


@pytest.fixture
def db_path(tmp_path: Path) -> str:
    """A path in an empty directory where a database may be made."""
    return str(tmp_path / "notes.db")


@pytest.fixture
def store(db_path: str) -> Iterator[SqliteStore]:
    """An open store that holds one root, `/r`."""
    with open_for_writing(db_path) as opened:
        with opened.writing() as write:
            write.add_root("/r", "all markdown", "chunker 1")
        yield opened


def test_a_document_comes_back_as_it_was_written(store: SqliteStore) -> None:
    """Path, text, metadata and front-matter state are read as they were put."""
    with store.writing() as write:
        identity = write.put_document(
            1, version("sub/ä.md", text="# Ä\n\n\U0001f468 x\n", kind="note", tags=["a", "b"])
        )
    (document,) = store.documents()
    assert document.document_id == identity
    assert (document.root, document.path) == ("/r", "/r/sub/ä.md")
    assert document.text == "# Ä\n\n\U0001f468 x\n"
    assert document.metadata == {"kind": "note", "tags": ["a", "b"]}
    assert document.front_matter == "absent"
    counts = store.counts()
    assert (counts.files, counts.chunks, counts.chunksets) == (1, 3, 2)
    assert counts.text_bytes == len(document.text.encode())
    assert store.text(identity) == document.text
    assert store.text(identity + 1) is None


def test_documents_are_ordered_by_path_across_roots(store: SqliteStore) -> None:
    """The order is that of the absolute paths, also where one root's name begins with another's."""
    with store.writing() as write:
        for root in ("/r-b", "/r.a"):
            root_id = write.add_root(root, "all markdown", "chunker 1")
            write.put_document(root_id, version("z.md"))
            write.put_document(root_id, version("B/a.md"))
        write.put_document(1, version("k.md"))
    paths = [document.path for document in store.documents()]
    assert len(paths) == 5
    assert paths == sorted(paths)


def test_generation_rises_once_in_each_transaction_that_changes_content(store: SqliteStore) -> None:
    """Two documents in one transaction raise it by one.

    Signatures and the state of a run do not.
    """
    assert store.generation() == 0
    with store.writing() as write:
        first = write.put_document(1, version("a.md"))
        write.put_document(1, version("b.md"))
    assert store.generation() == 1
    with store.writing() as write:
        write.touch(first, "9:9:9:9")
        write.set_run(1, files_to_go=3, skipped=(Skipped(path="/r/x", reason="why"),))
    assert store.generation() == 1
    assert store.marks(1)["a.md"].stat_signature == "9:9:9:9"
    with store.writing() as write:
        write.set_metadata(first, "rules", {"kind": "event"})
    assert store.generation() == 2
    with store.writing() as write:
        write.remove(first)
    assert store.generation() == 3


def test_an_error_in_a_transaction_undoes_all_of_it(store: SqliteStore) -> None:
    """A document put before the error is not there, and the generation is as before."""

    def fail() -> None:
        with store.writing() as write:
            write.put_document(1, version())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert store.generation() == 0
    assert not list(store.documents())
    with store.writing() as write:
        write.put_document(1, version())
    assert len(list(store.documents())) == 1


def test_document_ids_are_never_used_again(store: SqliteStore) -> None:
    """Removing the newest document does not free its id; a version of a known path keeps its id."""
    with store.writing() as write:
        first = write.put_document(1, version("a.md"))
        write.remove(first)
        second = write.put_document(1, version("a.md"))
        assert write.put_document(1, version("a.md", text="other")) == second
    assert second > first
    assert store.counts().files == 1
    with sqlite3.connect(store.db_path) as beside:
        assert beside.execute("SELECT document_id, revision FROM tombstones").fetchall() == [
            (first, 1)
        ]
    beside.close()


def test_chunksets_that_stay_keep_the_date_they_were_first_seen(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dates follow keys through insertion, removal and re-ordering; equal keys keep their order."""
    clock = 1_000_000_000.0
    monkeypatch.setattr(time, "time", lambda: clock)
    with store.writing() as write:
        identity = write.put_document(1, version(keys="abca"))
    clock += 60
    with store.writing() as write:
        write.put_document(1, version(keys="xcaaa"))
    earlier, later = "2001-09-09T01:46:40Z", "2001-09-09T01:47:40Z"
    assert store.first_seen(identity) == [later, earlier, earlier, earlier, later]
    clock += 60
    with store.writing() as write:
        write.put_document(1, version(keys="c"))
    assert store.first_seen(identity) == [earlier]


def test_chunksets_made_anew_from_the_same_text_are_not_dated_today(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another chunker gives other keys; what it cuts was seen when the text was."""
    monkeypatch.setattr(time, "time", lambda: 1_000_000_000.0)
    with store.writing() as write:
        identity = write.put_document(1, version(keys="ab"))
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    with store.writing() as write:
        write.set_chunksets(identity, 9, b"x" * 48)
    assert store.first_seen(identity) == ["2001-09-09T01:46:40Z"] * 3
    assert store.counts().chunks == 9


def test_an_appended_entry_writes_one_row(store: SqliteStore) -> None:
    """A log of many entries that grows by one writes one chunkset."""
    with store.writing() as write:
        write.put_document(1, version(keys="abcdefgh" * 100))
    changes = store._connection.total_changes
    with store.writing() as write:
        write.put_document(1, version(keys="abcdefgh" * 100 + "i"))
    # The document, its text, the chunkset, the generation and its id.
    assert store._connection.total_changes - changes == 5


def test_the_state_of_a_run_comes_back(store: SqliteStore) -> None:
    """Selection, skipped files, ignore counts and files to go are kept for each root."""
    skipped = (Skipped(path="/r/x.md", reason="it cannot be read"),)
    ignored = (IgnoredBy(rule=".gitignore: build/", files=3, directories=1),)
    with store.writing() as write:
        other = write.add_root("/s", "agent files", "chunker 1")
        write.set_run(
            1, selection="glob: a/*.md", skipped=skipped, ignored=ignored, files_to_go=7,
            chunker="chunker 2",
        )  # fmt: skip
        assert write.add_root("/r", "ignored, it is recorded", "") == 1
    first, second = store.roots()
    assert (first.path, first.selection, first.files_to_go) == ("/r", "glob: a/*.md", 7)
    assert (first.skipped, first.ignored, first.chunker) == (skipped, ignored, "chunker 2")
    assert (second.root_id, second.skipped, second.files_to_go) == (other, (), 0)


def test_unparsed_front_matter_is_named_by_file_and_line(store: SqliteStore) -> None:
    """What `status` says of it: path, line and reason."""
    unparsed = version("b.md")
    unparsed.__dict__.update(
        front_matter="unparsed", front_matter_problem=Problem(line=3, reason="a block scalar")
    )
    with store.writing() as write:
        write.put_document(1, version("a.md"))
        write.put_document(1, unparsed)
    assert store.unparsed_front_matter() == [
        Skipped(path="/r/b.md", reason="line 3: a block scalar")
    ]


def test_a_reader_sees_one_moment_and_does_not_wait(store: SqliteStore) -> None:
    """An open reader keeps its generation and its documents while a writer commits."""
    with store.writing() as write:
        write.put_document(1, version("a.md"))
    with open_for_reading(store.db_path) as reader:
        assert reader.generation() == 1
        with store.writing() as write:
            write.put_document(1, version("b.md"))
            assert len(list(reader.documents())) == 1
        assert len(list(reader.documents())) == 1
        assert reader.generation() == 1
    with open_for_reading(store.db_path) as reader:
        assert reader.generation() == 2


def test_a_writer_waits_for_another_writer(store: SqliteStore) -> None:
    """Two writers at once both succeed; neither sees a lock."""
    begun = threading.Event()

    def write_slowly() -> None:
        with open_for_writing(store.db_path) as other, other.writing() as write:
            begun.set()
            time.sleep(0.2)
            write.put_document(1, version("slow.md"))

    thread = threading.Thread(target=write_slowly)
    thread.start()
    begun.wait()
    with store.writing() as write:
        write.put_document(1, version("quick.md"))
    thread.join()
    assert [document.path for document in store.documents()] == ["/r/quick.md", "/r/slow.md"]
    assert store.generation() == 2


def test_waiting_for_a_writer_has_a_bound(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that never ends gives an error of ours with a code, not one of SQLite's."""
    monkeypatch.setattr(sqlite_opening, "BUSY_SECONDS", 0.05)
    with open_for_writing(store.db_path) as other, store.writing() as write:
        write.put_document(1, version())
        with pytest.raises(StoreError) as caught, other.writing():
            pass
    assert caught.value.code == "store.busy"


def test_closing_leaves_one_file(db_path: str) -> None:
    """The log is folded in when the last connection closes."""
    with open_for_writing(db_path) as store, store.writing() as write:
        write.put_document(write.add_root("/r", "all markdown", ""), version())
    assert os.listdir(os.path.dirname(db_path)) == ["notes.db"]


def test_a_full_disk_leaves_the_last_state_and_is_named(store: SqliteStore) -> None:
    """The error names the directory; what was committed before can be read, and writing goes on."""
    with store.writing() as write:
        write.put_document(1, version("a.md"))
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError) as caught, store.writing() as write:
        write.put_document(1, version("b.md", text="word " * 50_000))
    assert caught.value.code == "store.full"
    assert os.path.dirname(store.db_path) in caught.value.message
    assert [document.path for document in store.documents()] == ["/r/a.md"]
    store._connection.execute("PRAGMA max_page_count = 100000")
    with store.writing() as write:
        write.put_document(1, version("b.md", text="word " * 50_000))
    assert (store.counts().files, store.generation()) == (2, 2)


def test_chunksets_of_a_document_that_was_removed_meanwhile_are_not_written(
    store: SqliteStore,
) -> None:
    """A run that planned to cut it anew leaves no orphans."""
    with store.writing() as write:
        identity = write.put_document(1, version("a.md"))
        write.remove(identity)
        write.set_chunksets(identity, 1, b"x" * 16)
    assert store.counts().chunksets == 0


def test_documents_are_read_by_their_ids(store: SqliteStore) -> None:
    """Those that there are, by id, as `documents` gives them."""
    with store.writing() as write:
        first = write.put_document(1, version("a.md", text="# A\n", kind="note"))
        second = write.put_document(1, version("b.md", text="# B\n"))
    everything = {document.document_id: document for document in store.documents()}
    assert store.documents_by_id([second, 99, first]) == everything
    assert store.documents_by_id([second]) == {second: everything[second]}
    assert store.documents_by_id([]) == {}


def test_changes_since_a_revision_are_what_a_reader_of_it_lacks(store: SqliteStore) -> None:
    """New and changed documents as they are now, and the ids of those that are gone."""
    with store.writing() as write:
        first = write.put_document(1, version("a.md"))
        second = write.put_document(1, version("b.md"))
        third = write.put_document(1, version("c.md"))
    known = store.generation()
    assert len(store.changes_since(known)) == sum(map(len, store.changed_ids_since(known))) == 0
    with store.writing() as write:
        write.touch(first, "9:9:9:9")
    assert sum(map(len, store.changed_ids_since(known))) == 0
    with store.writing() as write:
        write.set_metadata(first, "rules", {"kind": "x"})
        write.remove(second)
    with store.writing() as write:
        fourth = write.put_document(1, version("d.md", text="# D\n"))
        write.remove(fourth)
        write.set_chunksets(third, 3, b"z" * 16)
    changes = store.changes_since(known)
    assert {document.document_id for document in changes.documents} == {first, third}
    assert sorted(changes.removed_ids) == [second, fourth]
    assert sum(map(len, store.changed_ids_since(known))) == len(changes) == 4
    assert sum(map(len, store.changed_ids_since(store.generation()))) == 0
    assert len(store.changes_since(0).documents) == 2


def test_every_state_has_an_id_of_its_own(store: SqliteStore, tmp_path: Path) -> None:
    """Drawn at random, so that equal numbers of two databases are told apart; unknown is None."""
    ids = {store.state_id(store.generation())}
    for number in range(3):
        with store.writing() as write:
            write.put_document(1, version(text=f"# {number}\n"))
        ids.add(store.state_id(store.generation()))
    with open_for_writing(str(tmp_path / "other.db")) as other:
        ids.add(other.state_id(0))
    assert len(ids) == 5
    assert None not in ids
    assert store.state_id(store.generation() + 1) is None


def test_ids_of_states_long_ago_are_forgotten(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table does not grow with every write for ever."""
    monkeypatch.setattr(sqlite_generations, "STATES_KEPT", 2)
    for number in range(5):
        with store.writing() as write:
            write.put_document(1, version(text=f"# {number}\n"))
    known = [generation for generation in range(6) if store.state_id(generation) is not None]
    assert known == [4, 5]


def test_the_analyzer_is_recorded_without_a_new_generation(store: SqliteStore) -> None:
    """It is no content: what it made of the text is not in the database."""
    assert store.analyzer() == ""
    before = store.generation()
    with store.writing() as write:
        write.set_analyzer("words 7")
    assert (store.analyzer(), store.generation()) == ("words 7", before)

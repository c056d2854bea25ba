"""Opening refuses what is not ours and leaves it alone, and reads where it may not write."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import rootleaf
from rootleaf.errors import NotIndexedError, StoreError
from rootleaf.store.migrations import MIGRATIONS
from rootleaf.store.paths import default_db_path, find_db_path
from rootleaf.store.records import DocumentVersion
from rootleaf.store.schema import APPLICATION_ID, SCHEMA_VERSION
from rootleaf.store.sqlite import open_for_reading, open_for_writing

OPENERS = pytest.mark.parametrize("opener", [open_for_reading, open_for_writing])


@pytest.fixture
def db_path(tmp_path: Path) -> str:
    """A path in an empty directory where a database may be made."""
    return str(tmp_path / "notes.db")


def a_version(path: str) -> DocumentVersion:
    """Something to store; what it says is of no matter here."""
    return DocumentVersion(
        path=path,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text="word " * 100,
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata={},
        chunk_count=3,
        chunkset_keys=b"k" * 32,
    )


def fill(db_path: str, documents: int = 1) -> None:
    """Makes a database with a root and some documents."""
    with open_for_writing(db_path) as store, store.writing() as write:
        root_id = write.add_root("/r", "all markdown", "")
        for number in range(documents):
            write.put_document(root_id, a_version(f"{number:04}.md"))


def test_reading_an_absent_database_says_how_to_make_one(tmp_path: Path) -> None:
    """The error names the path and the command; nothing is created."""
    for db_path, command in (
        (default_db_path(str(tmp_path)), f"rootleaf index {tmp_path}"),
        (str(tmp_path / "x.db"), f"rootleaf index ROOT --db {tmp_path / 'x.db'}"),
    ):
        with pytest.raises(NotIndexedError) as caught:
            open_for_reading(db_path)
        assert db_path in caught.value.message
        assert caught.value.hint == command
    assert not os.listdir(tmp_path)


def test_an_empty_file_is_not_an_index_and_may_become_one(db_path: str) -> None:
    """A run that was killed before its first write leaves such a file."""
    open(db_path, "w").close()
    with pytest.raises(NotIndexedError):
        open_for_reading(db_path)
    connection = sqlite3.connect(db_path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    with pytest.raises(NotIndexedError):
        open_for_reading(db_path)
    fill(db_path)
    with open_for_reading(db_path) as store:
        assert store.counts().files == 1


def test_writing_does_not_invent_directories(tmp_path: Path) -> None:
    """Only `.rootleaf/` is made; another directory has to exist, and the hint makes it."""
    with pytest.raises(StoreError) as caught:
        open_for_writing(str(tmp_path / "absent" / "x.db"))
    assert caught.value.hint == f"mkdir -p {tmp_path / 'absent'}"
    assert not os.listdir(tmp_path)


def test_the_default_directory_keeps_itself_out_of_git(tmp_path: Path) -> None:
    """`.rootleaf/.gitignore` holds one star, and one that is there already is left alone."""
    fill(default_db_path(str(tmp_path)))
    ignore = tmp_path / ".rootleaf" / ".gitignore"
    assert ignore.read_text() == "*\n"
    ignore.write_text("own\n")
    (tmp_path / ".rootleaf" / "index.db").unlink()
    fill(default_db_path(str(tmp_path)))
    assert ignore.read_text() == "own\n"


def test_the_nearest_database_upward_is_found(tmp_path: Path) -> None:
    """From a directory, from one below it, and not from one beside it."""
    below = tmp_path / "root" / "a" / "b"
    below.mkdir(parents=True)
    assert find_db_path(str(below)) is None
    fill(default_db_path(str(tmp_path / "root")))
    expected = default_db_path(os.path.realpath(tmp_path / "root"))
    assert find_db_path(str(below)) == expected
    assert find_db_path(str(tmp_path / "root")) == expected
    assert find_db_path(str(tmp_path)) is None


@OPENERS
def test_a_newer_schema_is_refused_and_left_alone(db_path: str, opener: type) -> None:
    """The error says so, with its own code; no byte of the file changes."""
    fill(db_path)
    connection = sqlite3.connect(db_path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    assert_refused(db_path, opener, "store.newer", "newer Rootleaf")


@OPENERS
@pytest.mark.parametrize("application", [0, 0x12345678])
def test_a_database_of_another_program_is_refused_and_left_alone(
    db_path: str, opener: type, application: int
) -> None:
    """Whether it names its application or only holds tables.

    Also in WAL mode with a log beside it.
    """
    connection = sqlite3.connect(db_path, isolation_level=None)
    connection.execute(f"PRAGMA application_id = {application}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE theirs (x)")
    assert_refused(db_path, opener, "store.foreign", "not an index of Rootleaf")
    connection.close()
    assert_refused(db_path, opener, "store.foreign", "not an index of Rootleaf")


@OPENERS
def test_a_file_that_is_no_database_is_refused_and_left_alone(db_path: str, opener: type) -> None:
    """Somebody's notes given as `--db` by mistake stay as they are."""
    with open(db_path, "w") as file:
        file.write("# Notes\n\nnot a database\n" * 100)
    assert_refused(db_path, opener, "store.foreign", "not an index of Rootleaf")


@OPENERS
def test_a_directory_is_refused(tmp_path: Path, opener: type) -> None:
    """`--db DIRECTORY` is told apart from a damaged file."""
    with pytest.raises(StoreError, match="is a directory"):
        opener(str(tmp_path))


def test_the_directory_that_was_indexed_is_answered_with_its_index(tmp_path: Path) -> None:
    """Who names a root where its database is wanted is told where that lies."""
    (tmp_path / "a.md").write_text("# A\n\nriver\n")
    rootleaf.index(tmp_path, embedder="none")
    with pytest.raises(StoreError) as raised:
        open_for_reading(str(tmp_path))
    assert raised.value.hint is not None
    assert raised.value.hint.endswith(str(tmp_path / ".rootleaf" / "index.db"))


def assert_refused(db_path: str, opener: type, code: str, words: str) -> None:
    """Opening raises the error with code and words, and the file stays as it is."""
    with open(db_path, "rb") as file:
        before = file.read()
    with pytest.raises(StoreError) as caught:
        opener(db_path)
    assert caught.value.code == code
    assert words in caught.value.message
    assert db_path in caught.value.message
    with open(db_path, "rb") as file:
        assert file.read() == before


@pytest.mark.parametrize("damage", ["cut in half", "cut in the header", "bytes flipped", "garbage"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damage: str) -> None:
    """No error of SQLite escapes, whichever part of the file is read first."""
    db_path = default_db_path(str(tmp_path))
    fill(db_path, documents=300)
    with open(db_path, "rb") as file:
        whole = bytearray(file.read())
    if damage == "cut in half":
        whole = whole[: len(whole) // 2]
    elif damage == "cut in the header":
        whole = whole[:50]
    elif damage == "bytes flipped":
        for start in range(4096, len(whole), 4096):
            whole[start : start + 200] = bytes(byte ^ 0xFF for byte in whole[start : start + 200])
    else:
        whole = bytearray(b"garbage" * 2000)
    with open(db_path, "wb") as damaged_file:
        damaged_file.write(whole)

    def read_everything() -> None:
        with open_for_reading(db_path) as store:
            store.roots()
            store.counts()
            for document in store.documents():
                store.first_seen(document.document_id)

    with pytest.raises(StoreError) as caught:
        read_everything()
    assert db_path in caught.value.message
    assert caught.value.hint is not None
    assert caught.value.hint == f"rootleaf doctor --repair --db {db_path}"
    assert caught.value.code == "store.damaged"


def test_opening_for_reading_creates_nothing_else(db_path: str) -> None:
    """At most SQLite's own `-wal` and `-shm` lie beside the database afterwards.

    Its bytes are as before.
    """
    fill(db_path)
    with open(db_path, "rb") as file:
        before = file.read()
    with open_for_reading(db_path) as store:
        list(store.documents())
        with pytest.raises(StoreError), store.writing() as write:
            write.add_root("/s", "all markdown", "")
    with open(db_path, "rb") as file:
        assert file.read() == before
    assert set(os.listdir(os.path.dirname(db_path))) <= {"notes.db", "notes.db-wal", "notes.db-shm"}


READ_WITHOUT_RIGHTS = """
import os, sys
from rootleaf.store.sqlite import open_for_reading
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
with open_for_reading(sys.argv[1]) as store:
    found = len(list(store.documents()))
    print(found, store.is_immutable, *sorted(os.listdir(os.path.dirname(sys.argv[1]))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="directories have no such permission there")
def test_a_directory_that_is_not_writable_can_be_searched() -> None:
    """The file is read as immutable, which the store says, and nothing is made beside it."""
    # Not in pytest's own folder, which every other run of pytest closes to other users.
    with tempfile.TemporaryDirectory() as directory:
        shelf = Path(directory, "shelf")
        shelf.mkdir()
        fill(str(shelf / "notes.db"), documents=3)
        Path(directory).chmod(0o755)
        shelf.chmod(0o555)
        try:
            result = subprocess.run(
                [sys.executable, "-c", READ_WITHOUT_RIGHTS, str(shelf / "notes.db")],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        finally:
            shelf.chmod(0o755)
    assert result.stdout == "3 True notes.db\n", result.stderr


def test_an_older_schema_is_brought_up_to_date_by_writing_and_not_by_reading(
    db_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step is applied once; a reader asks for the run that applies it."""
    fill(db_path)
    monkeypatch.setattr("rootleaf.store.sqlite_opening.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    step = ("ALTER TABLE roots ADD COLUMN colour TEXT",)
    monkeypatch.setattr("rootleaf.store.migrations.MIGRATIONS", (*MIGRATIONS, step))
    with pytest.raises(StoreError, match="older schema"):
        open_for_reading(db_path)
    for _ in range(2):
        with open_for_writing(db_path) as store:
            assert store.schema_version() == SCHEMA_VERSION + 1
            assert store.counts().files == 1
    with open_for_reading(db_path) as store:
        assert store.schema_version() == SCHEMA_VERSION + 1


def test_the_file_says_whose_it_is(db_path: str) -> None:
    """Application id and schema version stand in the header, where `file` and others look."""
    fill(db_path)
    with open(db_path, "rb") as file:
        header = file.read(100)
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    assert int.from_bytes(header[60:64], "big") == SCHEMA_VERSION


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
@pytest.mark.timeout(20)
@OPENERS
def test_what_is_no_regular_file_is_refused_and_not_waited_for(db_path: str, opener: type) -> None:
    """A pipe has no end to wait for, and a device must not be written to or moved away."""
    os.mkfifo(db_path)
    for path in (db_path, os.devnull):
        with pytest.raises(StoreError, match="no regular file") as caught:
            opener(path)
        assert caught.value.code == "store.foreign"
        assert "mv" not in (caught.value.hint or "")


def test_a_link_to_nothing_is_named_as_such(tmp_path: Path) -> None:
    """Writing through it would put the database where nobody looks for it."""
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "none" / "notes.db")
    with pytest.raises(StoreError, match="link to nothing"):
        open_for_writing(str(link))


def test_a_directory_that_may_not_be_looked_into_is_not_taken_for_one_without_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its database is named, so that opening it says what is in the way; an outer one wins."""
    closed = tmp_path / "outer" / "closed"
    closed.mkdir(parents=True)
    look = os.stat

    def stat(path: str, **how: object) -> os.stat_result:
        if str(path).startswith(f"{closed}{os.sep}"):
            raise PermissionError(13, "Permission denied", path)
        return look(path, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", stat)
    assert find_db_path(str(closed)) == default_db_path(str(closed))
    outer = default_db_path(str(tmp_path / "outer"))
    os.mkdir(os.path.dirname(outer))
    fill(outer)
    assert find_db_path(str(closed)) == outer


@OPENERS
def test_a_full_disk_is_not_taken_for_damage(
    db_path: str, opener: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told to move a good index away; what is in it can be read, where no log lies by."""
    fill(db_path, documents=2)
    connect = sqlite3.connect

    def refuse(location: str, *given: object, **how: object) -> sqlite3.Connection:
        if "immutable" not in location:
            message = "disk I/O error"
            raise sqlite3.OperationalError(message)
        return connect(location, *given, **how)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", refuse)
    if opener is open_for_reading:
        with open_for_reading(db_path) as store:
            assert store.is_immutable
            assert len(list(store.documents())) == 2
        with open(f"{db_path}-wal", "wb") as log:
            log.write(b"x")
    with pytest.raises(StoreError, match="full") as caught:
        opener(db_path)
    assert "mv" not in (caught.value.hint or "")
    assert "damaged" not in caught.value.message

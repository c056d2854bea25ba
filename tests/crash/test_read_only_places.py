"""Where a user may not write, an index is searched, and a run leaves all as it was."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, search

if TYPE_CHECKING:
    from collections.abc import Iterator

# All is run once before the rights are dropped: a user without any may not be able to read the
# interpreter's own modules, which are loaded when they are wanted.
PROGRAM = """
import contextlib, io, json, os, sys, tempfile
from rootleaf.surfaces.cli import main

def run(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main.main(arguments)
    return code, out.getvalue(), err.getvalue()

with tempfile.TemporaryDirectory() as place:
    with open(os.path.join(place, "a.md"), "w") as file:
        file.write("# A")
    for command in ("index", "status"):
        run([command, place])
    run(["search", "a", "--path", place])
    run(["search", "a", "--db", os.path.join(place, "none")])
import fcntl, shlex
import rootleaf.store.creating, rootleaf.store.sqlite_log
os.chdir("/")
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps([run(arguments) for arguments in json.loads(sys.argv[1])]))
"""

pytestmark = [
    pytest.mark.usefixtures("without_vectors"),
    pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there"),
]


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A directory that every user may enter, with a note and its index."""
    directory = Path(tempfile.mkdtemp())
    directory.chmod(0o755)
    shelf = directory / "shelf"
    shelf.mkdir()
    (shelf / "a.md").write_text("# A\n\napple\n")
    index(shelf)
    yield shelf
    for path in (shelf, shelf / ".rootleaf"):
        if path.exists():
            path.chmod(0o755)
    shutil.rmtree(directory)


def as_nobody(*commands: list[str]) -> list[tuple[int, str, str]]:
    """Exit code, output and messages of commands that a user without rights runs."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [(code, out, err) for code, out, err in json.loads(done.stdout)]


def listing(directory: Path) -> dict[str, tuple[bytes, int]]:
    """Content and inode of every file."""
    return {
        str(path): (path.read_bytes(), path.stat().st_ino)
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("what", ["directory", "file"])
def test_a_read_only_index_is_searched_and_not_changed(shelf: Path, what: str) -> None:
    """A run says in one sentence what is in the way, and how to keep an index elsewhere."""
    own = shelf / ".rootleaf"
    (shelf / "b.md").write_text("# B\n\nbanana\n")
    if what == "directory":
        own.chmod(0o555)
    else:
        own.chmod(0o777)
        (own / "index.db").chmod(0o444)
    before = listing(shelf)
    found, told, failed = as_nobody(
        ["search", "apple", "--path", str(shelf)], ["status", str(shelf)], ["index", str(shelf)]
    )
    assert (found[0], "apple" in found[1]) == (0, True)
    assert told[0] == 0
    assert failed[0] == 1
    message, hint = failed[2].splitlines()
    place = own if what == "directory" else own / "index.db"
    assert f"the {what} {place} is read-only for you" in message
    assert f"rootleaf index {shelf} --db FILE" in hint
    assert listing(shelf) == before
    assert "it was read without locks" in found[2]
    aside = shelf.parent / "aside"
    aside.mkdir()
    aside.chmod(0o777)
    done, again = as_nobody(
        ["index", str(shelf), "--db", str(aside / "x.db")],
        ["search", "banana", "--db", str(aside / "x.db")],
    )
    assert (done[0], again[0], "banana" in again[1]) == (0, 0, True)


def test_where_no_index_can_be_made_none_is_begun(shelf: Path) -> None:
    """A root that may not be written: the message names `--db`, and nothing is left."""
    shutil.rmtree(shelf / ".rootleaf")
    shelf.chmod(0o555)
    (failed,) = as_nobody(["index", str(shelf)])
    assert failed[0] == 1
    assert f"rootleaf index {shelf} --db FILE" in failed[2]
    assert os.listdir(shelf) == ["a.md"]


def test_a_log_that_cannot_be_read_is_named_with_who_can_mend_it(shelf: Path) -> None:
    """A killed run left a log, and who asks may not make the memory that reading it shares."""
    own = shelf / ".rootleaf"
    shutil.copyfile(own / "index.db", own / "index.db-wal")
    own.chmod(0o555)
    (found,) = as_nobody(["search", "apple", "--path", str(shelf)])
    assert found[0] == 1
    assert "a run that did not end" in found[2]
    assert f"rootleaf index {shelf}" in found[2]


HALF_A_TRANSACTION = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = TRUNCATE")
connection.execute("PRAGMA cache_size = 4")
connection.execute("BEGIN")
connection.execute("UPDATE texts SET text = 'torn ' || text")
for number in range(100):
    connection.execute("INSERT INTO texts VALUES (?, ?)", (1000 + number, "torn " * 2000))
os._exit(0)
"""


def test_a_file_that_is_half_written_is_not_taken_for_whole(shelf: Path) -> None:
    """A writer with a rollback journal was killed: who may not undo that gets no answer from it."""
    db_path = shelf / ".rootleaf" / "index.db"
    subprocess.run([sys.executable, "-c", HALF_A_TRANSACTION, str(db_path)], check=True)
    assert (shelf / ".rootleaf" / "index.db-journal").stat().st_size > 0
    (shelf / ".rootleaf").chmod(0o555)
    (found,) = as_nobody(["search", "torn", "--path", str(shelf)])
    assert found[0] == 1
    assert "a run that did not end" in found[2]
    (shelf / ".rootleaf").chmod(0o755)
    assert search("torn", path=shelf).verdict == "no_match"
    assert search("apple", path=shelf).verdict == "answered"

"""On a file system without shared memory an index works with a rollback journal, as safely."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crashing_runs import environment
from rootleaf import index, search, status
from rootleaf.store import file_systems
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import WriteNotes

    Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.usefixtures("without_vectors")

NOTES = {f"{number:02}.md": f"# Note {number}\n\nquince {number}\n" for number in range(30)}


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that gets no shared memory; skipped without a compiler."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler (cc) to take shared memory away")
    library = tmp_path_factory.mktemp("shared") / "no_shared_memory.so"
    source = Path(__file__).with_name("no_shared_memory.c")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(library), str(source)],
        check=True,
    )
    return environment(LD_PRELOAD=str(library))


@pytest.fixture
def run(preload: dict[str, str]) -> Run:
    """Runs `rootleaf` without shared memory."""

    def run_it(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rootleaf", *arguments],
            env=preload, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    return run_it


def test_an_index_is_made_and_searched_and_says_what_journal_it_has(
    run: Run, notes: WriteNotes
) -> None:
    """The first run says so; nothing but the index is left; the next runs write nothing."""
    root = notes(dict(NOTES))
    made = run("index", str(root))
    assert made.returncode == 0, made.stderr
    assert "rollback journal" in made.stderr
    found = run("search", "quince 7", "--path", str(root), "--top", "1")
    assert (found.returncode, found.stderr) == (0, "")
    assert "07.md" in found.stdout
    home = root / ".rootleaf"
    assert {path.name for path in home.iterdir() if path.name != "index.db-journal"} == {
        ".gitignore", "index.db", "index.snapshot",
    }  # fmt: skip
    before = (home / "index.db").read_bytes()
    again = run("index", str(root))
    assert (again.returncode, again.stderr) == (0, "")
    assert status(root).journal == "rollback journal"
    assert "rollback journal" in run("status", str(root)).stdout
    assert (home / "index.db").read_bytes() == before


def test_an_index_with_a_log_that_comes_to_such_a_place_is_taken_over(
    run: Run, notes: WriteNotes
) -> None:
    """What lies in its log is not lost; searches work before and after."""
    root = notes(dict(NOTES))
    index(root)
    db_path = default_db_path(str(root.resolve()))
    assert "07.md" in run("search", "quince 7", "--path", str(root), "--top", "1").stdout
    holder = sqlite3.connect(db_path, isolation_level=None)
    holder.execute("BEGIN")  # who reads keeps the log from being folded in
    holder.execute("SELECT count(*) FROM documents").fetchone()
    (root / "new.md").write_text("# New\n\nloquat\n")
    index(root)
    assert os.path.getsize(f"{db_path}-wal") > 0
    shutil.copytree(root / ".rootleaf", root.parent / "moved" / ".rootleaf")
    holder.close()
    moved = root.parent / "moved"
    done = run("index", str(root), "--db", str(moved / ".rootleaf" / "index.db"))
    assert done.returncode == 0, done.stderr
    found = run("search", "loquat", "--path", str(moved))
    assert "new.md" in found.stdout


KILLED = """
import os, sys
from rootleaf.store.sqlite import open_for_writing
with open_for_writing(sys.argv[1]) as store, store.writing() as write:
    connection = write._connection
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("UPDATE documents SET chunk_count = 99")
    connection.execute("CREATE TABLE filler AS SELECT randomblob(4000) AS x FROM texts")
    print("written", flush=True)
    os.kill(os.getpid(), 9)
"""


def test_a_writer_that_is_killed_leaves_the_state_before(
    run: Run, preload: dict[str, str], notes: WriteNotes
) -> None:
    """Half of its pages are in the file; whoever reads next, be it a search, puts them back."""
    root = notes(dict(NOTES))
    run("index", str(root))
    db_path = default_db_path(str(root.resolve()))
    expected = search("quince", root, top_k=50).to_json()["hits"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, db_path],
        env=preload, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert killed.stdout == "written\n", killed.stderr
    assert os.path.getsize(f"{db_path}-journal") > 0
    assert run("search", "quince", "--path", str(root)).returncode == 0
    assert search("quince", root, top_k=50).to_json()["hits"] == expected
    assert status(root).chunks < 99
    assert index(root).files_unchanged == len(NOTES)


def test_writers_wait_for_each_other_and_for_readers(
    preload: dict[str, str], run: Run, notes: WriteNotes
) -> None:
    """Runs and searches at once: none fails, and all that was written is there."""
    root = notes(dict(NOTES))
    run("index", str(root))
    chance = random.Random(3)
    commands = []
    for number in range(6):
        (root / f"late{number}.md").write_text(f"# Late {number}\n\nmedlar {number}\n")
        commands += [
            ["index", str(root)],
            ["search", chance.choice(["quince", "medlar"]), "--path", str(root)],
        ]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "rootleaf", *command],
            env=preload, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for command in commands
    ]  # fmt: skip
    for process in running:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    assert status(root).files == len(NOTES) + 6
    db_path = default_db_path(str(root.resolve()))
    with open_for_reading(db_path) as store:
        assert not store.has_log()
        assert store._connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_an_index_on_a_local_disk_has_a_log(tmp_path: Path) -> None:
    """The fallback is taken where it is needed and nowhere else."""
    with open_for_writing(str(tmp_path / "x.db")) as store:
        assert store.has_log()


@pytest.mark.parametrize(
    ("kind", "is_network"),
    [("nfs4", True), ("cifs", True), ("9p", True), ("fuse.sshfs", True), ("ext4", False)],
)
def test_a_network_file_system_is_told_by_the_table_of_mounts(
    tmp_path: Path, notes: WriteNotes, monkeypatch: pytest.MonkeyPatch, kind: str, is_network: bool
) -> None:
    """The first run says so once; the longest mount point above a path counts."""
    root = notes({"a b/x.md": "# X\n"}) / "a b"
    table = tmp_path / "mounts"
    place = str(root.resolve()).replace(" ", "\\040")
    table.write_text(f"none / overlay rw 0 0\nserver:/x {place} {kind} rw 0 0\n")
    monkeypatch.setattr(file_systems, "MOUNTS_PATH", str(table))
    said = [notice for notice in index(root).notices if "network file system" in notice]
    assert bool(said) == is_network
    assert all(kind in notice for notice in said)
    assert not [notice for notice in index(root).notices if "network" in notice]


def test_where_nothing_is_known_of_mounts_nothing_is_said(tmp_path: Path) -> None:
    """Other systems have no such table."""
    absent = str(tmp_path / "absent")
    assert file_systems.find_network_file_system(str(tmp_path), absent) is None


def test_a_handle_does_not_wait_for_itself(
    preload: dict[str, str], run: Run, notes: WriteNotes
) -> None:
    """A writer under the lock of the process that serves goes on, and what it wrote is found."""
    root = notes({"a.md": "# A\n\nalpha\n"})
    run("index", str(root))
    program = (
        "import sys, rootleaf\n"
        "root = sys.argv[1]\n"
        "with rootleaf.MemoryIndex(root + '/.rootleaf/index.db') as memory:\n"
        "    assert memory.search('alpha')\n"
        "    with memory.lock:\n"
        "        open(root + '/b.md', 'w').write('# B\\n\\nbeta\\n')\n"
        "        rootleaf.index_file(root + '/b.md', root)\n"
        "        assert memory.search('alpha')\n"
        "    assert memory.search('beta')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(root)],
        env=preload, capture_output=True, text=True, check=False, timeout=20,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")

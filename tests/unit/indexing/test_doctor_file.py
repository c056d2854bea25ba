"""Of a file that is damaged as such, all that can be read comes into a new one."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, forget, index, index_file, search
from rootleaf.errors import NotIndexedError, StoreError
from rootleaf.store.paths import quoted
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli

FLIPPED_BYTES = 200


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index with vectors."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"), with_vectors=True)


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


def flipped(content: bytes, start: int, seed: int) -> bytes:
    """The bytes with two hundred of them changed, none by chance into itself."""
    chance = random.Random(seed)
    bad = bytearray(content)
    for at in range(start, min(start + FLIPPED_BYTES, len(bad))):
        bad[at] ^= chance.randrange(1, 256)
    return bytes(bad)


def check_repair(damaged: DamagedIndex) -> None:
    """A repair leaves a healthy index; after one run it answers as one that was never damaged."""
    content = damaged.read()
    looked = doctor(damaged.root)
    assert damaged.read() == content
    report = doctor(damaged.root, repair=True)
    assert report.ok, [check for check in report.checks if not check.ok]
    assert doctor(damaged.root).ok
    if not looked.ok:
        assert report.repaired
        assert report.commands
        assert any(command.startswith(f"rootleaf index {quoted(str(damaged.root))}")
                   for command in report.commands)  # fmt: skip
    if report.saved is not None:
        with open(report.saved, "rb") as file:
            assert file.read() == content
    for path in report.lost:
        assert os.path.exists(path) or path.startswith("document ")
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()
    assert doctor(damaged.root).ok
    assert damaged.left_over() == set()


@pytest.mark.parametrize(
    ("place", "seed"),
    [(0, 1), (60, 2), (1000, 3), (0.1, 4), (0.2, 5), (0.35, 6), (0.5, 7), (0.65, 8), (0.8, 9),
     (0.95, 10)],
)  # fmt: skip
def test_two_hundred_changed_bytes_cost_what_stood_there(
    damaged: DamagedIndex, place: float, seed: int
) -> None:
    """Wherever they lie: in the header, in a page of text, in one that leads to others."""
    whole = damaged.whole
    start = place if isinstance(place, int) else int(len(whole) * place) + 37 * seed
    damaged.write(flipped(whole, start, seed))
    check_repair(damaged)


@pytest.mark.parametrize("part", [0.9, 0.5, 0.1])
def test_a_file_that_was_cut_keeps_what_is_left(damaged: DamagedIndex, part: float) -> None:
    """Also where it ends within a page."""
    damaged.write(damaged.whole[: int(len(damaged.whole) * part)])
    assert not doctor(damaged.root).is_readable
    check_repair(damaged)


def test_pages_of_zeros_are_found(damaged: DamagedIndex) -> None:
    """A disk that lost some pages gave zeros for them."""
    content = bytearray(damaged.whole)
    for page in (3, 7, 11, 20):
        content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    damaged.write(bytes(content))
    check_repair(damaged)


def test_ids_dates_roots_and_vectors_come_over(damaged: DamagedIndex) -> None:
    """What can be read is as it was; ids go on above the last one that was ever given."""
    damaged.execute("UPDATE chunksets SET first_seen = 1234 + ordinal")
    before = dict(
        zip(
            damaged.column("SELECT path FROM documents ORDER BY path"),
            damaged.column("SELECT document_id FROM documents ORDER BY path"),
            strict=True,
        )
    )
    sequence = damaged.column("SELECT seq FROM sqlite_sequence WHERE name = 'documents'")[0]
    vectors = damaged.column("SELECT count(*) FROM vectors")[0]
    content = damaged.read()
    middle = damaged.column("SELECT rootpage FROM sqlite_master WHERE name = 'chunksets_by_key'")[0]
    damaged.write(flipped(content, (middle - 1) * 4096, 9))
    report = doctor(damaged.root, repair=True)
    assert (report.ok, report.lost) == (True, ())
    after = dict(
        zip(
            damaged.column("SELECT path FROM documents ORDER BY path"),
            damaged.column("SELECT document_id FROM documents ORDER BY path"),
            strict=True,
        )
    )
    assert after == before
    assert set(damaged.column("SELECT first_seen - 1234 - ordinal FROM chunksets")) == {0}
    assert damaged.column("SELECT seq FROM sqlite_sequence WHERE name = 'documents'") == [sequence]
    assert damaged.column("SELECT count(*) FROM vectors") == [vectors]
    assert damaged.column("SELECT selection FROM roots") == ["all markdown"]
    assert damaged.run().embedded == 0


def test_no_reader_takes_the_new_file_for_the_old_one(damaged: DamagedIndex) -> None:
    """Its generation is a later one, and what was made of the old one is not taken."""
    with open_for_reading(damaged.db_path) as store:
        generation = store.generation()
        state_id = store.state_id(generation)
    with open(damaged.snapshot, "rb") as file:
        old_snapshot = file.read()
    damaged.write(flipped(damaged.whole, len(damaged.whole) // 2, 4))
    report = doctor(damaged.root, repair=True)
    with open_for_reading(damaged.db_path) as store:
        if report.saved is not None:
            assert store.generation() > generation
            assert store.state_id(generation) is None
        assert store.state_id(store.generation()) != state_id or report.saved is None
    with open(damaged.snapshot, "wb") as written:
        written.write(old_snapshot)
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()


@pytest.mark.parametrize(
    "content", [b"garbage " * 900, b"# Notes\n", b"SQLite format 3\0" + b"\1" * 30]
)
def test_where_nothing_can_be_read_an_empty_index_is_made(
    damaged: DamagedIndex, content: bytes
) -> None:
    """In the place where an index lies by default; the command that fills it is named."""
    damaged.write(content)
    check_repair(damaged)


def test_an_empty_file_is_no_index_and_needs_no_repair(damaged: DamagedIndex, cli: Cli) -> None:
    """It is named, never healthy, and the next command is the run that fills it."""
    damaged.write(b"")
    for repair in ((), ("--repair",)):
        done = cli("doctor", str(damaged.root), *repair)
        assert done.returncode == 1
        assert "nothing was ever written to it, or it was emptied" in done.stdout
        assert "healthy" not in done.stdout
        assert f"try: rootleaf index {quoted(str(damaged.root))}" in done.stdout
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()


def test_files_that_are_not_ours_are_refused_and_left_alone(tmp_path: Path, cli: Cli) -> None:
    """Notes that were named by mistake, and a database of a newer version."""
    text = tmp_path / "notes.md"
    text.write_text("# Notes\n\nnot a database\n" * 50)
    index_root = tmp_path / "root"
    index_root.mkdir()
    (index_root / "a.md").write_text("# A\n")
    newer = tmp_path / "newer.db"
    index(index_root, newer)
    content = bytearray(newer.read_bytes())
    content[60:64] = (2).to_bytes(4, "big")
    newer.write_bytes(content)
    for path, code in ((text, "store.foreign"), (newer, "store.newer")):
        before = path.read_bytes()
        for repair in (False, True):
            with pytest.raises(StoreError) as caught:
                doctor(db_path=path, repair=repair)
            assert caught.value.code == code
        assert cli("doctor", "--repair", "--db", str(path)).returncode == 1
        assert path.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir() if "saved" in path.name) == []


def test_where_there_is_no_index_doctor_says_so(tmp_path: Path) -> None:
    """It makes none."""
    for repair in (False, True):
        with pytest.raises(NotIndexedError):
            doctor(db_path=tmp_path / "absent.db", repair=repair)
    assert list(tmp_path.iterdir()) == []


def test_every_command_that_meets_damage_names_the_repair(damaged: DamagedIndex, cli: Cli) -> None:
    """Also for an index that was named with `--db`, whatever of it is damaged."""
    content = bytearray(damaged.whole)
    for start in range(0, len(content), 4096):
        content[start + 100 : start + 300] = bytes(200)
    damaged.write(bytes(content))
    note = str(damaged.root / "dir0" / "note 00.md")
    for command in (
        ["search", "quince", "--path", str(damaged.root)],
        ["status", str(damaged.root)],
        ["index", str(damaged.root)],
        ["index", str(damaged.root), "--file", note],
        ["forget", str(damaged.root / "dir0")],
    ):
        done = cli(*command)
        assert done.returncode == 1, command
        assert f"try: rootleaf doctor --repair --db {quoted(damaged.db_path)}" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("state", ["garbage", "directory", "absent"])
def test_runs_and_forgetting_go_on_while_the_snapshot_is_broken(
    damaged: DamagedIndex, state: str
) -> None:
    """It is only a cache: nothing waits for it, and nothing is wrong for it."""
    os.unlink(damaged.snapshot)
    if state == "garbage":
        with open(damaged.snapshot, "wb") as file:
            file.write(b"garbage" * 100)
    elif state == "directory":
        os.mkdir(damaged.snapshot)
    note = damaged.root / "dir0" / "note 00.md"
    kept = note.read_text()
    note.write_text("# Other\n\ntamarind\n")
    index_file(note, damaged.root)
    assert len(search("tamarind", damaged.root)) == 1
    assert forget(note, damaged.db_path).forgotten == (str(note),)
    assert len(search("tamarind", damaged.root)) == 0
    note.write_text(kept)
    damaged.run()
    if os.path.isdir(damaged.snapshot):
        os.rmdir(damaged.snapshot)
    assert doctor(damaged.root, repair=True).ok
    assert damaged.answers() == damaged.answers_of_fresh()


WITHOUT_RIGHTS = """
import os, sys
from rootleaf import doctor
from rootleaf.errors import StoreError
import rootleaf.indexing.snapshot_check, rootleaf.store.sqlite_mending, rootleaf.store.creating
import rootleaf.store.sqlite_replacing, rootleaf.store.migrations, rootleaf.store.sqlite_log
import rootleaf.engine.keyword, rootleaf.store.sqlite_journal, array, math, shlex, shutil
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
report = doctor(db_path=sys.argv[1])
print([check.name for check in report.checks if not check.ok])
try:
    doctor(db_path=sys.argv[1], repair=True)
except StoreError as error:
    print(error.message)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="directories have no such permission there")
@pytest.mark.parametrize("is_cut", [False, True])
def test_where_nothing_may_be_written_doctor_looks_and_says_what_is_in_the_way(
    tmp_path: Path, damaged: DamagedIndex, is_cut: bool
) -> None:
    """Without `--repair` it needs no right to write; with it the directory is named."""
    place = tmp_path / "read only"
    place.mkdir()
    if is_cut:
        damaged.write(damaged.whole[: len(damaged.whole) // 2])
    else:
        damaged.execute("DELETE FROM chunksets WHERE ordinal = 0")
    shutil.copy(damaged.db_path, place / "x.db")
    before = (place / "x.db").read_bytes()
    for directory in (place, *place.parents):
        if directory.owner() == place.owner() and directory != directory.parent:
            directory.chmod(directory.stat().st_mode | 0o555)
    place.chmod(0o555)
    (place / "x.db").chmod(0o444)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_RIGHTS, str(place / "x.db")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    place.chmod(0o755)
    assert done.returncode == 0, done.stderr
    found, refusal = done.stdout.splitlines()
    assert ("file" if is_cut else "chunksets") in found
    assert str(place) in refusal
    assert (place / "x.db").read_bytes() == before
    assert set(os.listdir(place)) == {"x.db"}

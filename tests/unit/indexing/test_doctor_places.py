"""What lies about a database: links that lead to it, directories in its way, files left behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, index, search
from rootleaf.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index of thirty notes."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


@pytest.fixture
def linked(tmp_path: Path, damaged: DamagedIndex) -> tuple[Path, Path]:
    """A link to a copy of the index that lies elsewhere, and the copy."""
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "real.db"
    shutil.copyfile(damaged.db_path, target)
    link = tmp_path / "link.db"
    link.symlink_to("elsewhere/real.db")
    return link, target


@pytest.mark.parametrize("is_page", [True, False])
def test_a_repair_mends_what_a_link_leads_to(
    damaged: DamagedIndex, linked: tuple[Path, Path], is_page: bool
) -> None:
    """The link stays one; what is saved lies beside the file, and answers come by both names."""
    link, target = linked
    if is_page:
        content = bytearray(target.read_bytes())
        content[9 * 4096 : 11 * 4096] = bytes(2 * 4096)
        target.write_bytes(content)
    else:
        connection = sqlite3.connect(target)
        connection.execute("INSERT INTO texts VALUES (99999, 'nobody owns this')")
        connection.commit()
        connection.close()
    before = target.read_bytes()
    report = doctor(db_path=link, repair=True)
    assert report.ok, report.checks
    assert link.is_symlink()
    assert os.path.samefile(link, target)
    assert report.saved is not None
    assert os.path.dirname(report.saved) == str(target.parent.resolve())
    with open(report.saved, "rb") as file:
        assert file.read() == before
    index(damaged.root, link)
    assert damaged.answers(str(target)) == damaged.answers(str(link)) == damaged.answers_of_fresh()


def test_the_log_of_what_a_link_leads_to_is_saved_and_read(
    damaged: DamagedIndex, linked: tuple[Path, Path]
) -> None:
    """SQLite has it beside the file, where the name of the link tells nothing of it."""
    link, target = linked
    program = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
        "c.execute(\"INSERT INTO texts VALUES (99999, 'only in the log')\"); c.commit();"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program, str(target)], check=True)
    assert os.path.getsize(f"{target}-wal") > 0
    report = doctor(db_path=link, repair=True)
    assert report.ok
    saved = b""
    for end in ("", "-wal"):
        with open(f"{report.saved}{end}", "rb") as file:
            saved += file.read()
    assert b"only in the log" in saved
    assert search("quince", db_path=link).hits


@pytest.mark.parametrize("kind", ["wal", "shm", "journal"])
def test_a_directory_in_the_way_of_sqlite_is_named_by_every_command(
    damaged: DamagedIndex, cli: Cli, kind: str
) -> None:
    """With the command that moves it; nothing is written, and searches that need it not go on."""
    note = damaged.root / "dir0" / "note 00.md"
    in_the_way = f"{damaged.db_path}-{kind}"
    damaged.write(damaged.whole)
    os.mkdir(in_the_way)
    try:
        for command in (
            ["search", "quince", "--path", str(damaged.root)],
            ["status", str(damaged.root)],
            ["index", str(damaged.root)],
            ["index", str(damaged.root), "--file", str(note)],
            ["forget", str(damaged.root / "dir0")],
            ["doctor", str(damaged.root)],
            ["doctor", str(damaged.root), "--repair"],
        ):
            done = cli(*command)
            if kind == "shm" and command[0] in {"search", "status"}:
                assert done.returncode == 0, command
                continue
            assert done.returncode == 1, command
            assert f"{in_the_way} is a directory" in done.stderr
            assert f"try: mv {in_the_way} {in_the_way}.moved" in done.stderr
        assert damaged.read() == damaged.whole
    finally:
        os.rmdir(in_the_way)
    assert doctor(damaged.root).ok


def test_files_of_a_killed_repair_are_named_and_removed_by_the_next(damaged: DamagedIndex) -> None:
    """Those of a process that is alive stay; one that had the id of this process is dead."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = [
        f"{damaged.db_path}.{name}"
        for name in (
            f"repairing-{ended.pid}",
            f"repairing-{ended.pid}-wal",
            f"repairing-{os.getpid()}",
            f"repaired-{ended.pid}",
        )
    ]
    others = [
        f"{damaged.db_path}.repairing-{os.getppid()}",
        f"{damaged.db_path}.repairing-mine",
        os.path.join(os.path.dirname(damaged.db_path), f"other.db.repairing-{ended.pid}"),
    ]
    for path in [*left, *others]:
        with open(path, "w") as file:
            file.write("left")
    try:
        report = doctor(damaged.root)
        (check,) = [check for check in report.checks if not check.ok]
        assert (check.name, check.severity) == ("leftovers", "warning")
        assert sorted(check.items) == sorted(left)
        mended = doctor(damaged.root, repair=True)
        assert mended.ok
        assert [path for path in left if os.path.exists(path)] == []
        assert [path for path in others if not os.path.exists(path)] == []
        assert all(path in mended.repaired[-1] for path in left)
    finally:
        for path in others:
            os.unlink(path)


def test_an_index_that_was_emptied_while_it_is_open_is_no_foreign_one(
    damaged: DamagedIndex,
) -> None:
    """Doctor says that it was emptied, as it does where nobody has it open."""
    from rootleaf import MemoryIndex

    with MemoryIndex(damaged.db_path) as handle:
        assert handle.search("quince").hits
        os.truncate(damaged.db_path, 0)
        report = doctor(damaged.root)
    assert (report.ok, report.is_readable) == (False, False)
    assert "was emptied" in report.checks[0].found


def test_an_index_of_a_newer_version_is_refused_by_every_command(
    damaged: DamagedIndex, cli: Cli
) -> None:
    """In one sentence that says what to do, and left as it is."""
    content = bytearray(damaged.whole)
    content[60:64] = (2).to_bytes(4, "big")
    damaged.write(bytes(content))
    note = str(damaged.root / "dir0" / "note 00.md")
    for command in (
        ["search", "quince", "--path", str(damaged.root)],
        ["status", str(damaged.root)],
        ["index", str(damaged.root)],
        ["index", str(damaged.root), "--file", note],
        ["forget", str(damaged.root / "dir0")],
        ["doctor", str(damaged.root)],
        ["doctor", str(damaged.root), "--repair"],
    ):
        done = cli(*command)
        assert done.returncode == 1, command
        assert f"The index {damaged.db_path} was written by a newer Rootleaf" in done.stderr
        assert "try: pip install --upgrade rootleaf" in done.stderr
        assert "Traceback" not in done.stderr
    from rootleaf import MemoryIndex

    with pytest.raises(StoreError) as caught:
        MemoryIndex(damaged.db_path)
    assert caught.value.code == "store.newer"
    assert damaged.read() == bytes(content)

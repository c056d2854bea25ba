"""A disk that fails or fills up from some call on ends a run with one calm message."""

from __future__ import annotations

import os
import random
import re
from typing import TYPE_CHECKING

import pytest
from crashing_runs import KILLS, SEED, FailingDisk
from rootleaf import search
from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import snapshot_path
from whole_rows import Trees

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("without_vectors")

FILES = 40
TWO_LINES = re.compile(r"rootleaf: \S.*\n  try: \S.*\n")


def check_message(done: subprocess.CompletedProcess[str], db_path: str) -> None:
    """One sentence that names the index and its directory, and one that says what to do."""
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr
    if done.returncode == 1:
        assert TWO_LINES.fullmatch(done.stderr), done.stderr
        assert os.path.dirname(db_path) in done.stderr
        assert re.search(r"df |ls -ld |--db ", done.stderr), done.stderr
    else:
        assert done.returncode in {0, 3}


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("calls", "how", "is_first"),
    [
        ("fsync", "EIO", True),
        ("fsync", "EIO", False),
        ("write", "ENOSPC", True),
        ("write", "ENOSPC", False),
        ("write", "EDQUOT", False),
        ("truncate", "EIO", True),
        ("rename", "EIO", False),
        ("create", "ENOSPC", True),
        ("unlink", "EIO", True),
    ],
)
def test_a_disk_that_fails_costs_a_message_and_no_data(  # noqa: PLR0917 - fixtures and parameters
    calls: str, how: str, is_first: bool, tmp_path: Path, shared_data: Path, failing_calls: Path
) -> None:
    """From the k-th call on: the old state stays, is searched, and the next run completes it."""
    chance = random.Random(f"{SEED}{calls}{how}")
    place = tmp_path.resolve() / "place"
    place.mkdir()
    trees = Trees(tmp_path.resolve(), shared_data, is_first=is_first, files=FILES)
    disk = FailingDisk(failing_calls, place)
    db_path = str(place / "x.db")
    given = ("index", str(trees.root), "--prune", "--quiet", "--db", db_path)
    trees.start(db_path)
    assert disk.run(calls, 0, "", *given).returncode in {0, 3}
    made = len(disk.calls_made())
    assert made
    sample = min(made, max(2, KILLS // 12))
    for from_call in sorted({1, made, *chance.sample(range(1, made + 1), sample)}):
        for name in os.listdir(place):
            (place / name).unlink()
        trees.start(db_path)
        done = disk.run(calls, from_call, how, *given)
        check_message(done, db_path)
        trees.check_whole(db_path)
        if done.returncode == 1:
            check_searchable(trees, db_path)
        if calls != "unlink":
            empty = [name for name in os.listdir(place) if (place / name).stat().st_size == 0]
            assert set(empty) <= {"x.db-wal", "x.db-shm"}
            assert not os.path.exists(f"{snapshot_path(db_path)}.tmp")
            assert os.path.exists(db_path) or os.listdir(place) == []
        trees.complete(db_path)
        assert sorted(os.listdir(place)) == ["x.db", "x.db-snapshot"]


def check_searchable(trees: Trees, db_path: str) -> None:
    """A search answers from what was committed; where nothing was, it says that."""
    try:
        answer = search("ownership of the gas", db_path=db_path)
    except NotIndexedError:
        assert not trees.old_rows
        return
    assert answer.verdict in {"answered", "no_match", "empty_index"}
    assert not trees.old_rows or answer.hits


def test_a_run_says_done_only_when_its_last_commit_is_on_the_disk(
    tmp_path: Path, shared_data: Path, failing_calls: Path
) -> None:
    """The log is synced before the snapshot is written; a failure of that is a failure."""
    place = tmp_path.resolve() / "place"
    place.mkdir()
    trees = Trees(tmp_path.resolve(), shared_data, is_first=False, files=FILES)
    disk = FailingDisk(failing_calls, place)
    db_path = str(place / "x.db")
    given = ("index", str(trees.root), "--prune", "--db", db_path)
    trees.start(db_path)
    disk.run("fsync,write,rename", 0, "", *given)
    made = disk.calls_made()
    # From behind: the log is folded in (sync, writes, sync), the snapshot is renamed, its directory
    # synced; before that it is written and synced, and before that the log is synced.
    syncs = [number for number, call in enumerate(made) if call == "fsync"]
    rename = made.index("rename")
    of_snapshot, of_log = [number for number in reversed(syncs) if number < rename][:2]
    assert set(made[of_log + 1 : of_snapshot]) == {"write"}
    trees.start(db_path)
    assert disk.run("fsync", syncs.index(of_log) + 1, "EIO", *given).returncode == 1


def test_a_run_syncs_a_few_times_however_many_files_it_reads(
    tmp_path: Path, shared_data: Path, failing_calls: Path
) -> None:
    """Ten for a new index, five for one that is there, none where nothing has changed."""
    place = tmp_path.resolve() / "place"
    place.mkdir()
    trees = Trees(tmp_path.resolve(), shared_data, is_first=True)
    disk = FailingDisk(failing_calls, place)
    given = ("index", str(trees.root), "--db", str(place / "x.db"))
    assert disk.run("fsync", 0, "", *given).returncode in {0, 3}
    assert len(disk.calls_made()) <= 11
    (trees.root / "more.md").write_text("# More\n")
    disk.run("fsync", 0, "", *given)
    assert len(disk.calls_made()) <= 7
    disk.run("fsync", 0, "", *given)
    assert disk.calls_made() == []

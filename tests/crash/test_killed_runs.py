"""Killed at any instant, an index holds the old or the new row of each file, and a run mends it."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

import pytest
from crashing_runs import (
    KILLS,
    SEED,
    FailingDisk,
    end_after,
    kill_embedding_when,
    kill_when,
    undisturbed_seconds,
)
from rootleaf import index, status
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import open_for_reading
from whole_rows import Trees, rows, vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cli

pytestmark = pytest.mark.usefixtures("without_vectors")

MOST_IN_A_ROW = 3


@pytest.fixture(params=["first", "again"])
def trees(request: pytest.FixtureRequest, tmp_path: Path, shared_data: Path) -> Trees:
    """A root without an index, and one whose index is behind by many changes."""
    return Trees(tmp_path.resolve(), shared_data, is_first=request.param == "first")


def generation(db_path: str) -> int:
    """The generation of a database; 0 where nothing was ever written."""
    try:
        with open_for_reading(db_path) as store:
            return store.generation()
    except NotIndexedError:
        return 0


def check_what_is_said(cli: Cli, trees: Trees, db_path: str, *, has_written: bool) -> None:
    """Status and search work; both say how much is to go where the last run wrote anything."""
    told = cli("status", "--db", db_path)
    found = cli("search", "gas cost of a transaction", "--db", db_path)
    if "no index at" in told.stderr:
        assert not trees.old_rows
        return
    assert (told.returncode, found.returncode) == (0, 0), told.stderr + found.stderr
    to_go = status(db_path=db_path).incomplete_files
    if to_go:
        files = f"{to_go:,} file{'' if to_go == 1 else 's'}"
        assert f"incomplete: {files} to go" in told.stdout
        assert f"not indexed yet: {to_go}" in found.stderr
    if has_written:
        assert to_go or not missing(trees, db_path)


def missing(trees: Trees, db_path: str) -> list[str]:
    """The files whose new row is not there."""
    found = rows(db_path)
    return [path for path, row in trees.new_rows.items() if found.get(path) != row]


@pytest.mark.timeout(3000)
def test_killed_at_random_moments_nothing_is_lost_and_the_next_run_completes(
    trees: Trees, tmp_path: Path, cli: Cli
) -> None:
    """Once or several times in a row; each row whole, nothing undone, and no repair needed."""
    chance = random.Random(SEED)
    given = ("index", str(trees.root), "--prune", "--quiet", "--db")
    trees.start(str(tmp_path / "undisturbed.db"))
    length = undisturbed_seconds(*given, str(tmp_path / "undisturbed.db"))
    trees.check_complete(str(tmp_path / "undisturbed.db"))
    left = max(2, KILLS // 4)
    attempt = 0
    while left > 0:
        db_path = str(tmp_path / f"{attempt}.db")
        trees.start(db_path)
        done = trees.check_whole(db_path)
        for _ in range(chance.randint(1, MOST_IN_A_ROW)):
            before = generation(db_path)
            end_after(chance.uniform(0.0, length), *given, db_path)
            left -= 1
            now = trees.check_whole(db_path)
            assert now >= done, "a run undid what one before had done"
            done = now
            has_written = generation(db_path) != before
            check_what_is_said(cli, trees, db_path, has_written=has_written)
        trees.complete(db_path)
        os.unlink(db_path)
        attempt += 1


@pytest.mark.timeout(3000)
def test_killed_while_the_snapshot_is_written_searches_do_without_it(
    trees: Trees, tmp_path: Path, cli: Cli
) -> None:
    """The rows are all there; the next run writes the snapshot, and leaves nothing beside it."""
    chance = random.Random(SEED + 1)
    hit = 0
    for attempt in range(max(2, KILLS // 12)):
        db_path = str(tmp_path / f"{attempt}.db")
        trees.start(db_path)
        written = f"{snapshot_path(db_path)}.tmp"
        hit += kill_when(
            lambda path=written: os.path.exists(path),  # type: ignore[misc]
            "index", str(trees.root), "--prune", "--quiet", "--db", db_path,
            delay=chance.uniform(0.0, 0.004),
        )  # fmt: skip
        assert missing(trees, db_path) == []
        assert status(db_path=db_path).incomplete_files == 0
        check_what_is_said(cli, trees, db_path, has_written=True)
        trees.complete(db_path)
        assert not os.path.exists(written)
    assert hit


def test_killed_at_every_kind_of_call_the_next_run_completes(
    trees: Trees, tmp_path: Path, failing_calls: Path
) -> None:
    """At the call itself, a write cut in half: creating, writing, syncing, cutting, renaming."""
    chance = random.Random(SEED + 2)
    place = tmp_path.resolve() / "place"
    place.mkdir()
    disk = FailingDisk(failing_calls, place)
    kinds = ("fsync", "rename", "create", "truncate", "unlink", "write")
    db_path = str(place / "x.db")
    given = ("index", str(trees.root), "--prune", "--quiet", "--db", db_path)
    trees.start(db_path)
    disk.run(",".join(kinds), 0, "", *given)
    made = disk.calls_made()
    for number in range(max(len(kinds), KILLS // 4)):
        calls = kinds[number % len(kinds)]
        for name in os.listdir(place):
            (place / name).unlink()
        trees.start(db_path)
        killed = disk.run(calls, chance.randint(1, made.count(calls)), "kill", *given)
        assert killed.returncode == -9
        trees.check_whole(db_path)
        trees.complete(db_path)


def test_each_run_makes_progress(tmp_path: Path, shared_data: Path, failing_calls: Path) -> None:
    """Killed again and again after a few commits, an index is complete in the end all the same."""
    trees = Trees(tmp_path.resolve(), shared_data, is_first=True)
    place = tmp_path.resolve() / "place"
    place.mkdir()
    disk = FailingDisk(failing_calls, place)
    db_path = str(place / "x.db")
    done = 0
    for _ in range(3):
        killed = disk.run("write", 150, "kill", "index", str(trees.root), "--db", db_path)
        assert killed.returncode == -9
        now = trees.check_whole(db_path)
        assert now > done
        assert status(db_path=db_path).incomplete_files == len(trees.new_rows) - now
        done = now
    trees.complete(db_path)


def test_killed_twenty_times_the_index_equals_an_undisturbed_one(tmp_path: Path) -> None:
    """300 notes with vectors: the same rows, chunksets, vectors and counts after each next run."""
    root = tmp_path.resolve() / "notes"
    root.mkdir()
    for number in range(300):
        (root / f"{number:03}.md").write_text(
            f"# Note {number}\n\none\n\n## Part\n\ntwo {number}\n"
        )
    undisturbed = str(tmp_path / "undisturbed.db")
    begun = time.perf_counter()
    index(root, undisturbed, embedder=FakeEmbedder())
    length = time.perf_counter() - begun
    expected = rows(undisturbed), sorted(row[1:] for row in vectors(undisturbed))
    assert len(expected[1]) == 600
    chance = random.Random(SEED + 5)
    told = 0
    for _ in range(20):
        db_path = str(tmp_path / "killed.db")
        for name in os.listdir(tmp_path):
            if name.startswith("killed.db"):
                (tmp_path / name).unlink()
        kill_embedding_when(passed(chance.uniform(0.0, length)), str(root), db_path)
        found = rows(db_path) if generation(db_path) else {}
        assert found.items() <= expected[0].items()
        if found:
            to_go = status(db_path=db_path).incomplete_files
            assert to_go == 300 - len(found)
            told += bool(to_go)
        report = index(root, db_path, embedder=FakeEmbedder())
        assert report.files_unchanged == len(found)
        assert (rows(db_path), sorted(row[1:] for row in vectors(db_path))) == expected
        assert status(db_path=db_path).incomplete_files == 0
    assert told


def passed(seconds: float) -> Callable[[], bool]:
    """Whether so long a time has passed since this was first asked."""
    asked: list[float] = []

    def is_time() -> bool:
        asked.append(time.perf_counter())
        del asked[1:-1]
        return asked[-1] - asked[0] >= seconds

    return is_time

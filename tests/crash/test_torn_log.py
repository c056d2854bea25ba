"""A log that lost its end, as by a power failure, leaves a prefix of the commits."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from crashing_runs import KILLS, SEED
from rootleaf import index, status
from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import SqliteStore, open_for_reading
from rootleaf.store.sqlite_log import sync_log
from whole_rows import Row, Trees, answers, rows

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("without_vectors")

LOG_HEADER_BYTES = 32
FRAME_BYTES = 24 + 4096


class LoggedRun:
    """Database, log and snapshot of a run, as a power failure right after it may find them.

    Folding the log into the database was kept from being done: by the run at its end, and by SQLite
    when the last connection is closed.
    """

    def __init__(self, trees: Trees, place: Path) -> None:
        self.trees = trees
        self.db_path = str(place / "x.db")
        trees.start(self.db_path)
        keeping: list[sqlite3.Connection] = []

        def leave_log(store: SqliteStore) -> None:
            keeping.append(sqlite3.connect(store.db_path))
            keeping[0].execute("SELECT count(*) FROM sqlite_master").fetchone()
            sync_log(store.db_path)

        with mock.patch.object(SqliteStore, "settle", leave_log):
            index(trees.root, self.db_path, prune=True)
        self.log = (place / "x.db-wal").read_bytes()
        self.kept = place.parent / "kept"
        shutil.copytree(place, self.kept)
        keeping[0].close()
        assert (len(self.log) - LOG_HEADER_BYTES) % FRAME_BYTES == 0
        self.frames = (len(self.log) - LOG_HEADER_BYTES) // FRAME_BYTES
        assert self.frames > 40

    def cut(self, length: int) -> None:
        """Lays all out anew, the log cut to a length, and without what was in memory."""
        for name in os.listdir(self.kept):
            shutil.copyfile(self.kept / name, os.path.join(os.path.dirname(self.db_path), name))
        os.unlink(f"{self.db_path}-shm")
        with open(f"{self.db_path}-wal", "wb") as file:
            file.write(self.log[:length])

    def commits(self) -> list[int]:
        """The lengths of the log at the end of each commit (file format, section 4.1)."""
        ends = []
        for frame in range(self.frames):
            start = LOG_HEADER_BYTES + frame * FRAME_BYTES
            if int.from_bytes(self.log[start + 4 : start + 8], "big"):
                ends.append(start + FRAME_BYTES)
        return ends


def state(db_path: str) -> dict[str, Row] | None:
    """The rows, and None where there is no index."""
    try:
        return rows(db_path)
    except NotIndexedError:
        return None


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_log_cut_anywhere_leaves_a_prefix_of_the_commits(
    is_first: bool, tmp_path: Path, shared_data: Path
) -> None:
    """The state is that of the last commit that is whole; the next run completes it.

    The snapshot, which was written of the last state, is recognised as not of this one.
    """
    chance = random.Random(SEED + 3)
    place = tmp_path.resolve() / "place"
    place.mkdir()
    trees = Trees(tmp_path.resolve(), shared_data, is_first=is_first, files=40)
    run = LoggedRun(trees, place)
    commits = run.commits()
    assert len(commits) > 3
    states = []
    for length in (0, *commits):
        run.cut(length)
        states.append(state(run.db_path))
    assert states[-1] == trees.new_rows

    boundaries = [LOG_HEADER_BYTES + frame * FRAME_BYTES for frame in range(run.frames + 1)]
    within = [chance.randrange(len(run.log)) for _ in boundaries]
    sample = min(len(boundaries), KILLS)
    for length in chance.sample(boundaries, sample) + within[:sample]:
        run.cut(length)
        whole = sum(end <= length for end in commits)
        assert state(run.db_path) == states[whole], length
        trees.check_whole(run.db_path)

    for length in chance.sample(boundaries[:-1], max(2, KILLS // 12)):
        run.cut(length)
        if state(run.db_path) is not None and length < commits[-1]:
            assert status(db_path=run.db_path).snapshot != "current"
            assert told_without_snapshot(run.db_path) == answers(run.db_path)
        trees.complete(run.db_path)


def told_without_snapshot(db_path: str) -> list[str]:
    """What an index answers when its snapshot is put aside."""
    snapshot = snapshot_path(db_path)
    os.rename(snapshot, f"{snapshot}.aside")
    try:
        return answers(db_path)
    finally:
        os.rename(f"{snapshot}.aside", snapshot)


def test_a_snapshot_of_a_lost_state_is_not_taken_for_the_state_that_came_instead(
    tmp_path: Path, shared_data: Path
) -> None:
    """The generation counts up to the same number with other content; the drawn id tells."""
    place = tmp_path.resolve() / "place"
    place.mkdir()
    trees = Trees(tmp_path.resolve(), shared_data, is_first=True, files=40)
    run = LoggedRun(trees, place)
    with open_for_reading(run.db_path) as store:
        lost = store.generation()
    run.cut(run.commits()[-3])
    with open(snapshot_path(run.db_path), "rb") as file:
        of_lost_state = file.read()
    # Other content than what was lost, in as many generations.
    for path in trees.root.rglob("*.md"):
        path.write_text("# Other\n\nquagga\n")
    index(trees.root, run.db_path)
    while status(db_path=run.db_path).generation < lost:
        (trees.root / "more.md").write_text(f"# More\n\n{os.urandom(4).hex()}\n")
        index(trees.root, run.db_path)
    with open(snapshot_path(run.db_path), "wb") as file:
        file.write(of_lost_state)
    assert "state that this one lost" in status(db_path=run.db_path).snapshot
    assert told_without_snapshot(run.db_path) == answers(run.db_path)

"""On a disk that is full the last committed state is searched, and a run says what to do."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from crashing_runs import KILLS, SEED, mounts
from rootleaf.store.paths import snapshot_path
from whole_rows import Trees, rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Cli

pytestmark = pytest.mark.usefixtures("without_vectors")

VOLUME_KB = 4096


class Volume:
    """A small disk of its own, which can be filled."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._ballast = directory / "ballast"

    def leave_free(self, kilobytes: int) -> None:
        """Fills it but for some kilobytes."""
        room = os.statvfs(self.directory)
        taken = room.f_bavail * room.f_frsize - kilobytes * 1024
        if taken > 0:
            with open(self._ballast, "ab") as file:
                file.write(bytes(taken))

    def free(self) -> None:
        """Removes what filled it."""
        self._ballast.unlink(missing_ok=True)

    def names(self) -> set[str]:
        """All that lies on it but for what fills it."""
        return set(os.listdir(self.directory)) - {"ballast"}


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Volume]:
    """A volume of 4 MB; skipped by name where mounting is not allowed, except under CI."""
    directory = tmp_path.resolve() / "volume"
    directory.mkdir()
    if sys.platform != "linux" or not mounts(
        "-t", "tmpfs", "-o", f"size={VOLUME_KB}k", "none", str(directory)
    ):
        message = "needs the right to mount a small volume (tmpfs)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    try:
        yield Volume(directory)
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def check_says_full(done: subprocess.CompletedProcess[str], volume: Volume) -> None:
    """The directory that is full, and what to do."""
    first, second = done.stderr.splitlines()
    assert f"The disk that holds {volume.directory} is full" in first
    assert f"run the same command again: df {volume.directory}" in second


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_full_disk_costs_a_message_and_the_last_state_is_searched(
    is_first: bool, volume: Volume, tmp_path: Path, shared_data: Path, cli: Cli
) -> None:
    """At several levels, from no room for a database to no room for the snapshot."""
    chance = random.Random(SEED + 4)
    trees = Trees(tmp_path.resolve(), shared_data, is_first=is_first, files=80)
    db_path = str(volume.directory / "x.db")
    given = ("index", str(trees.root), "--prune", "--db", db_path)
    levels = [0, 16, 60, 150, 400, 900, *(chance.randrange(1500) for _ in range(KILLS // 25))]
    failed = 0
    for free in levels:
        for name in volume.names():
            (volume.directory / name).unlink()
        trees.start(db_path)
        volume.leave_free(free)
        done = cli(*given)
        assert "Traceback" not in done.stderr
        assert not os.path.exists(f"{snapshot_path(db_path)}.tmp")
        trees.check_whole(db_path)
        if done.returncode == 1:
            failed += 1
            check_says_full(done, volume)
            check_searchable(cli, trees, db_path, volume)
        else:
            # The rows have room, and the snapshot may have none.
            assert rows(db_path) == trees.new_rows
        volume.free()
        trees.complete(db_path)
        assert volume.names() == {"x.db", "x.db-snapshot"}
    assert failed >= 3


def check_searchable(cli: Cli, trees: Trees, db_path: str, volume: Volume) -> None:
    """Also after the last byte of the disk is taken; an index that was not made leaves nothing."""
    volume.leave_free(0)
    told, found = cli("status", "--db", db_path), cli("search", "ownership", "--db", db_path)
    if not volume.names():
        assert not trees.old_rows
        assert (told.returncode, found.returncode) == (1, 1)
        assert "There is no index" in told.stderr
        return
    assert (told.returncode, found.returncode) == (0, 0), told.stderr + found.stderr
    assert not trees.old_rows or "---" in found.stdout


def test_a_database_by_default_that_has_no_room_leaves_no_directory(
    volume: Volume, cli: Cli
) -> None:
    """Neither `.rootleaf/` nor an empty file in it, which would look like an index."""
    (volume.directory / "a.md").write_text("# A\n")
    volume.leave_free(0)
    done = cli("index", str(volume.directory))
    assert done.returncode == 1
    assert volume.names() == {"a.md"}
    volume.free()
    assert cli("index", str(volume.directory)).returncode == 0
    assert (volume.directory / ".rootleaf" / ".gitignore").read_text() == "*\n"

"""Killed while a directory is forgotten or vectors are made, an index loses and doubles nothing."""

from __future__ import annotations

import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest
from crashing_runs import KILLS, SEED, end_after, kill_embedding_when, undisturbed_seconds
from rootleaf import forget, index, status
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import snapshot_path
from whole_rows import Trees, answers, rows, vectors

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("without_vectors")


@pytest.mark.timeout(3000)
def test_killed_while_it_forgets_all_of_a_directory_is_there_or_nothing(
    tmp_path: Path, shared_data: Path
) -> None:
    """The same command again ends what was begun, and the rest answers as it did."""
    chance = random.Random(SEED + 5)
    trees = Trees(tmp_path.resolve(), shared_data, is_first=True, files=120)
    directory = trees.root / "keps"
    before, after = str(tmp_path / "whole.db"), str(tmp_path / "forgotten.db")
    index(trees.root, before)
    index(trees.root, after)
    forget(directory, after)
    states = [rows(before), rows(after)]
    assert 0 < len(states[1]) < len(states[0])
    assert vectors(after) == []
    copy(before, str(tmp_path / "timed.db"))
    given = ("forget", str(directory), "--db")
    length = undisturbed_seconds(*given, str(tmp_path / "timed.db"))
    for attempt in range(max(3, KILLS // 8)):
        db_path = str(tmp_path / f"{attempt}.db")
        copy(before, db_path)
        end_after(chance.uniform(0.0, length), *given, db_path)
        assert rows(db_path) in states
        was_done = rows(db_path) == states[1]
        assert answers(db_path) == answers(after if was_done else before)
        forget(directory, db_path)
        assert rows(db_path) == states[1]
        assert answers(db_path) == answers(after)
        index(trees.root, db_path)
        trees.check_complete(db_path)


def copy(former: str, path: str) -> None:
    """Copies a closed index with its snapshot."""
    shutil.copyfile(former, path)
    shutil.copyfile(snapshot_path(former), snapshot_path(path))


def test_killed_while_it_embeds_no_text_is_paid_twice(tmp_path: Path, shared_data: Path) -> None:
    """What was stored stays as it is; the next run pays for the rest, and no more."""
    trees = Trees(tmp_path.resolve(), shared_data, is_first=True, files=120)
    whole = str(tmp_path / "whole.db")
    total = index(trees.root, whole, embedder=FakeEmbedder()).embedded
    assert total == len(vectors(whole)) > 300
    chance = random.Random(SEED + 6)
    for attempt in range(max(2, KILLS // 12)):
        db_path = str(tmp_path / f"{attempt}.db")
        least = chance.randrange(1, total)
        kill_embedding_when(
            lambda path=db_path, least=least: stored(path) >= least,  # type: ignore[misc]
            str(trees.root), db_path,
        )  # fmt: skip
        kept = vectors(db_path)
        trees.check_whole(db_path)
        report = index(trees.root, db_path, prune=True, embedder=FakeEmbedder())
        assert report.embedded == total - len(kept)
        assert set(kept) <= set(vectors(db_path)) == set(vectors(whole))
        assert rows(db_path) == trees.new_rows
        assert status(db_path=db_path).incomplete_files == 0
        assert index(trees.root, db_path, embedder=FakeEmbedder()).embedded == 0


def stored(db_path: str) -> int:
    """How many vectors a database that is being written holds at this moment."""
    if not os.path.exists(db_path):
        return 0
    try:
        return len(vectors(db_path))
    except NotIndexedError:
        return 0

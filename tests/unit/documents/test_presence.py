"""Many paths looked at at once are gone exactly where each looked at alone is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from rootleaf import _core
from rootleaf.documents.presence import gone_by, is_gone, places_of
from rootleaf.engine.files import look_at

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with two files, of which one lies deeper."""
    directory = tmp_path.resolve()
    (directory / "deep/er").mkdir(parents=True)
    (directory / "deep/er/a.md").write_text("a")
    (directory / "b.md").write_text("b")
    return directory


def gone(place: Path, *names: str) -> list[str]:
    """The names that are gone, once it is known that each is so alone."""
    paths = [str(place / name) for name in names]
    found = gone_by(paths, _core.look_at(places_of(paths)))
    assert found == [path for path in paths if is_gone(path)]
    return [os.path.relpath(path, place) for path in found]


def test_what_is_no_file_any_more_is_gone(place: Path) -> None:
    """Absent, a directory, below what is a file by now, or a link to a file."""
    (place / "link.md").symlink_to(place / "b.md")
    names = ("deep/er/a.md", "c.md", "deep", "b.md/c.md", "b.md", "link.md")
    assert gone(place, *names) == ["c.md", "deep", "b.md/c.md", "link.md"]
    assert gone(place) == []


def test_a_file_below_a_directory_that_is_a_link_by_now_is_gone(place: Path) -> None:
    """However far above it; the files beside it are not."""
    os.rename(place / "deep", place / "elsewhere")
    os.symlink(place / "elsewhere", place / "deep")
    assert gone(place, "b.md", "deep/er/a.md", "elsewhere/er/a.md") == ["deep/er/a.md"]


def test_what_cannot_be_looked_at_is_not_gone(place: Path) -> None:
    """A name that is too long says nothing of a file; links in a circle neither."""
    (place / "round").symlink_to(place / "round")
    assert gone(place, "x" * 5000, "round/a.md", "b.md") == []


def test_the_state_of_a_path_is_what_the_system_tells(place: Path) -> None:
    """Of the link, not of what it leads to."""
    (place / "link.md").symlink_to(place / "b.md")
    for path in (place, place / "b.md", place / "link.md"):
        told = os.lstat(path)
        assert look_at([str(path), str(place / "no")]) == [
            (
                told.st_mode,
                told.st_dev,
                told.st_ino,
                told.st_size,
                told.st_mtime_ns,
                told.st_ctime_ns,
            ),
            None,
        ]
    assert look_at([str(place / "b.md/c.md"), "x" * 5000]) == [None, ()]

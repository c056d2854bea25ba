"""Documents whose file is gone: removed where the system is sure, never on a guess."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, status

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with four indexed notes."""
    directory = tmp_path.resolve() / "root"
    (directory / "wiki").mkdir(parents=True)
    for name in ("a.md", "b.md", "wiki/c.md", "wiki/d.md"):
        (directory / name).write_text(f"# {name}\n")
    index(directory)
    return directory


def test_no_prune_removes_nothing_ever(root: Path) -> None:
    """The report and the status name what is kept; it is still there."""
    (root / "a.md").unlink()
    report = index(root, prune=False)
    assert (report.held_back, report.pruned) == ((str(root / "a.md"),), ())
    assert report.held_back_reason is not None
    assert "as asked" in report.held_back_reason
    assert report.has_warnings
    found = status(root)
    assert (found.files, found.gone) == (4, (str(root / "a.md"),))


@pytest.mark.parametrize("prune", [None, True])
def test_rows_of_gone_files_are_removed_whatever_the_glob(root: Path, prune: bool | None) -> None:
    """Those and no others."""
    (root / "a.md").unlink()
    (root / "wiki" / "c.md").unlink()
    report = index(root, glob="b.md", prune=prune)
    assert report.pruned == (str(root / "a.md"), str(root / "wiki" / "c.md"))
    assert report.held_back == ()
    assert status(root).files == 2


def test_unreadable_is_not_gone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Permission denied or a stale mount on the way to a file keep its row, also with prune."""
    lstat = os.lstat

    def deny(path: str) -> os.stat_result:
        if os.fspath(path).startswith(str(root / "wiki") + os.sep):
            raise PermissionError(13, "Permission denied")
        return lstat(path)

    (root / "wiki").rename(root.parent / "wiki")
    monkeypatch.setattr(os, "lstat", deny)
    report = index(root, prune=True)
    assert (report.pruned, report.held_back) == ((), ())
    assert status(root).files == 4


def test_a_removal_is_checked_again_at_the_moment_it_is_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that came back since the run looked keeps its row and is held back."""
    (root / "a.md").unlink()
    (root / "b.md").unlink()

    def restore(_done: int, _total: int, _path: str) -> None:
        (root / "a.md").write_text("# back\n")

    (root / "wiki" / "c.md").write_text("# changed, so that there is progress\n")
    report = index(root, prune=True, on_progress=restore)
    assert report.pruned == (str(root / "b.md"),)
    assert report.held_back == (str(root / "a.md"),)
    assert index(root).files_indexed == 1


def test_a_file_that_became_a_directory_or_a_link_is_gone(root: Path) -> None:
    """The one is no file, the other a second name of another file."""
    (root / "a.md").unlink()
    (root / "a.md").mkdir()
    (root / "b.md").unlink()
    (root / "b.md").symlink_to("wiki/c.md")
    report = index(root, prune=True)
    assert report.pruned == (str(root / "a.md"), str(root / "b.md"))
    assert status(root).files == 2

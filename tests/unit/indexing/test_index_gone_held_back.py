"""What looks like a drive that is not mounted is held back; what was deleted is removed."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf import index, search, status
from rootleaf.errors import OverlappingRootsError, RootNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("without_vectors")


def write(root: Path, names: list[str]) -> None:
    """Writes a note by each name, all of them different."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n\nalpha\n")


def many(directory: str, count: int) -> list[str]:
    """Names of notes in a directory."""
    return [f"{directory}/{number:02}.md" for number in range(count)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed root of 30 notes, 12 of them in `wiki`; its database lies elsewhere."""
    directory = tmp_path.resolve() / "root"
    write(directory, many("wiki", 12) + many("notes", 18))
    index(directory, database(directory))
    return directory


def database(root: Path) -> Path:
    """Where the database of a root lies: beside it."""
    return root.parent / "index.db"


def paths(root: Path, names: list[str]) -> tuple[str, ...]:
    """Absolute paths of notes."""
    return tuple(str(root / name) for name in names)


def test_a_directory_that_is_gone_is_held_back_and_answers(root: Path) -> None:
    """The reason names rule, count, directory, and the command that removes; that one does."""
    shutil.rmtree(root / "wiki")
    before = database(root).read_bytes()
    report = index(root, database(root))
    assert (report.pruned, report.held_back) == ((), paths(root, many("wiki", 12)))
    reason = report.held_back_reason or ""
    assert "12 documents" in reason
    assert f"{root}/wiki, which held 12 documents, is gone" in reason
    assert "mount" in reason
    assert f"`rootleaf index {root} --db {database(root)} --prune`" in reason
    assert database(root).read_bytes() == before
    assert len(search("wiki", db_path=database(root), top_k=40).hits) == 12
    assert index(root, database(root), prune=True).pruned == paths(root, many("wiki", 12))
    assert status(db_path=database(root)).files == 18


@pytest.mark.parametrize(("count", "is_held_back"), [(5, False), (6, True)])
def test_an_emptied_directory_is_held_back_beyond_five_files(
    tmp_path: Path, count: int, is_held_back: bool
) -> None:
    """An own `.rootleaf` in it is no content; a file is."""
    root = tmp_path.resolve() / "root"
    write(root, many("wiki", count) + many("notes", 30))
    index(root)
    shutil.rmtree(root / "wiki")
    (root / "wiki" / ".rootleaf").mkdir(parents=True)
    report = index(root)
    expected = paths(root, many("wiki", count))
    assert (report.held_back, report.pruned) == ((expected, ()) if is_held_back else ((), expected))
    if is_held_back:
        assert f"{root}/wiki, which held 6 documents, is empty" in (report.held_back_reason or "")
        (root / "wiki" / "other.txt").write_text("something")
        assert index(root).pruned == expected


def test_an_emptied_directory_of_the_example(root: Path) -> None:
    """12 of 30 notes are held back, searchable, and removed when asked for."""
    for name in many("wiki", 12):
        (root / name).unlink()
    assert index(root, database(root)).held_back == paths(root, many("wiki", 12))
    assert status(db_path=database(root)).files == 30
    assert len(search("wiki", db_path=database(root), top_k=40).hits) == 12
    assert index(root, database(root), prune=True).pruned == paths(root, many("wiki", 12))


def test_a_handful_of_deleted_notes_is_removed(root: Path) -> None:
    """Three from two directories, by name."""
    gone = ["notes/00.md", "wiki/03.md", "wiki/05.md"]
    for name in gone:
        (root / name).unlink()
    report = index(root, database(root))
    assert (report.pruned, report.held_back) == (paths(root, gone), ())
    assert (report.held_back_reason, report.files_unchanged) == (None, 27)


@pytest.mark.parametrize("content", [None, "new"])
def test_most_of_the_index_is_held_back_whatever_is_new(root: Path, content: str | None) -> None:
    """16 of 30, from directories that still hold something; new files do not vouch for them."""
    gone = many("notes", 10) + many("wiki", 6)
    for name in gone:
        (root / name).unlink()
    if content is not None:
        write(root, many("added", 40))
    report = index(root, database(root))
    assert (report.pruned, report.held_back) == ((), paths(root, gone))
    assert "more than half of the 30" in (report.held_back_reason or "")
    assert report.files_indexed == (0 if content is None else 40)


def test_half_of_the_index_is_removed(root: Path) -> None:
    """15 of 30 is not more than half."""
    gone = many("notes", 10) + many("wiki", 5)
    for name in gone:
        (root / name).unlink()
    assert index(root, database(root)).pruned == paths(root, gone)


def test_five_of_five_are_removed(tmp_path: Path) -> None:
    """A root that is empty now, and held five notes, was emptied by somebody."""
    root = tmp_path.resolve() / "root"
    names = [f"{number}.md" for number in range(5)]
    write(root, names)
    index(root)
    for name in names:
        (root / name).unlink()
    assert index(root).pruned == paths(root, names)


def test_an_empty_mount_point_holds_back_all(root: Path) -> None:
    """The root is there and empty, with six notes at its top or with directories."""
    shutil.rmtree(root)
    root.mkdir()
    report = index(root, database(root))
    assert (len(report.held_back), report.pruned) == (30, ())
    top = root.parent / "top"
    names = [f"{number}.md" for number in range(6)]
    write(top, names)
    index(top, root.parent / "top.db")
    for name in names:
        (top / name).unlink()
    report = index(top, root.parent / "top.db")
    assert report.held_back == paths(top, names)
    assert f"{top}, which held 6 documents, is empty" in (report.held_back_reason or "")


def test_when_a_rule_fires_all_removals_of_the_run_are_held_back(root: Path) -> None:
    """Also one that no rule concerns, and under a glob that reaches none of them."""
    shutil.rmtree(root / "wiki")
    (root / "notes" / "03.md").unlink()
    report = index(root, database(root), glob="notes/1*.md")
    assert report.held_back == paths(root, ["notes/03.md", *many("wiki", 12)])
    assert (report.pruned, report.files_seen) == ((), 8)


def test_several_directories_are_counted_and_the_first_is_named(root: Path) -> None:
    """Directories below one that is gone are not counted again."""
    write(root, ["a/b/c.md", "a/d.md"])
    index(root, database(root))
    shutil.rmtree(root / "a")
    shutil.rmtree(root / "wiki")
    reason = index(root, database(root)).held_back_reason or ""
    assert f"{root}/a and 1 other directory are gone, which held 14 documents" in reason


def test_a_run_of_one_root_leaves_the_rows_of_another(root: Path) -> None:
    """Neither their number nor their absence counts for it."""
    other = root.parent / "other"
    write(other, many("x", 8))
    index(other, database(root))
    shutil.rmtree(other / "x")
    (root / "wiki" / "03.md").unlink()
    report = index(root, database(root), prune=True)
    assert (report.pruned, report.held_back) == (paths(root, ["wiki/03.md"]), ())
    assert status(db_path=database(root)).files == 37
    with pytest.raises(OverlappingRootsError):
        index(root / "wiki", database(root))
    assert status(db_path=database(root)).files == 37


@pytest.mark.parametrize("prune", [None, True, False])
def test_a_root_that_became_a_file_loses_nothing(root: Path, prune: bool | None) -> None:
    """It is told apart from an absent one."""
    root.rename(root.parent / "elsewhere")
    with pytest.raises(RootNotFoundError) as absent:
        index(root, database(root), prune=prune)
    root.write_text("a file")
    with pytest.raises(RootNotFoundError) as replaced:
        index(root, database(root), prune=prune)
    assert (absent.value.code, replaced.value.code) == ("root.missing", "root.not_a_directory")
    assert sorted(os.listdir(root.parent)) == ["elsewhere", "index.db", "index.db-snapshot", "root"]
    assert status(db_path=database(root)).files == 30


def test_a_directory_that_goes_between_plan_and_removal_is_held_back(root: Path) -> None:
    """The rules are asked again under the write lock."""
    (root / "wiki" / "03.md").unlink()
    write(root, ["added.md"])

    def unmount(_done: int, _total: int, _path: str) -> None:
        (root / "wiki").rename(root.parent / "unmounted")

    report = index(root, database(root), on_progress=unmount)
    assert (report.pruned, report.held_back) == ((), paths(root, ["wiki/03.md"]))
    assert f"{root}/wiki, which held 1 document, is gone" in (report.held_back_reason or "")


@pytest.mark.parametrize("prune", [None, True])
def test_a_root_that_goes_between_plan_and_removal_loses_nothing(
    root: Path, prune: bool | None
) -> None:
    """Whatever the flag; also if its name is a link by then."""
    (root / "wiki" / "03.md").unlink()
    write(root, ["added.md"])

    def unmount(_done: int, _total: int, _path: str) -> None:
        root.rename(root.parent / "unmounted")
        root.symlink_to("unmounted")

    report = index(root, database(root), prune=prune, on_progress=unmount)
    assert (report.pruned, report.held_back) == ((), paths(root, ["wiki/03.md"]))
    assert "went away" in (report.held_back_reason or "")


def test_a_system_that_does_not_answer_removes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stale mount, a broken disk, a dead network drive, a loop: none of them says "gone"."""
    import errno

    lstat = os.lstat
    shutil.rmtree(root / "wiki")
    for number in (errno.ESTALE, errno.EIO, errno.ENOTCONN, errno.ELOOP, errno.EACCES):

        def fail(path: str, number: int = number) -> os.stat_result:
            if os.fspath(path).startswith(f"{root}/wiki/"):
                raise OSError(number, os.strerror(number))
            return lstat(path)

        with monkeypatch.context() as patched:
            patched.setattr(os, "lstat", fail)
            report = index(root, database(root), prune=True)
        assert (report.pruned, report.held_back) == ((), ())
    assert status(db_path=database(root)).files == 30


def test_a_held_back_report_is_json(root: Path) -> None:
    """Reason, names and moves go with it."""
    shutil.rmtree(root / "wiki")
    (root / "notes" / "00.md").rename(root / "first.md")
    report: rootleaf.IndexReport = index(root, database(root))
    found = report.to_json()
    assert found["held_back"] == list(paths(root, many("wiki", 12)))
    assert found["held_back_reason"] == report.held_back_reason
    assert found["moved"] == [
        {"old_path": str(root / "notes/00.md"), "new_path": str(root / "first.md")}
    ]

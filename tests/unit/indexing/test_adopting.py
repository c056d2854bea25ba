"""A directory that was renamed with its index in it has the same index; a copy is told apart."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf import forget, index, index_file, search, status
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with three documents, indexed by default; its real path."""
    root = tmp_path.resolve() / "old name"
    (root / "sub").mkdir(parents=True)
    for name in ("a.md", "b.md", "sub/c.md"):
        (root / name).write_text(f"# {name}\n\nzanzibar\n")
    (root / "dead.md").symlink_to("nothing")
    index(root, glob="**/*.md")
    return root


def paths(root: Path) -> list[str]:
    """The documents that a search finds."""
    return sorted(hit.file_path for hit in search("zanzibar", root, top_k=99))


def rows(root: Path) -> list[tuple[object, ...]]:
    """Ids, hashes, signatures and dates of all documents: what a rename does not change."""
    connection = sqlite3.connect(root / ".rootleaf" / "index.db")
    try:
        return connection.execute(
            "SELECT document_id, documents.path, content_hash, stat_signature, key, first_seen"
            " FROM documents JOIN chunksets USING (document_id) ORDER BY document_id, ordinal"
        ).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("one_file", [False, True])
def test_a_renamed_directory_keeps_its_documents_and_no_answer_comes_twice(
    root: Path, one_file: bool
) -> None:
    """The next run says so, reads nothing again, and keeps ids, dates and selection."""
    before = rows(root)
    now = root.with_name("new name")
    root.rename(now)
    report = index_file(now / "a.md", now) if one_file else index(now)
    assert report.notices[0].startswith(f"{root} is {now} now")
    assert (report.files_indexed, report.pruned, report.held_back) == (0, (), ())
    assert rows(now) == before
    assert paths(now) == [f"{now}/a.md", f"{now}/b.md", f"{now}/sub/c.md"]
    found = status(now)
    assert [(one.path, one.selection) for one in found.roots] == [(str(now), "glob: **/*.md")]
    assert [entry.path for entry in found.skipped] == [f"{now}/dead.md"]
    assert found.snapshot == "current"
    again = index(now)
    assert not any(str(root) in notice for notice in again.notices)
    assert status(now).generation == found.generation


def test_a_snapshot_of_the_old_name_gives_no_old_paths(root: Path) -> None:
    """All paths are renewed from the database, though no text has changed."""
    now = root.with_name("new")
    root.rename(now)
    older = (now / ".rootleaf" / "index.snapshot").read_bytes()
    index(now)
    (now / ".rootleaf" / "index.snapshot").write_bytes(older)
    assert status(now).snapshot == "behind by 3 documents"
    assert paths(now) == [f"{now}/a.md", f"{now}/b.md", f"{now}/sub/c.md"]


def test_edits_made_since_the_rename_are_indexed_in_the_same_run(root: Path) -> None:
    """A changed, a new and a deleted file, beside what stays."""
    now = root.with_name("new")
    root.rename(now)
    (now / "a.md").write_text("# a.md\n\nzanzibar again\n")
    (now / "d.md").write_text("# d.md\n\nzanzibar\n")
    (now / "b.md").unlink()
    report = index(now)
    assert report.files_indexed == 2
    assert report.pruned == (f"{now}/b.md",)
    assert paths(now) == [f"{now}/a.md", f"{now}/d.md", f"{now}/sub/c.md"]


def test_a_directory_whose_contents_were_moved_up_is_adopted_too(root: Path) -> None:
    """The old root lay within the new one, and is not taken for an overlap."""
    for path in list(root.iterdir()):
        path.rename(root.parent / path.name)
    root.rmdir()
    index(root.parent)
    assert paths(root.parent) == [str(root.parent / name) for name in ("a.md", "b.md", "sub/c.md")]


def test_a_copy_of_a_directory_is_indexed_beside_the_original_and_named(root: Path) -> None:
    """The rows of the original stay; the command that drops them is printed, once."""
    now = root.with_name("copy")
    shutil.copytree(root, now, symlinks=True)
    report = index(now)
    command = f"rootleaf forget '{root}' --db {now}/.rootleaf/index.db"
    assert any(command in notice for notice in report.notices)
    assert len(paths(now)) == 6
    assert index(now).notices == ()
    forget(root, now / ".rootleaf" / "index.db")
    assert len(paths(now)) == 3
    assert len(paths(root)) == 3


def test_a_root_that_is_only_away_is_not_taken_for_a_renamed_one(tmp_path: Path) -> None:
    """Its files are not in the directory that holds the database; it is named as absent."""
    drive, home = tmp_path.resolve() / "drive", tmp_path.resolve() / "home"
    for directory, names in ((drive, "abc"), (home, "cdef")):
        directory.mkdir()
        for name in names:
            (directory / f"{name}.md").write_text(f"# {name}\n\nzanzibar\n")
    (home / ".rootleaf").mkdir()
    db_path = home / ".rootleaf" / "index.db"
    index(drive, db_path)
    drive.rename(tmp_path / "unmounted")
    report = index(home)
    assert any(f"rootleaf forget {drive} --db {db_path}" in notice for notice in report.notices)
    assert any("mount it" in notice for notice in report.notices)
    with open_for_reading(str(db_path)) as store:
        assert [root.path for root in store.roots()] == [str(drive), str(home)]
    assert len(paths(home)) == 7


def test_a_shared_database_elsewhere_is_never_guessed_about(root: Path) -> None:
    """A moved root is added anew there, and the command that drops the old one is printed."""
    db_path = root.with_name("shared.db")
    index(root, db_path)
    now = root.with_name("new")
    root.rename(now)
    report = index(now, db_path)
    command = f"rootleaf forget '{root}' --db {db_path}"
    assert any(command in notice for notice in report.notices)
    assert report.files_indexed == 3
    forget(root, db_path)
    assert [one.path for one in status(db_path=db_path).roots] == [str(now)]

"""What a run may not do: create without need, touch other roots, own another root's files."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, status
from rootleaf.errors import (
    InvalidInputError,
    MetadataRulesError,
    OverlappingRootsError,
    RootNotFoundError,
)
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, files: dict[str, str]) -> None:
    """Writes files below a root."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_an_absent_root_is_told_apart_from_one_that_is_no_directory(tmp_path: Path) -> None:
    """Each has its code, and nothing is created."""
    write(tmp_path, {"note.md": "# A\n"})
    for path, code in (
        (tmp_path / "absent", "root.missing"),
        (tmp_path / "note.md" / "below", "root.missing"),
        (tmp_path / "note.md", "root.not_a_directory"),
    ):
        with pytest.raises(RootNotFoundError) as caught:
            index(path)
        assert caught.value.code == code
        assert str(path) in caught.value.message
        assert caught.value.hint
    assert os.listdir(tmp_path) == ["note.md"]


UNREADABLE = """
import os, shlex, sys
from rootleaf import index
from rootleaf.errors import RootNotFoundError
import rootleaf.indexing.run
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    index(sys.argv[1], sys.argv[2])
except RootNotFoundError as error:
    print(error.code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="directories have no such permission there")
def test_an_unreadable_root_is_told_apart_from_an_absent_one(tmp_path: Path) -> None:
    """`root.unreadable`, and nothing is created."""
    closed = tmp_path / "closed"
    closed.mkdir()
    parents = [
        directory for directory in tmp_path.parents if directory.stat().st_uid == os.geteuid()
    ]
    modes = {directory: directory.stat().st_mode for directory in [*parents, tmp_path]}
    try:
        for directory, mode in modes.items():
            directory.chmod(mode | 0o055)
        closed.chmod(0o000)
        result = subprocess.run(
            [sys.executable, "-c", UNREADABLE, str(closed), str(tmp_path / "x.db")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        closed.chmod(0o755)
        for directory, mode in modes.items():
            directory.chmod(mode)
    assert result.stdout == "root.unreadable\n", result.stderr
    assert os.listdir(tmp_path) == ["closed"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_path_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    """In an error that can be printed."""
    root = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(root)
    with pytest.raises(InvalidInputError) as caught:
        index(os.fsdecode(root))
    assert "caf\\xe9" in caught.value.message


def test_an_absent_root_removes_nothing_whatever_the_flag(tmp_path: Path) -> None:
    """A drive that is not mounted costs nothing."""
    root, db_path = tmp_path / "drive", tmp_path / "x.db"
    write(root, {"a.md": "# A\n", "b.md": "# B\n"})
    index(root, db_path)
    root.rename(tmp_path / "elsewhere")
    for prune in (None, True, False):
        with pytest.raises(RootNotFoundError):
            index(root, db_path, prune=prune)
    assert not root.exists()
    found = status(db_path=db_path)
    assert found.files == 2
    assert (found.gone, found.held_back) == ((), ())
    assert [one.state for one in found.roots] == ["absent"]


def test_nothing_to_index_and_no_database_creates_nothing(tmp_path: Path) -> None:
    """The report says so; the directory stays empty."""
    report = index(tmp_path)
    assert report.files_seen == 0
    assert "nothing to index" in report.notices[0]
    assert not os.listdir(tmp_path)


def test_two_roots_share_a_database_and_leave_each_other_alone(tmp_path: Path) -> None:
    """Each run sees, removes and marks only the rows of its own root."""
    db_path = tmp_path / "shared.db"
    write(tmp_path, {"one/a.md": "# A\n", "one/b.md": "# B\n", "two/a.md": "# A\n"})
    index(tmp_path / "one", db_path)
    index(tmp_path / "two", db_path, glob="*.md")
    (tmp_path / "one" / "b.md").unlink()
    (tmp_path / "two" / "a.md").unlink()
    report = index(tmp_path / "one", db_path, prune=True)
    assert report.pruned == (str(tmp_path.resolve() / "one" / "b.md"),)
    found = status(db_path=db_path)
    assert [(os.path.basename(root.path), root.files, root.selection) for root in found.roots] == [
        ("one", 1, "all markdown"),
        ("two", 1, "glob: *.md"),
    ]


@pytest.mark.parametrize(("recorded", "given"), [("a", "a/b"), ("a/b", "a")])
def test_overlapping_roots_are_refused_with_the_right_command(
    tmp_path: Path, recorded: str, given: str
) -> None:
    """One would silently own the other's files; nothing is written."""
    db_path = tmp_path / "x.db"
    write(tmp_path, {"a/b/n.md": "# N\n", "a/m.md": "# M\n", "a-c/n.md": "# N\n"})
    index(tmp_path / recorded, db_path)
    before = db_path.read_bytes()
    with pytest.raises(OverlappingRootsError) as caught:
        index(tmp_path / given, db_path)
    assert caught.value.code == "root.overlap"
    assert str(tmp_path.resolve() / recorded) in caught.value.message
    assert caught.value.hint
    assert "rootleaf index " in caught.value.hint
    assert db_path.read_bytes() == before
    assert index(tmp_path / "a-c", db_path).files_indexed == 1


def test_a_root_is_one_root_however_it_is_named(tmp_path: Path) -> None:
    """Through a link, with dots, relative: one root, one row for each file."""
    write(tmp_path, {"real/a.md": "# A\n"})
    (tmp_path / "link").symlink_to("real")
    db_path = tmp_path / "x.db"
    for spelling in ("real", "link", "real/../link", "real/"):
        index(f"{tmp_path}/{spelling}", db_path)
    found = status(db_path=db_path)
    assert (found.files, [root.path for root in found.roots]) == (
        1,
        [str(tmp_path.resolve() / "real")],
    )
    with open_for_reading(str(db_path)) as store:
        assert [document.path for document in store.documents()] == [
            str(tmp_path.resolve() / "real" / "a.md")
        ]


def test_rules_that_are_not_understood_stop_the_run_before_anything_is_indexed(
    tmp_path: Path,
) -> None:
    """Nothing of that root is indexed; another root's broken rules do not matter."""
    write(tmp_path, {"one/a.md": "# A\n", "one/.rootleaf-metadata.json": "{", "two/b.md": "# B\n"})
    with pytest.raises(MetadataRulesError):
        index(tmp_path / "one")
    assert not (tmp_path / "one" / ".rootleaf").exists()
    db_path = tmp_path / "x.db"
    (tmp_path / "one" / ".rootleaf-metadata.json").unlink()
    index(tmp_path / "one", db_path)
    write(tmp_path, {"one/.rootleaf-metadata.json": "{"})
    assert index(tmp_path / "two", db_path).files_indexed == 1
    found = status(db_path=db_path)
    assert found.files == 2
    assert any(".rootleaf-metadata.json" in finding.title for finding in found.findings)


def test_a_rules_file_of_another_name_is_announced_with_the_command_that_renames_it(
    tmp_path: Path,
) -> None:
    """It is not read."""
    write(tmp_path, {"a.md": "# A\n", ".poma-metadata.json": "{"})
    (notice,) = index(tmp_path).notices
    assert "mv " in notice
    assert ".poma-metadata.json" in notice
    assert ".rootleaf-metadata.json" in notice


@pytest.mark.parametrize(
    "arguments",
    [{"glob": "*.md", "all_markdown": True}, {"file": "x.md", "glob": "*"}, {"path": 3},
     {"path": ""}, {"db_path": "a\0b"}, {"glob": "/etc/*"}, {"glob": "../*"}, {"glob": ""},
     {"glob": 1}, {"glob": b"*"}, {"glob": ["*"]}, {"glob": "\udcff"}],
)  # fmt: skip
def test_arguments_that_mean_nothing_are_refused(
    tmp_path: Path, arguments: dict[str, object]
) -> None:
    """An error names them; nothing is created."""
    write(tmp_path, {"a.md": "# A\n"})
    with pytest.raises(InvalidInputError):
        index(**{"path": tmp_path, **arguments})  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == ["a.md"]

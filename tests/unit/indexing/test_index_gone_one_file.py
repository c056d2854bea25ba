"""One file by name: gone, unknown, spelled in another way."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, index_file, status
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

COMPOSED = unicodedata.normalize("NFC", "Käse/Café.md")
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def write(root: Path, names: list[str]) -> None:
    """Writes a note by each name, all of them different."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed root with seven notes in `wiki` and three beside it."""
    directory = tmp_path.resolve() / "root"
    write(directory, [f"wiki/{number}.md" for number in range(7)] + ["a.md", "b.md", "deploy.md"])
    index(directory)
    return directory


def test_the_document_of_a_deleted_file_is_removed(root: Path) -> None:
    """And of no other file."""
    (root / "a.md").unlink()
    (root / "b.md").unlink()
    report = index_file(root / "a.md", root)
    assert (report.pruned, report.held_back, report.has_warnings) == (
        (str(root / "a.md"),),
        (),
        False,
    )
    assert status(root).files == 9


def test_a_file_of_a_directory_that_is_gone_is_held_back(root: Path) -> None:
    """With the command that removes it; under `prune` it is removed, else never."""
    (root / "wiki").rename(root.parent / "unmounted")
    path = root / "wiki" / "3.md"
    for prune in (None, False):
        report = index(root, file=path, prune=prune)
        assert (report.pruned, report.held_back) == ((), (str(path),))
        assert f"`rootleaf index {root} --file {path} --prune`" in (report.held_back_reason or "")
    assert index(root, file=path, prune=True).pruned == (str(path),)
    assert status(root).files == 9


def test_a_file_of_an_emptied_directory_is_held_back_beyond_five(root: Path) -> None:
    """Only the rows below its own directories are counted."""
    for number in range(7):
        (root / "wiki" / f"{number}.md").unlink()
    report = index_file(root / "wiki" / "0.md", root)
    assert report.held_back == (str(root / "wiki" / "0.md"),)
    assert "wiki, which held 7 documents, is empty" in (report.held_back_reason or "")
    (root / "a.md").unlink()
    assert index_file(root / "a.md", root).pruned == (str(root / "a.md"),)
    for number in (0, 1):
        index(root, file=root / "wiki" / f"{number}.md", prune=True)
    assert index_file(root / "wiki" / "2.md", root).pruned == (str(root / "wiki" / "2.md"),)


def test_a_held_back_file_is_resolved_by_the_current_rules(root: Path) -> None:
    """From what is stored; other rows are named as stale."""
    (root / "wiki").rename(root.parent / "unmounted")
    rules = '{"rules": [{"glob": "wiki/**", "metadata": {"kind": "wiki"}}]}'
    (root / ".rootleaf-metadata.json").write_text(rules)
    report = index_file(root / "wiki" / "3.md", root)
    assert (report.metadata_refreshed, len(report.stale_rules)) == (1, 9)
    assert str(root / "wiki" / "3.md") not in report.stale_rules


def test_an_unknown_file_is_an_error_with_near_names(root: Path) -> None:
    """The same name elsewhere, or one that is spelled alike; nothing is written."""
    content = (root / ".rootleaf" / "index.db").read_bytes()
    for given, near in (("wiki/deploy.md", "deploy.md"), ("deplyo.md", "deploy.md")):
        with pytest.raises(InvalidInputError, match="no file") as caught:
            index_file(root / given, root)
        assert str(root / near) in (caught.value.hint or "")
    with pytest.raises(InvalidInputError, match="no file"):
        index_file(root / "entirely-different.txt", root)
    assert (root / ".rootleaf" / "index.db").read_bytes() == content


def test_a_name_that_is_too_long_is_an_error_that_says_so(root: Path) -> None:
    """300 characters are more than a system takes."""
    with pytest.raises(InvalidInputError, match="too long"):
        index_file(root / ("x" * 300 + ".md"), root)


@pytest.mark.skipif(os.sep != "/", reason="a backslash separates there")
def test_a_backslash_is_a_character_of_a_name(root: Path) -> None:
    r"""`.\a.md` is a file of its own; `./` and `..` lead to the same one."""
    write(root, [".\\a.md", "we\\ird.md"])
    report = index_file(root / "we\\ird.md", root)
    assert report.files_indexed == 1
    for spelling in (f"{root}/./we\\ird.md", f"{root}/wiki/../we\\ird.md"):
        assert index_file(spelling, root).files_unchanged == 1
    (root / "we\\ird.md").unlink()
    assert index(root).pruned == (str(root / "we\\ird.md"),)
    assert index_file(f"{root}/wiki/../a.md", f"{root}/wiki/..").files_unchanged == 1
    assert status(root).files == 10


@pytest.mark.parametrize(
    ("on_disk", "given"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED), (COMPOSED, COMPOSED)]
)
def test_either_unicode_form_of_a_name_finds_the_file(root: Path, on_disk: str, given: str) -> None:
    """When it is new, when it is known, and when it is deleted."""
    write(root, [on_disk])
    assert index_file(root / given, root).files_indexed == 1
    assert index_file(root / given, root).files_unchanged == 1
    assert index(root).files_unchanged == 11
    write(root, [os.path.dirname(on_disk) + "/other.md"])
    (root / on_disk).unlink()
    assert index_file(root / given, root).pruned == (str(root / on_disk),)


def test_two_files_in_both_unicode_forms_stay_two_documents(root: Path) -> None:
    """Each is found by its own name only, also when it is deleted."""
    forms = ["Café.md", unicodedata.normalize("NFD", "Café.md")]
    write(root, forms)
    if len(os.listdir(root)) != 7:
        pytest.skip("the file system takes both forms for one name")
    index(root)
    (root / forms[0]).unlink()
    (root / forms[1]).write_text("# changed\n")
    assert index_file(root / forms[1], root).files_indexed == 1
    assert index_file(root / forms[0], root).pruned == (str(root / forms[0]),)
    assert status(root).files == 11

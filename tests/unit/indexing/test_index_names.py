"""Names that are spelled, cased, linked or separated in more than one way."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("without_vectors")

DECOMPOSED = "re\u0301sume\u0301.md"
COMPOSED = "r\u00e9sum\u00e9.md"


def write(root: Path, files: dict[str, str]) -> Path:
    """Writes files below a directory."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def stored(root: Path) -> list[str]:
    """The paths of all documents, relative to the root."""
    with rootleaf.MemoryIndex(root / ".rootleaf" / "index.db") as found:
        return [os.path.relpath(one.path, root.resolve()) for one in found.documents()]


@pytest.mark.parametrize("event", ["forget", "deleted"])
def test_a_decomposed_name_is_met_by_its_composed_spelling(tmp_path: Path, event: str) -> None:
    """In a glob, when it is looked up, when it is forgotten or deleted."""
    root = write(tmp_path / "root", {DECOMPOSED: "# One\n\nfig\n", "b.md": "# B\n"})
    assert rootleaf.index(root, glob=COMPOSED).files_indexed == 1
    assert rootleaf.index_file(root / COMPOSED, root).files_unchanged == 1
    if event == "forget":
        (gone,) = rootleaf.forget(root / COMPOSED).forgotten
    else:
        (root / DECOMPOSED).unlink()
        (gone,) = rootleaf.index_file(root / COMPOSED, root).pruned
    assert unicodedata.normalize("NFC", os.path.basename(gone)) == COMPOSED
    assert stored(root) == []


def test_two_spellings_that_are_two_files_stay_two_documents(tmp_path: Path) -> None:
    """Neither replaces the other, and forgetting one leaves the other."""
    root = write(tmp_path / "root", {DECOMPOSED: "# One\n\nfig\n", COMPOSED: "# Two\n\nplum\n"})
    if len(os.listdir(root)) < 2:
        pytest.skip("the file system takes both spellings for one name")
    rootleaf.index(root)
    assert sorted(stored(root)) == sorted([DECOMPOSED, COMPOSED])
    assert [len(rootleaf.search(word, root)) for word in ("fig", "plum")] == [1, 1]
    (gone,) = rootleaf.forget(root / COMPOSED).forgotten
    assert os.path.basename(gone) == COMPOSED
    assert stored(root) == [DECOMPOSED]
    assert rootleaf.index(root).files_indexed == 1
    assert len(stored(root)) == 2


def test_a_link_to_its_parent_ends(tmp_path: Path) -> None:
    """One document under one path; links to a parent, themselves and nothing are named."""
    root = write(tmp_path / "root", {"notes/a.md": "# A\n\nfig\n"})
    for name, target in (("loop", ".."), ("self", "self"), ("dead", "nothing")):
        (root / "notes" / name).symlink_to(target)
    for place, path in ((root, "notes/a.md"), (root / "notes", "a.md")):
        report = rootleaf.index(place)
        assert (report.files_seen, stored(place)) == (1, [path])
        named = {os.path.basename(one.path): one.reason for one in report.skipped}
        assert set(named) == {"loop", "self", "dead"}
        assert all("link" in reason for reason in named.values())
        assert rootleaf.status(place).skipped == report.skipped
        assert len(rootleaf.search("fig", place)) == 1


def test_renames_and_renames_of_the_case_alone_keep_documents(tmp_path: Path) -> None:
    """No ghost, no text embedded again, the rules of the new path."""
    rules = '{"rules": [{"glob": "memo/**", "metadata": {"kind": "memo"}}]}'
    root = write(
        tmp_path / "root",
        {
            "readme.md": "# R\n\nfig\n",
            "wiki/p.md": "# P\n\nplum\n",
            ".rootleaf-metadata.json": rules,
        },
    )
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    before = {hit.document_id for word in ("fig", "plum") for hit in rootleaf.search(word, root)}
    (root / "readme.md").rename(root / "README.md")
    (root / "wiki").rename(root / "memo")
    report = rootleaf.index(root, embedder=fake)
    assert (report.embedded, report.without_vector, report.held_back) == (0, 0, ())
    assert sorted(stored(root)) == ["README.md", "memo/p.md"]
    (hit,) = rootleaf.search("plum", root, where={"kind": "memo"})
    assert hit.file_path.endswith("/memo/p.md")
    assert {one.document_id for word in ("fig", "plum") for one in rootleaf.search(word, root)} == (
        before
    )
    assert rootleaf.status(root).findings == ()


def test_names_that_differ_in_case_alone_are_two_documents_where_both_can_be(
    tmp_path: Path,
) -> None:
    """Each with its own text."""
    root = write(tmp_path / "root", {"Index.md": "# I\n\nfig\n", "index.md": "# i\n\nplum\n"})
    if len(os.listdir(root)) < 2:
        pytest.skip("the file system knows no case")
    rootleaf.index(root)
    assert sorted(stored(root)) == ["Index.md", "index.md"]
    assert [len(rootleaf.search(word, root)) for word in ("fig", "plum")] == [1, 1]


def test_a_stored_path_has_one_form_whatever_separates_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `/`, by which globs match; a path in another system's form is told with near names."""
    rules = '{"rules": [{"glob": "docs/**/*.md", "metadata": {"kind": "doc"}}]}'
    root = write(
        tmp_path / "root", {"docs/setup.md": "# Setup\n\nfig\n", ".rootleaf-metadata.json": rules}
    )
    rootleaf.index(root)
    monkeypatch.chdir(root)
    (hit,) = rootleaf.search("fig", root, where={"kind": "doc"})
    assert hit.file_path == f"{root.resolve()}/docs/setup.md"
    for spelling in ("docs/setup.md", "./docs/setup.md", "docs/../docs/setup.md"):
        assert rootleaf.index_file(spelling, root).files_unchanged == 1
    for spelling in ("docs\\setup.md", ".\\docs\\setup.md", "DOCS/Setup.md"):
        if os.path.exists(spelling):
            assert rootleaf.index_file(spelling, root).files_unchanged == 1
            continue
        with pytest.raises(InvalidInputError) as caught:
            rootleaf.index_file(spelling, root)
        assert caught.value.code == "input.invalid"
        assert f"{root.resolve()}/docs/setup.md" in str(caught.value.hint)
        report = rootleaf.forget(root / spelling)
        assert report.forgotten == ()
        assert f"{root.resolve()}/docs/setup.md" in report.notices[0]
    assert stored(root) == ["docs/setup.md"]


def test_a_name_with_a_trailing_dot_or_too_many_characters(tmp_path: Path) -> None:
    """The one is a name like any other and no markdown by its suffix; the other is an error."""
    root = write(tmp_path / "root", {"docs/setup.md.": "# Setup\n\nfig\n", "a.md": "# A\n"})
    assert rootleaf.index(root).files_indexed == 1
    assert rootleaf.index_file(root / "docs" / "setup.md.", root).files_indexed == 1
    assert stored(root) == ["a.md", "docs/setup.md."]
    with pytest.raises(InvalidInputError, match="too long"):
        rootleaf.index_file(root / f"{'n' * 300}.md", root)

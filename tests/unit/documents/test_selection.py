"""What a root's selection remembers, and where a project begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rootleaf.documents.selection import Selection, is_markdown, project_root
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("selection", "spelling"),
    [
        (Selection.agent_files(), "agent files"),
        (Selection.all_markdown(), "all markdown"),
        (Selection.from_glob("docs/**/*.md"), "glob: docs/**/*.md"),
        (Selection.from_glob("glob: x"), "glob: glob: x"),
    ],
)
def test_a_selection_comes_back_from_its_spelling(selection: Selection, spelling: str) -> None:
    """What is stored and shown is enough to make it again."""
    assert selection.spelling == spelling
    assert Selection.from_spelling(spelling) == selection


@pytest.mark.parametrize("spelling", ["", "everything", "glob: /a", "Agent files"])
def test_an_unknown_spelling_is_refused(spelling: str) -> None:
    """A spelling of a later version is not taken for one of ours."""
    with pytest.raises(InvalidInputError):
        Selection.from_spelling(spelling)


def test_a_glob_that_leaves_the_root_is_refused_with_one_that_would_be_right() -> None:
    """The message names the glob, the hint shows its form."""
    with pytest.raises(InvalidInputError) as refused:
        Selection.from_glob("../*.md")
    assert "'../*.md'" in refused.value.message
    assert refused.value.hint is not None


def test_markdown_is_told_by_suffix() -> None:
    """In any case of letters; a suffix alone is enough, a part of one is not."""
    assert all(map(is_markdown, ("a.md", "a.MD", "a.Markdown", "a.mdc", "a.b.md")))
    assert not any(map(is_markdown, ("a.txt", "amd", "a.md.bak", "a.mdx", "markdown")))


def test_the_project_is_the_nearest_directory_upward_with_git(tmp_path: Path) -> None:
    """`.git` may be a directory or, in a work tree, a file."""
    inner = tmp_path / "outer/inner/deep"
    inner.mkdir(parents=True)
    (tmp_path / "outer/.git").mkdir()
    assert project_root(str(inner)) == str(tmp_path / "outer")
    (tmp_path / "outer/inner/.git").write_text("gitdir: elsewhere\n")
    assert project_root(str(inner)) == str(tmp_path / "outer/inner")
    assert project_root(str(tmp_path / "outer/inner")) == str(tmp_path / "outer/inner")


def test_without_git_the_project_is_the_directory_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its real path."""
    monkeypatch.setattr("os.path.lexists", lambda path: False)
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    assert project_root(str(tmp_path / "alias")) == str(tmp_path / "real")

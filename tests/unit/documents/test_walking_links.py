"""Where links lead a walk, and where they do not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import Walk, walk

if TYPE_CHECKING:
    from pathlib import Path

ALL = Selection.all_markdown()
AGENTS = Selection.agent_files()


def plant(root: Path, *paths: str, text: str = "# Title\n\nbody\n") -> None:
    """Creates files with their directories."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def names(found: Walk) -> list[str]:
    """The found files by their paths from the root."""
    return [file.relative_path for file in found.files]


def reasons(found: Walk, root: Path) -> dict[str, str]:
    """Reasons by path from the root."""
    return {os.path.relpath(skip.path, root): skip.reason for skip in found.skipped}


def test_links_below_the_root_lead_to_one_file(tmp_path: Path) -> None:
    """A file reached by two names is found once, under its real path."""
    plant(tmp_path, "docs/a.md", "AGENTS.md", "shelf/b.md")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "twice").symlink_to("docs")
    (tmp_path / "docs/b.md").symlink_to("../shelf/b.md")
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["AGENTS.md", "docs/a.md", "shelf/b.md"]
    assert found.skipped == []


def test_a_link_with_an_agents_name_selects_its_target(tmp_path: Path) -> None:
    """Agent files that are links are read, and known by what they point at."""
    plant(tmp_path, "guide/how.md", "prompts/p.md")
    (tmp_path / "AGENTS.md").symlink_to("guide/how.md")
    (tmp_path / ".claude").symlink_to("prompts")
    assert names(walk(str(tmp_path), AGENTS)) == ["guide/how.md", "prompts/p.md"]


def test_loops_end_and_broken_links_are_named(tmp_path: Path) -> None:
    """A link to its parent, to itself, to nothing: the walk ends, each is named, nothing raises."""
    plant(tmp_path, "notes/a.md")
    (tmp_path / "notes/loop").symlink_to("..")
    (tmp_path / "notes/self").symlink_to("self")
    (tmp_path / "notes/dead").symlink_to("nothing")
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["notes/a.md"]
    assert reasons(found, tmp_path) == {
        "notes/dead": "a link to nothing: nothing",
        "notes/loop": f"a link in a loop, to {tmp_path}, which holds it",
        "notes/self": "a link in a loop",
    }


def test_two_directories_that_link_to_each_other_end(tmp_path: Path) -> None:
    """Links that lead around are followed once."""
    plant(tmp_path, "a/x.md", "b/y.md")
    (tmp_path / "a/to_b").symlink_to("../b")
    (tmp_path / "b/to_a").symlink_to("../a")
    assert names(walk(str(tmp_path), ALL)) == ["a/x.md", "b/y.md"]


def test_a_link_that_leaves_the_root_is_skipped_and_named(tmp_path: Path) -> None:
    """What lies outside is not read; a neighbour whose name begins like the root is outside too."""
    root = tmp_path / "root"
    plant(tmp_path, "root/a.md", "root2/b.md", "out/c.md")
    (root / "file.md").symlink_to(tmp_path / "root2/b.md")
    (root / "directory").symlink_to(tmp_path / "out")
    (root / "library.so").symlink_to(tmp_path / "out/c.md")
    found = walk(str(root), ALL)
    assert names(found) == ["a.md"]
    assert reasons(found, root) == {
        "directory": f"a link that leaves the root, to {tmp_path / 'out'}",
        "file.md": f"a link that leaves the root, to {tmp_path / 'root2/b.md'}",
    }


def test_a_link_does_not_open_what_is_kept_out(tmp_path: Path) -> None:
    """A link into .git, an environment or an ignored directory is named, not followed."""
    plant(
        tmp_path, ".git/d.md", "build/g.md", "env/pyvenv.cfg", "env/e.md", "own.md", ".stash/s.md"
    )
    (tmp_path / ".gitignore").write_text("build/\nown.md\n")
    for name, target in (
        ("git.md", ".git/d.md"),
        ("g.md", "build/g.md"),
        ("e.md", "env/e.md"),
        ("o.md", "own.md"),
        ("stash", ".stash"),
    ):
        (tmp_path / name).symlink_to(target)
    found = walk(str(tmp_path), ALL)
    assert names(found) == []
    assert reasons(found, tmp_path) == {
        "e.md": f"a link to {tmp_path}/env/e.md, below the virtual environment env/",
        "g.md": f"a link to {tmp_path}/build/g.md, kept out by build/ (.gitignore:1)",
        "git.md": f"a link to {tmp_path}/.git/d.md, below .git/, which is never indexed",
        "o.md": f"a link to {tmp_path}/own.md, kept out by own.md (.gitignore:2)",
        "stash": f"a link to {tmp_path}/.stash, below .stash/, which is never indexed",
    }

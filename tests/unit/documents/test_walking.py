"""What a walk finds, what it leaves out, and what it names."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import Walk, walk
from rootleaf.errors import InvalidInputError, RootNotFoundError

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


def rules(found: Walk) -> dict[str, tuple[int, int]]:
    """Files and directories kept out, by rule."""
    return {entry.rule: (entry.files, entry.directories) for entry in found.ignored}


def test_markdown_is_known_by_its_suffix_in_any_case(tmp_path: Path) -> None:
    """`.md`, `.markdown` and `.mdc` below the root are found, nothing else."""
    plant(tmp_path, "a.md", "b.markdown", "c.mdc", "D.MD", "e.txt", "f.mdx", "md", "sub/deep/g.md")
    assert names(walk(str(tmp_path), ALL)) == [
        "D.MD",
        "a.md",
        "b.markdown",
        "c.mdc",
        "sub/deep/g.md",
    ]


def test_files_come_sorted_with_real_absolute_paths_and_their_status(tmp_path: Path) -> None:
    """Paths are real and absolute, in order, whatever the spelling of the root."""
    real = tmp_path / "real"
    plant(real, "b.md", "a/z.md", "a.md")
    (tmp_path / "alias").symlink_to(real)
    found = walk(str(tmp_path / "alias" / "." / "a" / ".."), ALL)
    assert [file.path for file in found.files] == sorted(
        str(real / name) for name in ("a.md", "a/z.md", "b.md")
    )
    assert all(file.stat.st_ino == os.stat(file.path).st_ino for file in found.files)


def test_an_explicit_glob_is_taken_as_written(tmp_path: Path) -> None:
    """A glob names files of any suffix, and only those."""
    plant(tmp_path, "docs/a.txt", "docs/b.md", "docs/deep/c.txt", "other/d.txt")
    assert names(walk(str(tmp_path), Selection.from_glob("docs/**/*.txt"))) == [
        "docs/a.txt",
        "docs/deep/c.txt",
    ]


def test_a_glob_opens_a_dot_directory_that_it_names(tmp_path: Path) -> None:
    """`**` does not enter dot-directories, a part with the dot does, except for .git."""
    plant(tmp_path, ".notes/a.md", ".git/b.md", "c.md", ".github/x/d.md")
    assert names(walk(str(tmp_path), Selection.from_glob("**/*.md"))) == ["c.md"]
    assert names(walk(str(tmp_path), Selection.from_glob(".notes/*.md"))) == [".notes/a.md"]
    assert names(walk(str(tmp_path), Selection.from_glob(".github/**/*.md"))) == [".github/x/d.md"]
    assert names(walk(str(tmp_path), Selection.from_glob(".git/*.md"))) == []


def test_dot_files_are_not_discovered(tmp_path: Path) -> None:
    """A dot-file is found only by a glob whose last part begins with the dot."""
    plant(tmp_path, ".hidden.md", ".claude/.secret.md", "a.md")
    assert names(walk(str(tmp_path), ALL)) == ["a.md"]
    assert names(walk(str(tmp_path), AGENTS)) == []
    assert names(walk(str(tmp_path), Selection.from_glob("**/.*.md"))) == [
        ".claude/.secret.md",
        ".hidden.md",
    ]


def test_agent_directories_are_walked_though_hidden_and_ignored_by_git(tmp_path: Path) -> None:
    """Agent files are found even where .gitignore lists them; .git and its like never."""
    plant(
        tmp_path,
        ".claude/memory/a.md",
        ".cursor/rules/b.md",
        ".github/copilot/c.md",
        "AGENTS.md",
        ".git/d.md",
        "node_modules/p/e.md",
        ".venv/f.md",
        "build/g.md",
        "env/lib/h.md",
        "memory-bank/i.md",
        ".agent/j.md",
        ".agents/k.md",
    )
    plant(tmp_path, "env/pyvenv.cfg", text="home = /usr\n")
    (tmp_path / ".gitignore").write_text(
        "build/\n.claude/\nAGENTS.md\n.github\nmemory-bank\n*.mdc\n"
    )
    plant(
        tmp_path, ".cursor/rules/l.mdc", "m.mdc", ".claude/node_modules/n.md", ".claude/.cache/o.md"
    )
    expected = [
        ".agent/j.md",
        ".agents/k.md",
        ".claude/memory/a.md",
        ".cursor/rules/b.md",
        ".cursor/rules/l.mdc",
        ".github/copilot/c.md",
        "AGENTS.md",
        "memory-bank/i.md",
    ]
    found = walk(str(tmp_path), ALL)
    assert names(found) == expected
    assert names(walk(str(tmp_path), AGENTS)) == expected
    assert rules(found) == {
        "*.mdc (.gitignore:6)": (1, 0),
        "build/ (.gitignore:1)": (0, 1),
        "node_modules/ (always)": (0, 2),
        "other dot-directories (always)": (0, 2),
        "virtual environments (always)": (0, 1),
    }


def test_without_ignore_files_only_the_fixed_exclusions_stay(tmp_path: Path) -> None:
    """`ignore_files=False` reads no ignore file; .git and node_modules stay out."""
    plant(tmp_path, "build/g.md", "own/h.md", "node_modules/e.md", ".git/d.md")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / ".rootleafignore").write_text("own/\n")
    assert names(walk(str(tmp_path), ALL)) == []
    assert names(walk(str(tmp_path), ALL, ignore_files=False)) == ["build/g.md", "own/h.md"]


def test_agent_files_are_what_the_list_says(tmp_path: Path) -> None:
    """Of .github only `copilot/` and instructions; AGENTS.md, CLAUDE.md, GEMINI.md at any depth."""
    plant(
        tmp_path,
        ".github/copilot-instructions.md",
        ".github/x/y.instructions.md",
        ".github/PULL.md",
        ".github/x/copilot/no.md",
        "pkg/AGENTS.md",
        "pkg/deep/CLAUDE.md",
        "pkg/GEMINI.md",
        "README.md",
        "pkg/agents.md",
        "pkg/.claude/skills/s.markdown",
        ".claude/notes.txt",
        ".github/AGENTS.md",
    )
    expected = [
        ".github/AGENTS.md",
        ".github/copilot-instructions.md",
        ".github/x/y.instructions.md",
        "pkg/.claude/skills/s.markdown",
        "pkg/AGENTS.md",
        "pkg/GEMINI.md",
        "pkg/deep/CLAUDE.md",
    ]
    assert names(walk(str(tmp_path), AGENTS)) == expected
    assert names(walk(str(tmp_path), ALL)) == sorted([*expected, "README.md", "pkg/agents.md"])


def test_inside_agent_directories_only_our_own_ignore_file_counts(tmp_path: Path) -> None:
    """.gitignore has no say there, .rootleafignore has, whether it lies above or inside."""
    plant(tmp_path, ".claude/a.md", ".claude/b.md", ".claude/c.md", "CLAUDE.md", "AGENTS.md")
    (tmp_path / ".claude/.gitignore").write_text("a.md\n")
    (tmp_path / ".claude/.rootleafignore").write_text("b.md\n")
    (tmp_path / ".rootleafignore").write_text(".claude/c.md\n/CLAUDE.md\n")
    assert names(walk(str(tmp_path), ALL)) == [".claude/a.md", "AGENTS.md"]


def test_our_own_ignore_file_takes_back_what_git_keeps_out(tmp_path: Path) -> None:
    """.rootleafignore has its say before .gitignore, wherever they lie."""
    plant(tmp_path, "build/a.md", "docs/b.md", "docs/c.md")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / ".rootleafignore").write_text("!build/\n!c.md\n")
    (tmp_path / "docs/.gitignore").write_text("*.md\n")
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["build/a.md", "docs/c.md"]
    assert rules(found) == {"*.md (docs/.gitignore:1)": (1, 0)}


def test_a_root_is_walked_whatever_its_name_and_the_ignore_files_above(tmp_path: Path) -> None:
    """A root in a dot-directory, a node_modules or an ignored directory is walked as any other."""
    for root in (".hidden/notes", "node_modules", ".venv", "build", ".git"):
        plant(tmp_path, f"{root}/a.md")
    plant(tmp_path, ".venv/pyvenv.cfg", text="")
    (tmp_path / ".gitignore").write_text("*\n")
    for root in (".hidden/notes", "node_modules", ".venv", "build", ".git"):
        assert names(walk(str(tmp_path / root), ALL)) == ["a.md"]


def test_an_agent_directory_as_root_holds_what_it_holds_from_above(tmp_path: Path) -> None:
    """The root's own name decides whether its files are agent files."""
    plant(tmp_path, ".claude/skills/a.md")
    assert names(walk(str(tmp_path / ".claude"), AGENTS)) == ["skills/a.md"]


def test_the_excludes_of_the_repository_count(tmp_path: Path) -> None:
    """`.git/info/exclude` of the root is read like git reads it."""
    plant(tmp_path, "a.md", "b.md")
    plant(tmp_path, ".git/info/exclude", text="# local\nb.md\n")
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["a.md"]
    assert rules(found) == {"b.md (.git/info/exclude:2)": (1, 0)}


def test_an_unreadable_directory_is_named_and_the_walk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One directory that the system refuses costs that directory."""
    plant(tmp_path, "closed/a.md", "open/b.md")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["open/b.md"]
    assert reasons(found, tmp_path) == {"closed": "directory cannot be read: permission denied"}


def test_special_files_are_named_and_never_opened(tmp_path: Path) -> None:
    """A FIFO, socket or directory with a markdown name is no document."""
    plant(tmp_path, "a.md", "folder.md/b.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to("pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "plug.md"))
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["a.md", "folder.md/b.md"]
    assert reasons(found, tmp_path) == {
        "link.md": "a link to a FIFO, not a regular file",
        "pipe.md": "a FIFO, not a regular file",
        "plug.md": "a socket, not a regular file",
    }


def test_names_that_are_not_utf8_are_skipped_and_named(tmp_path: Path) -> None:
    """Such a file or directory is named in a form that can be printed and stored."""
    plant(tmp_path, "gr\u00fcn.md")
    raw = os.fsencode(tmp_path)
    try:
        with open(raw + b"/caf\xe9.md", "wb") as file:
            file.write(b"x\n")
    except OSError:
        pytest.skip("the file system takes only UTF-8 names")
    os.mkdir(raw + b"/d\xff")
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["gr\u00fcn.md"]
    assert reasons(found, tmp_path) == {
        "caf\\xe9.md": "its name is not UTF-8",
        "d\\xff": "its name is not UTF-8",
    }
    with pytest.raises(InvalidInputError, match="not UTF-8"):
        walk(os.fsdecode(raw + b"/d\xff"), ALL)


def test_an_ignore_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The walk goes on without it."""
    plant(tmp_path, "a.md")
    (tmp_path / ".gitignore").mkdir()
    found = walk(str(tmp_path), ALL)
    assert names(found) == ["a.md"]
    assert list(reasons(found, tmp_path)) == [".gitignore"]


def test_an_absent_root_is_told_apart_from_one_that_is_no_directory(tmp_path: Path) -> None:
    """Each has its own code."""
    plant(tmp_path, "file.md")
    with pytest.raises(RootNotFoundError) as absent:
        walk(str(tmp_path / "nowhere"), ALL)
    assert absent.value.code == "root.missing"
    with pytest.raises(RootNotFoundError) as file:
        walk(str(tmp_path / "file.md"), ALL)
    assert file.value.code == "root.not_a_directory"


def test_an_unreadable_root_is_told_apart_from_an_absent_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A root that the system refuses is `root.unreadable`."""

    def refuse(path: str) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(RootNotFoundError) as refused:
        walk(str(tmp_path), ALL)
    assert refused.value.code == "root.unreadable"


def test_the_corpora_are_found_whole(shared_data: Path) -> None:
    """Every markdown file of the corpora is found, and nothing is skipped or kept out."""
    corpora = shared_data / "corpora"
    expected = sorted(
        os.path.join(directory, name)
        for directory, _subdirectories, listed in os.walk(corpora)
        for name in listed
        if name.endswith((".md", ".mdc", ".markdown"))
    )
    found = walk(str(corpora), ALL)
    assert [file.path for file in found.files] == [os.path.realpath(path) for path in expected]
    assert found.skipped == []
    assert found.ignored == []

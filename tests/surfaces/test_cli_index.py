"""What `rootleaf index` reads, says and ends with."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from typing import TYPE_CHECKING

from rootleaf.surfaces.cli.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from conftest import Cli, WriteNotes


def found(cli: Cli, root: Path, word: str = "fig") -> set[str]:
    """The paths of all documents that hold a word, relative to the root."""
    done = cli("search", word, "--path", str(root), "--top", "99", "--json")
    hits = json.loads(done.stdout)["hits"]
    return {os.path.relpath(hit["file_path"], root.resolve()) for hit in hits}


def test_each_way_to_end_has_its_exit_code(cli: Cli, notes: WriteNotes, tmp_path: Path) -> None:
    """Done, failed, wrong usage, done with warnings, refused."""
    root = notes({"a.md": "# A\n\nfig\n"})
    assert cli("index", str(root)).returncode == 0
    assert cli("index", str(tmp_path / "absent")).returncode == 1
    assert cli("index", str(root), "--nonsense").returncode == 2
    (root / "b.md").write_bytes(b"# Caf\xe9\n")
    assert cli("index", str(root)).returncode == 3
    assert cli("index", str(root)).returncode == 0
    (root / ".rootleaf-metadata.json").write_text("{")
    assert cli("index", str(root)).returncode == 4
    assert cli("search", "fig", "--path", str(root), "--where", "a=b").returncode == 4


def test_without_a_path_the_agent_files_of_the_project_are_read_and_that_is_said(
    cli: Cli, notes: WriteNotes
) -> None:
    """From a directory below the top of the repository; `--all` reads the rest."""
    agents = [
        ".claude/a.md", ".cursor/rules/b.mdc", ".agent/c.md", ".agents/d.md",
        ".github/copilot/e.md", "memory-bank/f.md", ".github/x/my-instructions.md", "AGENTS.md",
        "deep/er/CLAUDE.md", "deep/GEMINI.md",
    ]  # fmt: skip
    rest = ["README.md", "deep/g.md", ".github/PULL.md"]
    root = notes(dict.fromkeys([*agents, *rest], "# T\n\nfig\n"))
    (root / ".git").mkdir()
    done = cli("index", cwd=root / "deep")
    assert done.returncode == 0
    assert "agent files" in done.stderr
    assert "--all" in done.stderr
    assert found(cli, root) == set(agents)
    again = cli("index", str(root))
    assert "agent files" in again.stderr
    assert found(cli, root) == set(agents)
    assert cli("index", str(root), "--all").returncode == 0
    assert found(cli, root) == {*agents, "README.md", "deep/g.md"}


def test_without_a_repository_the_current_directory_is_the_project(
    cli: Cli, notes: WriteNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing of what lies above it is read."""
    root = notes({"AGENTS.md": "# A\n\nfig\n", "below/AGENTS.md": "# B\n\nfig\n"})
    lexists = os.path.lexists
    monkeypatch.setattr(
        os.path, "lexists", lambda path: not str(path).endswith(".git") and lexists(path)
    )
    assert cli("index", cwd=root / "below").returncode == 0
    assert found(cli, root / "below") == {"AGENTS.md"}
    assert not (root / ".rootleaf").exists()


def test_options_say_what_is_read(cli: Cli, notes: WriteNotes) -> None:
    """A glob of any suffix, no ignore files, one file; and where it is kept."""
    root = notes(
        {"a.md": "fig\n", "b.txt": "fig\n", "build/c.md": "fig\n", ".gitignore": "build/\n"}
    )
    db_path = root.parent / "x.db"
    cli("index", str(root), "--glob", "*.txt", "--db", str(db_path))
    assert not (root / ".rootleaf").exists()
    cli("index", str(root))
    assert found(cli, root) == {"a.md"}
    cli("index", str(root), "--file", str(root / "b.txt"))
    assert found(cli, root) == {"a.md", "b.txt"}
    cli("index", str(root), "--no-ignore")
    assert found(cli, root) == {"a.md", "b.txt", "build/c.md"}
    excluded = cli("index", str(root))
    assert excluded.returncode == 3
    assert "build/c.md: excluded" in excluded.stderr
    assert found(cli, root) == {"a.md", "b.txt"}


def test_the_bar_shows_files_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a run that is long enough for a bar; the text is the bar's own."""
    clock = [1000.0]
    monkeypatch.setattr("tqdm.std.time", lambda: clock[0])
    terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress(is_shown=True) as progress:
        for done in range(1, 5):
            progress.advance(done, 40, "a.md")
            clock[0] += 1.0
    shown = terminal.getvalue()
    assert re.search(r" 4/40 \[00:03<00:\d\d, +[\d.]+ files/s\]", shown)


def test_the_broken_rules_of_another_root_are_a_warning(
    cli: Cli, notes: WriteNotes, tmp_path: Path
) -> None:
    """The run does its work, and ends with what should be mended; also where it is to be quiet."""
    root = notes({"one/a.md": "# A\n", "two/b.md": "# B\n"}).resolve()
    db_path = str(tmp_path / "x.db")
    for name in ("one", "two"):
        assert cli("index", str(root / name), "--db", db_path).returncode == 0
    broken = root / "one" / ".rootleaf-metadata.json"
    broken.write_text("{")
    (root / "two" / "c.md").write_text("# C\n")
    done = cli("index", str(root / "two"), "--db", db_path)
    assert done.returncode == 3
    assert "1 file indexed" in done.stdout
    for quiet in (done, cli("index", str(root / "two"), "--db", db_path, "--quiet")):
        assert quiet.returncode == 3
        assert str(broken) in quiet.stderr

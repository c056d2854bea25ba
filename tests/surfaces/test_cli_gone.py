"""What `rootleaf index` says of files that are gone or moved, and how it ends."""

from __future__ import annotations

import json
import shlex
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")


@pytest.fixture
def root(notes: WriteNotes, cli: Cli) -> Path:
    """An indexed root of 30 notes, 12 of them in `wiki`."""
    files = {f"wiki/{number:02}.md": f"# Wiki {number}\n" for number in range(12)}
    files.update({f"notes/{number:02}.md": f"# Note {number}\n" for number in range(18)})
    directory = notes(dict(files)).resolve()
    assert cli("index", str(directory)).returncode == 0
    return directory


def test_the_command_that_is_printed_removes_what_was_held_back(root: Path, cli: Cli) -> None:
    """The run ends with warnings, names some and counts all; the printed command ends with 0."""
    shutil.rmtree(root / "wiki")
    held = cli("index", str(root))
    assert held.returncode == 3
    assert "12 documents whose files are gone were kept" in held.stderr
    assert "mount it" in held.stderr
    assert "wiki/00.md" in held.stderr
    assert "and 7 more" in held.stderr
    assert "12 held back" in held.stdout
    command = held.stderr.split("`")[1]
    removed = cli(*shlex.split(command)[1:])
    assert removed.returncode == 0, removed.stderr
    assert "12 files removed" in removed.stdout
    assert "removed: notes/wiki/00.md" in removed.stderr
    assert "and 7 more" in removed.stderr


def test_json_carries_reason_and_names(root: Path, cli: Cli) -> None:
    """It is all that a program sees; exit code 3 as without."""
    shutil.rmtree(root / "wiki")
    done = cli("index", str(root), "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, len(report["held_back"]), report["pruned"]) == (3, 12, [])
    assert f"rootleaf index {root} --prune" in report["held_back_reason"]


def test_a_handful_is_removed_and_a_move_is_told(root: Path, cli: Cli) -> None:
    """With names and counts, and without a warning."""
    for number in range(3):
        (root / "notes" / f"{number:02}.md").unlink()
    (root / "wiki").rename(root / "memo")
    done = cli("index", str(root))
    assert done.returncode == 0
    assert "removed: notes/notes/01.md" in done.stderr
    assert "moved: notes/wiki/00.md to notes/memo/00.md" in done.stderr
    assert "0 files indexed, 15 unchanged, 12 moved, 3 files removed" in done.stdout


def test_no_prune_says_that_it_keeps(root: Path, cli: Cli) -> None:
    """With the command that would not."""
    (root / "notes" / "00.md").unlink()
    done = cli("index", str(root), "--no-prune")
    assert done.returncode == 3
    assert "as asked" in done.stderr
    assert f"`rootleaf index {root} --prune`" in done.stderr


def test_absent_and_replaced_roots_are_told_apart(root: Path, cli: Cli) -> None:
    """Both are errors, and neither removes anything."""
    root.rename(root.parent / "elsewhere")
    absent = cli("index", str(root), "--prune")
    assert absent.returncode == 1
    assert "There is no directory" in absent.stderr
    assert "nothing was removed" in absent.stderr
    root.write_text("a file")
    replaced = cli("index", str(root), "--prune")
    assert replaced.returncode == 1
    assert "is not a directory" in replaced.stderr


def test_an_empty_directory_is_not_sent_in_circles(tmp_path: Path, cli: Cli) -> None:
    """`index` says there is nothing to index, and so do `search` and `status` after it."""
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "nothing to index" in cli("index", str(empty)).stderr
    for command in (("search", "x", "--path", str(empty)), ("status", str(empty))):
        done = cli(*command)
        assert done.returncode == 1
        assert "nothing to index in it" in done.stderr
        assert "once it holds markdown" in done.stderr
    (empty / "a.md").write_text("# A\n")
    assert f"rootleaf index {empty}\n" in cli("search", "x", "--path", str(empty)).stderr
    assert list(empty.iterdir()) == [empty / "a.md"]


@pytest.mark.parametrize("options", [(), ("--prune",)])
def test_a_drive_that_is_not_mounted_costs_nothing(
    root: Path, cli: Cli, options: tuple[str, ...]
) -> None:
    """Absent root, then an empty directory, then three single notes, with and without `--prune`."""

    def ask(word: str) -> int:
        done = cli("search", word, "--db", "x.db", "--top", "40", "--json")
        return len(json.loads(done.stdout)["hits"])

    given = ("index", str(root), "--db", "x.db", *options)
    assert cli(*given).returncode == 0
    away = root.parent / "away"
    root.rename(away)
    before = sorted(path.name for path in root.parent.iterdir())
    assert cli(*given).returncode == 1
    assert sorted(path.name for path in root.parent.iterdir()) == before
    assert (ask("wiki"), ask("note")) == (12, 18)
    away.rename(root)
    (root / "wiki").rename(away)
    (root / "wiki").mkdir()
    emptied = cli(*given)
    if options:
        assert "12 files removed" in emptied.stdout
        assert ask("wiki") == 0
    else:
        assert "12 held back" in emptied.stdout
        assert (emptied.returncode, ask("wiki")) == (3, 12)
    (root / "wiki").rmdir()
    away.rename(root / "wiki")
    assert cli(*given).returncode == 0
    assert (ask("wiki"), ask("note")) == (12, 18)
    for name in ("wiki/00.md", "notes/00.md", "notes/01.md"):
        (root / name).unlink()
    done = cli(*given)
    assert done.returncode == 0
    assert "3 files removed" in done.stdout
    assert (ask("wiki"), ask("note")) == (11, 16)

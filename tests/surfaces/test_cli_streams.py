"""Standard streams that are closed or full, and a working directory that is gone."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def in_shell(script: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script in which `$R` is the command line."""
    command = f"{shlex.quote(sys.executable)} -m rootleaf"
    return subprocess.run(
        ["sh", "-c", script.replace("$R", command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_changes_no_outcome(notes: WriteNotes, cli: Cli, closed: str) -> None:
    """What would have been printed there is dropped, and the exit code is that of the command."""
    root = notes({"a.md": "# A\n\napple\n"})
    cli("index", str(root))
    for arguments, code in (
        ("--version", 0),
        ("search --help", 0),
        ("search apple --path .", 0),
        ("search nothing --path .", 0),
        ("index .", 0),
        ("status . --json", 0),
        ("chunk -", 0),
        ("sarch apple", 2),
        ("search apple --db none.db --json", 1),
    ):
        done = in_shell(f"$R {arguments} {closed}", root)
        assert done.returncode == code, (arguments, done.stderr)
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr + done.stdout


@needs_full_device
@pytest.mark.parametrize("json", ["", "--json"])
def test_output_that_cannot_be_written_is_said_in_one_line(
    notes: WriteNotes, cli: Cli, json: str
) -> None:
    """An answer cut short by a full disk is no success."""
    root = notes({"a.md": "# A\n\n" + "apple pie\n" * 2000})
    cli("index", str(root))
    for arguments in ("search apple --path .", "status .", "chunk a.md"):
        done = in_shell(f"$R {arguments} {json} > /dev/full", root)
        assert done.returncode == 1
        expected = "rootleaf: the output cannot be written: No space left on device\n"
        assert done.stderr == expected
    assert in_shell("$R --version > /dev/full", root).returncode == 1
    assert in_shell("$R status . > /dev/full 2> /dev/full", root).returncode == 1


def test_a_working_directory_that_is_gone_is_named_as_such(tmp_path: Path) -> None:
    """Not as some file that is not there."""
    for command in ("search x", "status", "index", "index ."):
        done = in_shell(f"mkdir gone && cd gone && rmdir ../gone && $R {command}", tmp_path)
        assert done.returncode == 1
        assert "current directory is no longer there" in done.stderr


def test_a_locale_that_cannot_spell_a_name_still_searches(notes: WriteNotes, cli: Cli) -> None:
    """Answers are the same bytes, and the file is not said to be gone."""
    root = notes({"r\u00e9sum\u00e9.md": "# R\u00e9sum\u00e9\n\napple\n"})
    cli("index", str(root))
    plain = in_shell("$R search apple --path .", root)
    assert plain.stdout.startswith("--- r\u00e9sum\u00e9.md:1-3")
    for command in ("search apple --path .", "search apple --path . --json", "status ."):
        done = in_shell(f"LC_ALL=C PYTHONUTF8=0 $R {command}", root)
        assert done.returncode == 0, done.stdout
        assert "gone" not in done.stdout.replace("held_back", "") + done.stderr
    narrow = in_shell("LC_ALL=C PYTHONUTF8=0 $R search apple --path .", root)
    assert narrow.stdout == plain.stdout

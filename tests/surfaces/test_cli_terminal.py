"""At a terminal and in a pipe: colour, control characters, broken pipes, interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
import rootleaf
from rootleaf.surfaces.cli.progress import Progress

pty = pytest.importorskip("pty", reason="pseudo-terminals are there on POSIX only")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Cli, WriteNotes

ROOTLEAF = [sys.executable, "-m", "rootleaf"]


def at_terminal(*arguments: str, cwd: Path, **environment: str) -> str:
    """What `rootleaf` writes to a terminal, standard error in it."""
    controller, terminal = pty.openpty()
    kept = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM"}}
    with subprocess.Popen(
        [*ROOTLEAF, *arguments],
        cwd=cwd,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**kept, "TERM": "xterm", **environment},
    ) as running:
        os.close(terminal)
        written = b""
        while True:
            try:
                part = os.read(controller, 65536)
            except OSError:
                # Linux says EIO when the last writer has closed the terminal.
                break
            if not part:
                break
            written += part
        os.close(controller)
        running.wait(timeout=60)
    return written.decode("utf-8").replace("\r\n", "\n")


@pytest.fixture
def garden(notes: WriteNotes) -> Path:
    """A note with a word to find and characters that a terminal would obey, indexed."""
    root = notes({"g.md": "# Garden\n\nApples grow.\n\nEvil: \x1b]0;title\x07 \x9b31m \x7f end\n"})
    rootleaf.index(root)
    return root


def test_a_terminal_gets_colour_and_sees_the_words_that_match(garden: Path) -> None:
    """The words that met the query stand out, in whatever form they stand in the text."""
    written = at_terminal("search", "apple", cwd=garden)
    assert "\x1b[1;33mApples\x1b[0m grow." in written
    assert "\x1b[1;36mg.md\x1b[0m:1-5" in written


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_refused(garden: Path, environment: dict[str, str]) -> None:
    """`NO_COLOR` and a terminal without control sequences get plain text."""
    assert "\x1b" not in at_terminal("search", "apple", cwd=garden, **environment)
    assert "\x1b" not in at_terminal("serch", cwd=garden, **environment)


def test_control_characters_of_a_file_do_nothing_to_a_terminal(garden: Path) -> None:
    """They are shown as pictures of themselves; a pipe gets the text as it is."""
    written = at_terminal("search", "apple", cwd=garden, NO_COLOR="1")
    assert not any(ord(character) < 0x20 and character != "\n" for character in written)
    assert not any(0x7F <= ord(character) < 0xA0 for character in written)
    assert "\u241b]0;title\u2407" in written


def test_a_pipe_gets_plain_text_as_it_stands_in_the_file(garden: Path, cli: Cli) -> None:
    """No colour, and not a character changed."""
    done = cli("search", "apple", cwd=garden)
    assert "Evil: \x1b]0;title\x07 \x9b31m \x7f end\n" in done.stdout
    assert "\x1b[" not in done.stdout


def test_what_was_left_out_is_told_at_a_terminal(notes: WriteNotes) -> None:
    """A person sees how many more documents match, or come after those in meaning."""
    root = notes({f"{name}.md": f"# {name}\n\napple\n" for name in "abc"})
    rootleaf.index(root)
    written = at_terminal("search", "apple", "--top", "1", cwd=root)
    assert "2 more documents follow; --top shows more." in written
    by_words = ("search", "apple", "--top", "1", "--embedder", "none")
    assert "2 more documents match; --top shows more." in at_terminal(*by_words, cwd=root)


def test_a_reader_that_leaves_early_is_no_error(notes: WriteNotes) -> None:
    """`rootleaf … | head -1` ends quietly."""
    text = "# A\n\n" + "apple tree and more words\n" * 20_000
    root = notes({f"{number}.md": text for number in range(4)})
    rootleaf.index(root)
    with subprocess.Popen(
        [*ROOTLEAF, "chunk", "--json", "0.md"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


def test_an_interruption_is_quiet_and_keeps_what_is_done(tmp_path: Path) -> None:
    """Ctrl-C ends with exit code 130 and no traceback; here while standard input is awaited."""
    # A test run in the background of a shell may have been told to ignore the signal.
    program = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *ROOTLEAF, "chunk", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        deadline = time.monotonic() + 30
        while running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.5)
            running.send_signal(signal.SIGINT)
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stderr.read() == b""
        assert running.stdout.read() == b""
        assert running.returncode == 130


def test_an_unexpected_failure_is_one_line_that_asks_for_a_report(
    cli: Cli, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback reaches a person; the line says what to report."""

    def fail(*_: object, **__: object) -> None:
        message = "two\nlines"
        raise ValueError(message)

    monkeypatch.setattr("rootleaf.surfaces.cli.search_command.search", fail)
    done = cli("search", "apple", cwd=garden)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "report it with this line: ValueError: two lines at test_cli_terminal.py:" in done.stderr


@pytest.fixture
def unwritable(tmp_path: Path) -> Iterator[Path]:
    """A directory with an indexed note, in which nothing can be written, by root either."""
    place = tmp_path / "fixed"
    place.mkdir()
    is_root = os.geteuid() == 0
    if is_root and not _mounts("-t", "tmpfs", "none", str(place)):
        pytest.skip("root writes everywhere, and may not mount here")
    try:
        (place / "a.md").write_text("# A\n\napple\n")
        rootleaf.index(place)
        if is_root:
            assert _mounts("-o", "remount,ro", str(place))
        else:
            (place / ".rootleaf").chmod(0o555)
        yield place
    finally:
        if is_root:
            subprocess.run(["umount", str(place)], check=True)
        else:
            (place / ".rootleaf").chmod(0o755)


def _mounts(*arguments: str) -> bool:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def test_where_nothing_can_be_written_a_search_works_and_says_how(
    cli: Cli, unwritable: Path
) -> None:
    """It reads without locks and says so; indexing fails with one sentence and a next step."""
    found = cli("search", "apple", cwd=unwritable)
    assert (found.returncode, "apple" in found.stdout) == (0, True)
    assert "it was read without locks" in found.stderr
    assert cli("status", cwd=unwritable).returncode == 0
    failed = cli("index", ".", cwd=unwritable)
    assert failed.returncode == 1
    assert len(failed.stderr.splitlines()) == 2
    assert "Traceback" not in failed.stderr


def test_progress_counts_files_and_leaves_no_bar_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is told how many files are done of how many, and is closed at the end."""
    told: list[tuple[str, int]] = []

    class Bar:
        """Stands in for the bar, and notes what it is told."""

        def __init__(self, *, total: int, **_: object) -> None:
            self.n = 0
            told.append(("total", total))

        def update(self, count: int) -> None:
            self.n += count
            told.append(("done", self.n))

        def close(self) -> None:
            told.append(("closed", self.n))

    monkeypatch.setattr("tqdm.tqdm", Bar)
    with Progress(is_shown=True) as progress:
        progress.advance(1, 3, "a.md")
        progress.advance(3, 3, "c.md")
    assert told[:4] == [("total", 3), ("done", 1), ("done", 3), ("closed", 3)]
    told.clear()
    with Progress(is_shown=False) as progress:
        progress.advance(1, 3, "a.md")
    assert told == []


INTERRUPTED_WHILE_LOADING = """
import sys

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupter())
sys.argv = ["rootleaf", "status"]
{entry}
"""
ENTRIES = (
    "from rootleaf.surfaces.cli.main import main; sys.exit(main())",
    "import runpy; runpy.run_module('rootleaf', run_name='__main__')",
)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", ["rootleaf.errors", "argparse", "rootleaf.indexing.status"])
def test_an_interrupt_while_we_load_ends_without_a_traceback(entry: str, name: str) -> None:
    """Ctrl-C is exit code 130 and silence, also before there is a console."""
    program = INTERRUPTED_WHILE_LOADING.format(name=name, entry=entry)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


INTERRUPTED_IN_A_CALLBACK = """
import os, signal, sys, time, weakref
from rootleaf.surfaces.cli import status_command
from rootleaf.surfaces.cli.main import main

def run(request, console):
    thing = type("Thing", (), {})()
    kept = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
    del thing
    time.sleep(20)
    return 0

status_command.run = run
sys.argv = ["rootleaf", "status"]
sys.exit(main())
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_an_interrupt_that_comes_where_nothing_can_be_raised_ends_the_command_too() -> None:
    """An interpreter prints such a one, with its trace, and goes on."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IN_A_CALLBACK],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")

"""Help, versions, and the words for arguments that are wrong."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from rootleaf import __version__
from rootleaf.surfaces.cli.grammar import SHELLS, build_parser
from rootleaf.surfaces.cli.main import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes

COMMANDS = (
    "index",
    "search",
    "eval",
    "status",
    "forget",
    "doctor",
    "settings",
    "chunk",
    "completion",
)


def example_calls(help_page: str) -> list[list[str]]:
    """The arguments of each call of `rootleaf` under `examples:`."""
    calls = []
    for line in help_page.partition("examples:\n")[2].splitlines():
        call = line.partition("rootleaf ")[2]
        for end in (" | ", " > ", ")"):
            call = call.partition(end)[0]
        if call:
            calls.append(shlex.split(call))
    return calls


def test_there_are_the_commands_that_the_help_page_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The help page lists every command with a line of explanation."""
    assert tuple(build_parser().commands) == COMMANDS
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"^    {command} +\S", shown, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples_that_it_can_parse(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each help page has examples, and each example is a legal call."""
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: rootleaf {command} ")
    examples = example_calls(shown)
    assert examples
    for words in examples:
        assert build_parser().parse_args(words).command == command


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does(command: str) -> None:
    """No option and no argument is without a help text."""
    for action in build_parser().commands[command]._actions:
        assert action.help


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "completion"])
def test_every_command_that_reports_has_json(command: str) -> None:
    """Whatever reports something does so in JSON too."""
    assert "--json" in build_parser().commands[command].options


def test_the_version_is_that_of_the_package(cli_process: Cli) -> None:
    """There is one version number."""
    for arguments in (["--version"], ["-V"]):
        done = cli_process(*arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"rootleaf {__version__}\n", "")


def test_no_arguments_show_the_help_page(cli_process: Cli) -> None:
    """A bare call explains itself and is no error."""
    assert cli_process().stdout == cli_process("--help").stdout
    assert cli_process().returncode == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["serch", "x"], "did you mean search?"),
        (["search"], "search needs QUERY"),
        (["search", "x", "--tpo", "3"], "did you mean --top?"),
        (["search", "x", "--top", "three"], "'three'"),
        (["search", "x", "--top", "-1"], "--top: -1 is below 0"),
        (["search", "x", "--min-score", "7"], "--min-score: 7"),
        (["search", "x", "--min-score", "nan"], "--min-score: nan"),
        (["search", "x", "--budget", "0"], "--budget: 0"),
        (["search", "x", "--where", "=x"], "'=x'"),
        (["search", "x", "--where", "kind"], "'kind'"),
        (["search", "x", "--where", ""], "''"),
        (["search", "x", "--top", "3", "y"], "'y'"),
        (["index", "--prune", "--no-prune"], "--no-prune"),
        (["index", "--glob", "*.md", "--all"], "--all"),
        (["completion", "fish"], "'fish'"),
        (["status", "a", "b"], "'b'"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_arguments_are_named_with_exit_code_2_and_nothing_on_stdout(
    cli: Cli, arguments: list[str], named: str
) -> None:
    """A wrong argument is named, with a next step."""
    done = cli(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert named in done.stderr
    assert "try: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_query_that_starts_with_a_dash_gets_the_command_that_asks_it(cli: Cli) -> None:
    """A query that looks like an option is shown the way round."""
    done = cli("search", "-retry")
    assert done.returncode == 2
    assert "try: rootleaf search -- -retry" in done.stderr
    assert "try: rootleaf search -- '--x;y'" in cli("search", "--x;y").stderr


@pytest.mark.parametrize(
    ("arguments", "proper"),
    [
        (["status", "--path", "my docs"], "rootleaf status 'my docs'"),
        (["status", "--path=docs", "--json"], "rootleaf status docs"),
        (["index", "--path", "docs"], "rootleaf index docs"),
        (["index", "--root"], "rootleaf index PATH"),
        (["chunk", "--file", "a.md"], "rootleaf chunk a.md"),
        (["search", "figs", "--dir", "docs"], "rootleaf search QUERY --path docs"),
        (["search", "figs", "or", "."], "rootleaf search 'figs or' --path ."),
        (["search", "figs", "sub/docs"], "rootleaf search figs --path sub/docs"),
        (["search", "figs", "sub"], "rootleaf search figs --path sub"),
    ],
)
def test_a_place_that_is_given_in_another_commands_way_is_shown_this_ones(
    cli: Cli, tmp_path: Path, arguments: list[str], proper: str
) -> None:
    """Which directory is meant is an argument here and `--path` there; the error says which."""
    (tmp_path / "sub" / "docs").mkdir(parents=True)
    done = cli(*arguments)
    said = done.stdout if "--json" in arguments else done.stderr
    assert done.returncode == 2
    assert proper in said


def test_a_word_that_is_also_a_directory_stays_a_word_where_there_is_an_index(
    cli: Cli, notes: WriteNotes
) -> None:
    """A query of several words may end in the name of a directory, and a quoted one in any."""
    root = notes({"docs/a.md": "# A\n\nHow to write docs.\n"})
    cli("index", str(root))
    for query in (["write", "docs"], ["write ./docs"]):
        done = cli("search", *query, cwd=root)
        assert (done.returncode, done.stderr) == (0, "")
        assert "docs/a.md" in done.stdout


def test_several_words_that_start_with_a_dash_are_a_query(cli: Cli) -> None:
    """No option has a blank in it."""
    assert cli("search", "--retry or not").returncode == 1


def test_with_json_an_error_is_one_object_on_stdout(cli: Cli) -> None:
    """Under --json errors are JSON as well: code, message and hint."""
    done = cli("serch", "--json")
    assert done.returncode == 2
    assert done.stderr == ""
    error = json.loads(done.stdout)["error"]
    assert error["code"] == "usage"
    assert "serch" in error["message"]
    assert error["hint"] == "rootleaf --help"


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_scripts_name_every_command(cli: Cli, shell: str) -> None:
    """The completion script of each shell knows all commands and options."""
    pytest.importorskip("shtab")
    done = cli("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert command in done.stdout
    assert "--min-score" in done.stdout or "min-score" in done.stdout

"""The examples in the documentation run as they stand, and print what they are said to print.

They run in a folder that holds a copy of `docs/`, and of each corpus that a page names. A `$
rootleaf` command with lines under it must print these lines; `…` alone on a line stands for any
lines, and times may differ.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from markdown_pages import Page, commands_in, project_pages

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = {str(page.path.relative_to(REPOSITORY)): page for page in project_pages(REPOSITORY)}
CORPORA = ("copilot", "eips", "keps", "rust-book")
# Found, nothing found, done with warnings: every other code is an error.
GOOD_CODES = {0, 1, 3}


def rootleaf_commands(page: Page) -> list[tuple[str, str]]:
    """The `rootleaf` commands in a page's console blocks, each with the output shown under it."""
    return [
        (command, output)
        for fence in page.fences
        if fence.language == "console"
        for command, output in commands_in(fence)
        if command.startswith("rootleaf ")
    ]


def python_blocks(page: Page) -> list[str]:
    """The Python blocks of a page, in order."""
    return [fence.text for fence in page.fences if fence.language == "python"]


def corpora_named(page: Page) -> list[str]:
    """The corpora that the examples of a page read."""
    text = "\n".join([command for command, _ in rootleaf_commands(page)] + python_blocks(page))
    return [name for name in CORPORA if re.search(rf"(?<![\w-]){name}(?![\w-])", text)]


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where the examples of a page run."""
    page = PAGES[request.getfixturevalue("name")]
    shutil.copytree(REPOSITORY / "docs", tmp_path / "docs")
    for corpus in corpora_named(page):
        shared_data: Path = request.getfixturevalue("shared_data")
        shutil.copytree(shared_data / "corpora" / corpus, tmp_path / corpus)
        for path in [tmp_path / corpus, *(tmp_path / corpus).rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
    return tmp_path


def run(command: list[str] | str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs one example with this interpreter's commands first on PATH."""
    scripts = sysconfig.get_path("scripts")
    return subprocess.run(
        command,
        shell=isinstance(command, str),
        cwd=folder,
        env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def pattern_of(output: str) -> str:
    """A regular expression for output as a page shows it."""
    lines = []
    for line in output.rstrip("\n").splitlines():
        if line.strip() == "…":
            lines.append(r"(?:.*\n)*?")
        else:
            literal = re.escape(line.rstrip())
            lines.append(re.sub(r"\d+\\\.\d+(?=\\ m?s\b)", r"[0-9.]+", literal) + r"[ ]*\n")
    return "".join(lines)


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if rootleaf_commands(page)])
def test_console_examples_run_and_print_what_is_shown(name: str, folder: Path) -> None:
    """Each command ends well, without a traceback, and prints the lines under it."""
    for command, output in rootleaf_commands(PAGES[name]):
        finished = run(command, folder)
        printed = finished.stdout + finished.stderr
        assert finished.returncode in GOOD_CODES, f"$ {command}\n{printed}"
        assert "Traceback" not in printed, f"$ {command}\n{printed}"
        if output.strip():
            assert re.search(r"(?:\A|\n)" + pattern_of(output), printed), (
                f"{name} shows for `{command}`:\n{output}\nbut it printed:\n{printed}"
            )


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if python_blocks(page)])
def test_python_examples_run(name: str, folder: Path) -> None:
    """The Python blocks of a page, one after the other, run in one program."""
    program = "\n".join(python_blocks(PAGES[name]))
    finished = run([sys.executable, "-W", "error", "-c", program], folder)
    assert finished.returncode == 0, f"{name}:\n{finished.stderr}"

"""What the documentation points at exists: files, anchors, make targets, commands, options."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from markdown_pages import Page, anchor_of, commands_in, project_pages

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = {str(page.path.relative_to(REPOSITORY)): page for page in project_pages(REPOSITORY)}
TOP_FOLDERS = ("cpp", "python", "tests", "docs", "bench", "wheels", "tools", ".ci")
# What a build or a run makes, and so is not in a fresh clone.
MADE_FOLDERS = ("build/", ".venv/", ".rootleaf/")

each_page = pytest.mark.parametrize("name", sorted(PAGES))


def commands_of(page: Page) -> list[str]:
    """Every command line of a page: in code spans, and after `$` in console blocks."""
    shown = [
        command
        for fence in page.fences
        if fence.language in {"console", "sh", "bash"}
        for command, _ in commands_in(fence)
    ]
    return [*page.code_spans, *shown]


@each_page
def test_links_lead_to_files_and_headings_that_exist(name: str) -> None:
    """A relative link names a file of the project, its fragment a heading of that file."""
    page = PAGES[name]
    for link in page.links:
        if re.match(r"[a-z]+:", link):
            continue
        target, _, fragment = link.partition("#")
        path = (page.path.parent / target).resolve() if target else page.path
        assert path.exists(), f"{name} links to {link}"
        if fragment:
            headings = PAGES[str(path.relative_to(REPOSITORY))].headings
            assert fragment in map(anchor_of, headings), f"{name} links to {link}"


@each_page
def test_paths_that_are_named_exist(name: str) -> None:
    """A code span that starts with a folder of the project names something that is there."""
    for span in PAGES[name].code_spans:
        # What a command writes need not be there before it has run.
        for word in re.sub(r"--out \S+", "", span).split():
            path = word.rstrip(":,;.").partition("::")[0]
            if not path.startswith(tuple(folder + "/" for folder in TOP_FOLDERS)):
                continue
            pattern = re.sub(r"<[a-z_]+>", "*", path)
            assert any(REPOSITORY.glob(pattern.rstrip("/"))), f"{name} names {path}"


@each_page
def test_make_targets_that_are_named_exist(name: str) -> None:
    """`make X` in a page is a target of the Makefile."""
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for command in commands_of(PAGES[name]):
        for target in re.findall(r"^make ((?:[a-z-]+ ?)*)", command):
            assert set(target.split()) <= targets, f"{name} says: {command}"


@cache
def help_of(subcommand: str) -> str | None:
    """What `rootleaf SUBCOMMAND --help` prints, or None where there is no such command."""
    shown = subprocess.run(
        [sys.executable, "-m", "rootleaf", *subcommand.split(), "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    return shown.stdout if shown.returncode == 0 else None


@each_page
def test_commands_and_options_that_are_named_exist(name: str) -> None:
    """`rootleaf X --option` in a page is a command that has this option."""
    for command in commands_of(PAGES[name]):
        if not command.startswith("rootleaf ") or command.startswith("rootleaf."):
            continue
        words = shlex.split(command.partition(" #")[0])[1:]
        subcommand = words[0] if words and not words[0].startswith("-") else ""
        text = help_of(subcommand)
        assert text is not None, f"{name} says: {command}"
        for word in words:
            if word == "--":
                break
            if word.startswith("--"):
                option = re.escape(word.partition("=")[0])
                assert re.search(rf"(?<![\w-]){option}(?![\w-])", text), f"{name} says: {command}"

"""The project's own markdown as the tests read it: links, code spans, fenced blocks."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from pathlib import Path

    from markdown_it.token import Token

# Inputs of tests and answers to them are data, not documentation.
DATA_FOLDERS = ("tests/fuzz/corpus/", "tests/golden/", "tests/data/", "bench/data/")


class Fence(NamedTuple):
    """A fenced code block: its language, its text, and its first line (1-based)."""

    language: str
    text: str
    line: int


class Page(NamedTuple):
    """One markdown file of the project."""

    path: Path
    links: list[str]
    code_spans: list[str]
    fences: list[Fence]
    headings: list[str]


def _inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or []]


def read_page(path: Path) -> Page:
    """Parses one markdown file."""
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    inline = _inline(tokens)
    return Page(
        path=path,
        links=[str(token.attrs["href"]) for token in inline if token.type == "link_open"],
        code_spans=[token.content for token in inline if token.type == "code_inline"],
        fences=[
            Fence(token.info.split(" ")[0], token.content, (token.map or [0])[0] + 1)
            for token in tokens
            if token.type == "fence"
        ],
        headings=[
            tokens[number + 1].content
            for number, token in enumerate(tokens)
            if token.type == "heading_open"
        ],
    )


def project_pages(repository: Path) -> list[Page]:
    """Every markdown file that belongs to the project, by path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=repository,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = sorted(name for name in listed.split("\0") if name)
    return [
        read_page(repository / name)
        for name in names
        if not name.startswith(DATA_FOLDERS) and (repository / name).is_file()
    ]


def anchor_of(heading: str) -> str:
    """The fragment by which a heading is linked to."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def commands_in(fence: Fence) -> list[tuple[str, str]]:
    """The commands of a console block with the output that is shown under each."""
    commands: list[tuple[str, str]] = []
    for line in fence.text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], ""))
        elif commands:
            command, output = commands[-1]
            if command.endswith("\\"):
                commands[-1] = (command[:-1] + line.strip(), output)
            else:
                commands[-1] = (command, output + line + "\n")
    return commands

"""Two independent parsers, reduced to what is compared: the outline of a document's blocks.

An outline is a list of `(depth, kind, detail, start_line, end_line)`, in document order, lines
0-based and end exclusive. Trailing blank lines count for no block on either side, and lines that
hold nothing but the marks of quotes count as blank.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_it import MarkdownIt
from rootleaf.engine.blocks import BLOCK_KINDS, NO_PARENT, block_columns
from rootleaf.engine.chunker import front_matter_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

NODE_SCRIPT = Path(__file__).with_name("reference_outline.js")
_TEXTS_PER_PROCESS = 800
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"[ \t>]*")
_CONTAINER_TOKENS = ("blockquote", "bullet_list", "ordered_list", "list_item")


class Entry(NamedTuple):
    """One block of an outline."""

    depth: int
    kind: str
    detail: int
    start_line: int
    end_line: int


def without_front_matter(text: str) -> str:
    """The text with its front matter blanked, so that line numbers stay."""
    source = text.encode()
    span = front_matter_span(text)
    if span.state != "closed":
        return text
    lines = source[: span.end].count(b"\n")
    return "\n" * lines + source[span.end :].decode()


class Lines:
    """The lines of a text, to take trailing blank ones off the end of a block."""

    def __init__(self, text: str) -> None:
        self._blank = [_BLANK.fullmatch(line) is not None for line in _LINE_END.split(text)]

    def end(self, start: int, end: int) -> int:
        """The end of a block without the blank lines before it."""
        end = min(end, len(self._blank))
        while end > start + 1 and self._blank[end - 1]:
            end -= 1
        return end


def our_outline(text: str) -> list[Entry]:
    """The outline by the parser under test, without link reference definitions."""
    return [entry for entry in our_blocks(text) if entry.kind != "link_definition"]


def our_blocks(text: str) -> list[Entry]:
    """The outline by the parser under test, link reference definitions included."""
    columns = block_columns(text)
    lines = Lines(text)
    depths: list[int] = []
    entries: list[Entry] = []
    for kind_number, detail, parent, start, end in zip(
        columns.kinds,
        columns.details,
        columns.parents,
        columns.start_lines,
        columns.end_lines,
        strict=True,
    ):
        depths.append(0 if parent == NO_PARENT else depths[parent] + 1)
        kind = BLOCK_KINDS[kind_number]
        compared = detail if kind in ("heading", "list") else 0
        entries.append(Entry(depths[-1], kind, compared, start, lines.end(start, end)))
    return entries


_MARKDOWN_IT = MarkdownIt("commonmark", {"maxNesting": 10_000}).enable("table").disable("inline")
_KINDS_OF_TOKENS = {
    "blockquote_open": "block_quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "list_item",
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fenced_code",
    "code_block": "indented_code",
    "html_block": "html",
    "table_open": "table",
    "hr": "thematic_break",
}


def markdown_it_outline(text: str) -> list[Entry]:
    """The outline by markdown-it-py, without link reference definitions."""
    return list(_entries(_MARKDOWN_IT.parse(text, {}), Lines(text)))


def markdown_it_definitions(text: str) -> list[tuple[int, int]]:
    """The lines of all link reference definitions by markdown-it-py, sorted."""
    environment: dict[str, Any] = {}
    _MARKDOWN_IT.parse(text, environment)
    definitions = [
        *environment.get("references", {}).values(),
        *environment.get("duplicate_refs", []),
    ]
    return sorted((start, end) for start, end in (found["map"] for found in definitions))


def _entries(tokens: Sequence[Token], lines: Lines) -> Iterator[Entry]:
    depth = 0
    for token in tokens:
        container = token.type.rpartition("_")[0] in _CONTAINER_TOKENS
        if container and token.nesting == -1:
            depth -= 1
        kind = _KINDS_OF_TOKENS.get(token.type)
        if kind is None:
            continue
        assert token.map is not None
        start, end = token.map
        detail = int(token.tag[1]) if kind == "heading" else int(token.type == "ordered_list_open")
        yield Entry(depth, kind, detail, start, lines.end(start, end))
        if container:
            depth += 1


def without_tables(outline: Sequence[Entry]) -> list[Entry]:
    """An outline as a parser that knows no tables sees it: their lines are text of a paragraph."""
    folded: list[Entry] = []
    for entry in outline:
        if entry.kind != "table":
            folded.append(entry)
            continue
        start = entry.start_line
        if folded and folded[-1][:2] == (entry.depth, "paragraph") and folded[-1].end_line == start:
            start = folded.pop().start_line
        folded.append(entry._replace(kind="paragraph", start_line=start))
    return folded


def commonmark_directory(repository: Path) -> Path | None:
    """The directory of the npm package `commonmark`: by environment, or installed for the tests."""
    named = os.environ.get("ROOTLEAF_COMMONMARK")
    directory = Path(named) if named else repository / "build/oracle/node_modules/commonmark"
    return directory if (directory / "package.json").is_file() else None


def reference_outlines(package: Path, texts: Sequence[str]) -> Iterator[list[Entry]]:
    """The outlines by the reference implementation; it knows no tables and shows no definitions."""
    for first in range(0, len(texts), _TEXTS_PER_PROCESS):
        batch = texts[first : first + _TEXTS_PER_PROCESS]
        finished = subprocess.run(
            ["node", str(NODE_SCRIPT), str(package.resolve())],
            input=json.dumps(batch),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        for text, outline in zip(batch, json.loads(finished.stdout), strict=True):
            lines = Lines(text)
            yield [
                Entry(depth, kind, detail, start, lines.end(start, end))
                for depth, kind, detail, start, end in outline
            ]

"""Two independent parsers, reduced to what is compared: the outline of a document's blocks.

An outline is a list of `(depth, kind, detail, start_line, end_line)`, in document order, lines 0-based
and end exclusive. Trailing blank lines count for no block on either side, and lines that hold
nothing but the marks of quotes count as blank.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

from rootleaf.engine.blocks import BLOCK_KINDS, NO_PARENT, block_columns
from rootleaf.engine.chunker import front_matter_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

NODE_SCRIPT = Path(__file__).with_name("reference_outline.js")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"[ \t>]*")
_CONTAINERS = ("block_quote", "list", "list_item")


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


def our_outline(text: str, *, definitions: bool) -> list[Entry]:
    """The outline by the parser under test."""
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
        if kind == "link_definition" and not definitions:
            continue
        compared = detail if kind in ("heading", "list") else 0
        entries.append(Entry(depths[-1], kind, compared, start, lines.end(start, end)))
    return entries


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 10_000}).enable("table").disable("inline")


_MARKDOWN_IT = _parser()
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
    lines = Lines(text)
    return list(_entries(_MARKDOWN_IT.parse(text, {}), lines))


def _entries(tokens: Sequence[Token], lines: Lines) -> Iterator[Entry]:
    depth = 0
    for token in tokens:
        container = token.type.rpartition("_")[0] in (
            "blockquote",
            "bullet_list",
            "ordered_list",
            "list_item",
        )
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


def commonmark_directory(repository: Path) -> Path | None:
    """The directory of the npm package `commonmark`: by environment, or installed for the tests."""
    named = os.environ.get("ROOTLEAF_COMMONMARK")
    candidates = [Path(named)] if named else []
    candidates += [repository / "build/oracles/node_modules/commonmark", repository / "node_modules/commonmark"]
    return next((path for path in candidates if (path / "package.json").is_file()), None)


def reference_outlines(package: Path, texts: Sequence[str]) -> list[list[Entry]]:
    """The outlines by the reference implementation; it knows no tables and shows no definitions."""
    finished = subprocess.run(
        ["node", str(NODE_SCRIPT), str(package)],
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    outlines: list[list[Entry]] = []
    for text, outline in zip(texts, json.loads(finished.stdout), strict=True):
        lines = Lines(text)
        outlines.append(
            [
                Entry(depth, kind, detail, start, lines.end(start, end))
                for depth, kind, detail, start, end in outline
            ]
        )
    return outlines

"""Sections are those that an independent parser sees: paths of headings, and lines of own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt
from rootleaf.evaluation.sections import sections, slug
from rootleaf.store.records import StoredDocument

if TYPE_CHECKING:
    from pathlib import Path

    Sections = list[tuple[tuple[str, ...], set[int]]]


def ours(text: str) -> Sections:
    """Each section's path, and the lines that are not blank among those of its own text."""
    document = StoredDocument(
        document_id=1,
        root="/",
        path="/a.md",
        text=text,
        front_matter="absent",
        rules_identity="",
        metadata={},
    )
    lines = text.split("\n")
    return [
        (
            section.path,
            {
                number
                for span in section.lines
                for number in range(span.start_line, span.end_line + 1)
                if lines[number - 1].strip()
            },
        )
        for section in sections(document)
    ]


def theirs(text: str) -> Sections:
    """The same from the tokens of markdown-it."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    lines = text.split("\n")
    headings = [
        (int(token.tag[1]), tokens[number + 1].content, *(token.map or (0, 0)))
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    found: Sections = []
    above: list[tuple[int, str]] = []
    for number, (level, words, start, end) in enumerate(headings):
        above = [one for one in above if one[0] < level] + [(level, slug(words))]
        following = headings[number + 1][2] if number + 1 < len(headings) else len(lines)
        own = {line + 1 for line in range(end, following) if lines[line].strip()}
        path = tuple(word for _, word in above)
        found.append((path, own or {line + 1 for line in range(start, end)}))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No heading at all.\n",
        "Above.\n\n# Title\n\nBelow.\n",
        "# Title\n\n## Empty\n\n## Full\n\n- item\n  - inner\n\n```\n# no heading\n```\n",
        "Under\n=====\n\nlined\n\nAgain\n-----\n\n> # quoted\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
        "# A\n\n### Skipped\n\ndeep\n\n## Back\n\n<!-- a\n# comment\n-->\n\n# B #\n\nlast\n",
        "## Second first\n\nx\n\n# Then first\n\ny\n\n## Same\n\none\n\n## Same\n\ntwo\n",
    ],
)
def test_small_texts_have_the_sections_of_another_parser(text: str) -> None:
    """Whatever stands where; a heading without text below it stands for itself."""
    assert ours(text) == theirs(text)


def test_the_book_has_the_sections_of_another_parser(shared_data: Path) -> None:
    """Every chapter: some five hundred sections, code with `#` in it, tables, comments."""
    chapters = sorted((shared_data / "corpora" / "rust-book" / "src").glob("*.md"))
    assert len(chapters) > 100
    for chapter in chapters:
        text = chapter.read_text(encoding="utf-8")
        assert ours(text) == theirs(text), chapter.name

"""Cheatsheets that were read and liked, kept word for word.

A file of this directory holds a query, a document and the cheatsheet that it gives. A change that
is meant is written with `pytest tests/golden --update-golden`, and its difference is read.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rootleaf.engine.chunker import chunk_columns
from rootleaf.engine.keyword import SegmentBuilder
from rootleaf.render.cheatsheet import render_cheatsheet

EXAMPLES = sorted(Path(__file__).parent.glob("*.txt"))
DOCUMENT = "\n=== document ===\n"
CHEATSHEET = "\n=== cheatsheet ===\n"


def cheatsheet_of(header: str, document: str) -> str:
    """What a search for the query in the header shows of the document, and its line ranges."""
    settings = dict(line.split(": ", 1) for line in header.splitlines())
    builder = SegmentBuilder()
    builder.add(1, "/example.md", "example", document, True, "", {})
    ranking = builder.build().search(settings["query"], top_k=1)
    budget = settings.get("budget")
    sheet = render_cheatsheet(
        document,
        chunk_columns(document),
        list(ranking.ordinals),
        query=settings["query"],
        cite=settings.get("cite") == "yes",
        path="example.md",
        budget_tokens=None if budget is None else int(budget),
    )
    spans = ", ".join(f"{span.start_line}-{span.end_line}" for span in sheet.spans)
    return f"{sheet.text}\n=== lines {spans}; {sheet.tokens} tokens ===\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_cheatsheet_reads_as_it_did_when_it_was_liked(
    example: Path, request: pytest.FixtureRequest
) -> None:
    """The whole text of each example is as it was, marks, blank lines and line ranges too."""
    header, rest = example.read_text("utf-8").split(DOCUMENT, 1)
    document, expected = rest.split(CHEATSHEET, 1)
    found = cheatsheet_of(header, document)
    if request.config.getoption("--update-golden"):
        example.write_text(f"{header}{DOCUMENT}{document}{CHEATSHEET}{found}", "utf-8")
    else:
        assert found == expected


def test_there_is_an_example_of_each_shape() -> None:
    """Lists, tables, code, long paragraphs, skipped levels, sections, a budget, citations."""
    assert len(EXAMPLES) >= 8

"""Cheatsheets that were read and liked, kept word for word.

A file of this directory holds a query, words of the chunksets that are shown (best first, so that
no ranking is part of the example), a document, and its cheatsheet. A change that is meant is
written with `pytest tests/golden --update-golden`, and its difference is read.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rootleaf.engine.chunker import ChunkColumns, chunk_columns
from rootleaf.render.cheatsheet import render_cheatsheet

EXAMPLES = sorted(Path(__file__).parent.glob("*.txt"))
DOCUMENT = "\n=== document ===\n"
CHEATSHEET = "\n=== cheatsheet ===\n"


def chunkset_with(passage: str, document: str, columns: ChunkColumns) -> int:
    """The chunkset that has a leaf with these words."""
    encoded = document.encode("utf-8")
    for ordinal in range(columns.len_chunksets()):
        first = columns.chunkset_firsts[ordinal]
        last = first + columns.chunkset_counts[ordinal] - 1
        if passage in encoded[columns.starts[first] : columns.ends[last]].decode("utf-8"):
            return ordinal
    raise LookupError(passage)


def cheatsheet_of(header: str, document: str) -> str:
    """What a search as the header describes it shows of the document, and its line ranges."""
    settings = dict(line.split(": ", 1) for line in header.splitlines())
    columns = chunk_columns(document)
    budget = settings.get("budget")
    sheet = render_cheatsheet(
        document,
        columns,
        [chunkset_with(passage, document, columns) for passage in settings["shows"].split("; ")],
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

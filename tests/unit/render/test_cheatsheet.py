"""What a cheatsheet shows of a document, on columns written by hand."""

from __future__ import annotations

import pytest
from handmade_columns import HandmadeColumns, catalog_columns, rendered, spans
from rootleaf.engine.chunker import chunk_columns
from rootleaf.engine.tokens import count_tokens
from rootleaf.render.cheatsheet import render_cheatsheet


@pytest.fixture
def catalog() -> HandmadeColumns:
    """A text with one chunkset for each section; the first holds two leaves."""
    return catalog_columns()


def test_a_leaf_stands_under_its_ancestors_with_a_mark_where_lines_are_left_out(
    catalog: HandmadeColumns,
) -> None:
    """A leaf is shown with all its headings, and `[...]` for the sections between them."""
    sheet = rendered(catalog, [1])
    assert sheet.text == "# Catalog\n[...]\n## beta\n\nplum"
    assert spans(sheet) == [(1, 1), (10, 12)]
    assert sheet.chunk_ids == (0, 4, 5)
    assert sheet.tokens == count_tokens(sheet.text)


def test_adjacent_pieces_keep_their_blank_lines_and_get_no_mark(catalog: HandmadeColumns) -> None:
    """Where only blank lines stand between two pieces, these are shown as they are."""
    sheet = rendered(catalog, [1, 0])
    assert sheet.text == "# Catalog\n\n## alpha\n\nfig one\n\nfig two\n\n\n## beta\n\nplum"
    assert spans(sheet) == [(1, 12)]


def test_chunksets_are_shown_in_document_order_and_shared_ancestors_once(
    catalog: HandmadeColumns,
) -> None:
    """Whatever the rank, the order is that of the document, and no line comes twice."""
    sheet = rendered(catalog, [2, 0])
    assert sheet.text == ("# Catalog\n\n## alpha\n\nfig one\n\nfig two\n[...]\n## gamma\n\nlast")


def test_every_block_carries_its_path_and_line_when_asked(catalog: HandmadeColumns) -> None:
    """Each block can carry `path:line`."""
    sheet = rendered(catalog, [1], cite=True, path="/notes/c.md")
    assert sheet.text == "/notes/c.md:1\n# Catalog\n[...]\n/notes/c.md:10\n## beta\n\nplum"


def test_no_chunkset_gives_an_empty_cheatsheet(catalog: HandmadeColumns) -> None:
    """Nothing to show is an empty cheatsheet and no error."""
    sheet = rendered(catalog, [])
    assert (sheet.text, sheet.spans, sheet.chunk_ids, sheet.tokens) == ("", (), (), 0)


def test_indentation_and_trailing_blanks_of_a_line_are_kept() -> None:
    """Lines are shown whole, blanks at both ends included."""
    text = "- top  \n  - inner  \n    - deep\t\n\nafter\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("list_item", "- top")
    inner = columns.chunk("list_item", "- inner", top)
    columns.chunk("list_item", "- deep", inner)
    columns.chunk("paragraph", "after")
    ordinal = columns.chunkset(2)
    sheet = rendered(columns, [ordinal])
    assert sheet.text == "- top  \n  - inner  \n    - deep\t"


def long_table(row_count: int) -> tuple[str, HandmadeColumns]:
    """A table cut into pieces of ten rows."""
    header = "| service | limit |\n|---|---|"
    rows = [f"| svc{number} | {number} |" for number in range(row_count)]
    text = "# Limits\n\n" + "\n".join([header, *rows]) + "\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Limits")
    for first in range(0, row_count, 10):
        body = "\n".join(rows[first : first + 10])
        if first == 0:
            chunk = columns.chunk("table", f"{header}\n{body}", top)
        else:
            chunk = columns.chunk("table", body, top, head=header)
        columns.chunkset(chunk)
    return text, columns


def test_a_row_of_a_long_table_stands_under_the_header_rows() -> None:
    """A piece of a table shows header and delimiter rows, then its matching rows."""
    _, columns = long_table(40)
    sheet = rendered(columns, [2], query="svc25")
    assert sheet.text == "# Limits\n\n| service | limit |\n|---|---|\n[...]\n| svc25 | 25 |"
    assert spans(sheet) == [(1, 4), (30, 30)]


def test_rows_of_the_first_piece_are_chosen_and_its_header_is_shown_once() -> None:
    """The piece that holds the header is treated as the others are."""
    _, columns = long_table(40)
    sheet = rendered(columns, [0, 3], query="svc3 svc4 svc31")
    assert sheet.text == (
        "# Limits\n\n| service | limit |\n|---|---|\n[...]\n"
        "| svc3 | 3 |\n| svc4 | 4 |\n[...]\n| svc31 | 31 |"
    )


def test_all_rows_of_a_table_piece_are_shown_when_none_matches_or_only_the_header_does() -> None:
    """All rows of a piece are shown unless the table has rows that match."""
    text, columns = long_table(10)
    whole = text.rstrip("\n")
    assert rendered(columns, [0], query="elsewhere").text == whole
    assert rendered(columns, [0], query="service").text == whole
    _, columns = long_table(40)
    sheet = rendered(columns, [0], query="service 25")
    assert sheet.text == "# Limits\n\n| service | limit |\n|---|---|"
    assert rendered(columns, [0]).text == whole


def test_a_piece_of_a_long_code_block_keeps_both_fences() -> None:
    """A piece of code stands between its fences, each shown once."""
    lines = [f"step {number}" for number in range(9)]
    text = "# Run\n\n```sh\n" + "\n".join(lines) + "\n```\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Run")
    columns.chunk("code", "```sh\n" + "\n".join(lines[:3]), top, tail="\n```"[1:])
    columns.chunk("code", "\n".join(lines[3:6]), top, head="```sh", tail="```")
    columns.chunk("code", "\n".join(lines[6:]) + "\n```", top, head="```sh")
    for chunk in (1, 2, 3):
        columns.chunkset(chunk)
    sheet = rendered(columns, [1])
    assert sheet.text == "# Run\n\n```sh\n[...]\nstep 3\nstep 4\nstep 5\n[...]\n```"
    assert rendered(columns, [0, 1, 2]).text == text.rstrip("\n")


def test_a_piece_inside_a_line_is_marked_where_it_starts_and_ends() -> None:
    """A line that is cut has `[...]` at the place of the cut."""
    text = "# Log\n\nFirst sentence. Second sentence. Third sentence. Fourth.\n\nafter\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Log")
    for sentence in ("First sentence.", "Second sentence.", "Third sentence.", "Fourth."):
        columns.chunkset(columns.chunk("paragraph", sentence, top))
    columns.chunkset(columns.chunk("paragraph", "after", top))
    assert rendered(columns, [1]).text == "# Log\n[...] Second sentence. [...]"
    assert rendered(columns, [0, 2]).text == (
        "# Log\n\nFirst sentence. [...] Third sentence. [...]"
    )
    assert rendered(columns, [1, 4]).text == "# Log\n[...] Second sentence. [...]\nafter"
    assert spans(rendered(columns, [0, 2])) == [(1, 3)]


def test_a_paragraph_that_goes_on_after_the_last_piece_is_marked() -> None:
    """A paragraph cut between two lines says that it goes on."""
    text = "one line\ntwo line\nthree line\n\nnext paragraph\n"
    columns = HandmadeColumns(text)
    columns.chunkset(columns.chunk("paragraph", "one line\ntwo line"))
    columns.chunkset(columns.chunk("paragraph", "three line"))
    columns.chunkset(columns.chunk("paragraph", "next paragraph"))
    assert rendered(columns, [0]).text == "one line\ntwo line\n[...]"
    assert rendered(columns, [1]).text == "three line"


def test_a_budget_keeps_the_best_chunksets_and_says_what_it_left_out(
    catalog: HandmadeColumns,
) -> None:
    """With a budget the best come first; the rest is counted."""
    sheet = rendered(catalog, [1, 0, 2], budget_tokens=15)
    assert sheet.text == "# Catalog\n[...]\n## beta\n\nplum"
    everything = rendered(catalog, [1, 0, 2])
    assert sheet.omitted_tokens == everything.tokens - sheet.tokens
    assert everything.omitted_tokens == 0


MORE = " of all that grow in the north of the garden"


def test_a_budget_cuts_a_chunkset_at_its_chunks_those_with_matching_words_first() -> None:
    """Of a chunkset that is too large, the leaves that match most are kept."""
    sheet = rendered(catalog_columns(MORE), [0], query="two", budget_tokens=27)
    assert sheet.text == f"# Catalog\n\n## alpha\n[...]\nfig two{MORE}"


def test_a_budget_is_not_filled_with_leaves_that_do_not_match() -> None:
    """Of a chunkset that is cut, a leaf without a word of the query is left out though it fits."""
    catalog = catalog_columns(MORE)
    assert rendered(catalog, [1, 0], query="plum two", budget_tokens=35).text == (
        f"# Catalog\n\n## alpha\n[...]\nfig two{MORE}\n\n\n## beta\n\nplum"
    )
    assert rendered(catalog, [1, 0], query="plum", budget_tokens=35).text == (
        f"# Catalog\n\n## alpha\n\nfig one{MORE}\n[...]\n## beta\n\nplum"
    )


def test_a_leaf_that_is_too_long_is_cut_at_a_sentence_and_keeps_a_matching_word() -> None:
    """A leaf too large for any budget is cut around what was asked for."""
    sentences = [
        f"Sentence number {number} speaks of {word}."
        for number, word in enumerate(
            ("plums", "figs", "pears", "grapes", "melons", "quinces", "cherries", "damsons")
        )
    ]
    text = "# Fruit\n\n" + " ".join(sentences) + "\n"
    columns = HandmadeColumns(text)
    columns.chunkset(
        columns.chunk("paragraph", " ".join(sentences), columns.chunk("heading", "# Fruit"))
    )
    sheet = rendered(columns, [0], query="plums", budget_tokens=30)
    assert sheet.text == f"# Fruit\n\n{sentences[0]} {sentences[1]} [...]"
    sheet = rendered(columns, [0], query="melons", budget_tokens=36)
    assert sheet.text == f"# Fruit\n[...] {sentences[4]} {sentences[5]} [...]"
    assert sheet.tokens < 36


@pytest.mark.parametrize("budget_tokens", range(1, 60))
def test_a_budget_is_never_reached_and_never_splits_a_joined_character(budget_tokens: int) -> None:
    """Every budget holds, and no cut parts an emoji or a letter from its accent."""
    cluster = (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301 \ud55c \U0001f3f3\ufe0f\u200d\U0001f308"
    )
    for padding in range(12):
        body = "x" * padding + cluster * 4
        text = f"# T\n\n{body}\n"
        columns = HandmadeColumns(text)
        columns.chunkset(columns.chunk("paragraph", body, columns.chunk("heading", "# T")))
        sheet = rendered(columns, [0], budget_tokens=budget_tokens)
        assert sheet.tokens < budget_tokens
        shown = sheet.text.removeprefix("# T\n").strip("\n").removesuffix(" [...]")
        assert body.startswith(shown)
        rest = body[len(shown) :]
        assert not rest.startswith(("\u200d", "\u0301", "\ufe0f"))
        assert not shown.endswith("\u200d")


def test_a_cut_code_block_keeps_its_fences_and_whole_lines() -> None:
    """Code that is cut for a budget keeps its fences, and is cut between lines."""
    body = "\n".join(f"run step {number}" for number in range(30))
    text = f"# Run\n\n```sh\n{body}\n```\n"
    columns = HandmadeColumns(text)
    columns.chunkset(
        columns.chunk("code", f"```sh\n{body}\n```", columns.chunk("heading", "# Run"))
    )
    sheet = rendered(columns, [0], query="step 20", budget_tokens=40)
    assert sheet.text.startswith("# Run\n\n```sh\n")
    assert sheet.text.endswith("\n[...]\n```")
    assert set(sheet.text.split("\n")) <= {*text.split("\n"), "[...]"}


@pytest.mark.parametrize("blank", [" ", "\t", "\n"])
def test_a_run_of_blanks_longer_than_a_chunk_is_left_out(blank: str) -> None:
    """Blanks stand in no chunk and do not count for its size; thousands of them are not shown."""
    text = f"# A\n\n```\nfirst\n{blank * 50_000}apple\n```\n"
    columns = chunk_columns(text)
    ordinals = range(columns.len_chunksets())
    sheet = render_cheatsheet(text, columns, list(ordinals), query="apple")
    assert "apple" in sheet.text
    assert "[...]" in sheet.text
    assert len(sheet.text) < 5_000
    cut = render_cheatsheet(text, columns, list(ordinals), query="apple", budget_tokens=100)
    assert "apple" in cut.text
    assert cut.tokens < 100

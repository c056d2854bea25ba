"""What a cheatsheet leaves out at the edges of its passages, and shows in short gaps between."""

from __future__ import annotations

import pytest
from handmade_columns import HandmadeColumns, catalog_columns, rendered, spans


@pytest.fixture
def catalog() -> HandmadeColumns:
    """A text with one chunkset for each section; the first holds two leaves."""
    return catalog_columns()


def test_a_thematic_break_at_the_edge_of_a_passage_is_not_shown() -> None:
    """A break is shown between two passages, never first, last, or between two marks."""
    far = "A long paragraph that says nothing of what was asked, however often it is read over."
    text = f"# T\n\n---\n\n{far}\n\n***\n\n{far}!\n\nfig\n\n___\n\nplum\n\n* * *\n\n{far}\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# T")
    kinds = {"---": "thematic_break", "***": "thematic_break", "___": "thematic_break"}
    for passage in ("---", far, "***", f"{far}!", "fig", "___", "plum"):
        columns.chunkset(columns.chunk(kinds.get(passage, "paragraph"), passage, top))
    columns.chunkset(columns.chunk("thematic_break", "* * *", top))
    for ordinals in ([0, 2, 4, 5, 6, 7], [4, 6]):
        sheet = rendered(columns, ordinals)
        assert sheet.text == "# T\n[...]\nfig\n\n___\n\nplum"
        assert sheet.chunk_ids == (0, 5, 6, 7)
    assert rendered(columns, [0, 1]).text == f"# T\n\n---\n\n{far}"
    assert rendered(columns, [2]).text == "# T"


def test_link_definitions_are_shown_only_when_they_match() -> None:
    """A definition is no part of a passage, but can be what was asked for."""
    links = "[m]: https://manual.example.test/a/rather/long/path/to/levers.html\n[n]: /n"
    text = f"# Levers\n\nPull the red one.\n\n{links}\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Levers")
    columns.chunk("paragraph", "Pull the red one.", top)
    columns.chunk("link_definition", links, top)
    ordinal = columns.chunkset(1, 2)
    assert rendered(columns, [ordinal], query="red").text == "# Levers\n\nPull the red one."
    assert rendered(columns, [ordinal], query="manual").text == text.rstrip("\n")


def test_a_definition_that_says_no_more_than_its_passage_is_not_shown() -> None:
    """Where the text matches the same words, the definition adds nothing."""
    text = "# Levers\n\nPull the red levers.\n\n[l]: /lever/red\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Levers")
    columns.chunk("paragraph", "Pull the red levers.", top)
    columns.chunk("link_definition", "[l]: /lever/red", top)
    ordinals = [columns.chunkset(1), columns.chunkset(2)]
    sheet = rendered(columns, ordinals, query="red lever")
    assert sheet.text == "# Levers\n\nPull the red levers."
    assert sheet.chunk_ids == (0, 1)


def test_a_cheatsheet_of_nothing_but_breaks_or_definitions_shows_them() -> None:
    """Where nothing else is shown, what would be left out is better than nothing."""
    text = "---\n\n[m]: /levers\n"
    columns = HandmadeColumns(text)
    first = columns.chunkset(columns.chunk("thematic_break", "---"))
    second = columns.chunkset(columns.chunk("link_definition", "[m]: /levers"))
    assert rendered(columns, [first], query="x").text == "---"
    assert rendered(columns, [second], query="x").text == "[m]: /levers"


def test_a_gap_as_short_as_its_mark_is_shown_where_the_budget_allows() -> None:
    """One or two short rows cost no more than `[...]`; three, or long ones, do."""
    rows = ["| fig | 1 |", "| plum | 2 |", "| pear | 3 |", "| fig | 4 |"]
    rows += ["| plum | 5 |"] * 3 + ["| fig | 6 |", f"| plum {'x' * 60} | 7 |", "| fig | 8 |"]
    text = "\n".join(["| fruit | n |", "|---|---|", *rows]) + "\n"
    columns = HandmadeColumns(text)
    columns.chunkset(columns.chunk("table", text.rstrip("\n")))
    bridged = [*text.split("\n")[:6], "[...]", "| fig | 6 |", "[...]", "| fig | 8 |"]
    sheet = rendered(columns, [0], query="fig")
    assert sheet.text.split("\n") == bridged
    assert spans(sheet) == [(1, 6), (10, 10), (12, 12)]
    tight = rendered(columns, [0], query="fig", budget_tokens=sheet.tokens)
    assert tight.text.split("\n")[3:5] == ["[...]", "| fig | 4 |"]
    assert tight.tokens + tight.omitted_tokens == sheet.tokens


def test_a_short_section_between_two_is_still_left_out(catalog: HandmadeColumns) -> None:
    """A gap that holds a heading, or leads to one, is a step in the tree and keeps its mark."""
    sheet = rendered(catalog, [0, 2])
    assert "fig two\n[...]\n## gamma" in sheet.text
    assert rendered(catalog, [1]).text.startswith("# Catalog\n[...]\n## beta")


def test_chunks_of_a_gap_that_is_shown_are_among_the_chunks() -> None:
    """What is shown has its chunk's id and its lines, whatever brought it."""
    text = "- fig\n- plum\n- fig tree\n"
    columns = HandmadeColumns(text)
    for passage in ("- fig", "- plum", "- fig tree"):
        columns.chunkset(columns.chunk("list_item", passage))
    sheet = rendered(columns, [0, 2])
    assert (sheet.text, sheet.chunk_ids) == (text.rstrip("\n"), (0, 1, 2))
    assert spans(sheet) == [(1, 3)]


def test_no_piece_of_a_quote_ends_or_starts_with_a_line_of_marks_alone() -> None:
    """The blank line of a quote is shown within it, and not where the quote is cut."""
    said = ["> One thing that is said.", "> And more of it."]
    code = "> ```\n> run this --once --and --never --again --whatever --happens --please\n> ```"
    text = "\n".join([*said, ">", "> >", code, ">", "> The end of what is said."]) + "\n"
    columns = HandmadeColumns(text)
    columns.chunkset(columns.chunk("quote", "\n".join([*said, ">", "> >"])))
    columns.chunkset(columns.chunk("quote", code))
    columns.chunkset(columns.chunk("quote", ">\n> The end of what is said."))
    assert rendered(columns, [0]).text == "\n".join([*said, "[...]"])
    assert rendered(columns, [0, 2]).text == "\n".join(
        [*said, "[...]", "> The end of what is said."]
    )
    assert spans(rendered(columns, [2])) == [(9, 9)]
    assert rendered(columns, [0, 1, 2]).text == text.rstrip("\n")
    whole = HandmadeColumns(text)
    whole.chunkset(whole.chunk("quote", text.rstrip("\n")))
    for budget_tokens in range(1, 45):
        lines = rendered(whole, [0], budget_tokens=budget_tokens).text.split("\n")
        assert lines in ([""], text.rstrip("\n").split("\n")) or lines[-1].endswith("[...]")
        if lines[-1] == "[...]":
            assert lines[-2].strip("> ")


def test_comments_and_anchors_at_the_end_of_a_passage_are_not_shown_unless_they_match() -> None:
    """What readers do not see belongs to what follows; alone under a heading it is shown."""
    comment, anchor = "<!-- Old headings stay. -->", '<a id="figs-of-old"></a>'
    text = f"# Figs\n\nEat them.\n\n{comment}\n\n{anchor}\n\n## Plums\n\n{comment}\n"
    columns = HandmadeColumns(text)
    top = columns.chunk("heading", "# Figs")
    for kind, passage in (("paragraph", "Eat them."), ("comment", comment), ("paragraph", anchor)):
        columns.chunk(kind, passage, top)
    columns.chunk("comment", comment, columns.chunk("heading", "## Plums", top))
    columns.chunkset(1, 3)
    columns.chunkset(5)
    assert rendered(columns, [0], query="eat").text == "# Figs\n\nEat them."
    stays = rendered(columns, [0], query="what stays")
    assert stays.text == f"# Figs\n\nEat them.\n\n{comment}"
    assert rendered(columns, [0]).text == text.partition("\n\n## ")[0]
    assert rendered(columns, [1], query="plums").text.endswith(f"## Plums\n\n{comment}")
    assert rendered(columns, [0, 1], query="eat").text == text.rstrip("\n")

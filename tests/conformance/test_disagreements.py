"""Where the two parsers disagree with each other, the specification decides.

Each case names the section and who reads it differently; the test holds that they still do, so that
a case can go when its parser was mended. Section numbers are those of CommonMark 0.31.2; "GFM 4.10"
is the table section of GFM 0.29.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from markdown_oracles import Entry, markdown_it_outline, our_blocks, our_outline, reference_outlines

if TYPE_CHECKING:
    from pathlib import Path


class Case(NamedTuple):
    """A text, its blocks as "kind start-end" with two spaces per level, and why."""

    section: str
    reason: str
    text: str
    blocks: str


MARKDOWN_IT = [
    Case(
        "5.2 and 4.4",
        "a lazy line may be indented by four columns: no other block starts there",
        " 10. a\n    # b\n",
        "list 0-2|  list_item 0-2|    paragraph 0-2",
    ),
    Case(
        "5.1 and 4.4",
        "a lazy line may be indented by a tab: no other block starts there",
        "> - > a\n\t~~~\n",
        "block_quote 0-2|  list 0-2|    list_item 0-2|      block_quote 0-2|        paragraph 0-2",
    ),
    Case(
        "5.3",
        "blank lines between two items do not end the list, though the first is empty",
        "1.\n\n\n2. a\n",
        "list 0-4|  list_item 0-1|  list_item 3-4|    paragraph 3-4",
    ),
    Case(
        "5.1",
        "a line without the mark of the quote is no part of the fence in it",
        "> ~~~\n    > a\n",
        "block_quote 0-1|  fenced_code 0-1|indented_code 1-2",
    ),
    Case(
        "4.7 and appendix, phase 1",
        "definitions are taken off a paragraph when it ends: an indented line is text of it",
        "[a]: b\n    c\n",
        "link_definition 0-1|paragraph 1-2",
    ),
    Case(
        "4.7 and appendix, phase 1",
        "definitions are taken off a paragraph when it ends: no empty item interrupts it",
        "[a]: b\n+ \n",
        "link_definition 0-1|paragraph 1-2",
    ),
    Case(
        "4.7 and appendix, phase 1",
        "definitions are taken off a paragraph when it ends: it is gone on lazily",
        "- [a]: b\nc\n",
        "list 0-2|  list_item 0-2|    link_definition 0-1|    paragraph 1-2",
    ),
]

MARKDOWN_IT_TABLES = [
    Case(
        "4.3",
        "an underline makes a heading of the lines above, which would else be a paragraph",
        "| a |\n---\n",
        "heading 0-2",
    ),
    Case(
        "3.1 and 5.1",
        "the mark of a quote has precedence over what the rest of the line would be",
        "> a | b\n|---|---|\n",
        "block_quote 0-2|  paragraph 0-2",
    ),
    Case(
        "3.1 and 5.2",
        "the mark of an item has precedence over what the rest of the line would be",
        "- a | b\n  |---|---|\n",
        "list 0-2|  list_item 0-2|    table 0-2",
    ),
    Case(
        "4.6",
        "a line that starts an HTML block is no header row",
        "</div>a|b\n-|-\n",
        "html 0-2",
    ),
    Case(
        "GFM 4.10",
        "the beginning of any other block ends a table",
        "|a|\n|-|\n<x>\n",
        "table 0-2|html 2-3",
    ),
]

REFERENCE = [
    Case(
        "4.7",
        "a tab is space between the parts of a definition",
        "[a]:\tb\t'c'\t\n",
        "link_definition 0-1",
    ),
    Case(
        "2.1 and 4.7",
        "a control character ends a destination",
        "[a]: b\x01c\n",
        "paragraph 0-1",
    ),
]


def _shown(outline: list[Entry]) -> str:
    return "|".join(
        f"{'  ' * entry.depth}{entry.kind} {entry.start_line}-{entry.end_line}" for entry in outline
    )


@pytest.mark.parametrize("case", MARKDOWN_IT, ids=lambda case: case.text)
def test_the_reference_and_the_specification_decide_against_markdown_it(
    case: Case, commonmark_package: Path
) -> None:
    """Blocks are those of the named section; the reference sees them, markdown-it does not."""
    assert _shown(our_blocks(case.text)) == case.blocks
    ours = our_outline(case.text)
    assert ours != markdown_it_outline(case.text)
    (reference,) = reference_outlines(commonmark_package, [case.text])
    assert [entry[:3] for entry in ours] == [entry[:3] for entry in reference]


@pytest.mark.parametrize("case", MARKDOWN_IT_TABLES, ids=lambda case: case.text)
def test_the_specification_decides_against_markdown_it_on_tables(case: Case) -> None:
    """Blocks are those of the named section; the reference knows no tables."""
    assert _shown(our_blocks(case.text)) == case.blocks
    assert our_outline(case.text) != markdown_it_outline(case.text)


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case.text)
def test_markdown_it_and_the_specification_decide_against_the_reference(
    case: Case, commonmark_package: Path
) -> None:
    """Blocks are those of the named section; markdown-it sees them, the reference does not."""
    assert _shown(our_blocks(case.text)) == case.blocks
    ours = our_outline(case.text)
    assert ours == markdown_it_outline(case.text)
    (reference,) = reference_outlines(commonmark_package, [case.text])
    assert ours != reference


def test_a_lone_closing_tag_of_a_verbatim_element_starts_an_html_block(
    commonmark_package: Path,
) -> None:
    """Section 4.6 excepts `pre` and its like; both parsers except their opening tags only."""
    ours = our_outline("</pre>\n")
    assert _shown(ours) == "html 0-1"
    (reference,) = reference_outlines(commonmark_package, ["</pre>\n"])
    assert ours == reference
    assert ours == markdown_it_outline("</pre>\n")

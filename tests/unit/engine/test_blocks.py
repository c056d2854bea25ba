"""Blocks as columns: their shapes, the byte where markdown starts, and what is refused."""

from __future__ import annotations

import pytest
from rootleaf.engine.blocks import BLOCK_KINDS, NO_PARENT, block_columns
from rootleaf.errors import InvalidInputError


def test_columns_hold_one_entry_per_block_in_document_order() -> None:
    """Parents are indices of earlier blocks; lines are 0-based, end exclusive."""
    columns = block_columns("# A\n\n1. b\n   > c\n")
    assert [BLOCK_KINDS[kind] for kind in columns.kinds] == [
        "heading",
        "list",
        "list_item",
        "paragraph",
        "block_quote",
        "paragraph",
    ]
    assert list(columns.details) == [1, 1, 0, 0, 0, 0]
    assert list(columns.parents) == [NO_PARENT, NO_PARENT, 1, 2, 2, 4]
    assert list(columns.start_lines) == [0, 2, 2, 2, 3, 3]
    assert list(columns.end_lines) == [1, 4, 4, 3, 4, 4]
    assert list(columns.line_starts) == [0, 4, 5, 10, 17]


def test_offsets_are_bytes_of_utf8_and_bytes_are_taken_as_they_are() -> None:
    """A str and its UTF-8 bytes have the same blocks; invalid bytes are text."""
    assert list(block_columns("é\n").line_starts) == [0, 3]
    assert block_columns("é\n") == block_columns("é\n".encode())
    assert list(block_columns(b"\xff\x00\n").end_lines) == [1]


def test_an_empty_text_has_no_block_and_no_line() -> None:
    """Only the size of the text stands among the line starts."""
    columns = block_columns("")
    assert list(columns.kinds) == []
    assert list(columns.line_starts) == [0]


def test_lines_before_the_first_byte_hold_no_block() -> None:
    """They count as lines all the same."""
    columns = block_columns("---\na: b\n---\n# C\n", first_byte=13)
    assert list(columns.start_lines) == [3]
    assert len(columns.line_starts) == 5


@pytest.mark.parametrize("first_byte", [-1, 3])
def test_a_first_byte_outside_of_the_text_is_refused(first_byte: int) -> None:
    """The message names the argument and the size of the text."""
    with pytest.raises(InvalidInputError, match=r"first_byte is -?\d, outside of a text of 2"):
        block_columns("a\n", first_byte=first_byte)


def test_what_is_no_text_is_refused() -> None:
    """Neither another type nor a lone surrogate comes through; the message says which."""
    with pytest.raises(InvalidInputError, match="not int"):
        block_columns(7)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="lone surrogate at character 1"):
        block_columns("a\ud800")

"""Block structure of markdown, as columns over UTF-8 bytes.

Offsets are bytes of the text's UTF-8 form, lines are 0-based, end exclusive. The core makes chunks
from these blocks by itself; here they are for whoever checks or shows the structure.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

BLOCK_KINDS: tuple[str, ...] = (
    "block_quote",
    "list",
    "list_item",
    "heading",
    "paragraph",
    "fenced_code",
    "indented_code",
    "html",
    "table",
    "thematic_break",
    "link_definition",
)
"""Names of the block kinds, in the order of the `kinds` column."""

NO_PARENT = 0xFFFFFFFF
"""The parent of a block that stands at the top of its document."""


class BlockColumns(Value):
    """The blocks of a document, one entry in each column per block, parents before children.

    Attributes:
        kinds: Index into `BLOCK_KINDS` (format "B").
        details: Heading level, HTML start condition, or 1 for an ordered list and for a closed
            fence; else 0 (format "B").
        parents: Index of the enclosing container, or `NO_PARENT` (format "I").
        start_lines: First line (format "I").
        end_lines: One past the last line; trailing blank lines do not count (format "I").
        line_starts: Byte where each line starts, then the size of the text (format "I").
    """

    kinds: memoryview
    details: memoryview
    parents: memoryview
    start_lines: memoryview
    end_lines: memoryview
    line_starts: memoryview


def block_columns(text: str | bytes, *, first_byte: int = 0) -> BlockColumns:
    """Parses the block structure of CommonMark 0.31.2 with GFM tables.

    Args:
        text: The document; bytes are taken as they are, whatever they hold.
        first_byte: Where markdown starts, a line start; lines before it hold no block.

    Returns:
        The blocks in document order.

    Raises:
        InvalidInputError: The text is neither str nor bytes, holds lone surrogates, or is larger
            than 4 GiB; or `first_byte` does not lie in it.
    """
    source = _utf8(text)
    if not 0 <= first_byte <= len(source):
        message = f"first_byte is {first_byte}, outside of a text of {len(source)} bytes"
        raise InvalidInputError(message, hint="the byte where a line starts, or nothing")
    kinds, details, parents, start_lines, end_lines, line_starts = _core.block_columns(
        source, first_byte
    )
    return BlockColumns(
        kinds=memoryview(kinds),
        details=memoryview(details),
        parents=memoryview(parents).cast("I"),
        start_lines=memoryview(start_lines).cast("I"),
        end_lines=memoryview(end_lines).cast("I"),
        line_starts=memoryview(line_starts).cast("I"),
    )


def _utf8(text: object) -> bytes:
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        message = f"text must be str or bytes, not {type(text).__name__}"
        raise InvalidInputError(message, hint="decode the document first")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        message = f"text holds a lone surrogate at character {error.start}"
        raise InvalidInputError(message, hint="replace lone surrogates by U+FFFD") from None

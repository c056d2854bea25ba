"""Chunks and chunksets of a text, as columns from the core.

Offsets are bytes of the text's UTF-8 form, end exclusive; lines are 0-based, end exclusive. Columns
are memoryviews with one entry per chunk or chunkset, in document order. Values with texts and
1-based lines are made in `rootleaf.documents.chunking`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

KINDS: tuple[str, ...] = (
    "heading",
    "paragraph",
    "list_item",
    "code",
    "table",
    "quote",
    "html",
    "comment",
    "thematic_break",
    "link_definition",
    "front_matter",
)
"""The names of chunk kinds; a number in `ChunkColumns.kinds` is an index into this."""

NO_PARENT = 0xFFFFFFFF
"""The parent of a chunk that stands at the top of its document."""

DEFAULT_MAX_TOKENS = 256
"""The limit of one leaf, and of the leaves of one chunkset together, where none is given.

A token of this limit is four bytes of UTF-8, whatever they say; budgets are counted otherwise
(`rootleaf.engine.tokens`).
"""

MIN_MAX_TOKENS = 16
MAX_MAX_TOKENS = 65536
CHUNKER_ID = f"chunks-1/{DEFAULT_MAX_TOKENS}"
"""Identity of the rules by which texts are cut and keyed; chunks of one identity agree."""

_FRONT_MATTER_STATES = ("absent", "closed", "unclosed")


class FrontMatterSpan(Value):
    """Where front matter stands: byte offsets of its content, and the byte after its closing line.

    `state` is `absent`, `closed` or `unclosed`. Without a closing line `content_end` and `end` are
    0, without front matter `content_start` is 0 too.
    """

    state: str
    content_start: int
    content_end: int
    end: int


class ChunkColumns:
    """The chunks and chunksets of one text; every attribute is a column in document order.

    One per chunk: `kinds` (index into KINDS), `levels` (1..6 for headings of the section tree, else
    0), `depths` (number of ancestors), `parents` (chunk index or NO_PARENT), `starts`, `ends`,
    `start_lines`, `end_lines`, and the spans shown before and after a piece of a block that was
    too long, `head_starts`, `head_ends`, `tail_starts`, `tail_ends` (empty where start == end).
    One per chunkset: `chunkset_firsts` (its first leaf), `chunkset_counts` (leaves, consecutive
    chunks), `chunkset_keys` (16 bytes each). `title_chunk` is the first heading of level 1, else
    the first heading, else None.
    """

    __slots__ = (
        "chunkset_counts",
        "chunkset_firsts",
        "chunkset_keys",
        "depths",
        "end_lines",
        "ends",
        "head_ends",
        "head_starts",
        "kinds",
        "levels",
        "parents",
        "start_lines",
        "starts",
        "tail_ends",
        "tail_starts",
        "title_chunk",
    )

    def __init__(self, columns: tuple[bytes, ...], title_chunk: int) -> None:
        (
            kinds,
            levels,
            depths,
            parents,
            starts,
            ends,
            start_lines,
            end_lines,
            head_starts,
            head_ends,
            tail_starts,
            tail_ends,
            firsts,
            counts,
            keys,
        ) = columns
        self.kinds = memoryview(kinds)
        self.levels = memoryview(levels)
        self.depths = memoryview(depths).cast("I")
        self.parents = memoryview(parents).cast("I")
        self.starts = memoryview(starts).cast("I")
        self.ends = memoryview(ends).cast("I")
        self.start_lines = memoryview(start_lines).cast("I")
        self.end_lines = memoryview(end_lines).cast("I")
        self.head_starts = memoryview(head_starts).cast("I")
        self.head_ends = memoryview(head_ends).cast("I")
        self.tail_starts = memoryview(tail_starts).cast("I")
        self.tail_ends = memoryview(tail_ends).cast("I")
        self.chunkset_firsts = memoryview(firsts).cast("I")
        self.chunkset_counts = memoryview(counts).cast("I")
        self.chunkset_keys = keys
        self.title_chunk = None if title_chunk == NO_PARENT else title_chunk

    def len_chunks(self) -> int:
        """The number of chunks."""
        return len(self.kinds)

    def len_chunksets(self) -> int:
        """The number of chunksets."""
        return len(self.chunkset_firsts)

    def ancestors(self, chunk: int) -> list[int]:
        """The ancestors of a chunk, the outermost first."""
        path = []
        parent = self.parents[chunk]
        while parent != NO_PARENT:
            path.append(parent)
            parent = self.parents[parent]
        path.reverse()
        return path

    def chunkset_chunks(self, ordinal: int) -> list[int]:
        """All chunks of a chunkset in document order: ancestors, then leaves."""
        first = self.chunkset_firsts[ordinal]
        return [*self.ancestors(first), *range(first, first + self.chunkset_counts[ordinal])]

    def key(self, ordinal: int) -> bytes:
        """The key of a chunkset: 16 bytes, equal for equal normalised text."""
        return self.chunkset_keys[16 * ordinal : 16 * ordinal + 16]


def front_matter_span(text: str) -> FrontMatterSpan:
    """Finds the front matter of a text.

    Raises:
        InvalidInputError: `text` is no str, holds a lone surrogate, or is larger than 4 GiB.
    """
    check_text(text)
    try:
        state, content_start, content_end, end = _core.front_matter_span(text)
    except UnicodeEncodeError as error:
        raise lone_surrogate(error) from None
    return FrontMatterSpan(
        state=_FRONT_MATTER_STATES[state],
        content_start=content_start,
        content_end=content_end,
        end=end,
    )


def chunk_columns(
    text: str, *, front_matter_parsed: bool = True, max_tokens: int = DEFAULT_MAX_TOKENS
) -> ChunkColumns:
    """Cuts a text into chunks and chunksets. Time is linear in the text; the GIL is released.

    Args:
        text: Markdown, with its front matter if it has any.
        front_matter_parsed: False if a closed front-matter block was not understood: it then
            becomes text, a chunk of kind `front_matter`. Without effect where none is closed.
        max_tokens: Limit of a leaf, and of the leaves of a chunkset together, 16 to 65536.

    Raises:
        InvalidInputError: An argument is none of the above, or `text` holds a lone surrogate or
            is larger than 4 GiB.
    """
    check_text(text)
    if type(max_tokens) is not int:
        message = f"max_tokens must be an int, not {type(max_tokens).__name__}"
        raise InvalidInputError(message, hint=f"max_tokens={DEFAULT_MAX_TOKENS}")
    if not MIN_MAX_TOKENS <= max_tokens <= MAX_MAX_TOKENS:
        message = f"max_tokens must be {MIN_MAX_TOKENS} to {MAX_MAX_TOKENS}, not {max_tokens}"
        raise InvalidInputError(message, hint=f"max_tokens={DEFAULT_MAX_TOKENS}")
    try:
        columns, title_chunk = _core.chunk_columns(text, bool(front_matter_parsed), max_tokens)
    except UnicodeEncodeError as error:
        raise lone_surrogate(error) from None
    return ChunkColumns(columns, title_chunk)


def check_text(text: object) -> None:
    """Raises InvalidInputError unless `text` is a str."""
    if not isinstance(text, str):
        message = f"text must be a str, not {type(text).__name__}"
        raise InvalidInputError(message, hint="decode bytes first: text.decode('utf-8', 'replace')")


def lone_surrogate(error: UnicodeEncodeError) -> InvalidInputError:
    """What to say of a text that holds one, which is no text."""
    message = (
        f"text holds a lone surrogate, U+{ord(error.object[error.start]):04X} at character "
        f"{error.start}, which no UTF-8 can carry"
    )
    return InvalidInputError(
        message, hint="text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
    )

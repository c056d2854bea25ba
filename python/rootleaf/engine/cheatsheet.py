"""Cheatsheets of the hits of an answer, from the core: one call for all of them.

Columns are memoryviews, one entry for each hit, span or chunk. Values are made in
`rootleaf.render.cheatsheet`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.engine.analyzer import utf8
from rootleaf.engine.chunker import (
    DEFAULT_MAX_TOKENS,
    NO_PARENT,
    ChunkColumns,
    check_text,
    lone_surrogate,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rootleaf.engine.files import FileState

PreparedDocument = _core.PreparedDocument
"""A text and its chunks, held by the core; immutable. Made by the functions here."""

OMISSION: str = _core.OMISSION
"""What stands for what is left out."""

MOST_TOKENS = 2**40
"""A budget that nothing reaches; greater ones are cut to it."""


def prepared_document(text: str, *, front_matter_parsed: bool = True) -> PreparedDocument:
    """A document ready to be shown any number of times, by any number of threads.

    Its chunks are made when they are first needed, with the GIL released, and kept with the text:
    whoever answers again and again keeps these by document and revision.

    Args:
        text: The document, as it was indexed.
        front_matter_parsed: As `rootleaf.engine.chunker.chunk_columns` takes it.

    Raises:
        InvalidInputError: `text` is no str, or holds a lone surrogate.
    """
    check_text(text)
    try:
        return _core.PreparedDocument(text, front_matter_parsed, DEFAULT_MAX_TOKENS)
    except UnicodeEncodeError as error:
        raise lone_surrogate(error) from None


def prepared_chunks(text: str, columns: ChunkColumns) -> PreparedDocument:
    """The same of a text whose chunks are known.

    Raises:
        InvalidInputError: `columns` are not those of some text of this size, or `text` is none.
    """
    check_text(text)
    title_chunk = NO_PARENT if columns.title_chunk is None else columns.title_chunk
    try:
        return _core.PreparedDocument.of_chunks(
            text,
            [
                bytes(column)
                for column in (
                    columns.kinds,
                    columns.parents,
                    columns.starts,
                    columns.ends,
                    columns.start_lines,
                    columns.head_starts,
                    columns.head_ends,
                    columns.tail_starts,
                    columns.tail_ends,
                    columns.chunkset_firsts,
                    columns.chunkset_counts,
                )
            ],
            title_chunk,
        )
    except UnicodeEncodeError as error:
        raise lone_surrogate(error) from None


class HitColumns:
    """The documents of an answer and their chunksets that count, as the core takes them.

    Args:
        documents: The documents, best first.
        ordinals: Of each the chunksets that count, best first.
        coverages: Of each chunkset what it is ranked by: with a budget, the best come first.
        cite_paths: Of each document the path that is cited before every block, or None for none.
    """

    __slots__ = ("_cite_paths", "_coverages", "_documents", "_ordinals")

    def __init__(
        self,
        documents: Iterable[PreparedDocument],
        ordinals: Iterable[Sequence[int]],
        coverages: Iterable[Sequence[float]],
        cite_paths: Iterable[str | None],
    ) -> None:
        self._documents = list(documents)
        self._ordinals = [_ordinals_column(of_document) for of_document in ordinals]
        self._coverages = [_coverages_column(of_document) for of_document in coverages]
        self._cite_paths = [
            None if path is None else utf8(path, "cite_path") for path in cite_paths
        ]

    def rendered(
        self,
        query: str | None,
        budget_tokens: int | None,
        look_at: Sequence[bytes] = (),
    ) -> CheatsheetColumns:
        """Renders all cheatsheets; the GIL is released.

        Args:
            query: What was asked: in a table only its matching rows are shown, and a cut keeps a
                matching word. With None nothing is left out of a chunkset.
            budget_tokens: All together take fewer tokens than this; the best chunksets of all
                documents first.
            look_at: Paths, as the system takes them, that are looked at while the GIL is released:
                on two threads it is what costs most to let go of.

        Raises:
            InvalidInputError: There is no chunkset of an ordinal, or the text of a document is
                larger than 4 GiB.
        """
        return CheatsheetColumns(
            *_core.render_hits(
                self._documents,
                self._ordinals,
                self._coverages,
                self._cite_paths,
                None if query is None else utf8(query, "query"),
                None if budget_tokens is None else min(budget_tokens, MOST_TOKENS),
                look_at,
            )
        )

    def least_budget(self, query: str | None, too_few_tokens: int) -> int:
        """The smallest budget that shows something, where `too_few_tokens` shows nothing.

        Raises:
            InvalidInputError: As `rendered`, and if no document has a chunkset.
        """
        return _core.least_budget(
            self._documents,
            self._ordinals,
            self._coverages,
            self._cite_paths,
            None if query is None else utf8(query, "query"),
            too_few_tokens,
        )


# By hand: loading `array` costs more than a search has numbers for.
def _ordinals_column(ordinals: Sequence[int]) -> bytes:
    column = memoryview(bytearray(4 * len(ordinals))).cast("I")
    for place, ordinal in enumerate(ordinals):
        column[place] = ordinal
    return column.tobytes()


def _coverages_column(coverages: Sequence[float]) -> bytes:
    column = memoryview(bytearray(8 * len(coverages))).cast("d")
    for place, coverage in enumerate(coverages):
        column[place] = coverage
    return column.tobytes()


class CheatsheetColumns:
    """Rendered cheatsheets; every attribute is a column in the order of the hits.

    One entry for each hit: `texts`, `headings` (the chunk that is the document's title, with its
    marks, or None), `tokens`, `omitted_tokens`, `is_empty` (1 where a budget had no room), and
    `span_counts` and `chunk_counts`, which part the others: `span_lines` has first and last line
    of each span, 1-based, inclusive, and `chunk_ids` the chunks shown, ascending. `file_states`
    are those of the paths that were looked at, as `rootleaf.engine.files` gives them.
    """

    __slots__ = (
        "chunk_counts",
        "chunk_ids",
        "file_states",
        "headings",
        "is_empty",
        "omitted_tokens",
        "span_counts",
        "span_lines",
        "texts",
        "tokens",
    )

    def __init__(
        self,
        texts: list[str],
        headings: list[str | None],
        columns: tuple[bytes, ...],
        file_states: list[FileState | None],
    ) -> None:
        span_counts, span_lines, chunk_counts, chunk_ids, tokens, omitted_tokens, empty = columns
        self.file_states = file_states
        self.texts = texts
        self.headings = headings
        self.span_counts = memoryview(span_counts).cast("I")
        self.span_lines = memoryview(span_lines).cast("I")
        self.chunk_counts = memoryview(chunk_counts).cast("I")
        self.chunk_ids = memoryview(chunk_ids).cast("I")
        self.tokens = memoryview(tokens).cast("Q")
        self.omitted_tokens = memoryview(omitted_tokens).cast("Q")
        self.is_empty = memoryview(empty)


def floor_grapheme(text: str, char_offset: int) -> int:
    """The greatest offset not above `char_offset` where a cut splits nothing that is read as one.

    A letter stays with its accents, an emoji with its joined parts, a flag with its pair. Returns 0
    where there is no such offset. Never cuts where Unicode's rules would not; now and then keeps
    more together than they ask for.
    """
    return _core.floor_grapheme(utf8(text, "text"), max(0, char_offset))

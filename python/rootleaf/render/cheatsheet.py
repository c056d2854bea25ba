"""The cheatsheet: the chunksets that count, under their ancestors, in document order.

What is shown is an exact slice of the text. Pieces that are not adjacent are parted by a line
`[...]`; a piece that starts or ends inside a line has `[...]` at that place. The core renders
(`cpp/rootleaf/render`); this module makes values of it.
"""

from __future__ import annotations

from functools import lru_cache

from rootleaf.engine.cheatsheet import OMISSION, HitColumns, prepared_chunks, prepared_document
from rootleaf.types import LineSpan, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.engine.cheatsheet import CheatsheetColumns
    from rootleaf.engine.chunker import ChunkColumns

__all__ = ["OMISSION", "Cheatsheet", "HitColumns", "cheatsheets", "prepared_document"]


class Cheatsheet(Value):
    """A rendered hit.

    `spans` are the line ranges shown, `chunk_ids` the chunks, ancestors included, in document
    order; `tokens` is the documented estimate for `text`; `omitted_tokens` what a budget left out,
    by the same estimate.
    """

    text: str
    spans: tuple[LineSpan, ...]
    chunk_ids: tuple[int, ...]
    tokens: int
    omitted_tokens: int = 0


def cheatsheets(columns: CheatsheetColumns) -> list[Cheatsheet]:
    """The cheatsheets of columns as values, in their order."""
    sheets = []
    lines, chunk_ids = columns.span_lines.tolist(), columns.chunk_ids.tolist()
    first_line = first_chunk = 0
    for position, text in enumerate(columns.texts):
        end_line = first_line + 2 * columns.span_counts[position]
        end_chunk = first_chunk + columns.chunk_counts[position]
        sheets.append(
            Cheatsheet(
                text=text,
                spans=tuple(
                    map(_span, lines[first_line:end_line:2], lines[first_line + 1 : end_line : 2])
                ),
                chunk_ids=tuple(chunk_ids[first_chunk:end_chunk]),
                tokens=columns.tokens[position],
                omitted_tokens=columns.omitted_tokens[position],
            )
        )
        first_line, first_chunk = end_line, end_chunk
    return sheets


@lru_cache(maxsize=4096)
def _span(start_line: int, end_line: int) -> LineSpan:
    # An answer has dozens; one that is frozen may be shared.
    return LineSpan(start_line=start_line, end_line=end_line)


def render_cheatsheet(
    text: str,
    columns: ChunkColumns,
    ordinals: Sequence[int],
    *,
    query: str | None = None,
    cite: bool = False,
    path: str | None = None,
    budget_tokens: int | None = None,
) -> Cheatsheet:
    """Renders chunksets of one document.

    Args:
        text: The document, as it was chunked.
        columns: Its chunks and chunksets.
        ordinals: The chunksets that count, best first.
        query: What was asked: in a table only its matching rows are shown, and a cut keeps a
            matching word.
        cite: Put a line `path:line` before every block.
        path: The path for `cite`.
        budget_tokens: The result takes fewer tokens than this; best chunksets first.

    Returns:
        The cheatsheet; empty when the budget has no room for one word under its ancestors.
    """
    # Equal coverages: the chunksets count as they stand.
    hit = HitColumns(
        [prepared_chunks(text, columns)],
        [ordinals],
        [[1.0] * len(ordinals)],
        [path if cite else None],
    )
    return cheatsheets(hit.rendered(query, budget_tokens))[0]

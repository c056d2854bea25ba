"""The sections of a document: heading paths as entries spell them, and the lines of their text.

A section is a heading with the text below it up to the next heading of any level.
"""

from __future__ import annotations

import re

from rootleaf.documents.chunking import heading_text
from rootleaf.engine.chunker import chunk_columns
from rootleaf.types import LineSpan, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.chunker import ChunkColumns
    from rootleaf.store.records import StoredDocument


class Section(Value):
    """One section; `path` is that of its headings, from the title down.

    `lines` are those of its own text, without headings. A section that has none, only sections
    below it, stands for the lines of its heading.
    """

    path: tuple[str, ...]
    lines: tuple[LineSpan, ...]

    def is_shown_by(self, spans: tuple[LineSpan, ...]) -> bool:
        """Whether at least one of its lines is among those of `spans`."""
        return any(
            line.start_line <= span.end_line and span.start_line <= line.end_line
            for line in self.lines
            for span in spans
        )


def composed(text: str) -> str:
    """A text with letters and accents composed: file systems part them, and keyboards do not."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


def slug(heading: str) -> str:
    """A heading as entries spell it: letters and digits in lower case, `-` for all between them."""
    return "-".join(re.findall(r"[^\W_]+", composed(heading).lower()))


def sections(document: StoredDocument) -> list[Section]:
    """The sections of a document, in order; text above the first heading is in none."""
    columns = chunk_columns(document.text, front_matter_parsed=document.front_matter != "unparsed")
    slugs = _slugs(document.text, columns)
    found: list[Section] = []
    path: tuple[str, ...] = ()
    heading: LineSpan | None = None
    lines: list[LineSpan] = []
    for chunk in range(columns.len_chunks()):
        span = LineSpan(
            start_line=columns.start_lines[chunk] + 1, end_line=columns.end_lines[chunk]
        )
        if chunk not in slugs:
            lines.append(span)
            continue
        if heading is not None:
            found.append(Section(path=path, lines=tuple(lines) or (heading,)))
        chain = [*columns.ancestors(chunk), chunk]
        path = tuple(slugs[one] for one in chain if one in slugs)
        heading, lines = span, []
    if heading is not None:
        found.append(Section(path=path, lines=tuple(lines) or (heading,)))
    return found


def _slugs(text: str, columns: ChunkColumns) -> dict[int, str]:
    utf8 = text.encode("utf-8")
    return {
        chunk: slug(heading_text(utf8[columns.starts[chunk] : columns.ends[chunk]].decode("utf-8")))
        for chunk in range(columns.len_chunks())
        if columns.levels[chunk]
    }

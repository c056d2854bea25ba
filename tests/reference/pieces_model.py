"""Which bytes of a document stand for a chunk when it is shown."""

from __future__ import annotations

import re

from cutting_model import cut_end, start_before
from rootleaf.engine.analyzer import analyze, matching_spans
from rootleaf.engine.chunker import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rootleaf.engine.chunker import ChunkColumns

TABLE = KINDS.index("table")
CODE = KINDS.index("code")
COMMENT = KINDS.index("comment")
QUOTE = KINDS.index("quote")
THEMATIC_BREAK = KINDS.index("thematic_break")
LINK_DEFINITION = KINDS.index("link_definition")
_FLOWING = frozenset(KINDS.index(kind) for kind in ("paragraph", "quote", "html"))

_NOT_BLANK = re.compile(rb"\S")
_TABLE_HEADER_LINES = 2
_ANCHORS = re.compile(rb"(?:<a\s[^<>]*>\s*</a>\s*)+")
_QUOTE_MARKS = b" \t\n>"
_TRAILING_QUOTE_MARKS = re.compile(r"(?:(?:\A|\n)[ \t>]*)+\Z")


class Piece:
    """A range of bytes that is shown, and the 0-based line that its first byte stands on."""

    __slots__ = ("end", "line", "start")

    def __init__(self, start: int, end: int, line: int) -> None:
        self.start = start
        self.end = end
        self.line = line


def is_noise(kind: int) -> bool:
    """Whether chunks of this kind only part or serve others, and say nothing themselves."""
    return kind in (THEMATIC_BREAK, LINK_DEFINITION)


class Passages:
    """The bytes of one document, asked by chunk.

    Args:
        encoded: The document's text as UTF-8.
        columns: Its chunks, from the same text.
        query: What was asked; decides which rows of a table are shown. None shows all.
    """

    def __init__(self, encoded: bytes, columns: ChunkColumns, query: str | None) -> None:
        self.encoded = encoded
        self.columns = columns
        self.query = query
        self._matching_tables: dict[int | None, bool] = {}
        self._terms: dict[int, frozenset[str]] = {}

    def pieces(self, chunk: int) -> list[Piece]:
        """What is shown for a chunk: its lines, and those that frame a part of a longer block."""
        columns = self.columns
        body = Piece(columns.starts[chunk], columns.ends[chunk], columns.start_lines[chunk])
        frame = self._frame(chunk)
        if columns.kinds[chunk] != TABLE or self.query is None:
            return [*frame, body]
        header, rows = self._rows(chunk)
        matching = self._matching(rows)
        if matching or self._table_matches(chunk):
            return frame + header + matching
        return [*frame, body]

    def cut(self, chunk: int, max_bytes: int) -> list[Piece]:
        """The part of a chunk that fits into `max_bytes`, framed as the whole; else nothing.

        The part holds the first matching word if any: it starts at the chunk's start, or else at
        the start of a sentence, and ends as `cut_end` says.
        """
        columns = self.columns
        kind = columns.kinds[chunk]
        start, end, line = columns.starts[chunk], columns.ends[chunk], columns.start_lines[chunk]
        frame = self._frame(chunk)
        if kind in (TABLE, CODE, COMMENT) and not frame:
            frame = self._own_frame(chunk)
            if frame:
                start, end = self._inside(frame, start, end)
                line = columns.start_lines[chunk] + self.encoded.count(
                    b"\n", columns.starts[chunk], start
                )
        max_bytes -= sum(piece.end - piece.start + 1 for piece in frame)
        by_lines = kind in (TABLE, CODE)
        passage = self.encoded[start:end].decode("utf-8", "replace")
        first_char = self._cut_start(passage, max_bytes, by_lines=by_lines)
        shown = passage[first_char:]
        length = cut_end(shown, max_bytes, at_lines=by_lines)
        if kind == QUOTE and (marks := _TRAILING_QUOTE_MARKS.search(shown[:length])):
            length = marks.start()
        if length == 0:
            return []
        skipped = passage[:first_char]
        start += len(skipped.encode("utf-8"))
        line += skipped.count("\n")
        return [*frame, Piece(start, start + len(shown[:length].encode("utf-8")), line)]

    def match_count(self, chunk: int) -> int:
        """How many different words of a chunk match the query."""
        if self.query is None:
            return 0
        passage = self._text(self.columns.starts[chunk], self.columns.ends[chunk])
        return len(
            {passage[start:end].casefold() for start, end in matching_spans(self.query, passage)}
        )

    def is_break(self, chunk: int) -> bool:
        """Whether a chunk is a thematic break."""
        return self.columns.kinds[chunk] == THEMATIC_BREAK

    def is_definition(self, chunk: int) -> bool:
        """Whether a chunk defines links."""
        return self.columns.kinds[chunk] == LINK_DEFINITION

    def idle_chunks(self, chunks: Iterable[int]) -> set[int]:
        """Those of some chunks that no reader sees and that match no more than the others do.

        Definitions of links, whole comments, anchors. What only they match is shown with them.
        """
        if self.query is None:
            return set()
        unseen, said = set(), set[str]()
        for chunk in chunks:
            if self._is_unseen(chunk):
                unseen.add(chunk)
            else:
                said |= self._matched_terms(chunk)
        return {chunk for chunk in unseen if self._matched_terms(chunk) <= said}

    def line_start(self, byte_offset: int) -> int:
        """Where the line of a byte starts."""
        return self.encoded.rfind(b"\n", 0, byte_offset) + 1

    def line_end(self, byte_offset: int) -> int:
        """Where the line of a byte ends, before its line feed."""
        end = self.encoded.find(b"\n", byte_offset)
        return len(self.encoded) if end < 0 else end

    def is_blank(self, start: int, end: int) -> bool:
        """Whether nothing but blanks and line ends stands between two offsets."""
        return _NOT_BLANK.search(self.encoded, start, end) is None

    def goes_on_after(self, chunk: int, end: int) -> bool:
        """Whether a paragraph, quote and so on goes on behind `end`, in its last chunk or the next.

        Rows of a table that are left out at its end are none of that.
        """
        columns, following = self.columns, chunk + 1
        rest = self.encoded[end : columns.ends[chunk]]
        if columns.kinds[chunk] != TABLE and rest.strip(_QUOTE_MARKS):
            return True
        return (
            following < columns.len_chunks()
            and columns.kinds[chunk] in _FLOWING
            and columns.kinds[following] == columns.kinds[chunk]
            and columns.parents[following] == columns.parents[chunk]
            and self.encoded.count(b"\n", columns.ends[chunk], columns.starts[following]) <= 1
        )

    def _is_unseen(self, chunk: int) -> bool:
        columns = self.columns
        if columns.kinds[chunk] == COMMENT:
            return not self._frame(chunk)
        return self.is_definition(chunk) or bool(
            _ANCHORS.fullmatch(self.encoded, columns.starts[chunk], columns.ends[chunk])
        )

    def _matched_terms(self, chunk: int) -> frozenset[str]:
        """The terms of the query that stand in a chunk."""
        if chunk not in self._terms:
            passage = self._text(self.columns.starts[chunk], self.columns.ends[chunk])
            asked = {term for term, _ in analyze(self.query or "")}
            self._terms[chunk] = frozenset(term for term, _ in analyze(passage) if term in asked)
        return self._terms[chunk]

    def _text(self, start: int, end: int) -> str:
        return self.encoded[start:end].decode("utf-8", "replace")

    def _frame(self, chunk: int) -> list[Piece]:
        columns, encoded = self.columns, self.encoded
        start, line = columns.starts[chunk], columns.start_lines[chunk]
        frame = []
        head_start, head_end = columns.head_starts[chunk], columns.head_ends[chunk]
        if head_start < head_end:
            frame.append(
                Piece(head_start, head_end, line - encoded.count(b"\n", head_start, start))
            )
        tail_start, tail_end = columns.tail_starts[chunk], columns.tail_ends[chunk]
        if tail_start < tail_end:
            frame.append(
                Piece(tail_start, tail_end, line + encoded.count(b"\n", start, tail_start))
            )
        return frame

    def _own_frame(self, chunk: int) -> list[Piece]:
        """The framing lines of a whole block: the header rows of a table, the fences of code."""
        columns, encoded = self.columns, self.encoded
        start, end, line = columns.starts[chunk], columns.ends[chunk], columns.start_lines[chunk]
        if columns.kinds[chunk] == TABLE:
            head_end = self._line_end(self._line_end(start, end) + 1, end)
            return [Piece(start, head_end, line)] if head_end < end else []
        first_end = self._line_end(start, end)
        last_start = encoded.rfind(b"\n", start, end) + 1
        opening = encoded[start:first_end].lstrip(b" \t>")
        is_framed = opening.startswith((b"```", b"~~~", b"<!--")) and first_end + 1 < last_start
        if not is_framed:
            return []
        return [
            Piece(start, first_end, line),
            Piece(last_start, end, line + encoded.count(b"\n", start, last_start)),
        ]

    def _inside(self, frame: list[Piece], start: int, end: int) -> tuple[int, int]:
        inner_start = min(frame[0].end + 1, end)
        inner_end = frame[1].start - 1 if len(frame) > 1 else end
        return inner_start, max(inner_start, inner_end)

    def _line_end(self, start: int, end: int) -> int:
        found = self.encoded.find(b"\n", start, end)
        return end if found < 0 else found

    def _cut_start(self, passage: str, max_bytes: int, *, by_lines: bool) -> int:
        spans = matching_spans(self.query, passage) if self.query else []
        if not spans or max_bytes <= 0:
            return 0
        match_start, match_end = spans[0]
        if len(passage[:match_end].encode("utf-8")) <= max_bytes:
            return 0
        if by_lines:
            return passage.rfind("\n", 0, match_start) + 1
        chars_before = max(
            0, max_bytes // 2 // max(1, len(passage.encode("utf-8")) // len(passage))
        )
        return start_before(passage, match_start, chars_before)

    def _rows(self, chunk: int) -> tuple[list[Piece], list[Piece]]:
        """The header rows that a piece of a table holds itself, and its other rows."""
        columns = self.columns
        rows = []
        start, line = columns.starts[chunk], columns.start_lines[chunk]
        while start < columns.ends[chunk]:
            end = self._line_end(start, columns.ends[chunk])
            rows.append(Piece(start, end, line))
            start, line = end + 1, line + 1
        holds_header = columns.head_starts[chunk] == columns.head_ends[chunk]
        header_count = _TABLE_HEADER_LINES if holds_header else 0
        return rows[:header_count], rows[header_count:]

    def _matching(self, rows: list[Piece]) -> list[Piece]:
        """Those of consecutive rows that share a word with the query."""
        if not rows or not self.query:
            return []
        passage = self._text(rows[0].start, rows[-1].end)
        matching: dict[int, Piece] = {}
        row, counted_to = 0, 0
        for span_start, _ in matching_spans(self.query, passage):
            row += passage.count("\n", counted_to, span_start)
            counted_to = span_start
            matching[row] = rows[row]
        return list(matching.values())

    def _table_matches(self, chunk: int) -> bool:
        """Whether a row matches in any piece of the table that this chunk is a piece of."""
        table = self._table_start(chunk)
        if table not in self._matching_tables:
            first = last = chunk
            while first > 0 and self._table_start(first - 1) == table:
                first -= 1
            while last + 1 < self.columns.len_chunks() and self._table_start(last + 1) == table:
                last += 1
            self._matching_tables[table] = any(
                self._matching(self._rows(piece)[1]) for piece in range(first, last + 1)
            )
        return self._matching_tables[table]

    def _table_start(self, chunk: int) -> int | None:
        """Where the table that a chunk is a piece of starts; None for what is no table."""
        columns = self.columns
        if columns.kinds[chunk] != TABLE:
            return None
        if columns.head_starts[chunk] < columns.head_ends[chunk]:
            return columns.head_starts[chunk]
        return columns.starts[chunk]

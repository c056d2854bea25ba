"""Runs: the pieces of a cheatsheet as whole lines, joined where nothing stands between them."""

from __future__ import annotations

import re
from bisect import bisect_left

from pieces_model import Piece, is_noise
from rootleaf.engine.chunker import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pieces_model import Passages

_HEADING = KINDS.index("heading")
_QUOTE = KINDS.index("quote")
# A gap as short as this takes hardly more room than the mark that would stand for it.
_BRIDGED_LINES = 2
_BRIDGED_BYTES = 60
# Blanks that are kept between pieces; a longer run of them is left out like any other bytes.
_MOST_BLANK_BYTES = 1024

_LEADING_QUOTE_MARKS = re.compile(rb"(?:[ \t>]*\n)+")
_TRAILING_QUOTE_MARKS = re.compile(rb"(?:\n[ \t>]*)+\Z")


class Run(Piece):
    """A piece of one or more chunks; knows the first and the last of them."""

    __slots__ = ("first_chunk", "last_chunk")

    def __init__(self, piece: Piece, chunk: int) -> None:
        super().__init__(piece.start, piece.end, piece.line)
        self.first_chunk = chunk
        self.last_chunk = chunk

    def grow(self, other: Run) -> None:
        """Takes in a later run, and what stands between."""
        self.end = max(self.end, other.end)
        self.last_chunk = other.last_chunk


def runs_of(
    passages: Passages, shown: Mapping[int, Sequence[Piece]], *, bridged: bool
) -> list[Run]:
    """What is shown, in document order, each run apart from the next.

    A thematic break at the edge of a passage, what readers do not see at its end, and idle link
    definitions are left out unless nothing else is shown.

    Args:
        passages: The document.
        shown: The pieces of every chunk that counts.
        bridged: Show also gaps that are as short as the mark for them, within a section.
    """
    pieces = [
        Run(_to_line_edges(passages, piece), chunk) for chunk in shown for piece in shown[chunk]
    ]
    pieces.sort(key=lambda piece: (piece.start, piece.end))
    groups = _grouped(passages, [piece for piece in pieces if piece.start < piece.end])
    idle = passages.idle_chunks(shown)
    telling = _without_noise(passages, groups, idle) or groups
    runs = [_merged(group) for group in telling]
    if bridged:
        runs = _bridged(passages, runs)
    return _trimmed(passages, runs)


def chunks_in(
    passages: Passages, shown: Mapping[int, Sequence[Piece]], runs: Sequence[Piece]
) -> list[int]:
    """The chunks that runs show: those with a piece in them, and those that lie in one whole."""
    columns = passages.columns
    chunks = {
        chunk
        for chunk, pieces in shown.items()
        if any(_overlap(piece, run) for piece in pieces for run in runs)
    }
    for run in runs:
        chunk = bisect_left(columns.starts, run.start)
        while chunk < columns.len_chunks() and columns.starts[chunk] < run.end:
            if columns.ends[chunk] <= run.end:
                chunks.add(chunk)
            chunk += 1
    return sorted(chunks)


def _is_kept_blank(passages: Passages, start: int, end: int) -> bool:
    return end - start <= _MOST_BLANK_BYTES and passages.is_blank(start, end)


def _overlap(piece: Piece, run: Piece) -> bool:
    return piece.start < run.end and run.start < piece.end


def _to_line_edges(passages: Passages, piece: Piece) -> Piece:
    start, end = passages.line_start(piece.start), passages.line_end(piece.end)
    return Piece(
        start if _is_kept_blank(passages, start, piece.start) else piece.start,
        end if _is_kept_blank(passages, piece.end, end) else piece.end,
        piece.line,
    )


def _grouped(passages: Passages, pieces: Iterable[Run]) -> list[list[Run]]:
    """Pieces that follow each other with only blanks between."""
    groups: list[list[Run]] = []
    end = -1
    for piece in pieces:
        if groups and (piece.start <= end or _is_kept_blank(passages, end, piece.start)):
            groups[-1].append(piece)
        else:
            groups.append([piece])
        end = max(end, piece.end)
    return groups


def _without_noise(
    passages: Passages, groups: Iterable[list[Run]], idle: set[int]
) -> list[list[Run]]:
    kept: list[list[Run]] = []
    for group in groups:
        part: list[Run] = []
        for piece in group:
            if piece.first_chunk in idle and passages.is_definition(piece.first_chunk):
                kept.append(part)
                part = []
            else:
                part.append(piece)
        kept.append(part)
    for group in kept:
        while group and passages.is_break(group[0].first_chunk):
            del group[0]
        while group and _is_idle_end(passages, group, idle):
            del group[-1]
    return [group for group in kept if group]


def _is_idle_end(passages: Passages, group: Sequence[Run], idle: set[int]) -> bool:
    """Whether a group ends in a break, or in an anchor or a comment that follows a passage."""
    last = group[-1].first_chunk
    if passages.is_break(last):
        return True
    if len(group) == 1 or passages.columns.kinds[group[-2].last_chunk] == _HEADING:
        return False
    return last in idle


def _merged(group: Sequence[Run]) -> Run:
    run = Run(group[0], group[0].first_chunk)
    for piece in group[1:]:
        run.grow(piece)
    return run


def _bridged(passages: Passages, runs: Sequence[Run]) -> list[Run]:
    bridged: list[Run] = []
    for run in runs:
        if bridged and _is_short_gap(passages, bridged[-1], run):
            bridged[-1].grow(run)
        else:
            bridged.append(run)
    return bridged


def _is_short_gap(passages: Passages, before: Run, after: Run) -> bool:
    """Whether only a line or two of the same section stand between two runs of whole lines."""
    start, end = before.end, after.start
    if end - start > _BRIDGED_BYTES + 2:
        return False
    if start != passages.line_end(start) or end != passages.line_start(end):
        return False
    left_out = passages.encoded[start:end].split(b"\n")
    if sum(1 for line in left_out if line.strip()) > _BRIDGED_LINES:
        return False
    columns = passages.columns
    first = bisect_left(columns.starts, start)
    kinds = columns.kinds[first : bisect_left(columns.starts, end)]
    if kinds and all(is_noise(kind) for kind in kinds):
        return True
    # A section, or what stands between a heading and the next one, is a step on the way to a leaf.
    return _HEADING not in kinds and columns.kinds[after.first_chunk] != _HEADING


def _trimmed(passages: Passages, runs: Iterable[Run]) -> list[Run]:
    """Without lines that hold nothing but the marks of a quote, where a quote is cut."""
    kinds, encoded = passages.columns.kinds, passages.encoded
    for run in runs:
        if kinds[run.last_chunk] == _QUOTE:
            marks = _TRAILING_QUOTE_MARKS.search(encoded, run.start, run.end)
            if marks is not None:
                run.end = marks.start()
        if kinds[run.first_chunk] == _QUOTE:
            marks = _LEADING_QUOTE_MARKS.match(encoded, run.start, run.end)
            if marks is not None and marks.end() < run.end:
                run.line += encoded.count(b"\n", run.start, marks.end())
                run.start = marks.end()
    return [run for run in runs if run.start < run.end]

"""The cheatsheet, slow and obvious: the model that the core is held against, byte for byte.

What is shown is an exact slice of the text. Pieces that are not adjacent are parted by a line
`[...]`; a piece that starts or ends inside a line has `[...]` at that place. Pieces with only blank
lines between them keep those blank lines and no mark, if these are not longer than a chunk; a line
or two of the same section that take hardly more room than the mark are shown in its place.
"""

from __future__ import annotations

from pieces_model import Passages
from rootleaf.engine.tokens import count_tokens
from rootleaf.render.cheatsheet import Cheatsheet
from rootleaf.types import LineSpan
from runs_model import chunks_in, runs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pieces_model import Piece
    from rootleaf.engine.chunker import ChunkColumns
    from runs_model import Run

OMISSION = "[...]"

# No text worth a cut has more; only long runs of blanks do.
_MOST_BYTES_PER_TOKEN = 12


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
    builder = CheatsheetBuilder(text, columns, query=query, cite_path=path if cite else None)
    for ordinal in ordinals:
        if budget_tokens is None:
            builder.add(ordinal)
        else:
            builder.add_within(ordinal, budget_tokens - 1, may_cut=builder.is_empty)
    return builder.cheatsheet()


class CheatsheetBuilder:
    """A cheatsheet that grows by chunksets, so that several of them can share one budget."""

    def __init__(
        self,
        text: str,
        columns: ChunkColumns,
        *,
        query: str | None = None,
        cite_path: str | None = None,
    ) -> None:
        self._columns = columns
        self._passages = Passages(text.encode("utf-8"), columns, query)
        self._cite_path = cite_path
        self._shown: dict[int, list[Piece]] = {}
        self._wanted: dict[int, list[Piece]] = {}
        # Whether short gaps are shown; a budget may have no room for them.
        self._bridged = True

    @property
    def is_empty(self) -> bool:
        """Whether no chunk is shown so far."""
        return not self._shown

    @property
    def tokens(self) -> int:
        """The estimate for what is shown so far."""
        return count_tokens(self._text(self._shown, bridged=self._bridged))

    def add(self, ordinal: int) -> None:
        """Shows a chunkset with its ancestors."""
        for chunk in self._columns.chunkset_chunks(ordinal):
            self._want(chunk)
            self._shown[chunk] = self._wanted[chunk]

    def add_within(self, ordinal: int, max_tokens: int, *, may_cut: bool = False) -> None:
        """Shows as much of a chunkset as keeps the whole cheatsheet within `max_tokens`.

        All of it, or else the leaves with matching words that fit, those with most of them first;
        with `may_cut` and none that fits, a part of the best leaf. A leaf always brings its
        ancestors.
        """
        chunks = self._columns.chunkset_chunks(ordinal)
        for chunk in chunks:
            self._want(chunk)
        if self._show_if_fits(chunks, max_tokens):
            return
        first, count = (
            self._columns.chunkset_firsts[ordinal],
            self._columns.chunkset_counts[ordinal],
        )
        ancestors = self._columns.ancestors(first)
        counts = {leaf: self._passages.match_count(leaf) for leaf in range(first, first + count)}
        # What is left of a budget is not filled with leaves that say nothing of the query.
        matching = [leaf for leaf in counts if counts[leaf]] or list(counts)
        leaves = sorted(matching, key=lambda leaf: -counts[leaf])
        any_fits = False
        for leaf in leaves:
            any_fits |= self._show_if_fits([*ancestors, leaf], max_tokens)
        if may_cut and not any_fits:
            self._show_cut(ancestors, leaves[0], max_tokens)

    def cheatsheet(self) -> Cheatsheet:
        """What is shown, and how much was wanted beyond it."""
        shown = self._text(self._shown, bridged=self._bridged)
        tokens = count_tokens(shown)
        omitted = 0
        if self._shown != self._wanted or not self._bridged:
            omitted = max(0, count_tokens(self._text(self._wanted, bridged=True)) - tokens)
        runs = runs_of(self._passages, self._shown, bridged=self._bridged)
        return Cheatsheet(
            text=shown,
            spans=self._spans(runs),
            chunk_ids=tuple(chunks_in(self._passages, self._shown, runs)),
            tokens=tokens,
            omitted_tokens=omitted,
        )

    def _want(self, chunk: int) -> None:
        if chunk not in self._wanted:
            self._wanted[chunk] = self._passages.pieces(chunk)

    def _show_if_fits(self, chunks: Iterable[int], max_tokens: int) -> bool:
        candidate = dict(self._shown)
        for chunk in chunks:
            candidate[chunk] = self._wanted[chunk]
        for bridged in (True, False):
            if count_tokens(self._text(candidate, bridged=bridged)) <= max_tokens:
                self._shown, self._bridged = candidate, bridged
                return True
        return False

    def _show_cut(self, ancestors: Sequence[int], leaf: int, max_tokens: int) -> None:
        candidate = dict(self._shown)
        for chunk in ancestors:
            candidate[chunk] = self._wanted[chunk]
        # The largest part that fits is found by halving: how many bytes a token takes depends on
        # what they say, and marks and cited lines take some too.
        fitting_bytes, excess_bytes = 0, _MOST_BYTES_PER_TOKEN * max(0, max_tokens) + 1
        while excess_bytes - fitting_bytes > 1:
            room_bytes = (fitting_bytes + excess_bytes) // 2
            pieces = self._passages.cut(leaf, room_bytes)
            if pieces:
                candidate = {**candidate, leaf: pieces}
                if count_tokens(self._text(candidate, bridged=False)) > max_tokens:
                    excess_bytes = room_bytes
                    continue
                self._shown, self._bridged = candidate, False
            fitting_bytes = room_bytes

    def _text(self, shown: dict[int, list[Piece]], *, bridged: bool) -> str:
        parts: list[str] = []
        previous: Run | None = None
        for run in runs_of(self._passages, shown, bridged=bridged):
            parts.append(self._join(previous, run))
            shown_text = self._passages.encoded[run.start : run.end].decode("utf-8", "replace")
            parts.append(shown_text.rstrip(" \t") if self._ends_inside_line(run) else shown_text)
            previous = run
        if previous is not None:
            if self._ends_inside_line(previous):
                parts.append(f" {OMISSION}")
            elif self._passages.goes_on_after(previous.last_chunk, previous.end):
                parts.append(f"\n{OMISSION}")
        return "".join(parts)

    def _join(self, previous: Piece | None, run: Piece) -> str:
        opening = "" if run.start == self._passages.line_start(run.start) else f"{OMISSION} "
        citation = "" if self._cite_path is None else f"{self._cite_path}:{run.line + 1}\n"
        if previous is None:
            return citation + opening
        if not self._ends_inside_line(previous):
            return f"\n{citation}{opening}" if opening else f"\n{OMISSION}\n{citation}"
        if opening and self._passages.line_start(run.start) <= previous.end:
            return f" {opening}"
        return f" {OMISSION}\n{citation}{opening}"

    def _ends_inside_line(self, run: Piece) -> bool:
        return run.end != self._passages.line_end(run.end)

    def _spans(self, runs: Iterable[Piece]) -> tuple[LineSpan, ...]:
        spans: list[LineSpan] = []
        for run in runs:
            first = run.line + 1
            last = first + self._passages.encoded.count(b"\n", run.start, run.end)
            if spans and first <= spans[-1].end_line:
                first = spans.pop().start_line
            spans.append(LineSpan(start_line=first, end_line=last))
        return tuple(spans)

"""Columns written by hand, and the cheatsheets of their texts."""

from __future__ import annotations

from array import array

from rootleaf.engine.chunker import KINDS, NO_PARENT, ChunkColumns
from rootleaf.render.cheatsheet import render_cheatsheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rootleaf.render.cheatsheet import Cheatsheet

NO_SPAN = (0, 0)


class HandmadeColumns:
    """Columns as the chunker gives them, filled by `chunk` and `chunkset`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.encoded = text.encode("utf-8")
        self.kinds: list[int] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.start_lines: list[int] = []
        self.head_starts: list[int] = []
        self.head_ends: list[int] = []
        self.tail_starts: list[int] = []
        self.tail_ends: list[int] = []
        self.chunkset_firsts: list[int] = []
        self.chunkset_counts: list[int] = []

    def chunk(
        self, kind: str, passage: str, parent: int | None = None, *, head: str = "", tail: str = ""
    ) -> int:
        """Adds the next chunk; its text is looked for behind the one before it."""
        start, end = self._find(passage, self.ends[-1] if self.ends else 0)
        self.kinds.append(KINDS.index(kind))
        self.parents.append(NO_PARENT if parent is None else parent)
        self.starts.append(start)
        self.ends.append(end)
        self.start_lines.append(self.encoded.count(b"\n", 0, start))
        head_start, head_end = self._find(head, 0) if head else NO_SPAN
        self.head_starts.append(head_start)
        self.head_ends.append(head_end)
        tail_start, tail_end = self._find(tail, end) if tail else NO_SPAN
        self.tail_starts.append(tail_start)
        self.tail_ends.append(tail_end)
        return len(self.kinds) - 1

    def chunkset(self, first: int, count: int = 1) -> int:
        """Adds a chunkset of consecutive leaves."""
        self.chunkset_firsts.append(first)
        self.chunkset_counts.append(count)
        return len(self.chunkset_firsts) - 1

    def built(self) -> ChunkColumns:
        """The columns, as the core packs them; what the renderer does not read is zero."""
        count = len(self.kinds)
        zeros = _packed([0] * count)
        return ChunkColumns(
            (
                bytes(self.kinds),
                bytes(count),
                zeros,
                _packed(self.parents),
                _packed(self.starts),
                _packed(self.ends),
                _packed(self.start_lines),
                zeros,
                _packed(self.head_starts),
                _packed(self.head_ends),
                _packed(self.tail_starts),
                _packed(self.tail_ends),
                _packed(self.chunkset_firsts),
                _packed(self.chunkset_counts),
                bytes(16 * len(self.chunkset_firsts)),
            ),
            NO_PARENT,
        )

    def _find(self, passage: str, after: int) -> tuple[int, int]:
        wanted = passage.encode("utf-8")
        start = self.encoded.index(wanted, after)
        return start, start + len(wanted)


def _packed(numbers: list[int]) -> bytes:
    return array("I", numbers).tobytes()


def rendered(handmade: HandmadeColumns, ordinals: list[int], **options: Any) -> Cheatsheet:
    """The cheatsheet of the text that the columns were written for."""
    return render_cheatsheet(handmade.text, handmade.built(), ordinals, **options)


CATALOG = "# Catalog\n\n## alpha\n\nfig one\n\nfig two\n\n\n## beta\n\nplum\n\n## gamma\n\nlast\n"


def catalog_columns(more: str = "") -> HandmadeColumns:
    """`CATALOG` with one chunkset for each section; the first holds two leaves, with `more`."""
    one, two = f"fig one{more}", f"fig two{more}"
    columns = HandmadeColumns(CATALOG.replace("fig one", one).replace("fig two", two))
    top = columns.chunk("heading", "# Catalog")
    alpha = columns.chunk("heading", "## alpha", top)
    columns.chunk("paragraph", one, alpha)
    columns.chunk("paragraph", two, alpha)
    beta = columns.chunk("heading", "## beta", top)
    columns.chunk("paragraph", "plum", beta)
    gamma = columns.chunk("heading", "## gamma", top)
    columns.chunk("paragraph", "last", gamma)
    columns.chunkset(2, 2)
    columns.chunkset(5)
    columns.chunkset(7)
    return columns


def spans(sheet: Cheatsheet) -> list[tuple[int, int]]:
    """The shown line ranges as pairs."""
    return [(span.start_line, span.end_line) for span in sheet.spans]

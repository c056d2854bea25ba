"""The text of a chunkset that is embedded: its headings, then its leaves, a line for each.

It is a function of exactly what the chunkset's key is a hash of, so that one vector stands for all
chunksets of one key: neither the file's name, nor white space, nor where the chunkset stands
counts. See `cpp/rootleaf/markdown/chunkset.hpp` for the key.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.chunker import ChunkColumns

TEXT_FORM = "texts 1"
"""Identity of what this module makes; part of a model's, since other texts have other vectors."""

# White space as the key knows it; other characters that Python calls white are text.
_BLANKS = bytes.maketrans(b"\t\r\n", b"   ")


class EmbeddedTexts:
    """The texts of the chunksets of one document.

    Args:
        text: The document's text.
        columns: Its chunks, cut from this text.
    """

    def __init__(self, text: str, columns: ChunkColumns) -> None:
        self._utf8 = text.encode()
        self._columns = columns

    def __getitem__(self, ordinal: int) -> str:
        columns = self._columns
        first = columns.chunkset_firsts[ordinal]
        lines = [
            self._folded(columns.starts[chunk], columns.ends[chunk])
            for chunk in columns.ancestors(first)
        ]
        shown_end = 0
        for leaf in range(first, first + columns.chunkset_counts[ordinal]):
            # Pieces of one long block have one head, which counts once, and not where the block
            # itself begins here.
            start, end = columns.head_starts[leaf], columns.head_ends[leaf]
            if start != end and start < columns.starts[first] and end != shown_end:
                lines.append(self._folded(start, end))
                shown_end = end
            lines.append(self._folded(columns.starts[leaf], columns.ends[leaf]))
        return b"\n".join(lines).decode()

    def _folded(self, start: int, end: int) -> bytes:
        text = self._utf8[start:end].translate(_BLANKS).strip(b" ")
        return text if b"  " not in text else b" ".join(filter(None, text.split(b" ")))

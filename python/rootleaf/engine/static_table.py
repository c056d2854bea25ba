"""A table of token vectors in a file, and the vectors that the core makes of texts with it.

The file is mapped: opening one reads its vocabulary, and a text the rows of its tokens.
"""

from __future__ import annotations

import os

from rootleaf import _core
from rootleaf.errors import EmbedderError, SnapshotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class StaticTable:
    """A mapped table. Threads may share one.

    Args:
        path: Its file.

    Attributes:
        identity: Tells two tables apart, in 32 hexadecimal digits: those of one identity hold the
            same bytes.
        dimension: Floats of a vector.
        unknown_id: The token of a word that has no others.

    Raises:
        EmbedderError: `embedder.table_invalid`: there is no such file, or it is damaged.
    """

    __slots__ = ("_core", "dimension", "identity", "unknown_id")

    def __init__(self, path: str) -> None:
        try:
            self._core = _core.open_static_table(os.fsencode(path))
        except SnapshotError as error:
            raise EmbedderError(error.message, code="embedder.table_invalid") from error
        self.identity = self._core.identity.hex()
        self.dimension = self._core.dimension
        self.unknown_id = self._core.unknown_id

    def verify(self) -> None:
        """Reads the whole file, of which opening leaves the rows out.

        Raises:
            EmbedderError: `embedder.table_invalid`: it is damaged.
        """
        self._core.verify()

    def vocabulary(self) -> list[str]:
        """The tokens by id; one that continues a word begins with `##`."""
        utf8, ends = self._core.vocabulary()
        tokens = []
        start = 0
        for end in memoryview(ends).cast("I"):
            tokens.append(utf8[start:end].decode())
            start = end
        return tokens

    def token_ids(self, text: str) -> list[int]:
        """The ids of a text's tokens: those of BERT's uncased WordPiece, no delimiters added.

        Lone surrogates leave no trace, as control characters do not.
        """
        return memoryview(self._core.token_ids(_utf8(text))).cast("I").tolist()

    def knows(self, text: str) -> bool:
        """Whether the vocabulary has at least half of a text's words; marks and symbols are none.

        It has none of a script other than Latin but their letters, each of which counts as a word,
        since these make all texts of a script alike. Nor does it have a Latin word that falls into
        single characters (`zq`, `q1`); one letter or digit by itself is known. The GIL is released.
        """
        return self._core.knows(_utf8(text))

    def embed(self, texts: Iterable[str]) -> bytes:
        """The unit vectors of texts: native float32, `dimension` for each text, in their order.

        A text has the same bytes whatever the others are, on every thread and instruction set.
        Unknown tokens add nothing; a text without a known one has the vector of the unknown token,
        so that none is zero. The GIL is released.
        """
        return self._core.embed([_utf8(text) for text in texts])


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")

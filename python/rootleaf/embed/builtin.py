"""The embedder that is always there: a static table in the package, applied by the core.

No model is loaded and no package imported: the table is mapped when the first vector or the
identity is asked for, and a search by keyword alone never does.
"""

from __future__ import annotations

import os

from rootleaf.embed.calibration import Calibration
from rootleaf.embed.protocol import ModelIdentity
from rootleaf.errors import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.engine.static_table import StaticTable

TABLE_PATH = os.path.join(os.path.dirname(__file__), "tables", "all_minilm_l6_v2.table")
PREPROCESSING = "wordpiece uncased"

CALIBRATION = Calibration(
    similarity_weight=0.4,
    gate_coverage_weight=1.0,
    gate=0.55,
    source="development questions on a book and on conversations: bench/quality, docs/quality.md",
)

_table: StaticTable | None = None


def builtin_table() -> StaticTable:
    """The table of the package, mapped once in a process.

    Raises:
        EmbedderError: `embedder.table_invalid`: the installation lacks it, or it is damaged.
    """
    global _table  # noqa: PLW0603 - one file, which does not change while it is installed
    if _table is None:
        from rootleaf.engine.static_table import StaticTable

        try:
            _table = StaticTable(TABLE_PATH)
        except EmbedderError as error:
            raise EmbedderError(
                error.message, hint="pip install --force-reinstall rootleaf", code=error.code
            ) from error
    return _table


class BuiltinEmbedder:
    """Token vectors distilled from all-MiniLM-L6-v2: fast, offline, the same bytes everywhere.

    A text without any known token (of unknown characters or none) has the vector of the unknown
    token. Threads may share it.

    Example:
        >>> embedder = BuiltinEmbedder()
        >>> len(memoryview(embedder.embed_query("greasing the crane")).cast("f"))
        256
    """

    __slots__ = ()
    calibration = CALIBRATION
    batch_texts = 4096

    @property
    def identity(self) -> ModelIdentity:
        """Its revision is the checksum of the table: another table is another model."""
        table = builtin_table()
        return ModelIdentity(
            name="builtin",
            revision=table.identity,
            dimension=table.dimension,
            preprocessing=PREPROCESSING,
        )

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """The vectors of texts, end to end. The GIL is released."""
        return builtin_table().embed(texts)

    def embed_query(self, text: str) -> bytes:
        """The vector that the text would have as a document."""
        return builtin_table().embed((text,))

    def knows(self, text: str) -> bool:
        """Whether at least half of a text's words are known, which are of Latin script."""
        return builtin_table().knows(text)

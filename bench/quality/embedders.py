"""The embedders under measurement, with their vectors kept on disk between runs."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import TYPE_CHECKING

from rootleaf.embed.calibration import Calibration, calibration_of
from rootleaf.embed.choosing import embedder_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rootleaf.embed.protocol import Embedder, ModelIdentity


def embedders(names: Sequence[str]) -> dict[str, Embedder]:
    """The embedders by the names that a user chooses them by."""
    made = {name: embedder_named(name) for name in names}
    return {name: embedder for name, embedder in made.items() if embedder is not None}


class KeptVectors:
    """An embedder that asks another one for each text once, in all runs together.

    Args:
        embedder: Whose vectors they are.
        directory: Where they are kept; None keeps them in memory.
    """

    def __init__(self, embedder: Embedder, directory: Path | None) -> None:
        self._embedder = embedder
        self._questions: dict[str, bytes] = {}
        path = ":memory:"
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            model = hashlib.sha256(repr(embedder.identity).encode()).hexdigest()[:16]
            path = str(directory / f"{embedder.identity.name}-{model}.db")
        self._kept = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._kept.execute(
            "CREATE TABLE IF NOT EXISTS vectors (text TEXT PRIMARY KEY, vector BLOB)"
        )
        # A child that stops half-way loses one batch at most.
        self._kept.execute("PRAGMA synchronous = OFF")

    @property
    def identity(self) -> ModelIdentity:
        """That of the embedder."""
        return self._embedder.identity

    @property
    def calibration(self) -> Calibration:
        """That of the embedder."""
        return calibration_of(self._embedder)

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """The vectors of texts, end to end."""
        return b"".join(self.each(list(texts)))

    def embed_query(self, text: str) -> bytes:
        """The vector of a question."""
        if text not in self._questions:
            self._questions[text] = bytes(self._embedder.embed_query(text))
        return self._questions[text]

    def each(self, texts: list[str]) -> list[bytes]:
        """The vectors of texts, one by one."""
        return [self._of(text) for text in texts]

    def _of(self, text: str) -> bytes:
        row = self._kept.execute("SELECT vector FROM vectors WHERE text = ?", (text,)).fetchone()
        if row is not None:
            return bytes(row[0])
        vector = bytes(self._embedder.embed_documents([text]))
        self._kept.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", (text, vector))
        return vector

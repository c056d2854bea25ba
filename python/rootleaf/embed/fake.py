"""An embedder for tests: no model, no network, and every call counted."""

from __future__ import annotations

from rootleaf.embed.protocol import ModelIdentity
from rootleaf.errors import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.embed.calibration import Calibration

_INTEGER_BYTES = 4
_HALF = 2**31


class FakeEmbedder:
    """Vectors made of a hash: equal texts are equal, and others have nothing to do with each other.

    Args:
        dimension: Floats of a vector.
        name: Of the model; fakes of two names are two models.
        revision: Likewise.
        calibration: What it says its similarities are worth; by default it says nothing.

    Attributes:
        identity: The model it passes for.
        calibration: As given.
        calls: How often `embed_documents` was called, failures included.
        texts: All texts it gave vectors of, in order: what would have been paid for.
        queries: All texts that were embedded as questions.

    Example:
        >>> embedder = FakeEmbedder(dimension=4)
        >>> vectors = memoryview(embedder.embed_documents(["one", "two"])).cast("f")
        >>> len(vectors), embedder.calls, embedder.texts
        (8, 1, ['one', 'two'])
    """

    def __init__(
        self,
        dimension: int = 8,
        *,
        name: str = "fake",
        revision: str = "1",
        calibration: Calibration | None = None,
    ) -> None:
        self.calibration = calibration
        self.identity = ModelIdentity(
            name=name, revision=revision, dimension=dimension, preprocessing="blake2b"
        )
        self.calls = 0
        self.texts: list[str] = []
        self.queries: list[str] = []
        self._failures: dict[int, BaseException] = {}

    def fail_at(self, call: int, error: BaseException | None = None) -> None:
        """Has a call of `embed_documents` fail, counted from 1 over the whole life of this object.

        Args:
            call: Which one; `calls + 1` is the next.
            error: What it raises; an `EmbedderError` if None.
        """
        self._failures[call] = EmbedderError("told to fail") if error is None else error

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """The vectors of texts, end to end.

        Raises:
            EmbedderError: As `fail_at` said, or what it was given.
        """
        self.calls += 1
        error = self._failures.get(self.calls)
        if error is not None:
            raise error
        self.texts.extend(texts)
        return b"".join(map(self.vector, texts))

    def embed_query(self, text: str) -> bytes:
        """The vector that the text would have as a document."""
        self.queries.append(text)
        return self.vector(text)

    def vector(self, text: str) -> bytes:
        """The vector of a text, as native float32; counts nothing."""
        from array import array
        from hashlib import blake2b
        from math import hypot

        identity = self.identity
        told = f"{identity.name}\0{identity.revision}\0{identity.dimension}\0{text}"
        salt = told.encode("utf-8", "surrogatepass")
        stream = b""
        while len(stream) < identity.dimension * _INTEGER_BYTES:
            stream += blake2b(salt + len(stream).to_bytes(_INTEGER_BYTES, "big")).digest()
        numbers = [
            # Never zero, so that a vector of any dimension has a direction.
            (int.from_bytes(stream[i : i + _INTEGER_BYTES], "big") - _HALF + 0.5) / _HALF
            for i in range(0, identity.dimension * _INTEGER_BYTES, _INTEGER_BYTES)
        ]
        length = hypot(*numbers)
        return array("f", [number / length for number in numbers]).tobytes()

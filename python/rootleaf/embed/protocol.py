"""What an embedder offers: who it is, and vectors of texts.

An embedder does not cache, retry or count: indexing asks it for each text once, in batches, and
asks again where it raised `EmbedderUnavailableError`.
"""

from __future__ import annotations

from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from typing_extensions import Buffer
else:
    Protocol = object

MAX_DIMENSION = 65536


class ModelIdentity(Value):
    """What two vectors must have in common to be compared, all of it.

    Attributes:
        name: Of the model, as a person would call it.
        revision: Which weights: a version, or a hash of them.
        dimension: Floats of a vector, 1 to 65536.
        is_normalised: Whether its vectors come with a length of 1; others are scaled to it.
        preprocessing: What is done to a text before the model sees it: prefixes, case, truncation.
    """

    name: str
    revision: str
    dimension: int
    is_normalised: bool = True
    preprocessing: str = ""


class Embedder(Protocol):
    """A model. Equal texts give the same bytes, alone or in whatever batch.

    It may state a `calibration` as well, which `rootleaf.embed.calibration` describes: without one,
    searches have no gate unless they are given a threshold. And `batch_texts`, how many texts it is
    best given at once: 128 without one. What a batch costs is what an interruption costs. And
    `knows(text)`: False for a question that the model cannot read (of another script, say), which
    would be near every other such text; it is searched by keyword alone.
    """

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is; it does not change."""

    def embed_documents(self, texts: Sequence[str]) -> Buffer:
        """The vectors of texts that are to be found.

        Args:
            texts: One or more, none of them empty. Each line is the path of a heading or list item
                above the passage, or a piece of the passage, with its markdown.

        Returns:
            Native float32, a row for each text in their order: a C-contiguous array
            (texts, dimension), of numpy say; or a flat one, or its bytes.

        Raises:
            EmbedderUnavailableError: It cannot answer now; the same texts are asked for again.
        """

    def embed_query(self, text: str) -> Buffer:
        """The vector of a question: `dimension` native float32.

        Raises:
            EmbedderUnavailableError: It cannot answer now.
        """


def identity_of(embedder: object) -> ModelIdentity:
    """The identity of what was given as an embedder, checked.

    Raises:
        InvalidInputError: It is no embedder, or says of itself what cannot be.
    """
    identity = getattr(embedder, "identity", None)
    if not isinstance(identity, ModelIdentity) or not callable(
        getattr(embedder, "embed_documents", None)
    ):
        message = f"embedder must be an Embedder or None, not {type(embedder).__name__}"
        raise InvalidInputError(message, hint="See rootleaf.embed.protocol.Embedder")
    for field, kind in (
        ("name", str),
        ("revision", str),
        ("dimension", int),
        ("is_normalised", bool),
        ("preprocessing", str),
    ):
        value = getattr(identity, field)
        if type(value) is not kind:
            message = f"{field} of an embedder must be {_article(kind)}, not {value!r}"
            raise InvalidInputError(message)
    if not identity.name:
        message = "name of an embedder must not be empty"
        raise InvalidInputError(message)
    if not 1 <= identity.dimension <= MAX_DIMENSION:
        message = f"dimension of an embedder must be 1 to {MAX_DIMENSION}, not {identity.dimension}"
        raise InvalidInputError(message)
    return identity


def batch_texts_of(embedder: object, default: int) -> int:
    """How many texts an embedder is best given at once.

    Raises:
        InvalidInputError: What it states is no number of texts.
    """
    count = getattr(embedder, "batch_texts", default)
    if type(count) is not int or count < 1:
        message = f"batch_texts of an embedder must be an int of 1 or more, not {count!r}"
        raise InvalidInputError(message)
    return count


def _article(kind: type) -> str:
    return f"{'an' if kind is int else 'a'} {kind.__name__}"

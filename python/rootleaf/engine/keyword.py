"""Keyword search over documents in memory: a builder that collects them, and the segment it makes.

A segment answers a filtered search as a segment of only the matching documents would, to the last
bit, and does not depend on the order in which documents were added. Formulas stand in the core's
`lexical/`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.engine.analyzer import utf8
from rootleaf.engine.chunker import DEFAULT_MAX_TOKENS, MAX_MAX_TOKENS, MIN_MAX_TOKENS
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEFAULT_PER_DOCUMENT = 3
"""How many chunksets of one document an answer holds at most, where nothing else is said."""

_MAX_COUNT = 0xFFFFFFFF


class Ranking:
    """What a search found, as columns with one entry per chunkset.

    Documents stand best first, and within a document its chunksets best first; a document is as
    good as its best chunkset. Ties go to the smaller path, then to the earlier chunkset.

    Attributes:
        document_ids: Of the document, as it was added.
        ordinals: Of the chunkset within its document.
        bm25: Sum of the weights of the query's distinct terms; above 0.
        coverage: `bm25` divided by the greatest that the query could reach, in 0..1.
        allowed_documents: Documents that the filter holds for; all without one.
        allowed_chunksets: Their chunksets.
        matched_documents: Allowed documents in which a term of the query stands.
    """

    __slots__ = (
        "allowed_chunksets",
        "allowed_documents",
        "bm25",
        "coverage",
        "document_ids",
        "matched_documents",
        "ordinals",
    )

    def __init__(self, columns: tuple[bytes, bytes, bytes, bytes, int, int, int]) -> None:
        ids, ordinals, bm25, coverage, documents, chunksets, matched = columns
        self.document_ids = memoryview(ids).cast("Q")
        self.ordinals = memoryview(ordinals).cast("I")
        self.bm25 = memoryview(bm25).cast("d")
        self.coverage = memoryview(coverage).cast("d")
        self.allowed_documents = documents
        self.allowed_chunksets = chunksets
        self.matched_documents = matched

    def __len__(self) -> int:
        return len(self.document_ids)


class Segment:
    """An immutable index of documents; any number of threads may search it at once."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.Segment) -> None:
        self._core = core

    @property
    def document_count(self) -> int:
        """The number of documents."""
        return self._core.document_count

    @property
    def chunkset_count(self) -> int:
        """The number of chunksets of all documents."""
        return self._core.chunkset_count

    def search(
        self,
        query: str,
        *,
        where: Mapping[str, str | Sequence[str]] | None = None,
        top_k: int,
        per_document: int = DEFAULT_PER_DOCUMENT,
    ) -> Ranking:
        """Ranks the documents for a query by BM25. The GIL is released.

        Args:
            query: Any text; no character is syntax. Without a known word it matches nothing.
            where: Values by key. Keys are AND-ed, the values of a key OR-ed; a value is compared
                character by character. An empty mapping filters nothing, an empty sequence
                matches nothing.
            top_k: The most documents to return; 0 or more.
            per_document: The most chunksets to return of each; 1 or more.

        Raises:
            InvalidInputError: An argument is none of the above.
        """
        return Ranking(
            self._core.search(
                utf8(query, "query"),
                _filters(where),
                _count(top_k, "top_k", least=0),
                _count(per_document, "per_document", least=1),
            )
        )


class SegmentBuilder:
    """Collects documents for a segment. It may be shared by threads, which then take turns.

    Args:
        max_tokens: Limit of a leaf and of the leaves of a chunkset, as for `chunk_columns`.

    Raises:
        InvalidInputError: `max_tokens` is no int from 16 to 65536.
    """

    __slots__ = ("_core",)

    def __init__(self, max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        _count(max_tokens, "max_tokens", least=MIN_MAX_TOKENS, most=MAX_MAX_TOKENS)
        self._core = _core.SegmentBuilder(max_tokens)

    def add(  # noqa: PLR0917 - one line of a table of documents, in its order
        self,
        document_id: int,
        path: str,
        name: str,
        text: str,
        front_matter_parsed: bool,
        field_text: str,
        metadata: Mapping[str, str | Sequence[str]],
    ) -> None:
        """Chunks and analyses one document. The GIL is released; the text is not kept.

        A document whose text has no chunkset counts as a document but is never found.

        Args:
            document_id: Returned by searches; 0 to 2**64 - 1.
            path: Orders documents that are equally good, by the bytes of its UTF-8 form.
            name: The file's name without suffix, searched as a field of its own.
            text: Markdown, with its front matter if it has any.
            front_matter_parsed: False if a closed front-matter block was not understood: it is
                then text.
            field_text: The values of the front matter, searched as a field of their own.
            metadata: What filters compare: a string or a sequence of strings for each key.

        Raises:
            InvalidInputError: An argument is none of the above, or the text is larger than 4 GiB.
        """
        self._core.add(
            _count(document_id, "document_id", least=0, most=2**64 - 1),
            utf8(path, "path"),
            utf8(name, "name"),
            utf8(text, "text"),
            _flag(front_matter_parsed, "front_matter_parsed"),
            utf8(field_text, "field_text"),
            [
                (key, value)
                for key, values in _values_by_key(metadata, "metadata")
                for value in values
            ],
        )

    def build(self) -> Segment:
        """The segment of all documents added; the builder is empty afterwards."""
        return Segment(self._core.build())


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        message = f"{name} must be a bool, not {type(value).__name__}"
        raise InvalidInputError(message)
    return value


def _count(value: object, name: str, *, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{name} must be an int, not {type(value).__name__}"
        raise InvalidInputError(message)
    if value < least or (most is not None and value > most):
        limit = f"at least {least}" if most is None else f"{least} to {most}"
        message = f"{name} must be {limit}, not {value}"
        raise InvalidInputError(message)
    return value if most is not None else min(value, _MAX_COUNT)


def _filters(where: object) -> list[tuple[bytes, list[bytes]]]:
    return [] if where is None else _values_by_key(where, "where")


def _values_by_key(mapping: object, name: str) -> list[tuple[bytes, list[bytes]]]:
    """The mapping with its strings as UTF-8, each value a list; errors name the key."""
    keys = getattr(mapping, "keys", None)
    if keys is None:
        message = f"{name} must be a mapping of str to str or a sequence of str, not "
        raise InvalidInputError(
            message + type(mapping).__name__, hint=f'{name}={{"key": ["one", "other"]}}'
        )
    encoded = []
    for key in keys():
        if not isinstance(key, str):
            message = f"{name} has the key {key!r}, which must be a str, not {type(key).__name__}"
            raise InvalidInputError(message)
        values = mapping[key]  # type: ignore[index]
        encoded.append((utf8(key, "key"), _strings(values, f"{name}[{key!r}]")))
    return encoded


def _strings(values: object, label: str) -> list[bytes]:
    if isinstance(values, str):
        return [utf8(values, label)]
    is_sequence = isinstance(values, (list, tuple)) or (
        hasattr(values, "__getitem__")
        and not hasattr(values, "keys")
        and not isinstance(values, (bytes, bytearray, memoryview))
    )
    if not is_sequence:
        message = f"{label} must be a str or a sequence of str, not {type(values).__name__}"
        raise InvalidInputError(message)
    encoded = []
    for value in values:  # type: ignore[attr-defined]
        if not isinstance(value, str):
            message = f"{label} holds {value!r}, which must be a str, not {type(value).__name__}"
            raise InvalidInputError(message, hint=repr(str(value)))
        encoded.append(utf8(value, label))
    return encoded

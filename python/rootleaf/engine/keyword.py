"""Keyword search over documents that do not change: a collection of one batch, and its view."""

from __future__ import annotations

from rootleaf import _core
from rootleaf.engine.chunker import DEFAULT_MAX_TOKENS
from rootleaf.engine.collection import (
    Collection,
    IndexedDocument,
    Ranking,
    View,
    add_to_batch,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Ranking", "Segment", "SegmentBuilder"]

Segment = View


class SegmentBuilder:
    """Collects documents for one view, as `Collection` takes them."""

    __slots__ = ("_batch", "_max_tokens")

    def __init__(self, max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._batch = _core.Batch(Collection(max_tokens).max_tokens)

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
        """Chunks and analyses one document, given by the fields of `IndexedDocument`."""
        self.add_document(
            IndexedDocument(
                document_id=document_id,
                path=path,
                name=name,
                text=text,
                front_matter_parsed=front_matter_parsed,
                field_text=field_text,
                metadata=metadata,
            )
        )

    def add_document(self, document: IndexedDocument) -> None:
        """Chunks and analyses one document, whose text is then not kept."""
        add_to_batch(self._batch, document)

    def build(self) -> Segment:
        """The view of all documents added; the builder is empty afterwards."""
        return self.collection().view()

    def collection(self) -> Collection:
        """Likewise the collection of them."""
        collection = Collection(self._max_tokens)
        collection.take(self._batch)
        return collection

"""What a search looks at: the documents of one generation, and the segment of their text."""

from __future__ import annotations

import os

from rootleaf.documents.front_matter import parse_front_matter
from rootleaf.documents.naming import telling_name
from rootleaf.engine.keyword import Segment, SegmentBuilder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rootleaf.store.protocol import Store
    from rootleaf.store.records import StoredDocument


class View:
    """A database at one generation; never changes, so any number of searches may share it.

    Args:
        generation: The store's counter when it was read.
        documents: Every document by its id.
        segment: The index of their text.
    """

    __slots__ = ("documents", "generation", "segment")

    def __init__(
        self, generation: int, documents: Mapping[int, StoredDocument], segment: Segment
    ) -> None:
        self.generation = generation
        self.documents = documents
        self.segment = segment


def build_view(store: Store) -> View:
    """Reads all documents of a store and indexes their text."""
    generation = store.generation()
    documents: dict[int, StoredDocument] = {}
    builder = SegmentBuilder()
    for document in store.documents():
        documents[document.document_id] = document
        builder.add(
            document.document_id,
            document.path,
            telling_name(_relative_path(document)),
            document.text,
            document.front_matter != "unparsed",
            _field_text(document),
            document.metadata,
        )
    return View(generation, documents, builder.build())


def _relative_path(document: StoredDocument) -> str:
    return document.path.removeprefix(os.path.join(document.root, ""))


def _field_text(document: StoredDocument) -> str:
    """The values of the front matter; what rules say of a path is metadata and no text."""
    if document.front_matter != "parsed":
        return ""
    # Without rules the metadata is what the front matter says, and need not be parsed again.
    values = (
        parse_front_matter(document.text).values if document.rules_identity else document.metadata
    )
    lines: list[str] = []
    for value in values.values():
        lines.extend([value] if isinstance(value, str) else value)
    return "\n".join(lines)

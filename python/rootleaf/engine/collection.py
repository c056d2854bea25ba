"""Documents in memory that change while they are searched: a collection, which gives views."""

from __future__ import annotations

import os

from rootleaf import _core
from rootleaf.engine.analyzer import utf8
from rootleaf.engine.arguments import (
    MAX_ID,
    count,
    flag,
    id_column,
    values_by_key,
)
from rootleaf.engine.chunker import DEFAULT_MAX_TOKENS, MAX_MAX_TOKENS, MIN_MAX_TOKENS
from rootleaf.engine.view import Ranking, SnapshotIdentity, View
from rootleaf.errors import InvalidInputError, SnapshotError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from typing_extensions import Buffer

__all__ = ["Collection", "IndexedDocument", "Ranking", "SnapshotIdentity", "View"]


class IndexedDocument(Value):
    """One document as the engine takes it.

    Attributes:
        document_id: Returned by searches, and what removes it; 0 to 2**64 - 1.
        path: Orders documents that are equally good, by the bytes of its UTF-8 form.
        name: The file's name without suffix, searched as a field of its own.
        text: Markdown, with its front matter if it has any. Not kept.
        front_matter_parsed: False if a closed front-matter block was not understood: it is then
            text.
        field_text: The values of the front matter, searched as a field of their own.
        metadata: What filters compare: a string or a sequence of strings for each key.
        vectors: A unit vector for each chunkset: a sequence that has for each of them numbers, a
            buffer of float32 (bytes, say), or None for one without; or a C-contiguous buffer of
            float32 (chunksets, width), or the bytes of one. All vectors of a collection have one
            width.
    """

    document_id: int
    path: str
    name: str
    text: str
    front_matter_parsed: bool = True
    field_text: str = ""
    metadata: Mapping[str, str | Sequence[str]] = {}
    vectors: Sequence[Sequence[float] | Buffer | None] | Buffer | None = None


class Collection:
    """Documents that are added, replaced and removed while others search the views before.

    Threads may share it: writers take turns (one waits for the other without the GIL), readers
    never wait. Every write is seen whole or not at all.

    Args:
        max_tokens: Limit of a leaf and of the leaves of a chunkset, as for `chunk_columns`.

    Attributes:
        max_tokens: As given.
        generation: Of the snapshot that it was made from, or None; writes do not change it.

    Raises:
        InvalidInputError: `max_tokens` is no int from 16 to 65536.
    """

    __slots__ = ("_core", "generation", "max_tokens")

    def __init__(self, max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        self.max_tokens = count(max_tokens, "max_tokens", least=MIN_MAX_TOKENS, most=MAX_MAX_TOKENS)
        self._core = _core.Collection()
        self.generation: int | None = None

    @classmethod
    def from_snapshot(
        cls, path: str, identity: SnapshotIdentity, *, may_be_older: bool = False
    ) -> Collection | None:
        """The documents of a snapshot file, mapped and used in place. The GIL is released.

        Everything that memory safety and order rest on is verified first.

        Args:
            path: The file.
            identity: What it must have been made of.
            may_be_older: Also take one of an earlier generation, for a caller that adds what
                changed since then; `generation` says which it is.

        Returns:
            A collection to go on with; None where the file is absent, damaged, of another format
            version, or made of something else. It is only a cache, so the reason does not matter.
        """
        wanted = identity.crossing()
        try:
            found, core = _core.open_snapshot(os.fsencode(path))
        except SnapshotError:
            return None
        same = found[:1] + found[2:] == wanted[:1] + wanted[2:]
        if not same or found[1] > wanted[1] or (found[1] < wanted[1] and not may_be_older):
            return None
        collection = cls(identity.max_tokens)
        collection._core = core
        collection.generation = found[1]
        return collection

    def add(self, batch: Iterable[IndexedDocument]) -> None:
        """Chunks and analyses documents and shows them, all in one step. The GIL is released.

        A document whose id is there is replaced; of several with one id in a batch the last counts.
        One whose text has no chunkset counts as a document but is never found.

        Args:
            batch: The documents. A batch costs less than its documents one by one.

        Raises:
            InvalidInputError: A field of a document is not what `IndexedDocument` says, or its text
                is larger than 4 GiB. Nothing is added then.
        """
        documents: dict[int, IndexedDocument] = {}
        for document in batch:
            documents[_checked_id(document)] = document
        core_batch = _core.Batch(self.max_tokens)
        for document in documents.values():
            add_to_batch(core_batch, document)
        self.take(core_batch)

    def take(self, batch: _core.Batch) -> None:
        """Shows the documents of a batch of the core, in one step; the batch is empty then."""
        self._core.add(batch)

    def remove(self, document_ids: Iterable[int]) -> int:
        """Removes documents in one step; ids of no document are passed over.

        Args:
            document_ids: As `allowed` of a search.

        Returns:
            How many were removed.

        Raises:
            InvalidInputError: It is no iterable of ints of 0 to 2**64 - 1.
        """
        return self._core.remove(*id_column(document_ids, "document_ids"))

    def merge(self) -> None:
        """Makes everything one segment and drops what was removed; changes no answer.

        Writes merge by themselves, so that there are about log2(n) segments at most; this is for
        a collection that will be searched often and changed seldom. The GIL is released.
        """
        self._core.merge()

    def view(self) -> View:
        """The documents as they are now; later writes do not change it."""
        return View(self._core.view())


def _checked_id(document: object) -> int:
    if not isinstance(document, IndexedDocument):
        message = f"batch must hold IndexedDocument, not {type(document).__name__}"
        raise InvalidInputError(message)
    return count(document.document_id, "document_id", least=0, most=MAX_ID)


def add_to_batch(batch: _core.Batch, document: IndexedDocument) -> None:
    """Checks, chunks and analyses one document; nothing of it is added if it is refused."""
    columns: tuple[bytes | None, bytes | None] = (None, None)
    if document.vectors is not None:
        from rootleaf.engine.vectors import vector_columns

        columns = vector_columns(document.vectors, "vectors")
    batch.add(
        count(document.document_id, "document_id", least=0, most=MAX_ID),
        utf8(document.path, "path"),
        utf8(document.name, "name"),
        utf8(document.text, "text"),
        flag(document.front_matter_parsed, "front_matter_parsed"),
        utf8(document.field_text, "field_text"),
        [
            (key, value)
            for key, values in values_by_key(document.metadata, "metadata")
            for value in values
        ],
        *columns,
    )

"""Documents in memory that change while they are searched: a collection, and the views it gives.

A view answers as an index of exactly the documents that it holds, and that the filter and the
allowed set leave, would: to the last bit, in whatever batches they came and whatever was removed
before. Formulas stand in the core's `lexical/`, the layout in its `index/`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.engine.analyzer import utf8
from rootleaf.engine.arguments import MAX_ID, count, filters, flag, id_column, values_by_key
from rootleaf.engine.chunker import DEFAULT_MAX_TOKENS, MAX_MAX_TOKENS, MIN_MAX_TOKENS
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

DEFAULT_PER_DOCUMENT = 3
"""How many chunksets of one document an answer holds at most, where nothing else is said."""

_TYPE_CODES = {"document_ids": "Q", "ordinals": "I"}


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
    """

    document_id: int
    path: str
    name: str
    text: str
    front_matter_parsed: bool = True
    field_text: str = ""
    metadata: Mapping[str, str | Sequence[str]] = {}


class Ranking:
    """What a search found, as columns with one entry per chunkset.

    Documents stand best first, and within a document its chunksets best first; a document is as
    good as its best chunkset. Ties go to the smaller path, then to the earlier chunkset, then to
    the smaller id.

    Attributes:
        document_ids: Of the document, as it was added.
        ordinals: Of the chunkset within its document.
        score: What it is ranked by: its coverage.
        bm25: Sum of the weights of the query's distinct terms; above 0.
        coverage: `bm25` divided by the greatest that the query could reach, in 0..1.
        columns: All of these by name.
        allowed_documents: Documents that the filter and the allowed set leave; all without them.
        allowed_chunksets: Their chunksets.
        matched_documents: Allowed documents in which a term of the query stands.
    """

    __slots__ = (
        "allowed_chunksets",
        "allowed_documents",
        "bm25",
        "columns",
        "coverage",
        "document_ids",
        "matched_documents",
        "ordinals",
        "score",
    )

    document_ids: memoryview[int]
    ordinals: memoryview[int]
    score: memoryview[float]
    bm25: memoryview[float]
    coverage: memoryview[float]

    def __init__(self, found: tuple[tuple[str, ...], tuple[bytes, ...], int, int, int]) -> None:
        names, columns, documents, chunksets, matched = found
        self.columns: dict[str, memoryview[Any]] = {
            name: memoryview(column).cast(_TYPE_CODES.get(name, "d"))  # type: ignore[call-overload]
            for name, column in zip(names, columns, strict=True)
        }
        for name, column in self.columns.items():
            setattr(self, name, column)
        self.allowed_documents = documents
        self.allowed_chunksets = chunksets
        self.matched_documents = matched

    def __len__(self) -> int:
        return len(self.document_ids)


class View:
    """The documents of a collection at one moment; any number of threads may search it at once."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.View) -> None:
        self._core = core

    @property
    def document_count(self) -> int:
        """The number of documents."""
        return self._core.document_count

    @property
    def chunkset_count(self) -> int:
        """The number of chunksets of all documents."""
        return self._core.chunkset_count

    @property
    def segment_count(self) -> int:
        """In how many segments they lie; changes no answer."""
        return self._core.segment_count

    def search(
        self,
        query: str,
        *,
        where: Mapping[str, str | Sequence[str]] | None = None,
        allowed: Iterable[int] | None = None,
        top_k: int = 5,
        per_document: int = DEFAULT_PER_DOCUMENT,
    ) -> Ranking:
        """Ranks the documents for a query by BM25. The GIL is released.

        Args:
            query: Any text; no character is syntax. Without a known word it matches nothing.
            where: Values by key. Keys are AND-ed, the values of a key OR-ed; a value is compared
                character by character. An empty mapping filters nothing, an empty sequence
                matches nothing.
            allowed: Ids of the documents that may be in the answer, as an iterable of int or a
                `pyroaring.BitMap`; all may where it is None, none where it is empty. Ids of no
                document are passed over.
            top_k: The most documents to return; 0 or more.
            per_document: The most chunksets to return of each; 1 or more.

        Raises:
            InvalidInputError: An argument is none of the above.
        """
        ids, id_width_bytes = (None, 8) if allowed is None else id_column(allowed, "allowed")
        return Ranking(
            self._core.search(
                utf8(query, "query"),
                filters(where),
                ids,
                id_width_bytes,
                count(top_k, "top_k", least=0),
                count(per_document, "per_document", least=1),
            )
        )


class Collection:
    """Documents that are added, replaced and removed while others search the views before.

    Threads may share it: writers take turns (one waits for the other without the GIL), readers
    never wait. Every write is seen whole or not at all.

    Args:
        max_tokens: Limit of a leaf and of the leaves of a chunkset, as for `chunk_columns`.

    Raises:
        InvalidInputError: `max_tokens` is no int from 16 to 65536.
    """

    __slots__ = ("_core", "max_tokens")

    def __init__(self, max_tokens: int = DEFAULT_MAX_TOKENS) -> None:
        self.max_tokens = count(max_tokens, "max_tokens", least=MIN_MAX_TOKENS, most=MAX_MAX_TOKENS)
        self._core = _core.Collection()

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
        self._core.add(core_batch)

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
    )

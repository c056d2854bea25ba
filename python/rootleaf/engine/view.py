"""What a search of the engine gives, the view that it asks, and the snapshot that a view becomes.

A view answers as an index of exactly the documents that it holds, and that the filter and the
allowed set leave, would: to the last bit, in whatever batches they came and whatever was removed
before. Formulas stand in the core's `lexical/` and `rank/`, the layout in its `index/`.
"""

from __future__ import annotations

import os

from rootleaf.engine.analyzer import ANALYZER_ID, utf8
from rootleaf.engine.arguments import (
    MAX_ID,
    count,
    filters,
    flag,
    id_column,
    weights_by_part,
)
from rootleaf.engine.chunker import (
    CHUNKER_ID,
    DEFAULT_MAX_TOKENS,
    MAX_MAX_TOKENS,
    MIN_MAX_TOKENS,
)
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Buffer

    from rootleaf import _core

DEFAULT_PER_DOCUMENT = 3
"""How many chunksets of one document an answer holds at most, where nothing else is said."""

DEFAULT_CANDIDATES = 100
"""How many chunksets of each list are looked at when both are fused, where nothing else is said."""

_TYPE_CODES = {"document_ids": "Q", "ordinals": "I"}


class SnapshotIdentity(Value):
    """What a snapshot was made of: it stands for a database only where all of this is equal.

    Attributes:
        database_id: 16 bytes that a database drew at random for this generation.
        generation: The database's counter when the snapshot was made; 0 to 2**64 - 1.
        analyzer_id: What made the terms.
        chunker_id: What made the chunksets.
        max_tokens: Limit of a chunkset.
    """

    database_id: bytes
    generation: int
    analyzer_id: str = ANALYZER_ID
    chunker_id: str = CHUNKER_ID
    max_tokens: int = DEFAULT_MAX_TOKENS

    def crossing(self) -> tuple[bytes, int, bytes, bytes, int]:
        """The fields as the core takes them.

        Raises:
            InvalidInputError: A field is not as described above.
        """
        return (
            _sixteen_bytes(self.database_id),
            count(self.generation, "generation", least=0, most=MAX_ID),
            utf8(self.analyzer_id, "analyzer_id"),
            utf8(self.chunker_id, "chunker_id"),
            count(self.max_tokens, "max_tokens", least=MIN_MAX_TOKENS, most=MAX_MAX_TOKENS),
        )


class Ranking:
    """What a search found, as columns with one entry per chunkset.

    Documents stand best first, and within a document its chunksets best first; a document is as
    good as its best chunkset. Ties go to the smaller path, then to the earlier chunkset, then to
    the smaller id.

    Attributes:
        document_ids: Of the document, as it was added.
        ordinals: Of the chunkset within its document.
        score: What it is ranked by, above 0: its coverage, or what `fusion` makes of the parts.
        bm25: Sum of the weights of the query's distinct terms; 0 where none stands there.
        coverage: Sum of the weights of the query's words, each counted once, by its whole or by its
            parts, divided by the greatest that it could reach; in 0..1.
        similarity: Cosine of the vectors of query and chunkset, in 0..1; 0 where it is negative or
            the chunkset has none. None without a query vector.
        rank_keyword: Place by `coverage` among all allowed chunksets, from 1; equals share one, and
            0 stands for no term of the query. None unless ranks were asked for or fused.
        rank_vector: Likewise by `similarity`; also None without a query vector.
        columns: All of these that are there, by name.
        allowed_documents: Documents that the filter and the allowed set leave; all without them.
        allowed_chunksets: Their chunksets.
        matched_documents: Allowed documents with a chunkset in which a term of the query stands, or
            whose similarity is above 0.
        without_vector: Allowed chunksets that have no vector; 0 without a query vector.
        best_coverage: The greatest of all allowed chunksets, whatever `top_k` is; 0 without any.
        best_similarity: Likewise.
        rarest_identifier: In how many allowed chunksets the rarest of the query's identifiers
            stands whole (an error code, a version, a path: `cpp/rootleaf/text/identifiers.hpp`);
            0 where none stands anywhere.
    """

    __slots__ = (
        "allowed_chunksets",
        "allowed_documents",
        "best_coverage",
        "best_similarity",
        "bm25",
        "columns",
        "coverage",
        "document_ids",
        "matched_documents",
        "ordinals",
        "rank_keyword",
        "rank_vector",
        "rarest_identifier",
        "score",
        "similarity",
        "without_vector",
    )

    def __init__(
        self, found: tuple[list[str], list[bytes], tuple[int, int, int, int, float, float, int]]
    ) -> None:
        names, columns, counts = found
        by_name: dict[str, memoryview[Any]] = {
            name: memoryview(column).cast(_TYPE_CODES.get(name, "d"))  # type: ignore[call-overload]
            for name, column in zip(names, columns, strict=True)
        }
        self.columns = by_name
        self.document_ids: memoryview[int] = by_name["document_ids"]
        self.ordinals: memoryview[int] = by_name["ordinals"]
        self.score: memoryview[float] = by_name["score"]
        self.bm25: memoryview[float] = by_name["bm25"]
        self.coverage: memoryview[float] = by_name["coverage"]
        self.rank_keyword: memoryview[float] | None = by_name.get("rank_keyword")
        self.similarity: memoryview[float] | None = by_name.get("similarity")
        self.rank_vector: memoryview[float] | None = by_name.get("rank_vector")
        self.allowed_documents, self.allowed_chunksets, self.matched_documents = counts[:3]
        self.without_vector, self.best_coverage, self.best_similarity = counts[3:6]
        self.rarest_identifier = counts[6]

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

    @property
    def without_vector(self) -> int:
        """How many chunksets have no vector."""
        return self._core.without_vector

    @property
    def dimension(self) -> int:
        """The width of the vectors; 0 where there are none."""
        return self._core.dimension

    def search(
        self,
        query: str,
        *,
        where: Mapping[str, str | Sequence[str]] | None = None,
        allowed: Iterable[int] | None = None,
        top_k: int = 5,
        per_document: int = DEFAULT_PER_DOCUMENT,
        query_vector: Sequence[float] | Buffer | None = None,
        fusion: str = "weighted",
        weights: Mapping[str, float] | None = None,
        candidates: int = DEFAULT_CANDIDATES,
        ranks: bool = False,
    ) -> Ranking:
        """Ranks the documents for a query. The GIL is released.

        Without a vector every chunkset in which a term stands is ranked, by its coverage. With one
        both measures are computed for the best `candidates` chunksets of either list, at most three
        of one document, and fused; both lists are exact.

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
            query_vector: A unit vector as wide as those of the documents: floats, a float32 array,
                or its bytes. None searches by keyword alone, and the rest is not looked at.
            fusion: "weighted", a sum of measures, or "rrf", of reciprocal ranks (k = 60).
            weights: By name of a part: measures for "weighted" (coverage and similarity with 0.5
                where it is None), ranks for "rrf" (rank_keyword and rank_vector with 1).
            candidates: 1 or more; what a search promises is measured with 100. There are never
                fewer than would fill the answer.
            ranks: Also tell `rank_keyword` and, with a vector, `rank_vector` where they are not
                fused: which costs a pass over all chunksets, and all vectors have to be compared.

        Raises:
            InvalidInputError: An argument is none of the above.
        """
        return self.search_many(
            (query,),
            where=where,
            allowed=allowed,
            top_k=top_k,
            per_document=per_document,
            query_vectors=None if query_vector is None else (query_vector,),
            fusion=fusion,
            weights=weights,
            candidates=candidates,
            ranks=ranks,
            threads=1,
        )[0]

    def search_many(
        self,
        queries: Sequence[str],
        *,
        where: Mapping[str, str | Sequence[str]] | None = None,
        allowed: Iterable[int] | None = None,
        top_k: int = 5,
        per_document: int = DEFAULT_PER_DOCUMENT,
        query_vectors: Sequence[Sequence[float] | Buffer] | None = None,
        fusion: str = "weighted",
        weights: Mapping[str, float] | None = None,
        candidates: int = DEFAULT_CANDIDATES,
        ranks: bool = False,
        threads: int = 1,
    ) -> list[Ranking]:
        """The rankings of many queries, in their order, each as `search` gives it.

        `query_vectors` holds a vector for each query; all other arguments are as for `search`, and
        for all of them. `threads` of the core, 1 or more, work on them at once.

        Raises:
            InvalidInputError: An argument is none of the above.
        """
        if query_vectors is not None:
            from rootleaf.engine import kernels

            kernels.use_setting()
        ids, id_width_bytes = (None, 8) if allowed is None else id_column(allowed, "allowed")
        found = self._core.search(
            [utf8(query, "query") for query in queries],
            filters(where),
            ids,
            id_width_bytes,
            count(top_k, "top_k", least=0),
            count(per_document, "per_document", least=1),
            flag(ranks, "ranks"),
            [] if query_vectors is None else [_query_vector(vector) for vector in query_vectors],
            utf8(fusion, "fusion"),
            weights_by_part(weights),
            count(candidates, "candidates", least=1),
            count(threads, "threads", least=1),
        )
        return [Ranking(columns) for columns in found]

    def write_snapshot(
        self, path: str, identity: SnapshotIdentity, *, permissions: int | None = None
    ) -> None:
        """Puts the documents into a file in one step; equal ones give equal bytes.

        The format is described in docs/format.md. The GIL is released.

        Args:
            path: The file.
            identity: What the documents are of.
            permissions: Who may read and write it, as `os.chmod` takes them, where the system has
                them. None: all may read it, less what the process's mask takes away.

        Raises:
            SnapshotError: The file cannot be written.
            InvalidInputError: The identity is not as `SnapshotIdentity` says, or the permissions
                are no int from 0 to 0o777.
        """
        if permissions is not None:
            permissions = count(permissions, "permissions", least=0, most=0o777)
        self._core.write_snapshot(os.fsencode(path), identity.crossing(), permissions)


def _sixteen_bytes(database_id: object) -> bytes:
    if not isinstance(database_id, bytes):
        message = f"database_id must be bytes, not {type(database_id).__name__}"
        raise InvalidInputError(message)
    return database_id


def _query_vector(floats: Sequence[float] | Buffer) -> bytes:
    from rootleaf.engine.vectors import float_vector

    column = bytes(float_vector(floats, "query_vector"))
    if not column:
        message = "query_vector must hold numbers; None searches by keyword alone"
        raise InvalidInputError(message)
    return column

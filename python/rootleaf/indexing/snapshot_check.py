"""Whether a snapshot answers as its documents do.

Its checksums and its order are verified whenever it is opened; that it is *of* these texts shows
when the same questions are put to it and to a view that is built from the texts.
"""

from __future__ import annotations

import re

from rootleaf.errors import InvalidInputError
from rootleaf.indexing.snapshot import StoredVectors, collection_of_texts, current_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rootleaf.engine.view import Ranking, View
    from rootleaf.indexing.snapshot import FoundSnapshot
    from rootleaf.store.protocol import Store

_DOCUMENTS_ASKED_ABOUT = 64
_QUERIES_EACH = 4
_WORDS_EACH = 4
_FILTERS = 64
_VECTORS = 16
_HITS = 50

_WORD = re.compile(r"\w+")


def find_difference(store: Store, found: FoundSnapshot) -> str | None:
    """In what a usable snapshot, with what has changed since, differs from the texts.

    Args:
        store: Read as of one moment.
        found: What `find_snapshot` found; it can be used.

    Returns:
        A sentence, or None where every answer was the same to the last bit.
    """
    built = collection_of_texts(store).view()
    try:
        mapped = current_view(store, found)
    except InvalidInputError as error:
        return f"it does not go together with what has changed since: {error.message}"
    for what in ("document_count", "chunkset_count", "without_vector", "dimension"):
        here, there = getattr(built, what), getattr(mapped, what)
        if here != there:
            return f"its {what.replace('_', ' ')} is {there:,}, and that of the texts {here:,}"
    queries, filters, vectors = _questions(store)
    for one, other in zip(_asked(built, queries), _asked(mapped, queries), strict=True):
        if not _are_equal(one, other):
            return "it answers otherwise than the texts do"
    for key, value in filters:
        pair = [view.search(value, where={key: value}, top_k=_HITS) for view in (built, mapped)]
        if not _are_equal(*pair):
            return f"it answers otherwise than the texts do where {key} is {value!r}"
    for vector in vectors:
        pair = [
            view.search(queries[0] if queries else "", query_vector=vector, top_k=_HITS)
            for view in (built, mapped)
        ]
        if not _are_equal(*pair):
            return "it answers otherwise than the vectors do"
    return None


def _asked(view: View, queries: list[str]) -> list[Ranking]:
    return view.search_many(queries, top_k=_HITS, ranks=True)


def _are_equal(one: Ranking, other: Ranking) -> bool:
    counts = ("allowed_documents", "allowed_chunksets", "matched_documents", "without_vector")
    return all(getattr(one, name) == getattr(other, name) for name in counts) and {
        name: bytes(column) for name, column in one.columns.items()
    } == {name: bytes(column) for name, column in other.columns.items()}


def _questions(store: Store) -> tuple[list[str], list[tuple[str, str]], list[bytes]]:
    """What is asked: words of some documents, filters by their metadata, some of their vectors."""
    step = max(1, store.counts().files // _DOCUMENTS_ASKED_ABOUT)
    queries: list[str] = []
    filters: dict[tuple[str, str], None] = {}
    vectors: list[bytes] = []
    stored_vectors = StoredVectors(store)
    for number, document in enumerate(store.documents()):
        if number % step:
            continue
        queries += _queries(document.text)
        for key, values in document.metadata.items():
            for value in [values] if isinstance(values, str) else values:
                filters.setdefault((key, value))
        if len(vectors) < _VECTORS:
            vectors += [floats for floats in stored_vectors.of(document) or [] if floats][:1]
    return queries, list(filters)[:_FILTERS], vectors


def _queries(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    step = max(_WORDS_EACH, len(words) // _QUERIES_EACH)
    for start in range(0, min(len(words), step * _QUERIES_EACH), step):
        yield " ".join(words[start : start + _WORDS_EACH])

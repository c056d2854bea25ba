"""From a view and a request to an answer: rank, merge by document, render within the budget."""

from __future__ import annotations

import time

from rootleaf.documents.chunking import document_title
from rootleaf.documents.presence import gone_by, places_of
from rootleaf.errors import InvalidInputError
from rootleaf.render.cheatsheet import HitColumns, cheatsheets, prepared_document
from rootleaf.searching.gate import read_gate
from rootleaf.searching.query_embedder import Meaning
from rootleaf.searching.ranking import rank
from rootleaf.searching.sources import file_uri
from rootleaf.store.paths import shown_path
from rootleaf.types import Answer, Hit, Omitted, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rootleaf.engine.cheatsheet import PreparedDocument
    from rootleaf.engine.view import Ranking, View
    from rootleaf.render.cheatsheet import Cheatsheet
    from rootleaf.searching.request import Request
    from rootleaf.searching.rows import Rows
    from rootleaf.searching.staleness import Staleness
    from rootleaf.store.records import StoredDocument

    Prepare = Callable[[StoredDocument], PreparedDocument]

_NO_PARTS = ("document_ids", "ordinals", "score")


class RankedDocument(Value):
    """One document of a ranking with its chunksets that count, best first, and their measures."""

    document_id: int
    ordinals: tuple[int, ...]
    scores: tuple[float, ...]
    parts: Mapping[str, float]

    @property
    def score(self) -> float:
        """What the document is ranked by: the score of its best chunkset."""
        return self.scores[0]


def answer(
    view: View,
    store: Rows,
    request: Request,
    staleness: Staleness,
    *,
    started: float,
    meaning: Meaning,
    ranking: Ranking | None = None,
    prepare: Prepare | None = None,
) -> Answer:
    """Answers a request from a view.

    Args:
        view: What is searched.
        store: Is asked for the documents found and their dates, as of the moment of the view.
        request: The question.
        staleness: What is known of metadata that is out of date; told in the answer.
        started: `time.perf_counter()` when the question came, for `took_ms`.
        meaning: What the question is compared by beside its words.
        ranking: What `rank` gives for it, where that was asked for already.
        prepare: Gives what `prepared` makes of a document, to whoever keeps it.

    Raises:
        MetadataGhosts: The request is filtered, and a file of the answer is gone from disk.
    """
    if ranking is None:
        ranking = rank(view, request, meaning)
    if ranking.similarity is None and meaning.vector is not None:
        meaning = Meaning()  # none of what was admitted has a vector
    gate = read_gate(ranking, request, meaning)
    ranked, kept = _kept(ranking, request)
    if gate.is_closed:
        kept = []
    # Best first: once one is below the limit, so are all that were not returned.
    reached_limit = len(kept) < len(ranked) and not gate.is_closed
    candidates = len(kept) if reached_limit else ranking.matched_documents
    prepare = prepared if prepare is None else prepare
    hits, omitted_tokens, ghosts = _hits(store, request, kept, prepare)
    if ghosts and request.is_filtered:
        from rootleaf.searching.ghosts import ghosts_refusal

        def ghosts_among(allowed: Iterable[int]) -> list[str]:
            kept = _kept(rank(view, request, meaning, allowed=allowed), request)[1]
            return _hits(store, request, kept, prepare)[2]

        raise ghosts_refusal(store, ghosts, ghosts_among, allowed=request.allowed)
    return Answer(
        query=request.query,
        verdict="gate_closed" if gate.is_closed else _verdict(view, ranking, ranked, kept, hits),
        mode="keyword" if ranking.similarity is None else "hybrid",
        best_score=ranked[0].score if ranked else None,
        best_similarity=None if ranking.similarity is None else ranking.best_similarity,
        best_coverage=ranking.best_coverage,
        gate_measure=gate.measure,
        gate=gate.threshold,
        has_rare_identifier=gate.has_rare_identifier,
        without_vector=ranking.without_vector,
        stale_files=staleness.files,
        omitted=Omitted(hits=candidates - len(hits), tokens=omitted_tokens),
        notices=tuple(notice for notice in (meaning.notice, gate.notice) if notice)
        + _notices(store, request, kept, hits, ghosts)
        + staleness.notices,
        took_ms=round((time.perf_counter() - started) * 1000.0, 3),
        hits=tuple(hits),
    )


def _kept(ranking: Ranking, request: Request) -> tuple[list[RankedDocument], list[RankedDocument]]:
    """The documents of a ranking, and those of them that score enough."""
    ranked = by_document(ranking)
    return ranked, [one for one in ranked if one.score >= request.min_score]


def by_document(ranking: Ranking) -> list[RankedDocument]:
    """The rows of a ranking merged by document, in their order."""
    documents: list[RankedDocument] = []
    part_names = [name for name in ranking.columns if name not in _NO_PARTS]
    first = 0
    row_count = len(ranking.document_ids)
    while first < row_count:
        document_id = ranking.document_ids[first]
        end = first
        while end < row_count and ranking.document_ids[end] == document_id:
            end += 1
        documents.append(
            RankedDocument(
                document_id=document_id,
                ordinals=tuple(ranking.ordinals[first:end]),
                scores=tuple(ranking.score[first:end]),
                parts={name: ranking.columns[name][first] for name in part_names},
            )
        )
        first = end
    return documents


def _verdict(
    view: View,
    ranking: Ranking,
    ranked: Sequence[RankedDocument],
    kept: Sequence[RankedDocument],
    hits: Sequence[Hit],
) -> str:
    if view.chunkset_count == 0:
        return "empty_index"
    if ranking.allowed_documents == 0:
        return "filter_matched_nothing"
    if ranking.matched_documents == 0:
        return "no_match"
    if ranked and not kept:
        return "below_min_score"
    if kept and not hits:
        return "budget_too_small"
    return "answered"


def prepared(document: StoredDocument) -> PreparedDocument:
    """A document ready to be shown; it is cut once, however often it is."""
    return prepared_document(document.text, front_matter_parsed=document.front_matter != "unparsed")


def _hits(
    store: Rows, request: Request, ranked: Sequence[RankedDocument], prepare: Prepare
) -> tuple[list[Hit], int, list[str]]:
    """The hits, how many tokens a budget left out, and the paths of hits that are gone."""
    documents = _stored(store, ranked)
    paths = [document.path for document in documents]
    try:
        columns = _hit_columns(request, documents, ranked, prepare)
        rendered = columns.rendered(request.query, request.budget_tokens, places_of(paths))
    except InvalidInputError as error:
        # What was asked has been looked at before: the text is not that which was ranked.
        from rootleaf.store.sqlite_errors import damaged

        raise damaged(store.db_path, f"texts and snapshot differ: {error.message}") from error
    gone = gone_by(paths, rendered.file_states)
    hits = []
    for position, sheet in enumerate(cheatsheets(rendered)):
        if not rendered.is_empty[position]:
            document = documents[position]
            title = document_title(rendered.headings[position], document.metadata)
            updated = _updated(store, ranked[position])
            hits.append(_hit(document, title, ranked[position], sheet, updated))
    ghosts = [hit.file_path for hit in hits if hit.file_path in gone]
    return hits, sum(rendered.omitted_tokens), ghosts


def _hit_columns(
    request: Request,
    documents: Sequence[StoredDocument],
    ranked: Sequence[RankedDocument],
    prepare: Prepare,
) -> HitColumns:
    return HitColumns(
        [prepare(document) for document in documents],
        [document.ordinals for document in ranked],
        [document.scores for document in ranked],
        [shown_path(document.path) if request.cite else None for document in documents],
    )


def _stored(store: Rows, ranked: Sequence[RankedDocument]) -> list[StoredDocument]:
    stored = store.documents_by_id(document.document_id for document in ranked)
    try:
        return [stored[document.document_id] for document in ranked]
    except KeyError as error:
        from rootleaf.store.sqlite_errors import damaged

        reason = f"document {error} has no text"
        raise damaged(store.db_path, reason) from error


def _hit(
    document: StoredDocument,
    title: str | None,
    ranked: RankedDocument,
    sheet: Cheatsheet,
    updated: str,
) -> Hit:
    return Hit(
        file_path=document.path,
        document_id=document.document_id,
        source=file_uri(document.path),
        title=title,
        score=ranked.score,
        similarity=ranked.parts.get("similarity"),
        coverage=ranked.parts["coverage"],
        bm25=ranked.parts["bm25"],
        parts=ranked.parts,
        context=sheet.text,
        spans=sheet.spans,
        chunk_ids=sheet.chunk_ids,
        updated=updated,
        metadata=document.metadata,
    )


def _updated(store: Rows, ranked: RankedDocument) -> str:
    """When the newest of the chunksets that count was first seen."""
    return max(store.first_seen(ranked.document_id, ranked.ordinals), default="")


def _notices(
    store: Rows,
    request: Request,
    kept: Sequence[RankedDocument],
    hits: Sequence[Hit],
    ghosts: Sequence[str],
) -> tuple[str, ...]:
    notices = []
    if store.is_immutable:
        notices.append(f"Nothing can be written beside {store.db_path}: it was read without locks")
    if kept and not hits and request.budget_tokens is not None:
        columns = _hit_columns(request, _stored(store, kept), kept, prepared)
        least_tokens = columns.least_budget(request.query, request.budget_tokens)
        notices.append(
            f"No passage fits below {request.budget_tokens} tokens; "
            f"the smallest budget that shows something is {least_tokens}"
        )
    notices.extend(
        f"{path} is gone from disk; this is what it said when it was indexed" for path in ghosts
    )
    return tuple(notices)

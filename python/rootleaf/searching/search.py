"""One question to one database."""

from __future__ import annotations

import time

from rootleaf.errors import NotIndexedError
from rootleaf.searching.answering import answer
from rootleaf.searching.query_embedder import QueryEmbedder
from rootleaf.searching.request import checked_request
from rootleaf.searching.root_rules import read_root_rules
from rootleaf.searching.staleness import find_staleness
from rootleaf.searching.view import newest_snapshot, open_view
from rootleaf.searching.vouching import vouch
from rootleaf.store.locating import locate
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from rootleaf.embed.protocol import Embedder
    from rootleaf.searching.filters import Where
    from rootleaf.searching.request import Request
    from rootleaf.searching.root_rules import RootRules
    from rootleaf.searching.rows import Rows
    from rootleaf.searching.staleness import Staleness
    from rootleaf.types import Answer


def search(  # noqa: PLR0917 - the specification orders them so
    query: str,
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    top_k: int = 5,
    where: Where | None = None,
    min_score: float = 0.0,
    empty_gate: float | None = None,
    fusion: str | None = None,
    budget_tokens: int | None = None,
    allowed: Iterable[int] | None = None,
    *,
    embedder: str | Embedder | None = None,
    cite: bool = False,
    explain: bool = False,
) -> Answer:
    """Asks an index; only reads, and answers from what the index holds, not from the files.

    Args:
        query: Any text; no character is syntax.
        path: A directory; its database is the nearest `.rootleaf/` from there upward. None stands
            for the current directory.
        db_path: The database itself; `path` is then not looked at.
        top_k: The most documents in the answer, 0 or more.
        where: Metadata that documents must have: keys AND-ed, values of a key OR-ed, compared as
            written. Empty filters nothing; an empty list of values matches nothing. Statistics and
            scores are those of an index that holds the matching documents only.
        min_score: Documents that score below this are left out, 0 to 1; after the gate.
        empty_gate: The gate measure below which the answer is empty; 0 turns the gate off. None:
            what `ROOTLEAF_EMPTY_GATE` says, else what the model is calibrated to. By keyword alone
            there is no gate unless it is asked for, and its measure is the best coverage.
        fusion: What makes one score of coverage and similarity: "weighted", their sum by the
            weights of the model and the default; or "rrf", of the reciprocals of both ranks
            (k = 60), which says nothing about how close a match is. By keyword alone there is
            nothing to fuse.
        budget_tokens: All cheatsheets together take fewer tokens than this, marks and citations
            included, by an estimate on the high side of real tokenizers
            (`rootleaf.engine.tokens`): the best chunksets first, cut at chunk borders.
        allowed: Ids of the documents that may be in the answer, as an iterable of int or a
            `pyroaring.BitMap`; with `where`, those that both leave. It is a filter like `where`, in
            statistics and verdict too. None allows all, an empty one none.
        embedder: What makes a vector of the query: a name, or an object of your own; "none"
            searches by keyword alone. None: what `ROOTLEAF_EMBEDDER` names, else the model that the
            index records. Another model than that one, one that is not installed, fails, or has not
            answered in 5 seconds, leaves the answer to keywords, and a notice says so.
        cite: Put a line `path:line` before every block of a cheatsheet; the path is relative to
            the working directory where it lies below it, else absolute.
        explain: Also tell parts that cost something to find out: `rank_keyword`, the place of the
            hit's best chunkset among all by coverage, and with vectors `rank_vector`, its place by
            similarity. They are there in any case where ranks are what is fused.

    Returns:
        The answer: hits best first (ties by path), at most three chunksets of each document, and
        the verdict. `score` is in 0..1: a weighted sum of coverage, which is how much of the
        query's words the hit holds, and similarity, the cosine of the vectors of query and hit.
        Without vectors it is the coverage.

    Raises:
        NotIndexedError: There is no database.
        InvalidInputError: An argument is none of the above; the message names it.
        MetadataIncomplete: With `where`, metadata of the index cannot be vouched for, or a file of
            the answer is gone from disk. One of the kinds below it in `rootleaf.errors`; its
            `commands` clear it.
        StoreError: The database cannot be read.
    """
    started = time.perf_counter()
    request = checked_request(
        query,
        top_k,
        where,
        min_score,
        empty_gate,
        fusion,
        budget_tokens,
        allowed,
        cite=cite,
        explain=explain,
    )
    try:
        located = locate(path, db_path)
    except NotIndexedError as error:
        from rootleaf.indexing.absence import explain_absence

        raise explain_absence(error, path, db_path) from None
    with open_for_reading(located) as store:
        snapshot = newest_snapshot(store)
        staleness = checked_staleness(store, request)
        view = open_view(store, snapshot)
        meaning = QueryEmbedder(embedder).meanings([request.query], store, view)[0]
        return answer(view, store, request, staleness, started=started, meaning=meaning)


def checked_staleness(
    store: Rows, request: Request, roots: Sequence[RootRules] | None = None
) -> Staleness:
    """What is behind in an index, once it is sure that a filter can be answered truly.

    Args:
        store: The rows that are asked.
        request: The question.
        roots: The rules of all roots as they are on disk, where they were looked at already.

    Raises:
        MetadataIncomplete: The request is filtered, and metadata cannot be vouched for.
    """
    if roots is None:
        roots = read_root_rules(store)
    if request.is_filtered:
        vouch(store, store.check_metadata(), roots)
    return find_staleness(store, roots, is_vouched=request.is_filtered)

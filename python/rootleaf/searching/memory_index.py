"""One index served from a long-lived process: the public `MemoryIndex`."""

from __future__ import annotations

import os
import time

from rootleaf.indexing.embedding import embed_index
from rootleaf.searching.answering import answer
from rootleaf.searching.query_embedder import QueryEmbedder
from rootleaf.searching.ranking import rank_many
from rootleaf.searching.remembered_rules import RememberedRules
from rootleaf.searching.request import checked_count, checked_queries, checked_request, lasting
from rootleaf.searching.search import checked_staleness
from rootleaf.searching.serving import Serving
from rootleaf.searching.staleness import Staleness
from rootleaf.store.paths import check_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from rootleaf.embed.protocol import Embedder
    from rootleaf.searching.filters import Where
    from rootleaf.searching.moment import MomentStore
    from rootleaf.searching.request import Request
    from rootleaf.types import Answer, IndexedFile, Status


class MemoryIndex:
    """A warm handle on one index, for any number of threads.

    Searches run at once and only read. Before each the handle looks whether the database has
    changed: a commit of any process, or another file in its place, is seen by the next search,
    which reads what changed and nothing else. While a thread holds `lock`, all searches answer from
    the state before it was taken.

    Where the database is deleted, searches answer that the index is empty and say why; where it is
    brought back, they answer from it. Where it cannot be read, they raise what `rootleaf.search`
    raises, until it can.

    Args:
        db_path: The database, which has to be there now.
        embedder: What makes the vectors of questions, and those of `ensure_embeddings`: a name or
            an object, as `rootleaf.search` takes it. "none" searches by keyword and embeds nothing;
            None is what `ROOTLEAF_EMBEDDER` names, else the model that the index records.

    Attributes:
        db_path: Its absolute path.
        lock: For writers in this process, to be used in a `with` statement; the same thread may
            take it again. What is written while it is held is shown in one step when it is let go.

    Raises:
        NotIndexedError: There is no database.
        StoreError: It cannot be read.

    Example:
        >>> with MemoryIndex("docs/.rootleaf/index.db") as memory:
        ...     memory.search("roll back").hits[0].file_path
    """

    def __init__(
        self, db_path: str | os.PathLike[str], *, embedder: str | Embedder | None = None
    ) -> None:
        check_path("db_path", db_path)
        self.db_path = os.path.abspath(os.fspath(db_path))
        self._embedder = QueryEmbedder(embedder)
        self._serving = Serving(self.db_path)
        self._rules = RememberedRules()
        self.lock = self._serving.lock

    def search(  # noqa: PLR0917 - as `rootleaf.search`
        self,
        query: str,
        top_k: int = 5,
        where: Where | None = None,
        min_score: float = 0.0,
        empty_gate: float | None = None,
        fusion: str | None = None,
        budget_tokens: int | None = None,
        allowed: Iterable[int] | None = None,
        *,
        cite: bool = False,
        explain: bool = False,
    ) -> Answer:
        """Asks the index; arguments, answer and errors are those of `rootleaf.search`.

        Raises:
            ClosedIndexError: `close` was called.
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

        def ask(store: MomentStore) -> Answer:
            view = store.moment.view
            staleness = self._behind(store, request)
            meaning = self._embedder.meanings([request.query], store, view)[0]
            return answer(
                view,
                store,
                request,
                staleness,
                started=started,
                meaning=meaning,
                prepare=store.prepared,
            )

        return self._serving.read(ask)

    def search_many(  # noqa: PLR0917 - as `search`
        self,
        queries: Sequence[str],
        top_k: int = 5,
        where: Where | None = None,
        min_score: float = 0.0,
        empty_gate: float | None = None,
        fusion: str | None = None,
        budget_tokens: int | None = None,
        allowed: Iterable[int] | None = None,
        *,
        cite: bool = False,
        explain: bool = False,
        threads: int | None = None,
    ) -> list[Answer]:
        """Asks several queries at once, all of one state of the index.

        The ranking is spread over `threads` of the core, as many as this process may use where it
        is None. Each answer is the one that `search` gives; `took_ms` is counted from the call.

        Raises:
            InvalidInputError: `queries` is one string, `threads` is below 1, or as for `search`.
        """
        started = time.perf_counter()
        allowed = lasting(allowed)
        asked = checked_queries(queries)
        # What is wrong with the rest is told where there is no query as well.
        requests = [
            checked_request(
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
            for query in asked or [""]
        ]
        threads = _usable_cores() if threads is None else checked_count("threads", threads, 1)
        if not asked:
            self._serving.check_open()
            return []

        def ask(store: MomentStore) -> list[Answer]:
            view = store.moment.view
            staleness = self._behind(store, requests[0])
            meanings = self._embedder.meanings([one.query for one in requests], store, view)
            rankings = rank_many(view, requests, meanings, threads=threads)
            return [
                answer(
                    view,
                    store,
                    request,
                    staleness,
                    started=started,
                    meaning=meaning,
                    ranking=ranking,
                    prepare=store.prepared,
                )
                for request, meaning, ranking in zip(requests, meanings, rankings, strict=True)
            ]

        return self._serving.read(ask)

    def documents(self) -> list[IndexedFile]:
        """The documents of the index, by path: id, path and metadata of each."""
        return self._serving.read(lambda store: store.indexed_files())

    def refresh(self) -> int:
        """Brings the handle up to date and returns the generation that it is at.

        Searches do so by themselves; this does it ahead of them. It waits while another thread
        holds `lock`. 0 where there is no database.
        """
        return self._serving.refresh()

    def ensure_embeddings(self) -> int:
        """Gives chunksets that have no vector one; returns how many texts were embedded.

        Without an embedder of its own the handle takes the model that the index records, `builtin`
        where it records none. 0 for the embedder "none", named or recorded. Vectors that are stored
        are never replaced. Within `with index.lock:`, after `index_file`, new documents are shown
        with their vectors in one step.

        Raises:
            EmbedderError: The embedder failed; what was embedded until then is kept. Or it cannot
                be made (`embedder.not_installed`, say), or the index has vectors of another model
                (`embedder.other_model`), and nothing was embedded.
            InvalidInputError: There is no embedder of the name.
            NotIndexedError: There is no database.
            StoreError: It cannot be written.
        """
        self._serving.check_open()
        embedder = self._serving.read(self._embedder.embedder)
        if embedder is None:
            return 0
        return embed_index(self.db_path, embedder, is_named=self._embedder.is_named())

    def status(self) -> Status:
        """What `rootleaf.status` says of the database now."""
        from rootleaf.indexing.status import status

        self._serving.check_open()
        return status(db_path=self.db_path)

    def close(self) -> None:
        """Lets go of the database; searches that run end well, later calls raise."""
        self._serving.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _behind(self, store: MomentStore, request: Request) -> Staleness:
        if store.moment.state is None:
            notice = (
                f"There is no index at {store.db_path} any more; once it is back, it is searched"
            )
            return Staleness(files=0, notices=(notice,))
        return checked_staleness(store, request, self._rules.of(store))


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

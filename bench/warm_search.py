"""One process that opens an index once and asks it many queries: the child of a comparison.

    python bench/warm_search.py PROGRAM DATABASE QUERIES.json ROUNDS

PROGRAM is `rootleaf` or `poma-memory`, and must be installed beside the interpreter that runs this.
Every query is asked once to warm up, then once a round. Two ways are measured of each program:

- `rank`: the ranked chunksets alone. Rootleaf: `View.search` of the view that its handle holds,
  with the question embedded every time where the index has vectors.
  poma-memory: `BM25Search.search` of the ranker that its handle holds, with as many hits as the
  handle asks of it (three times the documents).
- `answer`: all that a warm handle does for a caller, cheatsheets rendered. Rootleaf:
  `rootleaf.MemoryIndex.search`, which keeps the vectors of questions that it was asked before.
  poma-memory: `handle.MemoryIndex.search`.

Prints one JSON object. Needs no module that either program brings.
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Ask = Callable[[str], Any]

TOP = 5
PER_DOCUMENT = 3
WAYS = ("rank", "answer")
FUNCTIONS = {
    "rootleaf": {
        "open": "rootleaf.MemoryIndex",
        "rank": "rootleaf.engine.view.View.search",
        "answer": "rootleaf.MemoryIndex.search",
    },
    "poma-memory": {
        "open": "poma_memory.handle.MemoryIndex.ensure_embeddings",
        "rank": "poma_memory.bm25_search.BM25Search.search",
        "answer": "poma_memory.handle.MemoryIndex.search",
    },
}


def open_rootleaf(database: str) -> tuple[dict[str, Ask], int]:
    """The ways to ask Rootleaf's index, and the number of documents in it."""
    memory = importlib.import_module("rootleaf").MemoryIndex(database)
    view = memory._serving.read(lambda rows: rows.moment.view)  # noqa: SLF001

    embedder = importlib.import_module("rootleaf.embed.builtin").BuiltinEmbedder()
    weight = embedder.calibration.similarity_weight
    weights = {"coverage": 1 - weight, "similarity": weight}

    def rank(query: str) -> Any:
        if view.dimension == 0:
            return view.search(query, top_k=TOP, per_document=PER_DOCUMENT)
        vector = embedder.embed_query(query)
        return view.search(
            query, top_k=TOP, per_document=PER_DOCUMENT, query_vector=vector, weights=weights
        )

    def answer(query: str) -> Any:
        return memory.search(query, TOP)

    return {"rank": rank, "answer": answer}, view.document_count


def open_poma_memory(database: str) -> tuple[dict[str, Ask], int]:
    """The ways to ask poma-memory's index, and the number of documents in it."""
    handle = importlib.import_module("poma_memory.handle").MemoryIndex(database)
    handle.ensure_embeddings()
    # The ranker that the handle itself asks: a second one would take its memory and time again.
    hybrid = handle._cache.get(handle.db_path)  # noqa: SLF001
    ranker, store = hybrid._bm25, hybrid._store  # noqa: SLF001

    def rank(query: str) -> Any:
        return ranker.search(query, top_k=TOP * PER_DOCUMENT)

    def answer(query: str) -> Any:
        return handle.search(query, top_k=TOP)

    return {"rank": rank, "answer": answer}, len(store.all_file_paths())


def asked(ask: Ask, queries: Sequence[str], rounds: int) -> dict[str, list[float] | int]:
    """Of each query the median milliseconds over the rounds, and how many found something."""
    found = sum(1 for query in queries if len(ask(query)))
    wall_ms: list[list[float]] = [[] for _ in queries]
    cpu_ms: list[list[float]] = [[] for _ in queries]
    for _ in range(rounds):
        for number, query in enumerate(queries):
            wall_began, cpu_began = time.perf_counter_ns(), time.process_time_ns()
            ask(query)
            cpu_ms[number].append((time.process_time_ns() - cpu_began) / 1e6)
            wall_ms[number].append((time.perf_counter_ns() - wall_began) / 1e6)
    return {
        "wall_ms": [statistics.median(times) for times in wall_ms],
        "cpu_ms": [statistics.median(times) for times in cpu_ms],
        "found": found,
    }


def main() -> None:
    """Open, ask, print."""
    program, database, queries_path, rounds = sys.argv[1:]
    queries = json.loads(Path(queries_path).read_text(encoding="utf-8"))
    opened = {"rootleaf": open_rootleaf, "poma-memory": open_poma_memory}[program]
    ways, documents = opened(database)
    seen = {way: asked(ways[way], queries, int(rounds)) for way in WAYS}
    print(json.dumps({"documents": documents, "ways": seen}))


if __name__ == "__main__":
    main()

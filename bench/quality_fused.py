"""Quality of search by words and by meaning together, by the weight of the meaning.

The sets and measures are those of `quality_keyword.py`; a score is the weighted sum of coverage and
of the similarity that the built-in embedder finds, over all chunksets.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from provenance import provenance
from quality_keyword import MEASURES, Corpus, book, conversations, mean_and_interval, measure
from rootleaf.embed.builtin import BuiltinEmbedder

if TYPE_CHECKING:
    from rootleaf.engine.view import Ranking

WEIGHTS = (0.3, 0.4, 0.5)
ALL = 100_000


class FusedSearch:
    """Searches with a vector of the question."""

    def __init__(self, embedder: BuiltinEmbedder, weight: float) -> None:
        self._embedder = embedder
        self._weights = {"coverage": 1 - weight, "similarity": weight}

    def __call__(self, corpus: Corpus, query: str) -> Ranking:
        """All that it finds."""
        return corpus.segment.search(
            query,
            top_k=ALL,
            per_document=ALL,
            candidates=ALL,
            query_vector=self._embedder.embed_query(query),
            weights=self._weights,
        )


def main() -> None:
    """Measures both sets with each weight, and writes the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, help="write the result as JSON")
    out = parser.parse_args().out
    embedder = BuiltinEmbedder()
    sets: dict[str, dict[str, object]] = {}
    for name, load in (("book", book), ("conversations", conversations)):
        corpora, questions = load(embedder)
        sets[name] = {"questions": len(questions)}
        for weight in WEIGHTS:
            search = FusedSearch(embedder, weight)
            rows = [measure(corpora, question, search) for question in questions]
            figures = {
                label: mean_and_interval(list(column))
                for label, column in zip(MEASURES, zip(*rows, strict=True), strict=True)
            }
            sets[name][f"similarity {weight}"] = figures
            shown = (
                "{} {mean:.3f} [{low:.3f}, {high:.3f}]".format(label, **figure)
                for label, figure in figures.items()
            )
            print(f"{name:14} similarity {weight}", *shown, sep="  ", flush=True)
    if out is not None:
        result = {
            "bench": "quality_fused",
            "embedder": embedder.identity.revision,
            "provenance": provenance(),
            "sets": sets,
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

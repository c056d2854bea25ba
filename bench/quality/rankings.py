"""What is found first, by words and by words and meaning, and how far the ways differ.

A way is searched by the engine with the weight that the embedder states; `RRF` fuses the two lists
by reciprocal ranks instead, with the same weight or with equal ones. All chunksets compete, so that
a chapter can give any number of its sections; `as answered` is the same with three of a document
and a hundred candidates, as a search of the product has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from quality.measures import CUT, MEASURES, difference, measured, with_interval
from quality.naive import NaiveRanker
from quality.sets import book, conversations, searchable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rootleaf.engine.view import Ranking

    from quality.embedders import KeptVectors
    from quality.sets import Question, QuestionSet, Searchable

EVERYTHING = 1_000_000
SETS = {"book": book, "conversations": conversations}

RECIPES = {
    "naive BM25": ("naive BM25", {"book": (0.669, 0.844), "conversations": (0.365, 0.491)}),
    "tuned BM25": ("keyword", {"book": (0.645, 0.811), "conversations": (0.520, 0.650)}),
    "tuned BM25 and a first table, 0.4": (
        "builtin",
        {"book": (0.689, 0.836), "conversations": (0.544, 0.678)},
    ),
    "tuned BM25 and minilm, 0.3": (
        "minilm",
        {"book": (0.756, 0.922), "conversations": (0.549, 0.689)},
    ),
}
"""What simple programs reached: the way of ours that each is held against, and mean nDCG@10 and
recall@10 of each set. Only the means are known."""

Rows = dict[str, list[float]]
"""Of each measure a figure for each question."""


class Way(NamedTuple):
    """How to search: arguments of `View.search`, and whether with a vector of the question."""

    arguments: Mapping[str, Any]
    by_meaning: bool


def weighted(similarity: float) -> Way:
    """The weighted sum, in which similarity has this weight; 0 is a search by words."""
    weights = {"coverage": 1 - similarity, "similarity": similarity}
    return Way({"weights": weights}, by_meaning=True) if similarity else Way({}, by_meaning=False)


def reciprocal_ranks(similarity: float) -> Way:
    """Fusion by reciprocal ranks, in which the list by similarity has this weight, 0 to 1."""
    weights = {"rank_keyword": 2 * (1 - similarity), "rank_vector": 2 * similarity}
    return Way({"fusion": "rrf", "weights": weights}, by_meaning=True)


AS_ANSWERED = {"top_k": CUT, "per_document": 3, "candidates": 100}
ALL_COMPETE = {"top_k": EVERYTHING, "per_document": EVERYTHING, "candidates": EVERYTHING}


def rankings(kept: Mapping[str, KeptVectors], weights: Mapping[str, float]) -> dict[str, Any]:
    """The figures of all sets and ways.

    Args:
        kept: The embedders, by name.
        weights: Of similarity in the score, by name of the embedder.

    Returns:
        By set: the number of questions; `ways` with the measures of each; `differences` of nDCG@10
        and recall@10 between two ways, paired by question.
    """
    result: dict[str, Any] = {}
    for name, load in SETS.items():
        asked = load()
        questions = [question for question in asked.questions if question.grades]
        rows = {"naive BM25": _naive(asked, questions)}
        plain = {corpus: searchable(one) for corpus, one in asked.corpora.items()}
        rows["keyword"] = _rows(plain, questions, weighted(0))
        rows["keyword, as answered"] = _rows(plain, questions, weighted(0), AS_ANSWERED)
        pairs = [("keyword", "naive BM25")]
        for embedder, vectors in kept.items():
            held = {corpus: searchable(one, vectors.each) for corpus, one in asked.corpora.items()}
            way = weighted(weights[embedder])
            rows[embedder] = _rows(held, questions, way, vectors=vectors)
            answered = f"{embedder}, as answered"
            rows[answered] = _rows(held, questions, way, AS_ANSWERED, vectors)
            for label, other in (
                ("RRF", reciprocal_ranks(weights[embedder])),
                ("RRF, equal weights", reciprocal_ranks(0.5)),
                ("similarity alone", weighted(1)),
            ):
                rows[f"{embedder}, {label}"] = _rows(held, questions, other, vectors=vectors)
            pairs += [(embedder, "keyword"), (embedder, f"{embedder}, RRF")]
        if {"minilm", "builtin"} <= set(kept):
            pairs.append(("minilm", "builtin"))
        result[name] = {
            "questions": len(questions),
            "ways": {
                way: {measure: with_interval(row[measure]) for measure in MEASURES}
                for way, row in rows.items()
            },
            "differences": [
                {
                    "of": one,
                    "over": other,
                    **{
                        measure: difference(rows[one][measure], rows[other][measure])
                        for measure in ("nDCG@10", "recall@10")
                    },
                }
                for one, other in pairs
            ],
            "recipes": {
                label: {"against": way, "nDCG@10": means[name][0], "recall@10": means[name][1]}
                for label, (way, means) in RECIPES.items()
                if way in rows
            },
        }
    return result


def by_weight(kept: Mapping[str, KeptVectors], weights: list[float]) -> dict[str, Any]:
    """By set, embedder and weight of similarity the mean nDCG@10 and recall@10."""
    result: dict[str, Any] = {}
    for name, load in SETS.items():
        asked = load()
        questions = [question for question in asked.questions if question.grades]
        for embedder, vectors in kept.items():
            held = {corpus: searchable(one, vectors.each) for corpus, one in asked.corpora.items()}
            for weight in weights:
                rows = _rows(held, questions, weighted(weight), vectors=vectors)
                result.setdefault(name, {}).setdefault(embedder, {})[str(weight)] = {
                    measure: round(sum(rows[measure]) / len(questions), 3)
                    for measure in ("nDCG@10", "recall@10")
                }
    return result


def found_answers(held: Searchable, ranking: Ranking) -> list[str]:
    """What a search found, best first, each once."""
    order = sorted(
        zip(ranking.score, ranking.document_ids, ranking.ordinals, strict=True),
        key=lambda row: (-row[0], row[1], row[2]),
    )
    return list(dict.fromkeys(held.answers[document, ordinal] for _, document, ordinal in order))


def _rows(
    held: Mapping[str, Searchable],
    questions: list[Question],
    way: Way,
    limits: Mapping[str, Any] = ALL_COMPETE,
    vectors: KeptVectors | None = None,
) -> Rows:
    rows: Rows = {measure: [] for measure in MEASURES}
    for question in questions:
        vector = vectors.embed_query(question.query) if vectors and way.by_meaning else None
        corpus = held[question.corpus]
        ranking = corpus.segment.search(
            question.query, query_vector=vector, **limits, **way.arguments
        )
        for measure, value in measured(found_answers(corpus, ranking), question.grades).items():
            rows[measure].append(value)
    return rows


def _naive(asked: QuestionSet, questions: list[Question]) -> Rows:
    rankers = {name: NaiveRanker(corpus) for name, corpus in asked.corpora.items()}
    rows: Rows = {measure: [] for measure in MEASURES}
    for question in questions:
        found = rankers[question.corpus].found(question.query)
        for measure, value in measured(found, question.grades).items():
            rows[measure].append(value)
    return rows

"""Quality of keyword search on questions with known answers: nDCG@10, recall@10, MRR.

Two sets: sections of a book, found in whole chapters (a section is as good as its best chunkset),
and turns of conversations, one document for each. Means over questions have 95 % intervals by
bootstrap over them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from provenance import provenance, shared_data
from rootleaf.documents.naming import telling_name
from rootleaf.engine.chunker import KINDS, chunk_columns
from rootleaf.engine.collection import IndexedDocument
from rootleaf.engine.keyword import Segment, SegmentBuilder
from rootleaf.indexing.embedded_texts import EmbeddedTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rootleaf.embed.protocol import Embedder
    from rootleaf.engine.chunker import ChunkColumns
    from rootleaf.engine.view import Ranking

    Search = Callable[["Corpus", str], Ranking]

DATA = shared_data()
CUT = 10
MEASURES = (f"nDCG@{CUT}", f"recall@{CUT}", f"MRR@{CUT}")


class Question(NamedTuple):
    """A question, the segment to ask, and the grade of each relevant answer."""

    query: str
    corpus: str
    grades: dict[str, int]


class Corpus(NamedTuple):
    """A segment, and what each chunkset of it stands for."""

    segment: Segment
    answer_of: dict[tuple[int, int], str]


def read_lines(path: Path) -> list[Any]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def slug(heading: str) -> str:
    """A heading as the answers spell it."""
    return "-".join(re.findall(r"[^\W_]+", heading.lower()))


def vectors_of(text: str, columns: ChunkColumns, embedder: Embedder | None) -> list[bytes] | None:
    """The vector of each chunkset of a document; None without an embedder."""
    if embedder is None:
        return None
    texts = EmbeddedTexts(text, columns)
    return [
        bytes(embedder.embed_documents([texts[ordinal]]))
        for ordinal in range(columns.len_chunksets())
    ]


def book(embedder: Embedder | None = None) -> tuple[dict[str, Corpus], list[Question]]:
    """Chapters as documents; an answer is the heading path of a section."""
    builder = SegmentBuilder()
    answer_of = {}
    source = DATA / "corpora" / "rust-book" / "src"
    for number, path in enumerate(sorted(source.glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        name = telling_name(str(path.relative_to(source)))
        columns = chunk_columns(text)
        builder.add_document(
            IndexedDocument(
                document_id=number,
                path=str(path),
                name=name,
                text=text,
                vectors=vectors_of(text, columns, embedder),
            )
        )
        utf8 = text.encode()
        for ordinal in range(columns.len_chunksets()):
            headings = [
                slug(utf8[columns.starts[chunk] : columns.ends[chunk]].decode())
                for chunk in columns.chunkset_chunks(ordinal)
                if KINDS[columns.kinds[chunk]] == "heading"
            ]
            answer_of[number, ordinal] = f"{path.name}#{'/'.join(headings)}"
    questions = [
        Question(row["query"], "book", row["relevant"])
        for row in read_lines(DATA / "eval" / "rust-book" / "answerable.jsonl")
    ]
    # One question's path has a heading that stands inside a comment: no heading for CommonMark.
    ends = {(a.partition("#")[0], a.rpartition("/")[2]): a for a in answer_of.values()}
    known = set(ends.values())
    for question in questions:
        for answer in set(question.grades) - known:
            section = ends[answer.partition("#")[0], answer.rpartition("/")[2]]
            question.grades[section] = question.grades.pop(answer)
    return {"book": Corpus(builder.build(), answer_of)}, questions


def conversations(
    embedder: Embedder | None = None,
) -> tuple[dict[str, Corpus], list[Question]]:
    """Turns as documents; one segment for each conversation."""
    builders: dict[str, SegmentBuilder] = {}
    answers: dict[str, dict[tuple[int, int], str]] = {}
    for turn in read_lines(DATA / "eval" / "locomo" / "turns.jsonl"):
        name = turn["conversation"]
        builder = builders.setdefault(name, SegmentBuilder())
        answer_of = answers.setdefault(name, {})
        number = len(answer_of)
        text = f"Session {turn['session']} > {turn['date']}\n{turn['speaker']}: {turn['text']}\n"
        # A path that sorts as the conversation goes, so that ties keep its order.
        builder.add_document(
            IndexedDocument(
                document_id=number,
                path=f"{number:06}",
                name="",
                text=text,
                vectors=vectors_of(text, chunk_columns(text), embedder),
            )
        )
        answer_of[number, 0] = turn["id"]
    corpora = {name: Corpus(builder.build(), answers[name]) for name, builder in builders.items()}
    questions = [
        Question(row["query"], row["conversation"], dict.fromkeys(row["relevant"], 1))
        for row in read_lines(DATA / "eval" / "locomo" / "questions.jsonl")
    ]
    return corpora, questions


def keyword_ranking(corpus: Corpus, query: str) -> Ranking:
    """All that a keyword search finds."""
    return corpus.segment.search(query, top_k=1000, per_document=1000)


def answers(corpus: Corpus, ranking: Ranking) -> Iterator[str]:
    """What a search found, best first, each once."""
    order = sorted(
        zip(ranking.document_ids, ranking.ordinals, ranking.score, strict=True),
        key=lambda row: (-row[2], row[0], row[1]),
    )
    seen = set()
    for document_id, ordinal, _ in order:
        answer = corpus.answer_of.get((document_id, ordinal))
        if answer is not None and answer not in seen:
            seen.add(answer)
            yield answer


def measure(
    corpora: dict[str, Corpus], question: Question, search: Search = keyword_ranking
) -> tuple[float, float, float]:
    """nDCG, recall, and reciprocal rank of one question, all at CUT."""
    corpus = corpora[question.corpus]
    ranking = search(corpus, question.query)
    found = [answer for answer, _ in zip(answers(corpus, ranking), range(CUT), strict=False)]
    gain = sum(
        question.grades.get(answer, 0) / math.log2(rank + 2) for rank, answer in enumerate(found)
    )
    ideal = sum(
        grade / math.log2(rank + 2)
        for rank, grade in enumerate(sorted(question.grades.values(), reverse=True)[:CUT])
    )
    hits = [rank for rank, answer in enumerate(found) if answer in question.grades]
    return gain / ideal, len(hits) / len(question.grades), 1 / (hits[0] + 1) if hits else 0.0


def interval(values: list[float]) -> tuple[float, float]:
    """The 95 % interval of the mean by bootstrap, with a fixed seed."""
    shuffler = random.Random(2024)  # noqa: S311 - resampling is no secret
    means = sorted(sum(shuffler.choices(values, k=len(values))) / len(values) for _ in range(1000))
    return means[25], means[974]


def mean_and_interval(values: list[float]) -> dict[str, float]:
    """As results state it."""
    low, high = interval(values)
    mean = sum(values) / len(values)
    return {"mean": round(mean, 3), "low": round(low, 3), "high": round(high, 3)}


def main() -> None:
    """Measures both sets, prints a line for each, and writes the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, help="write the result as JSON")
    out = parser.parse_args().out
    sets: dict[str, dict[str, object]] = {}
    for name, load in (("book", book), ("conversations", conversations)):
        corpora, questions = load()
        start = time.perf_counter()
        rows = [measure(corpora, question) for question in questions]
        milliseconds = (time.perf_counter() - start) * 1000 / len(questions)
        figures: dict[str, object] = {
            "questions": len(questions),
            "ms_each": round(milliseconds, 2),
        }
        line = f"{name:14}{len(questions):4} questions"
        for label, column in zip(MEASURES, zip(*rows, strict=True), strict=True):
            figure = mean_and_interval(list(column))
            figures[label] = figure
            line += "  {} {mean:.3f} [{low:.3f}, {high:.3f}]".format(label, **figure)
        print(f"{line}  {milliseconds:.2f} ms each")
        sets[name] = figures
    if out is not None:
        result = {"bench": "quality_keyword", "provenance": provenance(), "sets": sets}
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

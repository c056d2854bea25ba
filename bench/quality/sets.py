"""The development questions, and the corpora that they are asked of.

`book` has chapters as documents; an answer is a section, which is as good as its best chunkset.
`conversations` has turns as documents, one corpus for each conversation. `sessions` has the same
conversations as files, one for each session, as a user would keep them. Of each there are
questions that the corpus answers, and questions about something else.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from provenance import REPOSITORY, shared_data
from rootleaf.documents.decoding import decode
from rootleaf.documents.naming import telling_name
from rootleaf.engine.chunker import KINDS, chunk_columns
from rootleaf.engine.collection import IndexedDocument
from rootleaf.engine.keyword import Segment, SegmentBuilder
from rootleaf.indexing.embedded_texts import EmbeddedTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rootleaf.engine.chunker import ChunkColumns

    Embed = Callable[[list[str]], list[bytes]]

DATA = shared_data()
BOOK = DATA / "corpora" / "rust-book" / "src"


class Question(NamedTuple):
    """A question and the corpus to ask.

    Attributes:
        query: Its text.
        corpus: Name of the corpus.
        grades: Of each relevant answer; empty where the corpus does not answer it.
        distance: Of a question that is not answered: `far`, `mid` or `near`.
    """

    query: str
    corpus: str
    grades: dict[str, int]
    distance: str = ""


class Document(NamedTuple):
    """A markdown file: its path orders equals, its name is what the search is told of the path."""

    path: str
    name: str
    text: str


class Corpus(NamedTuple):
    """Documents, and how to tell what a chunkset answers.

    Attributes:
        documents: By number, from 0.
        answer_of: From document number, its columns and the chunkset's ordinal to an answer.
    """

    documents: list[Document]
    answer_of: Callable[[int, ChunkColumns, int], str]


class QuestionSet(NamedTuple):
    """Questions with the corpora that they are asked of, by name."""

    corpora: dict[str, Corpus]
    questions: list[Question]


class Searchable(NamedTuple):
    """A corpus as the engine holds it, and the answer that each of its chunksets gives."""

    segment: Segment
    answers: dict[tuple[int, int], str]


def searchable(corpus: Corpus, embed: Embed | None = None) -> Searchable:
    """Cuts and indexes a corpus, with a vector for each chunkset where there is an embedder."""
    builder = SegmentBuilder()
    answers = {}
    for number, document in enumerate(corpus.documents):
        columns = chunk_columns(document.text)
        count = columns.len_chunksets()
        texts = EmbeddedTexts(document.text, columns)
        builder.add_document(
            IndexedDocument(
                document_id=number,
                path=document.path,
                name=document.name,
                text=document.text,
                vectors=None if embed is None else embed([texts[each] for each in range(count)]),
            )
        )
        for ordinal in range(count):
            answers[number, ordinal] = corpus.answer_of(number, columns, ordinal)
    return Searchable(builder.build(), answers)


def read_lines(path: Path) -> list[Any]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def slug(heading: str) -> str:
    """A heading as the answers spell it."""
    return "-".join(re.findall(r"[^\W_]+", heading.lower()))


def book() -> QuestionSet:
    """Chapters as documents; an answer is the heading path of a section."""
    paths = sorted(BOOK.glob("*.md"))
    documents = [
        Document(
            str(path), telling_name(str(path.relative_to(BOOK))), path.read_text(encoding="utf-8")
        )
        for path in paths
    ]
    encoded = [document.text.encode() for document in documents]

    def section(number: int, columns: ChunkColumns, ordinal: int) -> str:
        headings = [
            slug(encoded[number][columns.starts[chunk] : columns.ends[chunk]].decode())
            for chunk in columns.chunkset_chunks(ordinal)
            if KINDS[columns.kinds[chunk]] == "heading"
        ]
        return f"{paths[number].name}#{'/'.join(headings)}"

    questions = [
        Question(row["query"], "book", row["relevant"])
        for row in read_lines(DATA / "eval" / "rust-book" / "answerable.jsonl")
    ]
    # One question's path has a heading that stands inside a comment: no heading for CommonMark.
    sections = {
        section(number, columns, ordinal)
        for number, columns in enumerate(map(chunk_columns, (one.text for one in documents)))
        for ordinal in range(columns.len_chunksets())
    }
    ends = {(one.partition("#")[0], one.rpartition("/")[2]): one for one in sections}
    for question in questions:
        for answer in set(question.grades) - sections:
            found = ends[answer.partition("#")[0], answer.rpartition("/")[2]]
            question.grades[found] = question.grades.pop(answer)
    questions += [
        Question(row["query"], "book", {}, row["distance"])
        for row in read_lines(DATA / "eval" / "rust-book" / "unanswerable.jsonl")
    ]
    return QuestionSet({"book": Corpus(documents, section)}, questions)


def conversations() -> QuestionSet:
    """Turns as documents, one corpus for each conversation."""
    corpora = {}
    for name, turns in _turns():
        # A path that sorts as the conversation goes, so that ties keep its order.
        documents = [
            Document(f"{number:06}", "", f"{_header(turn)}\n{_line(turn)}\n")
            for number, turn in enumerate(turns)
        ]
        ids = [turn["id"] for turn in turns]
        corpora[name] = Corpus(documents, lambda number, _columns, _ordinal, ids=ids: ids[number])  # type: ignore[misc]
    return QuestionSet(corpora, _conversation_questions(list(corpora)))


def sessions() -> QuestionSet:
    """The conversations as files, one for each session: a heading, and a paragraph for each turn.

    A chunkset of them holds several turns, so that the answers are of no use for ranking: what is
    found is judged by its text, `evidence_of`.
    """
    corpora = {}
    for name, turns in _turns():
        by_session: dict[int, list[Any]] = {}
        for turn in turns:
            by_session.setdefault(turn["session"], []).append(turn)
        documents = [
            Document(
                f"{name}/session-{number:02}.md",
                telling_name(f"session-{number:02}.md"),
                "\n\n".join([f"# {_header(of_it[0])}", *map(_line, of_it)]) + "\n",
            )
            for number, of_it in sorted(by_session.items())
        ]
        corpora[name] = Corpus(documents, lambda *_: "")
    return QuestionSet(corpora, _conversation_questions(list(corpora)))


def other_corpora(name: str) -> QuestionSet:
    """Corpora of other kinds, with a few questions that nothing was chosen on.

    Args:
        name: Of the set, in bench/questions/gate.jsonl.
    """
    rows = [
        row
        for row in read_lines(REPOSITORY / "bench" / "questions" / "gate.jsonl")
        if row["set"] == name
    ]
    corpora = {}
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        root = DATA / "corpora" / corpus
        documents = [
            Document(
                str(path.relative_to(root)),
                telling_name(str(path.relative_to(root))),
                decode(path.read_bytes()).text,
            )
            for path in sorted(root.rglob("*.md"))
        ]
        corpora[corpus] = Corpus(documents, lambda *_: "")
    # That there is an answer is all that is known; which one is not asked.
    grades = {"": {"answered": 1}, "far": {}}
    questions = [
        Question(row["query"], row["corpus"], grades[row["distance"]], row["distance"])
        for row in rows
    ]
    return QuestionSet(corpora, questions)


def evidence_of_turns() -> dict[tuple[str, str], str]:
    """By conversation and turn what has to stand in an answer for the turn to be in it."""
    return {(name, turn["id"]): _line(turn) for name, turns in _turns() for turn in turns}


def evidence_of_sections() -> dict[str, list[str]]:
    """By section the pieces of its text, one for each chunk that is no heading."""
    corpus = book().corpora["book"]
    pieces: dict[str, dict[str, None]] = {}
    for number, document in enumerate(corpus.documents):
        columns = chunk_columns(document.text)
        utf8 = document.text.encode()
        for ordinal in range(columns.len_chunksets()):
            of_section = pieces.setdefault(corpus.answer_of(number, columns, ordinal), {})
            for chunk in columns.chunkset_chunks(ordinal):
                if KINDS[columns.kinds[chunk]] != "heading":
                    of_section[utf8[columns.starts[chunk] : columns.ends[chunk]].decode()] = None
    return {section: list(texts) for section, texts in pieces.items()}


def _turns() -> Iterator[tuple[str, list[Any]]]:
    by_conversation: dict[str, list[Any]] = {}
    for turn in read_lines(DATA / "eval" / "locomo" / "turns.jsonl"):
        by_conversation.setdefault(turn["conversation"], []).append(turn)
    yield from by_conversation.items()


def _header(turn: Any) -> str:
    return f"Session {turn['session']} > {turn['date']}"


def _line(turn: Any) -> str:
    return f"{turn['speaker']}: {turn['text']}"


def _conversation_questions(names: list[str]) -> list[Question]:
    answered = [
        Question(row["query"], row["conversation"], dict.fromkeys(row["relevant"], 1))
        for row in read_lines(DATA / "eval" / "locomo" / "questions.jsonl")
    ]
    # Nothing answers them, so each is asked of every conversation.
    unrelated = [
        Question(row["query"], name, {}, row["distance"])
        for row in read_lines(DATA / "eval" / "locomo" / "unanswerable.jsonl")
        for name in names
    ]
    return answered + unrelated

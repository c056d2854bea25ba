"""Evidence within budget: how much of what answers a question is in an answer of so many tokens.

Whole files are indexed as a user has them, each session of a conversation and each chapter of the
book, and asked through the public functions of either program. Evidence is the text of the relevant
turns and sections, compared by its words alone, so that marks and line ends do not count. A turn
counts where all its words stand in the answer, one after the other; a section by the share of its
chunks, by length, of which that is true.

Answers are cut at 500, 1,000 and 2,000 tokens of `o200k_base`, a tokenizer of neither program, in
the order in which they come. Rootleaf is also asked for answers of those budgets, which it counts
by its own estimate: it uses less than it may, and cuts at the borders of chunks.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rootleaf

from quality.measures import with_interval
from quality.naive import words
from quality.sets import book, evidence_of_sections, evidence_of_turns, sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from quality.embedders import KeptVectors
    from quality.sets import Question, QuestionSet

    Ask = Callable[[Question, int | None], str]

BUDGETS = (500, 1000, 2000)
TOP = 20
SEPARATOR = "\n\n"
SETS = {"book": book, "conversations in files": sessions}
RIVAL = Path(__file__).with_name("rival_answers.py")


class Tokens:
    """The tokenizer that answers are cut by, from the package `bpe-openai`."""

    name = "o200k_base"

    def __init__(self) -> None:
        try:
            import bpe_openai  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            message = "evidence within budget is cut by bpe-openai: pip install bpe-openai==0.1.4"
            raise SystemExit(message) from error
        self._encoding = bpe_openai.get_encoding(self.name)

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self._encoding.encode(text))

    def cut(self, text: str, most: int) -> str:
        """The longest start of a text that has no more tokens."""
        # No token of prose is near as long as this; it only spares work on long answers.
        tokens = self._encoding.encode(text[: most * 40])[:most]
        while tokens:
            # The last tokens can be a part of a character.
            shown: str | None = self._encoding.decode(tokens)
            if shown is not None:
                return shown
            tokens = tokens[:-1]
        return ""


class Evidence:
    """What has to stand in an answer, by question."""

    def __init__(self) -> None:
        self._turns = evidence_of_turns()
        self._sections = evidence_of_sections()

    def share(self, question: Question, answer: str) -> float:
        """The share of the evidence of a question that stands in an answer; 0 to 1."""
        shown = f" {' '.join(words(answer))} "
        return sum(
            self._shown(question.corpus, relevant, shown) for relevant in question.grades
        ) / len(question.grades)

    def _shown(self, corpus: str, relevant: str, shown: str) -> float:
        turn = self._turns.get((corpus, relevant))
        pieces = [turn] if turn is not None else self._sections[relevant]
        folded = [" ".join(words(piece)) for piece in pieces]
        whole = sum(map(len, folded))
        return sum(len(piece) for piece in folded if f" {piece} " in shown) / whole if whole else 0


def within_budget(
    kept: Mapping[str, KeptVectors | None], rival_python: str | None
) -> dict[str, Any]:
    """The figures of all sets, ways and budgets.

    Args:
        kept: The ways of Rootleaf by name: None for words alone, else an embedder.
        rival_python: The interpreter that has poma-memory; None leaves it out.

    Returns:
        The tokenizer, and by set and way the shares for each budget, with their intervals and the
        tokens that the answers have on average.
    """
    judge = _Judge()
    sets: dict[str, Any] = {}
    for name, load in SETS.items():
        asked = load()
        questions = [question for question in asked.questions if question.grades]
        ways: dict[str, Any] = {}
        with tempfile.TemporaryDirectory() as directory:
            places = _written(asked, Path(directory))
            for way, vectors in kept.items():
                ask = _rootleaf(places, vectors)
                ways[f"Rootleaf, {way}, asked for the budget"] = {
                    str(budget): judge.figures(questions, [ask(one, budget) for one in questions])
                    for budget in BUDGETS
                }
                whole = [ask(one, None) for one in questions]
                ways[f"Rootleaf, {way}, cut"] = judge.figures_cut(questions, whole)
            if rival_python:
                answers = _rival(rival_python, places, questions)
                ways["poma-memory, cut"] = judge.figures_cut(questions, answers)
        sets[name] = {"questions": len(questions), "ways": ways}
    return {"tokenizer": Tokens.name, "top": TOP, "sets": sets}


class _Judge:
    def __init__(self) -> None:
        self._tokens, self._evidence = Tokens(), Evidence()

    def figures(self, questions: Sequence[Question], answers: Sequence[str]) -> dict[str, Any]:
        pairs = list(zip(questions, answers, strict=True))
        shares = [self._evidence.share(question, answer) for question, answer in pairs]
        used = [self._tokens.count(answer) for answer in answers]
        return {**with_interval(shares), "tokens": round(sum(used) / len(used)), "most": max(used)}

    def figures_cut(self, questions: Sequence[Question], answers: Sequence[str]) -> dict[str, Any]:
        return {
            str(budget): self.figures(
                questions, [self._tokens.cut(answer, budget) for answer in answers]
            )
            for budget in BUDGETS
        }


def _rootleaf(places: Mapping[str, Path], vectors: KeptVectors | None) -> Ask:
    handles = {}
    for name, place in places.items():
        database = place.with_suffix(".db")
        database.unlink(missing_ok=True)
        rootleaf.index(place, db_path=database, embedder=vectors)
        handles[name] = rootleaf.MemoryIndex(database, embedder=vectors or "none")

    def ask(question: Question, budget: int | None) -> str:
        answer = handles[question.corpus].search(question.query, TOP, budget_tokens=budget)
        return SEPARATOR.join(hit.context for hit in answer)

    return ask


def _rival(python: str, places: Mapping[str, Path], questions: Sequence[Question]) -> list[str]:
    by_corpus: dict[str, list[str]] = {name: [] for name in places}
    for question in questions:
        by_corpus[question.corpus].append(question.query)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "questions.json"
        pairs = [(str(places[name]), queries) for name, queries in by_corpus.items()]
        path.write_text(json.dumps(pairs), encoding="utf-8")
        ended = subprocess.run(
            [python, str(RIVAL), str(path)], check=True, stdout=subprocess.PIPE, text=True
        )
    answers = {
        (name, query): SEPARATOR.join(contexts)
        for (name, queries), of_corpus in zip(
            by_corpus.items(), json.loads(ended.stdout), strict=True
        )
        for query, contexts in zip(queries, of_corpus, strict=True)
    }
    return [answers[question.corpus, question.query] for question in questions]


def _written(asked: QuestionSet, directory: Path) -> dict[str, Path]:
    """The documents of each corpus as files of a directory of its own."""
    places = {}
    for number, (name, corpus) in enumerate(asked.corpora.items()):
        places[name] = directory / f"corpus-{number}"
        places[name].mkdir()
        for document in corpus.documents:
            (places[name] / Path(document.path).name).write_text(document.text, encoding="utf-8")
    return places

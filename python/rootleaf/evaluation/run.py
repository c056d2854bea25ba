"""Asks an index all questions of a set, and measures the answers: the public `evaluate`."""

from __future__ import annotations

import os
import time

from rootleaf.errors import InvalidInputError, NotIndexedError
from rootleaf.evaluation.entries import AmbiguousEntryError, Holdings
from rootleaf.evaluation.gate import split_at, spread, suggest
from rootleaf.evaluation.measures import figure, ndcg, recall, reciprocal_rank
from rootleaf.evaluation.questions import questions_of, read_questions, refusal
from rootleaf.evaluation.report import CUT, Evaluation, Expected, FirstHit, Gate, Outcome
from rootleaf.searching.memory_index import MemoryIndex
from rootleaf.searching.request import checked_count
from rootleaf.store.locating import locate
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rootleaf.evaluation.entries import Target
    from rootleaf.evaluation.measures import Figure
    from rootleaf.evaluation.questions import Question
    from rootleaf.types import Answer

    Questions = str | os.PathLike[str] | Iterable[Mapping[str, Any]]

_AT_ONCE = 64
_SHORT_CUT = 5


def evaluate(
    questions: Questions,
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    *,
    top_k: int = CUT,
    budgets: Sequence[int] = (),
    empty_gate: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Asks an index questions whose answers are known, and says how well it did.

    All questions are checked before the first is asked. The same questions and the same index give
    the same figures.

    Args:
        questions: The path of a file of JSON Lines, or objects as its lines are.
        path: A directory; its database is the nearest `.rootleaf/` from there upward. None stands
            for the current directory.
        db_path: The database itself; `path` is then not looked at.
        top_k: The most documents in an answer, 10 or more.
        budgets: For each number of tokens, also measure the evidence in an answer below it.
        empty_gate: The threshold to judge; None for the one that searches use, 0 for none.
        on_progress: Is called now and then with how many questions are answered, and of how many.

    Raises:
        QuestionsError: Lines are no questions, or name what could be several things.
        InvalidInputError: Another argument is none of the above; or nothing that the questions name
            is in the index.
        NotIndexedError: There is no database.
        OSError: The file cannot be read.
        StoreError: The database cannot be read.
    """
    started = time.perf_counter()
    asked, source = _asked(questions)
    return evaluate_questions(
        asked,
        source,
        path,
        db_path,
        top_k=top_k,
        budgets=budgets,
        empty_gate=empty_gate,
        on_progress=on_progress,
        started=started,
    )


def evaluate_questions(
    asked: Sequence[Question],
    source: str,
    path: str | os.PathLike[str] | None,
    db_path: str | os.PathLike[str] | None,
    *,
    top_k: int,
    budgets: Sequence[int],
    empty_gate: float | None,
    on_progress: Callable[[int, int], None] | None,
    started: float,
) -> Evaluation:
    """`evaluate` for questions that were read; `source` is what to call where they came from."""
    top_k = checked_count("top_k", top_k, CUT)
    budgets = [checked_count("a budget", budget, 1) for budget in budgets]
    threshold = _checked_gate(empty_gate)
    db_path = _located(path, db_path)
    with open_for_reading(db_path) as store:
        generation = store.generation()
        holdings = Holdings(
            [root.path for root in store.roots()],
            store.indexed_files(),
            lambda document_id: store.documents_by_id([document_id]).get(document_id),
        )
        targets, warnings = _targets(asked, holdings, source)
    with MemoryIndex(db_path) as memory:
        asking = _Asking(memory, [question.query for question in asked], top_k, on_progress)
        answers = asking.answers(1 + len(budgets))
        within = {budget: asking.answers(1 + len(budgets), budget) for budget in budgets}
        if memory.refresh() != generation:
            warnings.append(
                "The index changed while it was asked; ask again for figures of one state"
            )
    outcomes = [
        _outcome(question, found, answer, threshold, holdings)
        for question, found, answer in zip(asked, targets, answers, strict=True)
    ]
    answerable = [
        (found, outcome, position)
        for position, (found, outcome) in enumerate(zip(targets, outcomes, strict=True))
        if found
    ]
    figures = _figures([(found, outcome) for found, outcome, _ in answerable])
    for budget, cut_answers in within.items():
        shares = [_evidence(found, cut_answers[position]) for found, _, position in answerable]
        if shares:
            figures[f"evidence@{budget}"] = figure(shares)
    return Evaluation(
        db_path=db_path,
        top_k=top_k,
        with_answer=len(answerable),
        without_answer=len(asked) - len(answerable),
        figures=figures,
        gate=_gate(outcomes, answers, threshold),
        outcomes=tuple(outcomes),
        warnings=tuple(warnings),
        notices=tuple(dict.fromkeys(notice for answer in answers for notice in answer.notices)),
        took_ms=round((time.perf_counter() - started) * 1000.0, 3),
    )


def _asked(questions: Questions) -> tuple[list[Question], str]:
    if isinstance(questions, (str, os.PathLike)):
        source = os.fspath(questions)
        with open(source, "rb") as stream:
            return read_questions(stream.read(), source), source
    return questions_of(questions), "questions"


def _checked_gate(gate: object) -> float | None:
    """The threshold to judge; None where the gate is off."""
    if gate is None:
        return None
    is_number = isinstance(gate, (int, float)) and not isinstance(gate, bool)
    if not is_number or not 0 <= gate < float("inf"):  # type: ignore[operator]
        message = f"empty_gate must be a number of 0 or more, not {gate!r}"
        raise InvalidInputError(message, hint="empty_gate=0.5")
    return float(gate) or None  # type: ignore[arg-type]


def _located(path: str | os.PathLike[str] | None, db_path: str | os.PathLike[str] | None) -> str:
    try:
        return locate(path, db_path)
    except NotIndexedError as error:
        from rootleaf.indexing.absence import explain_absence

        raise explain_absence(error, path, db_path) from None


def _targets(
    asked: Sequence[Question], holdings: Holdings, source: str
) -> tuple[list[dict[str, Target]], list[str]]:
    """What each question's entries name, by entry; and what the index does not hold of them."""
    targets: list[dict[str, Target]] = []
    problems, warnings = [], []
    for question in asked:
        found: dict[str, Target] = {}
        named = set()
        for entry in question.relevant:
            try:
                target = holdings.target(entry)
                # Two spellings of one thing are one thing; the first has its grade.
                if target.identity not in named:
                    named.add(target.identity)
                    found[entry] = target
            except AmbiguousEntryError as error:
                problems.append(Problem(line=question.line, reason=str(error)))
        warnings += [
            f"{source}, line {question.line}: the index holds {target.missing}"
            for target in found.values()
            if target.missing is not None
        ]
        targets.append(found)
    if problems:
        raise refusal(source, problems)
    all_targets = [target for found in targets for target in found.values()]
    if all_targets and all(target.missing is not None for target in all_targets):
        message = (
            f"Nothing that {source} names is in this index of {len(holdings):,} documents; "
            f"the first is {all_targets[0].entry}"
        )
        raise InvalidInputError(message, hint="--path or --db names another index")
    return targets, warnings


class _Asking:
    """All questions, put to one handle a few at a time."""

    def __init__(
        self,
        memory: MemoryIndex,
        queries: Sequence[str],
        top_k: int,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self._memory = memory
        self._queries = queries
        self._top_k = top_k
        self._on_progress = on_progress
        self._done = 0

    def answers(self, rounds: int, budget_tokens: int | None = None) -> list[Answer]:
        """The answers of the ranking, the gate off; one of so many rounds of all questions."""
        answers: list[Answer] = []
        for first in range(0, len(self._queries), _AT_ONCE):
            some = self._queries[first : first + _AT_ONCE]
            answers += self._memory.search_many(some, self._top_k, budget_tokens=budget_tokens)
            self._done += len(some)
            if self._on_progress is not None:
                self._on_progress(self._done, rounds * len(self._queries))
        return answers


def _outcome(
    question: Question,
    targets: Mapping[str, Target],
    answer: Answer,
    threshold: float | None,
    holdings: Holdings,
) -> Outcome:
    expected = tuple(
        Expected(
            entry=entry,
            grade=question.relevant[entry],
            rank=_rank(target, answer),
            missing=target.missing,
        )
        for entry, target in targets.items()
    )
    first = None
    if answer:
        hit = answer[0]
        entry = holdings.name_of(hit.file_path)
        first = FirstHit(entry=entry, spans=hit.spans, score=hit.score)
    ranks = [one.rank for one in expected]
    measure = answer.best_coverage if answer.gate_measure is None else answer.gate_measure
    return Outcome(
        line=question.line,
        name=question.name,
        query=question.query,
        mode=answer.mode,
        expected=expected,
        first=first,
        measure=measure,
        passes=False,
        closed=None if threshold is None else measure < threshold,
        is_miss=bool(ranks)
        and (1 not in ranks or any(rank is None or rank > CUT for rank in ranks)),
    )


def _rank(target: Target, answer: Answer) -> int | None:
    for rank, hit in enumerate(answer, 1):
        if target.is_shown(hit.file_path, hit.spans):
            return rank
    return None


def _figures(answerable: Sequence[tuple[Mapping[str, Target], Outcome]]) -> dict[str, Figure]:
    if not answerable:
        return {}
    ranks = [[one.rank for one in outcome.expected] for _, outcome in answerable]
    return {
        f"recall@{_SHORT_CUT}": figure([recall(each, _SHORT_CUT) for each in ranks]),
        f"recall@{CUT}": figure([recall(each, CUT) for each in ranks]),
        f"nDCG@{CUT}": figure([_ndcg(found, outcome) for found, outcome in answerable]),
        "MRR": figure([reciprocal_rank(each) for each in ranks]),
    }


def _ndcg(targets: Mapping[str, Target], outcome: Outcome) -> float:
    """A hit gains the grades of all that it shows; the best hit of a document would show all."""
    gains = [0.0] * CUT
    best_gains: dict[str, float] = {}
    for one in outcome.expected:
        document = targets[one.entry].document
        best_gains[document] = best_gains.get(document, 0.0) + one.grade
        if one.rank is not None and one.rank <= CUT:
            gains[one.rank - 1] += one.grade
    return ndcg(gains, best_gains.values(), CUT)


def _evidence(targets: Mapping[str, Target], answer: Answer) -> float:
    """The share of what was expected that an answer shows, whichever hit does."""
    return recall([_rank(target, answer) for target in targets.values()], len(answer))


def _gate(outcomes: Sequence[Outcome], answers: Sequence[Answer], threshold: float | None) -> Gate:
    with_answer = [outcome for outcome in outcomes if outcome.expected]
    without_answer = [outcome for outcome in outcomes if not outcome.expected]
    closing = [_closing(some) for some in (with_answer, without_answer)]
    return Gate(
        measure="coverage" if answers[0].gate_measure is None else "gate_measure",
        threshold=threshold,
        split=None if threshold is None else split_at(threshold, *closing),
        with_answer=spread([outcome.measure for outcome in with_answer]),
        without_answer=spread([outcome.measure for outcome in without_answer]),
        suggestion=suggest(*closing),
    )


def _closing(outcomes: Sequence[Outcome]) -> list[float]:
    return [float("inf") if outcome.passes else outcome.measure for outcome in outcomes]

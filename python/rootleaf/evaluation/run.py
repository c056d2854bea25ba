"""Asks an index all questions of a set, and measures the answers: the public `evaluate`."""

from __future__ import annotations

import os
import time

from rootleaf.errors import InvalidInputError, NotIndexedError
from rootleaf.evaluation.asking import Asking
from rootleaf.evaluation.entries import AmbiguousEntryError, Holdings
from rootleaf.evaluation.gate import split_at, spread, suggest
from rootleaf.evaluation.measures import figure
from rootleaf.evaluation.questions import questions_of, read_questions, refusal
from rootleaf.evaluation.report import CUT, Evaluation, Gate
from rootleaf.searching.memory_index import MemoryIndex
from rootleaf.searching.request import checked_count
from rootleaf.store.locating import locate
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rootleaf.embed.protocol import Embedder
    from rootleaf.evaluation.entries import Target
    from rootleaf.evaluation.questions import Question
    from rootleaf.evaluation.report import Outcome

    Questions = str | os.PathLike[str] | Iterable[Mapping[str, Any]]

_AT_ONCE = 64


def evaluate(
    questions: Questions,
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    *,
    top_k: int = CUT,
    budgets: Sequence[int] = (),
    empty_gate: float | None = None,
    fusion: str | None = None,
    embedder: str | Embedder | None = None,
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
        fusion: As `rootleaf.search` takes it.
        embedder: Likewise.
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
        fusion=fusion,
        embedder=embedder,
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
    fusion: str | None,
    embedder: str | Embedder | None,
    on_progress: Callable[[int, int], None] | None,
    started: float,
) -> Evaluation:
    """`evaluate` for questions that were read; `source` is what to call where they came from."""
    top_k = checked_count("top_k", top_k, CUT)
    budgets = [checked_count("a budget", budget, 1) for budget in budgets]
    db_path = _located(path, db_path)
    with open_for_reading(db_path) as store:
        generation = store.generation()
        holdings = Holdings(
            [root.path for root in store.roots()],
            store.indexed_files(),
            lambda document_id: store.documents_by_id([document_id]).get(document_id),
        )
        targets, warnings = _targets(asked, holdings, source)
    with MemoryIndex(db_path, embedder=embedder) as memory:
        asking = Asking(
            memory, holdings, top_k=top_k, budgets=budgets, empty_gate=empty_gate, fusion=fusion
        )
        for first in range(0, len(asked), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            asking.ask(asked[some], targets[some])
            if on_progress is not None:
                on_progress(len(asking.outcomes), len(asked))
        if memory.refresh() != generation:
            warnings.append("The index changed while it was asked; ask again, for one state of it")
    answerable = [outcome for outcome in asking.outcomes if outcome.expected]
    comparable = [outcome for outcome in asking.outcomes if outcome.mode == asking.mode]
    others = len(asked) - len(comparable)
    if others:
        warnings.append(
            f"{others:,} of {len(asked):,} questions were answered by words alone; their measures "
            "are of another kind, and are left out of the gate"
        )
    return Evaluation(
        db_path=db_path,
        mode=asking.mode,
        top_k=top_k,
        with_answer=len(answerable),
        without_answer=len(asked) - len(answerable),
        figures={name: figure(values) for name, values in asking.values.items() if values},
        gate=_gate(comparable, asking),
        outcomes=tuple(asking.outcomes),
        warnings=tuple(warnings),
        notices=tuple(asking.notices),
        took_ms=round((time.perf_counter() - started) * 1000.0, 3),
    )


def _asked(questions: Questions) -> tuple[list[Question], str]:
    if isinstance(questions, (str, os.PathLike)):
        source = os.fspath(questions)
        with open(source, "rb") as stream:
            return read_questions(stream.read(), source), source
    return questions_of(questions), "questions"


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
    problems: list[Problem] = []
    warnings: list[str] = []
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
                problem = Problem(line=question.line, reason=str(error))
                # Several sections of one document are one thing that could be several.
                if problem not in problems:
                    problems.append(problem)
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
        message = f"Nothing that {source} names is in this index: {all_targets[0].missing}"
        raise InvalidInputError(message, hint="--path or --db names another index")
    return targets, warnings


def _gate(outcomes: Sequence[Outcome], asking: Asking) -> Gate:
    with_answer = [outcome for outcome in outcomes if outcome.expected]
    without_answer = [outcome for outcome in outcomes if not outcome.expected]
    return Gate(
        measure="gate_measure" if asking.mode == "hybrid" else "coverage",
        threshold=asking.threshold,
        split=None
        if asking.threshold is None
        else split_at(asking.threshold, _closing(with_answer), _closing(without_answer)),
        with_answer=spread([outcome.measure for outcome in with_answer]),
        without_answer=spread([outcome.measure for outcome in without_answer]),
        suggestion=suggest(_closing(with_answer), _closing(without_answer)),
    )


def _closing(outcomes: Sequence[Outcome]) -> list[float]:
    return [float("inf") if outcome.passes else outcome.measure for outcome in outcomes]

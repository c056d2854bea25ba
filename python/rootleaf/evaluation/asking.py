"""From questions to what came of them: asked some at a time, each answer judged and let go."""

from __future__ import annotations

from rootleaf.evaluation.measures import ndcg, recall, reciprocal_rank
from rootleaf.evaluation.report import CUT, Expected, FirstHit, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rootleaf.evaluation.entries import Holdings, Target
    from rootleaf.evaluation.questions import Question
    from rootleaf.searching.memory_index import MemoryIndex
    from rootleaf.types import Answer

_SHORT_CUT = 5
_SHORT_RECALL, _RECALL = f"recall@{_SHORT_CUT}", f"recall@{CUT}"
_NDCG, _MRR = f"nDCG@{CUT}", "MRR"


class Asking:
    """Questions put to one handle, and what was found of them so far.

    Args:
        memory: The handle.
        holdings: What its index holds.
        top_k: The most documents in an answer.
        budgets: Sizes in tokens, within which evidence is measured too.
        threshold: Where the gate stands; None where it is off.

    Attributes:
        outcomes: What came of each question, in order.
        values: The values of each figure, of the questions with an answer in order.
        notices: What the answers said, each once.
        measures: The names of the measures that gates look at.
    """

    def __init__(
        self,
        memory: MemoryIndex,
        holdings: Holdings,
        *,
        top_k: int,
        budgets: Sequence[int],
        threshold: float | None,
    ) -> None:
        names = (_SHORT_RECALL, _RECALL, _NDCG, _MRR, *map(_evidence_name, budgets))
        self._memory = memory
        self._holdings = holdings
        self._top_k = top_k
        self._budgets = budgets
        self._threshold = threshold
        self.outcomes: list[Outcome] = []
        self.values: dict[str, list[float]] = {name: [] for name in names}
        self.notices: dict[str, None] = {}
        self.measures: set[str] = set()

    def ask(self, asked: Sequence[Question], targets: Sequence[Mapping[str, Target]]) -> None:
        """Asks some questions; `targets` are what the entries of each name, by entry."""
        queries = [question.query for question in asked]
        answers = self._memory.search_many(queries, self._top_k, empty_gate=0)
        for question, found, answer in zip(asked, targets, answers, strict=True):
            outcome = self._outcome(question, found, answer)
            self.outcomes.append(outcome)
            self.notices.update(dict.fromkeys(answer.notices))
            if found:
                ranks = [one.rank for one in outcome.expected]
                self.values[_SHORT_RECALL].append(recall(ranks, _SHORT_CUT))
                self.values[_RECALL].append(recall(ranks, CUT))
                self.values[_NDCG].append(_ndcg(found, outcome))
                self.values[_MRR].append(reciprocal_rank(ranks))
        for budget in self._budgets:
            answers = self._memory.search_many(
                queries, self._top_k, empty_gate=0, budget_tokens=budget
            )
            self.values[_evidence_name(budget)] += [
                _evidence(found, answer)
                for found, answer in zip(targets, answers, strict=True)
                if found
            ]

    def _outcome(
        self, question: Question, targets: Mapping[str, Target], answer: Answer
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
            entry = self._holdings.name_of(hit.file_path)
            first = FirstHit(entry=entry, spans=hit.spans, score=hit.score)
        self.measures.add("coverage" if answer.mode == "keyword" else "gate_measure")
        measure = answer.best_coverage if answer.gate_measure is None else answer.gate_measure
        ranks = [one.rank for one in expected]
        return Outcome(
            line=question.line,
            name=question.name,
            query=question.query,
            mode=answer.mode,
            expected=expected,
            first=first,
            measure=measure,
            passes=answer.has_rare_identifier,
            closed=None if self._threshold is None else measure < self._threshold,
            is_miss=bool(ranks)
            and (1 not in ranks or any(rank is None or rank > CUT for rank in ranks)),
        )


def _rank(target: Target, answer: Answer) -> int | None:
    for rank, hit in enumerate(answer, 1):
        if target.is_shown(hit.file_path, hit.spans):
            return rank
    return None


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


def _evidence_name(budget_tokens: int) -> str:
    return f"evidence@{budget_tokens}"

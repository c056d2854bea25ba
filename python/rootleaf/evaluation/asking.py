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

_KEPT_BACK = ("gate_closed", "no_match")
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
        empty_gate: As `rootleaf.search` takes it.
        fusion: Likewise.

    Attributes:
        outcomes: What came of each question, in order.
        values: The values of each figure, of the questions with an answer in order.
        notices: What the answers said, each once.
        threshold: Where the gate stands; None where it is off.
    """

    def __init__(
        self,
        memory: MemoryIndex,
        holdings: Holdings,
        *,
        top_k: int,
        budgets: Sequence[int],
        empty_gate: float | None,
        fusion: str | None,
    ) -> None:
        names = (_SHORT_RECALL, _RECALL, _NDCG, _MRR, *map(_evidence_name, budgets))
        self._memory = memory
        self._holdings = holdings
        self._top_k = top_k
        self._budgets = budgets
        self._empty_gate = empty_gate
        self._fusion = fusion
        self.outcomes: list[Outcome] = []
        self.values: dict[str, list[float]] = {name: [] for name in names}
        self.notices: dict[str, None] = {}
        self.threshold: float | None = None

    @property
    def mode(self) -> str:
        """`hybrid` if any answer is, else `keyword`: what the gate is judged by."""
        modes = {outcome.mode for outcome in self.outcomes}
        return "hybrid" if "hybrid" in modes else "keyword"

    def ask(self, asked: Sequence[Question], targets: Sequence[Mapping[str, Target]]) -> None:
        """Asks some questions; `targets` are what the entries of each name, by entry."""
        queries = [question.query for question in asked]
        found = self._answers(queries, self._top_k, empty_gate=0)
        gated = self._answers(queries, 1, empty_gate=self._empty_gate)
        self.notices.update(
            dict.fromkeys(notice for answer in (*found, *gated) for notice in answer.notices)
        )
        for question, named, *answers in zip(asked, targets, found, gated, strict=True):
            outcome = self._outcome(question, named, *answers)
            self.outcomes.append(outcome)
            if named:
                ranks = [one.rank for one in outcome.expected]
                self.values[_SHORT_RECALL].append(recall(ranks, _SHORT_CUT))
                self.values[_RECALL].append(recall(ranks, CUT))
                self.values[_NDCG].append(_ndcg(named, outcome))
                self.values[_MRR].append(reciprocal_rank(ranks))
        for budget in self._budgets:
            within = self._answers(queries, self._top_k, empty_gate=0, budget_tokens=budget)
            self.values[_evidence_name(budget)] += [
                _evidence(named, answer)
                for named, answer in zip(targets, within, strict=True)
                if named
            ]

    def _answers(
        self,
        queries: Sequence[str],
        top_k: int,
        *,
        empty_gate: float | None,
        budget_tokens: int | None = None,
    ) -> list[Answer]:
        return self._memory.search_many(
            queries,
            top_k,
            empty_gate=empty_gate,
            fusion=self._fusion,
            budget_tokens=budget_tokens,
        )

    def _outcome(
        self,
        question: Question,
        targets: Mapping[str, Target],
        answer: Answer,
        gated: Answer,
    ) -> Outcome:
        """What came of a question that has one answer without a gate, and one as it stands."""
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
        if self.threshold is None:
            self.threshold = gated.gate
        ranks = [one.rank for one in expected]
        return Outcome(
            line=question.line,
            name=question.name,
            query=question.query,
            mode=answer.mode,
            expected=expected,
            first=first,
            # None where no document was admitted: there is nothing to measure.
            measure=0.0 if answer.gate_measure is None else answer.gate_measure,
            passes=answer.has_rare_identifier,
            closed=None if gated.gate is None else gated.verdict in _KEPT_BACK,
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

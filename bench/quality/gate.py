"""The gate: which questions are told "there is no answer", at one threshold for all corpora.

The gate measure of a question is the weighted sum of the best similarity and the best coverage over
its corpus. Asked are the questions that the corpus answers (*lost* where the gate shuts) and those
about something else (*kept out*), by their distance from the corpus. Corpora are the book in
chapters, conversations in turns and the same conversations in files of a session each, so that a
threshold has to hold for short and long texts alike. Beside them stand corpora of other kinds with
a few questions, which chose nothing.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rootleaf.searching.gate import RARE_CHUNKSETS

from quality.sets import book, conversations, other_corpora, searchable, sessions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rootleaf.embed.calibration import Calibration

    from quality.embedders import KeptVectors
    from quality.sets import Question

SETS = {"book": book, "conversations in turns": conversations, "conversations in files": sessions}
OTHERS = ("agent files", "large corpora")
SMALL_ENOUGH = {"minilm": ("agent files",)}
"""Of these, what an embedder is measured on for which the others take too long."""
STEP = 0.01
DISTANCES = ("near", "mid", "far")


class Measures(NamedTuple):
    """What the gate is told of one question: of its whole corpus.

    Attributes:
        similarity: The best, 0 to 1.
        coverage: Likewise.
        is_identifier: Whether the question holds a rare identifier, which passes in any case.
    """

    similarity: float
    coverage: float
    is_identifier: bool

    def weighed(self, calibration: Calibration) -> float:
        """The gate measure."""
        return (
            calibration.gate_similarity_weight * self.similarity
            + calibration.gate_coverage_weight * self.coverage
        )


def measures(
    vectors: KeptVectors | None, others: Sequence[str]
) -> dict[str, list[tuple[Question, Measures]]]:
    """By set what the gate is told of each question; without vectors all similarities are 0."""
    told: dict[str, list[tuple[Question, Measures]]] = {}
    loaders = SETS | {name: partial(other_corpora, name) for name in others}
    for name, load in loaders.items():
        asked = load()
        held = {
            corpus: searchable(one, None if vectors is None else vectors.each)
            for corpus, one in asked.corpora.items()
        }
        for question in asked.questions:
            ranking = held[question.corpus].segment.search(
                question.query,
                top_k=1,
                query_vector=None if vectors is None else vectors.embed_query(question.query),
            )
            found = Measures(
                ranking.best_similarity,
                ranking.best_coverage,
                0 < ranking.rarest_identifier <= RARE_CHUNKSETS,
            )
            told.setdefault(name, []).append((question, found))
    return told


def shut(values: Mapping[str, list[float]], threshold: float) -> dict[str, float]:
    """By kind of question the share in percent whose measure is below the threshold."""
    return {
        kind: round(100 * sum(value < threshold for value in of_kind) / len(of_kind), 1)
        for kind, of_kind in values.items()
        if of_kind
    }


def by_kind(
    told: list[tuple[Question, Measures]], calibration: Calibration
) -> dict[str, list[float]]:
    """The gate measures of `answered` questions, of those of each distance, and of `unrelated`.

    Unrelated are those that are not near: a near question is about the subject of the corpus. What
    passes by an identifier counts as infinite.
    """
    values: dict[str, list[float]] = {"answered": [], "unrelated": []}
    values.update({distance: [] for distance in DISTANCES})
    for question, found in told:
        value = math.inf if found.is_identifier else found.weighed(calibration)
        values[question.distance or "answered"].append(value)
        if question.distance in {"mid", "far"}:
            values["unrelated"].append(value)
    return values


def gate(
    kept: Mapping[str, KeptVectors | None],
    calibrations: Mapping[str, Calibration],
    thresholds: Mapping[str, float],
    *,
    with_others: bool,
) -> dict[str, Any]:
    """By way (`keyword` or an embedder): weights, threshold, shares shut by set, and the curves."""
    result: dict[str, Any] = {}
    for way, vectors in kept.items():
        calibration, threshold = calibrations[way], thresholds[way]
        others = SMALL_ENOUGH.get(way, OTHERS) if with_others else ()
        told = measures(vectors, others)
        values = {name: by_kind(of_set, calibration) for name, of_set in told.items()}
        top = max(found.weighed(calibration) for of_set in told.values() for _, found in of_set)
        steps = [round(number * STEP, 2) for number in range(int(top / STEP) + 2)]
        result[way] = {
            "similarity_weight": calibration.gate_similarity_weight,
            "coverage_weight": calibration.gate_coverage_weight,
            "threshold": threshold,
            "questions": {
                name: {kind: len(of_kind) for kind, of_kind in one.items() if of_kind}
                for name, one in values.items()
            },
            "passed_by_identifier": {
                name: {
                    kind: count
                    for kind, of_kind in one.items()
                    if (count := of_kind.count(math.inf))
                }
                for name, one in values.items()
            },
            "shut": {name: shut(one, threshold) for name, one in values.items()},
            "curves": {
                "thresholds": steps,
                "shut": {
                    name: {
                        kind: [shut({kind: of_kind}, step)[kind] for step in steps]
                        for kind, of_kind in one.items()
                        if of_kind
                    }
                    for name, one in values.items()
                },
            },
        }
    return result

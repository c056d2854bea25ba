"""When an answer is empty because nothing is close enough, and what then is said."""

from __future__ import annotations

import os

import pytest
import rootleaf
from concept_embedders import CALIBRATION, ConceptEmbedder
from rootleaf.errors import InvalidInputError
from rootleaf.searching.gate import RARE_CHUNKSETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes

UNRELATED = "brass trombone orchard permit"
CODED = f"{UNRELATED} ERR_4711"


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Forty notes about deployment, and one about fruit, with vectors of concepts."""
    files: dict[str, str | bytes] = {
        f"n{i:02}.md": f"---\nkind: step\n---\n# Step {i}\n\nship the release of day {i}\n"
        for i in range(38)
    }
    files["undo.md"] = "---\nkind: step\n---\n# Undo\n\nrollback of a failed deploy\n"
    files["code.md"] = "---\nkind: code\n---\n# Disk\n\nERR_4711 means a full disk\n"
    files["fruit.md"] = "---\nkind: fruit\n---\n# Fruit\n\napple and pear\n"
    root = notes(files)
    rootleaf.index(root, embedder=ConceptEmbedder())
    return root


def ask(root: Path, query: str, **options: object) -> rootleaf.Answer:
    """Asks by the meanings that the index was made with."""
    return rootleaf.search(query, root, **{"embedder": ConceptEmbedder(), **options})  # type: ignore[arg-type]


def test_an_unrelated_question_is_not_answered_and_a_related_one_is(root: Path) -> None:
    """By absolute measures, so that a list which always has a first does not keep the gate open."""
    closed = ask(root, UNRELATED)
    assert (closed.verdict, list(closed)) == ("gate_closed", [])
    found = ask(root, "rollback of a failed deploy")
    assert found.verdict == "answered"
    assert os.path.basename(found[0].file_path) == "undo.md"
    related = ask(root, "revert")  # no word of it stands anywhere
    assert (related.verdict, related.best_coverage) == ("answered", 0.0)
    assert found[0].score > related[0].score > found[-1].score


def test_the_measure_is_the_stated_sum_of_the_best_of_either_list(root: Path) -> None:
    """Not of one chunkset: the most similar and the one with most words may be two."""
    answer = ask(root, "pear release", top_k=1)
    weights = CALIBRATION.gate_similarity_weight, CALIBRATION.gate_coverage_weight
    assert answer.best_similarity is not None
    expected = weights[0] * answer.best_similarity + weights[1] * answer.best_coverage
    assert answer.gate_measure == pytest.approx(expected, abs=1e-12)
    assert answer.gate == CALIBRATION.gate


def test_an_empty_answer_tells_what_was_below_the_gate(root: Path) -> None:
    """How close it came, the threshold, and how many documents the gate has held back: all."""
    answer = ask(root, "pear trombone orchard permit", empty_gate=1.5)
    assert answer.verdict == "gate_closed"
    assert answer.gate_measure is not None
    assert 0.9 < answer.gate_measure < 1.5
    assert (answer.gate, answer.omitted.hits) == (1.5, 41)
    assert answer.best_score is not None
    again = ask(root, "pear trombone orchard permit", empty_gate=answer.gate_measure)
    assert (again.verdict, len(again)) == ("answered", 5)


def test_an_argument_comes_before_the_environment_before_the_model(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And 0 is no gate, wherever it comes from."""
    assert ask(root, UNRELATED).gate == 0.5
    monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", "0.75")
    assert ask(root, UNRELATED).gate == 0.75
    assert ask(root, UNRELATED, empty_gate=0.25).gate == 0.25
    monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", "0")
    assert ask(root, "pear").gate is None
    assert ask(root, "pear").notices == ()
    monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", "high")
    with pytest.raises(InvalidInputError, match="ROOTLEAF_EMPTY_GATE is 'high'"):
        ask(root, "pear")


@pytest.mark.parametrize("gate", [-0.1, float("nan"), float("inf"), "0.5", True])
def test_a_threshold_that_is_none_is_refused(root: Path, gate: object) -> None:
    """The message names the argument and how a gate is turned off."""
    with pytest.raises(InvalidInputError, match="empty_gate must be") as refused:
        ask(root, "pear", empty_gate=gate)
    assert refused.value.hint == "empty_gate=0 turns the gate off"


def test_it_reads_what_the_filter_leaves(root: Path) -> None:
    """A close match that is filtered out opens no gate, in any mode."""
    for options in ({}, {"embedder": "none", "empty_gate": 0.1}):
        assert ask(root, "apple pear", **options).verdict == "answered"
        filtered = ask(root, "apple pear and a full release", where={"kind": "step"}, **options)
        alone = ask(root, "apple pear and a full release", where={"kind": "fruit"}, **options)
        assert filtered.gate_measure is not None
        assert alone.gate_measure is not None
        assert filtered.gate_measure < alone.gate_measure
    assert ask(root, "apple pear", where={"kind": "step"}).verdict == "gate_closed"
    assert ask(root, CODED, where={"kind": "step"}).verdict == "gate_closed"


def test_by_keyword_alone_there_is_no_gate_unless_it_is_asked_for(root: Path) -> None:
    """Its measure is the best coverage."""
    open_gate = ask(root, "trombone orchard permit rollback", embedder="none")
    assert (open_gate.verdict, open_gate.gate, open_gate.mode) == ("answered", None, "keyword")
    assert open_gate.gate_measure == open_gate.best_coverage
    closed = ask(root, "trombone orchard permit rollback", embedder="none", empty_gate=0.9)
    assert (closed.verdict, closed.gate) == ("gate_closed", 0.9)


def test_a_model_without_calibration_has_no_gate_and_says_so(root: Path) -> None:
    """Until a threshold is set, 0 among them."""
    embedder = ConceptEmbedder(calibration=None)
    answer = ask(root, "revert", embedder=embedder)
    assert (answer.verdict, answer.gate) == ("answered", None)
    (notice,) = answer.notices
    assert "--empty-gate" in notice
    assert ask(root, "revert", embedder=embedder, empty_gate=0).notices == ()
    closed = ask(root, UNRELATED, embedder=embedder, empty_gate=3)
    assert (closed.gate, closed.notices) == (3, ())


def test_a_threshold_of_a_sum_is_not_held_against_coverage_alone(root: Path) -> None:
    """Where an answer loses its meaning on the way, the gate goes with it, and a notice says so."""

    def fail(text: str) -> bytes:
        raise RuntimeError(text)

    embedder = ConceptEmbedder()
    embedder.answer_with = fail
    answer = ask(root, "rollback orchard", embedder=embedder, empty_gate=1.4)
    assert (answer.verdict, answer.mode, answer.gate) == ("answered", "keyword", None)
    assert [notice for notice in answer.notices if "gate of 1.4" in notice]
    quiet = ask(root, "rollback orchard", embedder=embedder)
    assert (quiet.verdict, len(quiet.notices)) == ("answered", 1)


def test_an_exact_match_of_a_rare_identifier_passes(root: Path) -> None:
    """Whatever else was asked; the words of a sentence do not, however rare they are."""
    answer = ask(root, CODED, empty_gate=9)
    assert (answer.verdict, answer.has_rare_identifier) == ("answered", True)
    assert os.path.basename(answer[0].file_path) == "code.md"
    assert answer.gate_measure is not None
    assert answer.gate_measure < 9
    for query in (f"{UNRELATED} disk", f"{UNRELATED} err", f"{UNRELATED} ERR_4712"):
        assert ask(root, query, empty_gate=9).verdict == "gate_closed"


def test_an_identifier_that_is_everywhere_does_not_pass(notes: WriteNotes) -> None:
    """A handful of chunksets is the limit."""
    for count, verdict in ((RARE_CHUNKSETS, "answered"), (RARE_CHUNKSETS + 1, "gate_closed")):
        root = notes({f"{i}.md": f"# N\n\nport 9100 of room {i}\n" for i in range(count)})
        rootleaf.index(root, embedder=ConceptEmbedder())
        assert ask(root, "sticker trombone 9100", empty_gate=9).verdict == verdict


def test_the_gate_comes_before_min_score_and_before_what_fits(root: Path) -> None:
    """One verdict, that of the first that closes."""
    assert ask(root, UNRELATED, min_score=1.0).verdict == "gate_closed"
    assert ask(root, UNRELATED, top_k=0).verdict == "gate_closed"
    scored = ask(root, "apple", min_score=1.0)
    assert (scored.verdict, scored.gate_measure is not None) == ("below_min_score", True)
    assert scored.best_score is not None
    assert 0 < scored.best_score < 1
    assert ask(root, "apple", where={"kind": "none"}).verdict == "filter_matched_nothing"
    assert ask(root, "apple", where={"kind": "none"}).gate_measure is None


def test_a_handle_and_many_questions_at_once_have_the_same_gate(root: Path) -> None:
    """Field by field, but for the time."""
    queries = ["rollback", UNRELATED, CODED, "", "apple pear"]
    options = {"empty_gate": 0.6, "where": {"kind": ["step", "code"]}}
    expected = [ask(root, query, **options).to_json() for query in queries]
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=ConceptEmbedder()) as memory:
        one_by_one = [memory.search(query, **options).to_json() for query in queries]  # type: ignore[arg-type]
        at_once = [one.to_json() for one in memory.search_many(queries, **options)]  # type: ignore[arg-type]
    for answers in (expected, one_by_one, at_once):
        for answer in answers:
            del answer["took_ms"]
    assert expected == one_by_one == at_once

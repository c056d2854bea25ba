"""What an evaluation says of a small index, worked by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
import rootleaf
from rootleaf.embed.calibration import Calibration
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import EmbedderError, InvalidInputError, NotIndexedError

if TYPE_CHECKING:
    from pathlib import Path

    from rootleaf import Evaluation

    Rows = list[dict[str, Any]]

pytestmark = pytest.mark.usefixtures("without_vectors")

FILES = {
    "lever.md": (
        "# Machine\n\nHow it works.\n\n## Start\n\nTurn the brass key.\n\n"
        "## Stop\n\n### In haste\n\nPull the crimson lever.\n\n### At leisure\n\nWait for dusk.\n"
    ),
    "garden.md": "# Garden\n\nRoses need crimson ribbons and a lever of their own.\n",
    "kitchen.md": "# Kitchen\n\nThe kettle sings.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three documents, indexed."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    rootleaf.index(tmp_path)
    return tmp_path


def one(root: Path, query: str, relevant: Any, **options: Any) -> Evaluation:
    """The evaluation of a single question."""
    return rootleaf.evaluate([{"query": query, "relevant": relevant}], root, **options)


def means(found: Evaluation) -> dict[str, float]:
    """Each figure's mean."""
    return {name: figure.mean for name, figure in found.figures.items()}


def test_a_document_is_found_at_the_rank_of_its_hit(root: Path) -> None:
    """The second hit: recall 1, reciprocal rank 1/2, nDCG 1/log2(3)."""
    query = "crimson lever"
    paths = [hit.file_path.rpartition("/")[2] for hit in rootleaf.search(query, root)]
    assert len(paths) == 2
    found = one(root, query, [paths[1]])
    assert means(found) == {
        "recall@5": 1,
        "recall@10": 1,
        "nDCG@10": pytest.approx(1 / math.log2(3)),
        "MRR": 0.5,
    }
    (miss,) = found.misses
    assert miss.first is not None
    assert miss.first.entry == paths[0]


def test_a_section_is_found_where_its_own_text_is_shown(root: Path) -> None:
    """Its document is not enough, nor is its heading above the text of another section."""
    for headings, rank in (
        ("machine/stop/in-haste", 1),
        ("machine/stop/at-leisure", None),
        ("machine/start", None),
        # Its own text is not shown, only its heading.
        ("machine", None),
        # It has no text of its own: its heading stands for it.
        ("machine/stop", 1),
    ):
        (outcome,) = one(root, "pull crimson", [f"lever.md#{headings}"]).outcomes
        assert outcome.expected[0].rank == rank, headings


def test_sections_of_one_document_gain_together_and_never_beyond_the_ideal(root: Path) -> None:
    """A hit gains what it shows; the best ranking would show all of the document at once."""
    both = {"lever.md#machine/stop/in-haste": 2, "lever.md#machine/start": 2}
    found = one(root, "crimson lever brass key", both)
    assert means(found)["nDCG@10"] == 1
    assert means(found)["recall@5"] == 1
    half = {"lever.md#machine/stop/in-haste": 1, "lever.md#machine/stop/at-leisure": 3}
    found = one(root, "pull crimson", half)
    assert means(found)["nDCG@10"] == 0.25
    assert means(found)["recall@10"] == 0.5
    assert means(found)["MRR"] == 1
    # Something that was expected is nowhere: that is a miss, though the first hit is right.
    assert len(found.misses) == 1


def test_evidence_is_what_an_answer_within_the_budget_shows(root: Path) -> None:
    """A budget that has room for one passage shows one of two."""
    both = ["lever.md#in-haste", "garden.md"]
    whole = rootleaf.search("crimson lever", root, budget_tokens=500)
    cut = rootleaf.search("crimson lever", root, budget_tokens=24)
    assert (len(whole), len(cut)) == (2, 1)
    found = one(root, "crimson lever", both, budgets=(24, 500))
    assert means(found)["evidence@24"] == 0.5
    assert means(found)["evidence@500"] == 1
    assert means(found)["recall@5"] == 1


def test_a_miss_says_what_came_first_instead_or_that_nothing_did(root: Path) -> None:
    """In order of the questions; what is right is not among them."""
    rows: Rows = [
        {"query": "kettle", "relevant": ["kitchen.md"]},
        {"query": "kettle", "relevant": ["garden.md"]},
        {"query": "zeppelin", "relevant": ["garden.md"]},
        {"query": "zeppelin"},
    ]
    found = rootleaf.evaluate(rows, root)
    kettle, zeppelin = found.misses
    assert (kettle.line, zeppelin.line) == (2, 3)
    assert kettle.first is not None
    assert kettle.first.place == "kitchen.md:1-3"
    assert zeppelin.first is None
    assert (found.with_answer, found.without_answer) == (3, 1)


def test_figures_are_means_over_the_questions_with_an_answer_alone(root: Path) -> None:
    """A question that nothing answers has no recall."""
    rows: Rows = [{"query": "kettle", "relevant": ["kitchen.md"]}, {"query": "kettle"}]
    assert set(means(rootleaf.evaluate(rows, root)).values()) == {1}
    assert rootleaf.evaluate(rows[1:], root).figures == {}


def test_the_gate_is_judged_where_it_is_said_to_stand(root: Path) -> None:
    """By the measure of each question; a question below the threshold is closed."""
    rows: Rows = [
        {"query": "kettle sings", "relevant": ["kitchen.md"]},
        {"query": "crimson zeppelin of the moon", "relevant": ["garden.md"]},
        {"query": "the sings of zeppelins"},
        {"query": "submarine"},
    ]
    off = rootleaf.evaluate(rows, root, empty_gate=0)
    assert off.gate.threshold is None
    assert off.gate.split is None
    assert [outcome.closed for outcome in off.outcomes] == [None] * 4
    measures = [outcome.measure for outcome in off.outcomes]
    assert measures[0] > measures[1] > measures[3] == 0
    threshold = (measures[0] + max(measures[1:])) / 2
    found = rootleaf.evaluate(rows, root, empty_gate=threshold)
    split = found.gate.split
    assert split is not None
    assert (split.kept, split.lost, split.suppressed, split.let_through) == (1, 1, 2, 0)
    assert [outcome.closed for outcome in found.outcomes] == [False, True, True, True]
    # The ranking is measured with the gate off.
    assert found.figures == off.figures


def test_the_same_questions_have_the_same_figures(root: Path) -> None:
    """Intervals too; only the time differs."""
    rows: Rows = [
        {"query": query, "relevant": ["garden.md"]} for query in ("roses", "kettle", "key")
    ]
    first, second = (rootleaf.evaluate(rows, root).to_json() for _ in range(2))
    assert first.pop("took_ms") >= 0
    del second["took_ms"]
    assert first == second


def test_an_evaluation_only_reads(root: Path) -> None:
    """No file beside the index or below the root is made or changed."""

    def state() -> dict[Path, bytes]:
        files = (path for path in root.rglob("*") if path.is_file())
        # SQLite's own, which every reader of a log makes.
        kept = (path for path in files if not path.name.endswith(("-wal", "-shm")))
        return {path: path.read_bytes() for path in kept}

    before = state()
    one(root, "kettle", ["kitchen.md"], budgets=(100,))
    assert state() == before


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"top_k": 5}, "top_k must be 10 or more"),
        ({"budgets": [0]}, "a budget must be 1 or more"),
        ({"empty_gate": -1}, "empty_gate must be"),
        ({"empty_gate": float("nan")}, "empty_gate must be"),
        ({"empty_gate": "high"}, "empty_gate must be"),
    ],
)
def test_wrong_arguments_are_named(root: Path, options: dict[str, Any], named: str) -> None:
    """As by every function."""
    with pytest.raises(InvalidInputError, match=named):
        one(root, "kettle", ["kitchen.md"], **options)


def test_a_file_of_questions_is_taken_by_its_path(root: Path) -> None:
    """As the command line takes it; and without an index there is nothing to ask."""
    path = root / "questions.jsonl"
    path.write_text('{"query": "kettle", "relevant": ["kitchen.md"]}\n')
    assert rootleaf.evaluate(path, root).with_answer == 1
    with pytest.raises(NotIndexedError):
        rootleaf.evaluate(str(path), root.parent / "elsewhere")
    with pytest.raises(FileNotFoundError):
        rootleaf.evaluate(root / "absent.jsonl", root)


def test_progress_is_told_to_the_end_and_many_questions_are_as_few(root: Path) -> None:
    """They are asked some at a time, whose answers are not those of others."""
    steps: list[tuple[int, int]] = []
    rows: Rows = [
        {"query": query, "relevant": [f"{name}.md"]}
        for query, name in (("kettle", "kitchen"), ("roses", "garden"), ("dusk", "kitchen"))
    ]
    found = rootleaf.evaluate(
        rows * 50, root, budgets=(100,), on_progress=lambda *step: steps.append(step)
    )
    assert steps[-1] == (150, 150)
    assert steps == sorted(set(steps))
    few = rootleaf.evaluate(rows, root, budgets=(100,))
    assert means(found) == pytest.approx(means(few))
    assert len(found.misses) == 50


def test_an_index_that_changes_meanwhile_is_warned_of(root: Path) -> None:
    """Figures would be of no one state of it."""

    def change(done: int, _total: int) -> None:
        (root / "late.md").write_text(f"# Late\n\nThe kettle sang {done} times.\n")
        rootleaf.index(root)

    rows: Rows = [{"query": "kettle", "relevant": ["kitchen.md"]}]
    assert rootleaf.evaluate(rows, root).warnings == ()
    (warning,) = rootleaf.evaluate(rows, root, on_progress=change).warnings
    assert "changed while it was asked" in warning


GATED: Rows = [
    {"query": "kettle sings", "relevant": ["kitchen.md"]},
    {"query": "crimson zeppelin of the moon", "relevant": ["garden.md"]},
    {"query": "ERR_4711 in the submarine opera of zeppelins", "relevant": ["errors.md"]},
    {"query": "the sings of zeppelins"},
    {"query": "submarine"},
]


@pytest.mark.parametrize("threshold", [None, 0.0, 0.1, 0.3, 5.0])
def test_a_question_is_closed_where_a_search_answers_nothing(
    root: Path, threshold: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the threshold is given or a setting; and counts are those of what is closed."""
    (root / "errors.md").write_text("# Errors\n\nERR_4711 means that the tank is dry.\n")
    rootleaf.index(root)
    given = rootleaf.evaluate(GATED, root, empty_gate=threshold)
    if threshold is not None:
        monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", str(threshold))
        assert rootleaf.evaluate(GATED, root).gate == given.gate
    assert given.gate.threshold == (threshold or None)
    if not threshold:
        assert given.gate.split is None
        return
    for outcome in given.outcomes:
        assert outcome.closed is not bool(rootleaf.search(outcome.query, root)), outcome.query
    split = given.gate.split
    assert split is not None
    closed = [outcome for outcome in given.outcomes if outcome.closed]
    assert split.lost == sum(bool(outcome.expected) for outcome in closed)
    assert split.suppressed == sum(not outcome.expected for outcome in closed)
    # A rare identifier is answered whatever the threshold, and no threshold loses it.
    assert [outcome.passes for outcome in given.outcomes] == [False, False, True, False, False]
    assert given.outcomes[2].closed is False


def test_an_embedder_that_fails_now_and_then_is_said_and_kept_out_of_the_gate(root: Path) -> None:
    """Measures of words alone are of another kind."""

    class Moody(FakeEmbedder):
        def embed_query(self, text: str) -> bytes:
            if "sings" in text:
                message = "I have no voice"
                raise EmbedderError(message)
            return bytes(super().embed_query(text))

    embedder = Moody()
    rootleaf.index(root, embedder=embedder)
    found = rootleaf.evaluate(GATED[:2] + GATED[3:], root, embedder=embedder)
    assert found.mode == "hybrid"
    assert [outcome.mode for outcome in found.outcomes] == ["keyword", "hybrid"] * 2
    assert any("2 of 4 questions were answered by words alone" in one for one in found.warnings)
    assert any("I have no voice" in notice for notice in found.notices)
    assert found.gate.measure == "gate_measure"
    assert found.gate.with_answer is not None
    assert found.gate.with_answer.count == 1
    assert rootleaf.evaluate(GATED, root, embedder="none").mode == "keyword"


def test_fusion_is_passed_through(root: Path) -> None:
    """Sums of reciprocal ranks are far below 1; another name is refused as by a search."""
    (outcome,) = one(root, "kettle", ["kitchen.md"], fusion="rrf").outcomes
    assert outcome.first is not None
    assert outcome.first.score == rootleaf.search("kettle", root, fusion="rrf")[0].score
    with pytest.raises(InvalidInputError, match="fusion must be"):
        one(root, "kettle", ["kitchen.md"], fusion="sum")


def test_the_gate_of_the_model_is_the_one_that_is_judged(root: Path) -> None:
    """Its calibration has weights and a threshold; 0 turns it off."""
    calibration = Calibration(similarity_weight=0.5, gate_coverage_weight=2.0, gate=0.9)
    embedder = FakeEmbedder(calibration=calibration)
    rootleaf.index(root, embedder=embedder)
    found = rootleaf.evaluate(GATED, root, embedder=embedder)
    assert found.gate.threshold == 0.9
    for outcome in found.outcomes:
        answer = rootleaf.search(outcome.query, root, embedder=embedder, empty_gate=0)
        assert outcome.measure == answer.gate_measure
        assert outcome.measure == pytest.approx(
            (answer.best_similarity or 0.0) + 2 * answer.best_coverage
        )
    assert rootleaf.evaluate(GATED, root, embedder=embedder, empty_gate=0).gate.threshold is None

"""The page on quality is made of the result, and the result is of the numbers in use.

It is no worse than what was set out for.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf.embed import builtin, calibration, minilm

if TYPE_CHECKING:
    from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "docs" / "quality.md"
RESULT = REPOSITORY / "bench" / "results" / "quality.json"


def program(name: str) -> ModuleType:
    """A module of the benchmark that needs nothing but the standard library."""
    path = REPOSITORY / "bench" / "quality" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"quality_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def result() -> Any:
    """The result that the page is made of."""
    return json.loads(RESULT.read_text(encoding="utf-8"))


def test_tables_are_those_of_the_result() -> None:
    """A table that was edited, or a result that was measured anew, makes the page stale."""
    page = PAGE.read_text(encoding="utf-8")
    made = program("page").updated(page, result())
    assert page == made, "python bench/quality --page bench/results/quality.json writes it anew"


def test_every_table_stands_on_the_page() -> None:
    """No section that can be made is left out, and none is marked that cannot."""
    module = program("page")
    marked = [found[2] for found in module.SECTION.finditer(PAGE.read_text(encoding="utf-8"))]
    assert sorted(marked) == sorted(module.SECTIONS)


def test_a_changed_figure_is_noticed() -> None:
    """Each table changes with a figure of its own part."""
    page = PAGE.read_text(encoding="utf-8")
    changed = result()
    changed["rankings"]["book"]["ways"]["builtin"]["nDCG@10"]["mean"] += 0.001
    assert program("page").updated(page, changed) != page


def test_the_picture_is_that_of_the_result() -> None:
    """Likewise the picture of the gate."""
    shown = (REPOSITORY / "docs" / "gate.svg").read_text(encoding="utf-8")
    assert shown == program("picture").picture(result()["gate"]), (
        "python bench/quality --page bench/results/quality.json draws it anew"
    )


@pytest.mark.parametrize(
    ("way", "stated", "threshold"),
    [
        ("keyword", calibration.KEYWORD, calibration.KEYWORD_GATE),
        ("builtin", builtin.CALIBRATION, builtin.CALIBRATION.gate),
        ("minilm", minilm.CALIBRATION, minilm.CALIBRATION.gate),
    ],
)
def test_the_gate_was_measured_with_the_numbers_in_use(
    way: str, stated: calibration.Calibration, threshold: float | None
) -> None:
    """Who changes a weight or a threshold measures anew."""
    measured = result()["gate"][way]
    assert measured["similarity_weight"] == stated.gate_similarity_weight
    assert measured["coverage_weight"] == stated.gate_coverage_weight
    assert measured["threshold"] == threshold


def test_the_rankings_were_measured_with_the_weights_in_use() -> None:
    """Likewise the weight of similarity in the score."""
    assert result()["similarity_weights"] == {
        "builtin": builtin.CALIBRATION.similarity_weight,
        "minilm": minilm.CALIBRATION.similarity_weight,
    }


@pytest.mark.parametrize(
    ("name", "way", "ndcg", "recall"),
    [
        ("conversations", "keyword", 0.52, 0.65),
        ("conversations", "builtin", 0.545, 0.68),
        ("conversations", "minilm", 0.55, 0.70),
        ("book", "keyword", 0.67, 0.83),
        ("book", "builtin", 0.72, 0.84),
        ("book", "minilm", 0.80, 0.94),
    ],
)
def test_rankings_are_as_good_as_promised(name: str, way: str, ndcg: float, recall: float) -> None:
    """Means of nDCG@10 and recall@10, with one configuration for all sets."""
    figures = result()["rankings"][name]["ways"][way]
    assert figures["nDCG@10"]["mean"] >= ndcg
    assert figures["recall@10"]["mean"] >= recall


@pytest.mark.parametrize(("way", "shut", "lost"), [("builtin", 95, 4), ("minilm", 99, 3)])
def test_the_gate_is_as_good_as_promised(way: str, shut: float, lost: float) -> None:
    """At one threshold: unrelated questions shut out, answered ones lost, in percent."""
    by_set = result()["gate"][way]["shut"]
    assert by_set["book"]["far"] >= shut
    for name in ("conversations in turns", "conversations in files"):
        assert by_set[name]["unrelated"] >= shut
    for name in ("book", "conversations in turns", "conversations in files"):
        assert by_set[name]["answered"] <= lost

"""The tables and the picture of docs/quality.md are those of the result they are made of."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

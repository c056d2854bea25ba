"""Every promise that the tables name has a test, by a name that is still there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
SECTIONS = {
    "indexing": [
        "Calling it",
        "What is indexed",
        "What changes cost",
        "What a run may not do",
        "Documents that are gone",
        "Forgetting a directory",
        "Status",
        "Chunks for other programs",
    ],
    "metadata": [
        "Metadata",
        "Path rules",
        "Front matter",
        "Filters",
        "Refusals",
        "Rules under another name",
    ],
    "searching": ["Ranking", "The gate", "The answer", "Embedders"],
}


def read_tables(page: str) -> dict[str, list[tuple[str, str]]]:
    """The rows below each heading of a page: what is promised, and the test as it is written."""
    found: dict[str, list[tuple[str, str]]] = {}
    rows: list[tuple[str, str]] = []
    for line in (HERE / f"{page}.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            rows = found.setdefault(line.removeprefix("## "), [])
        elif line.startswith("|"):
            promise, test = (cell.strip() for cell in line.strip("|").split("|"))
            rows.append((promise, test))
    return found


ROWS = [
    (promise, test)
    for page in SECTIONS
    for rows in read_tables(page).values()
    for promise, test in rows[2:]
]


@cache
def names_in(path: Path) -> set[str]:
    """The names of all tests of a file, parametrised ones among them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("page", SECTIONS)
def test_every_section_has_promises(page: str) -> None:
    """No table is empty, each has its two columns, and no promise is written twice."""
    tables = read_tables(page)
    assert [name for name, rows in tables.items() if rows] == SECTIONS[page]
    for name in SECTIONS[page]:
        head, line, *rows = tables[name]
        assert (head, line) == (("promise", "test"), ("---", "---"))
        assert rows
        promises = [promise for promise, _ in rows]
        assert all(promises)
        assert len(set(promises)) == len(promises)


@pytest.mark.parametrize(("promise", "test"), ROWS)
def test_the_test_of_a_promise_is_there(promise: str, test: str) -> None:
    """By file and name."""
    found = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", test)
    assert found, f"{promise}: {test} is no test"
    path = REPOSITORY / found[1]
    assert path.is_file(), f"{promise}: there is no {found[1]}"
    assert found[2] in names_in(path), f"{promise}: {found[1]} has no {found[2]}"

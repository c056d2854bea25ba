"""An entry names one document or section of the index, or is refused or told the nearest."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING, Literal

import pytest
import rootleaf
from rootleaf.errors import InvalidInputError, QuestionsError
from rootleaf.evaluation.sections import slug

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    Rows = list[dict[str, Any]]

HANDBOOK = {
    "deploy.md": (
        "# Deploy\n\nShips on Monday.\n\n## Undo\n\nPress the red lever.\n\n"
        "## Contacts\n\n### Desk\n\nAsk the desk.\n"
    ),
    "guide/setup.md": "# Setup\n\nUnpack the crate.\n\n## Undo\n\nPack it again.\n",
    "odd#name.md": "# Odd\n\nA sign in a path.\n",
    "twice.md": "# Twice\n\n## Example\n\nalpha\n\n## Other\n\nbeta\n\n## Example\n\ngamma\n",
}
JOURNAL = {
    "deploy.md": "# Journal of deployments\n\nNothing shipped.\n",
    "may/monday.md": "# Monday\n\nRain.\n",
}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """One database of two roots, which share a relative path."""
    database = tmp_path / "shared.db"
    for root, files in (("handbook", HANDBOOK), ("journal", JOURNAL)):
        for name, text in files.items():
            path = tmp_path / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        rootleaf.index(tmp_path / root, db_path=database)
    return database


def rank(db: Path, query: str, entry: str) -> int | None:
    """Where an entry came for a query."""
    found = rootleaf.evaluate([{"query": query, "relevant": [entry]}], db_path=db)
    (outcome,) = found.outcomes
    (expected,) = outcome.expected
    assert expected.missing is None
    return expected.rank


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        ("unpack the crate", "guide/setup.md"),
        ("unpack the crate", "./guide//setup.md"),
        ("unpack the crate", "setup.md"),
        ("unpack the crate", "handbook/guide/setup.md"),
        ("ships on monday", "handbook/deploy.md"),
        ("a sign in a path", "odd#name.md"),
        ("a sign in a path", "odd#name.md#odd"),
        ("red lever", "handbook/deploy.md#deploy/undo"),
        ("red lever", "handbook/deploy.md#Deploy/Undo"),
        ("red lever", "handbook/deploy.md#undo"),
        ("ask the desk", "handbook/deploy.md#deploy/contacts/desk"),
    ],
)
def test_a_path_is_found_below_a_root_or_by_its_end(db: Path, query: str, entry: str) -> None:
    """And a section by its headings from the title down, or by the last of them."""
    assert rank(db, query, entry) == 1


def test_an_absolute_path_is_taken_as_it_is(db: Path) -> None:
    """The path of a document as answers have it."""
    path = os.path.realpath(db.parent / "journal" / "deploy.md")
    assert rank(db, "nothing shipped", path) == 1


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_may_be_spelled_as_file_systems_or_as_keyboards_do(
    tmp_path: Path, form: Literal["NFC", "NFD"]
) -> None:
    """Some keep letter and accent apart, which nobody types; headings likewise."""
    words = unicodedata.normalize(form, "Überführung")
    (tmp_path / f"{words}.md").write_text(f"# {words}\n\nAcross the river.\n", encoding="utf-8")
    rootleaf.index(tmp_path)
    entry = unicodedata.normalize("NFC", f"{words}.md#{words}")
    found = rootleaf.evaluate([{"query": "river", "relevant": [entry]}], tmp_path)
    assert found.outcomes[0].expected[0].rank == 1


@pytest.mark.parametrize(
    ("entry", "choices"),
    [
        ("deploy.md", ("handbook/deploy.md", "journal/deploy.md")),
        ("deploy.md#undo", ("handbook/deploy.md", "journal/deploy.md")),
    ],
)
def test_what_could_be_several_things_is_refused_and_they_are_named(
    db: Path, entry: str, choices: tuple[str, ...]
) -> None:
    """With the line, before anything is asked."""
    rows: Rows = [{"query": "x"}, {"query": "ships", "relevant": [entry]}]
    with pytest.raises(QuestionsError) as raised:
        rootleaf.evaluate(rows, db_path=db)
    (problem,) = raised.value.problems
    assert problem.startswith("line 2: deploy.md could be ")
    for choice in choices:
        assert choice in problem


def test_one_thing_that_could_be_several_is_named_once_for_a_line(db: Path) -> None:
    """However many of its sections the line names; and lines are counted, not problems."""
    rows: Rows = [
        {"query": "x", "relevant": ["deploy.md#undo", "deploy.md#ship", "deploy.md"]},
        {"query": "y", "relevant": ["deploy.md"]},
    ]
    with pytest.raises(QuestionsError, match="2 lines are wrong") as raised:
        rootleaf.evaluate(rows, db_path=db)
    assert [problem[:7] for problem in raised.value.problems] == ["line 1:", "line 2:"]


def test_headings_that_end_alike_have_to_be_told_apart(tmp_path: Path) -> None:
    """The end of a path of headings does where only one has it."""
    (tmp_path / "a.md").write_text(
        "# A\n\n## One\n\n### Notes\n\nfirst\n\n## Two\n\n### Notes\n\nsecond\n"
    )
    rootleaf.index(tmp_path)
    with pytest.raises(QuestionsError, match="#a/one/notes or #a/two/notes"):
        rootleaf.evaluate([{"query": "x", "relevant": ["a.md#notes"]}], tmp_path)
    found = rootleaf.evaluate([{"query": "second", "relevant": ["a.md#two/notes"]}], tmp_path)
    assert found.outcomes[0].expected[0].rank == 1


def test_sections_of_one_path_are_one_section(db: Path) -> None:
    """Two headings of the same words under the same parent cannot be told apart by their path."""
    for query in ("alpha", "gamma"):
        assert rank(db, query, "twice.md#twice/example") == 1


@pytest.mark.parametrize(
    ("entry", "nearest"),
    [
        ("guide/setpu.md", "guide/setup.md"),
        ("other/place/Setup.MD", "guide/setup.md"),
        ("setup", "guide/setup.md"),
        ("guide/setup.md#setup/undoo", "setup/undo"),
        ("guide/setup.md#install/undo", "setup/undo"),
    ],
)
def test_what_the_index_does_not_hold_is_warned_of_with_the_nearest(
    db: Path, entry: str, nearest: str
) -> None:
    """It counts as not found: the index has no answer there."""
    rows: Rows = [
        {"query": "unpack the crate", "relevant": ["setup.md"]},
        {"query": "pack it again", "relevant": [entry]},
    ]
    found = rootleaf.evaluate(rows, db_path=db)
    (warning,) = found.warnings
    assert "line 2: the index holds no " in warning
    assert re.search(rf"; nearest: {re.escape(nearest)}(,|$)", warning)
    assert found.outcomes[1].expected[0].rank is None
    assert found.figures["recall@10"].mean == 0.5


def test_an_index_that_holds_nothing_of_the_questions_is_the_wrong_one(db: Path) -> None:
    """Figures of zero would say that of the index, not of the questions."""
    rows: Rows = [{"query": "x", "relevant": ["nowhere.md"]}, {"query": "y"}]
    with pytest.raises(
        InvalidInputError, match=r"Nothing that questions names.*nowhere\.md"
    ) as raised:
        rootleaf.evaluate(rows, db_path=db)
    assert raised.value.hint is not None
    assert "--db" in raised.value.hint


def test_two_spellings_of_one_thing_count_once(db: Path) -> None:
    """Else one document would be two answers."""
    rows: Rows = [{"query": "unpack the crate", "relevant": {"setup.md": 1, "guide/setup.md": 2}}]
    found = rootleaf.evaluate(rows, db_path=db)
    assert len(found.outcomes[0].expected) == 1
    assert found.figures["nDCG@10"].mean == 1


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Undo", "undo"),
        ("  Wait -- what?!  ", "wait-what"),
        ("`snake_case` & Box<T>", "snake-case-box-t"),
        ("Straße №7 日本語", "straße-7-日本語"),
        ("???", ""),
    ],
)
def test_a_heading_is_spelled_in_lower_case_letters_and_digits(heading: str, expected: str) -> None:
    """Every run of anything else is one `-`; there is none at the ends."""
    assert slug(heading) == expected

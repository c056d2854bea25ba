"""Names in either Unicode form."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from rootleaf.documents.globs import Glob
from rootleaf.documents.spelling import composed, other_spelling, spelled_on_disk

if TYPE_CHECKING:
    from pathlib import Path

CAFE = "Café"
CAFE_APART = unicodedata.normalize("NFD", CAFE)


def test_both_forms_are_one_when_composed() -> None:
    """And text without accents is itself."""
    assert composed(CAFE) == composed(CAFE_APART) == CAFE
    assert composed("plain") == "plain"


def test_the_other_spelling_is_the_only_one_there_is() -> None:
    """Of none and of two there is no other; ASCII has none."""
    assert other_spelling(CAFE, ["x", CAFE_APART, "y"]) == CAFE_APART
    assert other_spelling(CAFE, ["x"]) is None
    assert other_spelling(CAFE, [CAFE, CAFE_APART]) is None
    assert other_spelling("x", ["x"]) is None


def test_a_path_is_spelled_as_the_disk_has_it(tmp_path: Path) -> None:
    """Part by part; what is there as given, or not at all, stays as given."""
    (tmp_path / CAFE_APART / "über").mkdir(parents=True)
    root = str(tmp_path)
    above = unicodedata.normalize("NFD", "über")
    assert spelled_on_disk(root, f"{CAFE}/{above}/a.md") == f"{CAFE_APART}/über/a.md"
    assert spelled_on_disk(root, f"absent/{CAFE}/a.md") == f"absent/{CAFE}/a.md"
    assert spelled_on_disk(root, "a.md") == "a.md"


@pytest.mark.parametrize("glob", [f"{CAFE}/*.md", f"{CAFE_APART}/*.md", "Caf?/**", "Caf[é]/x.md"])
def test_a_glob_matches_either_form(glob: str) -> None:
    """Of a path, and of the directories that lead to it."""
    for form in ("NFC", "NFD"):
        directory = unicodedata.normalize(form, CAFE)
        assert Glob(unicodedata.normalize(form, glob)).matches(f"{directory}/x.md")
        assert Glob(glob).matches(f"{directory}/x.md")
        assert Glob(glob).may_match_below(directory)

"""Names in either Unicode form."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest
from rootleaf.documents.globs import Glob
from rootleaf.documents.spelling import composed, is_listed, other_spelling, spelled_on_disk

if TYPE_CHECKING:
    from collections.abc import Collection
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


def test_each_directory_is_listed_once_for_many_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of its names are asked for; the answers are those of asking each alone."""
    (tmp_path / "d").mkdir()
    for number in range(20):
        (tmp_path / "d" / f"{number}.md").touch()
    asked = [f"d/{number}.md" for number in range(40)] + ["e/1.md", "d/1.md/x"]
    alone = [is_listed(str(tmp_path), name) for name in asked]
    assert alone == [*[True] * 20, *[False] * 20, False, True]
    looked_at: list[str] = []
    listdir = os.listdir

    def noted(path: str) -> list[str]:
        looked_at.append(path)
        return listdir(path)

    monkeypatch.setattr(os, "listdir", noted)
    listings: dict[str, Collection[str] | None] = {}
    assert [is_listed(str(tmp_path), name, listings) for name in asked] == alone
    assert len(looked_at) == len(set(looked_at))


@pytest.mark.parametrize("glob", [f"{CAFE}/*.md", f"{CAFE_APART}/*.md", "Caf?/**", "Caf[é]/x.md"])
def test_a_glob_matches_either_form(glob: str) -> None:
    """Of a path, and of the directories that lead to it."""
    for form in ("NFC", "NFD"):
        directory = unicodedata.normalize(form, CAFE)
        assert Glob(unicodedata.normalize(form, glob)).matches(f"{directory}/x.md")
        assert Glob(glob).matches(f"{directory}/x.md")
        assert Glob(glob).may_match_below(directory)

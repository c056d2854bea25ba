"""When a search of the life-cycle tests must refuse, and what it says of rows that are behind."""

from __future__ import annotations

import os

import rootleaf.errors
from life_cycle_rows import settled
from rootleaf import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from life_cycle_model import Disk, Model
    from life_cycle_place import Place
    from life_cycle_rows import Question

REFUSALS: tuple[type[Exception], ...] = ()
if hasattr(rootleaf.errors, "MetadataIncomplete"):
    REFUSALS = (rootleaf.errors.MetadataIncomplete,)

KINDS = (
    "MetadataRulesError",
    "MetadataNotIndexed",
    "MetadataUnreadable",
    "MetadataStale",
    "MetadataGhosts",
)
"""In the order in which a search names them, one at a time."""


def check_search(
    place: Place, model: Model, disks: dict[str, Disk], question: Question, expected: Any
) -> None:
    """One search: it answers as `expected`, or refuses exactly where it has to."""
    query, where = question
    if expected == "not indexed" and not model.exists:
        try:
            search(query, db_path=place.db_path, where=where, top_k=4)
        except rootleaf.errors.NotIndexedError:
            return
        raise AssertionError
    reason = refusal(model, disks, expected) if where is not None and REFUSALS else None
    if reason is not None:
        assert type(refusal_of(place.db_path, question)).__name__ == reason
        return
    found = search(query, db_path=place.db_path, where=where, top_k=4)
    assert found.stale_files == sum(len(stale) for stale in stale_rows(model, disks).values())
    told = {hit.file_path for hit in found if any(hit.file_path in n for n in found.notices)}
    assert {hit.file_path for hit in found if not os.path.exists(hit.file_path)} <= told
    if expected == "not indexed":
        # Of no versions there is nothing to make an index of.
        assert (found.verdict, found.hits) == ("empty_index", ())
    elif not any(row.spoiled for root in model.roots.values() for row in root.rows.values()):
        assert settled(found.to_json(), place.base) == expected


def refusal_of(db_path: str, question: Question) -> Any:
    """The error by which a search refuses, or None; also None where there is no database."""
    query, where = question
    try:
        search(query, db_path=db_path, where=where, top_k=4)
    except rootleaf.errors.NotIndexedError:
        return None
    except REFUSALS as error:
        return error
    return None


def stale_rows(model: Model, disks: dict[str, Disk]) -> dict[str, list[str]]:
    """Rows of each root whose metadata is not what its present rules say, as far as they say it."""
    stale = {}
    for name, root in model.roots.items():
        rules = disks[name].current_rules()
        if rules is not None:
            stale[name] = [
                path
                for path, row in root.rows.items()
                if row.rules != rules or row.spoiled == "unscanned"
            ]
    return stale


def refusal(model: Model, disks: dict[str, Disk], expected: Any) -> str | None:
    """The error that a filtered search must raise, by its name, or None."""
    rows = [row for root in model.roots.values() for row in root.rows.values()]
    if any(root.rows and disks[name].current_rules() is None for name, root in model.roots.items()):
        return "MetadataRulesError"
    for spoiled, kind in (
        ("unscanned", "MetadataNotIndexed"),
        ("unreadable", "MetadataUnreadable"),
    ):
        if any(row.spoiled == spoiled for row in rows):
            return kind
    if any(stale_rows(model, disks).values()):
        return "MetadataStale"
    for hit in expected["hits"] if expected != "not indexed" else ():
        name, path = hit["file_path"].removeprefix("BASE/").split("/", 1)
        if path not in disks[name].files:
            return "MetadataGhosts"
    return None

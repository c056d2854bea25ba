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
    from rootleaf.types import Answer

_REFUSALS: tuple[type[Exception], ...] = ()
if hasattr(rootleaf.errors, "MetadataIncomplete"):
    _REFUSALS = (rootleaf.errors.MetadataIncomplete,)


def check_search(
    place: Place, model: Model, disks: dict[str, Disk], question: Question, expected: Any
) -> None:
    """One search: it answers as `expected`, or refuses exactly where it has to."""
    query, where = question
    if expected == "not indexed" and model.exists:
        # Of no versions there is nothing to make an index of.
        found = search(query, db_path=place.db_path, where=where, top_k=4)
        assert (found.verdict, found.hits) == ("empty_index", ())
        return
    if expected == "not indexed":
        try:
            search(query, db_path=place.db_path, where=where, top_k=4)
        except rootleaf.errors.NotIndexedError:
            return
        raise AssertionError
    reasons = refusals(model, disks, expected) if where is not None and _REFUSALS else set()
    try:
        found = search(query, db_path=place.db_path, where=where, top_k=4)
    except _REFUSALS as error:
        refusal = type(error).__name__
    else:
        assert not reasons
        _check_answer(found, model, disks)
        assert settled(found.to_json(), place.base) == expected
        return
    assert refusal in reasons


def _check_answer(found: Answer, model: Model, disks: dict[str, Disk]) -> None:
    """What an answer says of the state it was found in."""
    assert found.stale_files == sum(len(stale) for stale in stale_rows(model, disks).values())
    told = {hit.file_path for hit in found if any(hit.file_path in n for n in found.notices)}
    assert {hit.file_path for hit in found if not os.path.exists(hit.file_path)} <= told


def stale_rows(model: Model, disks: dict[str, Disk]) -> dict[str, list[str]]:
    """Rows of each root that is there, on rules that are not its present ones."""
    return {
        name: [path for path, row in root.rows.items() if row.rules != disks[name].rules()]
        for name, root in model.roots.items()
        if disks[name].is_there and disks[name].rules() is not None
    }


def refusals(model: Model, disks: dict[str, Disk], expected: Any) -> set[str]:
    """The errors that a filtered search may raise; it has to raise one of them if there are any."""
    reasons = set()
    for name, root in model.roots.items():
        if disks[name].is_there and disks[name].rules() is None and root.rows:
            reasons.add("MetadataRulesError")
    if any(stale_rows(model, disks).values()):
        reasons.add("MetadataStale")
    for hit in expected["hits"]:
        name, path = hit["file_path"].removeprefix("BASE/").split("/", 1)
        if path not in disks[name].files:
            reasons.add("MetadataGhosts")
    return reasons

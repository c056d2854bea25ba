"""A snapshot that is not what the texts make of it is found and made anew."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, index
from rootleaf.engine.keyword import SegmentBuilder
from rootleaf.indexing.snapshot import identity_of, indexed
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path


def craft(damaged: DamagedIndex) -> None:
    """Puts a sound snapshot there that says it is of this state, of which one word is another."""
    builder = SegmentBuilder()
    with open_for_reading(damaged.db_path) as store:
        for number, document in enumerate(store.documents()):
            known = indexed(document)
            if number == 3:
                changed = {**known.__dict__, "text": known.text.replace("quince", "durian")}
                known = type(known)(**changed)
            builder.add_document(known)
        builder.build().write_snapshot(damaged.snapshot, identity_of(store))


@pytest.mark.parametrize("state", ["flipped", "foreign", "stale", "crafted"])
def test_a_snapshot_that_answers_otherwise_is_found_and_made_anew(
    tmp_path: Path, state: str
) -> None:
    """Afterwards the index is healthy and answers as a new one."""
    damaged = DamagedIndex(tmp_path)
    if state == "flipped":
        with open(damaged.snapshot, "r+b") as file:
            file.seek(5000)
            file.write(b"\xff" * 50)
    elif state == "foreign":
        other = str(tmp_path / "other.db")
        index(damaged.root, other)
        shutil.copy(snapshot_path(other), damaged.snapshot)
    elif state == "stale":
        shutil.copy(damaged.snapshot, tmp_path / "kept")
        (damaged.root / "late.md").write_text("# Late\n\nquince\n")
        damaged.run()
        shutil.copy(tmp_path / "kept", damaged.snapshot)
    else:
        craft(damaged)
    found = [check for check in doctor(damaged.root).checks if not check.ok]
    assert [check.name for check in found] == ["snapshot"]
    assert found[0].severity == ("error" if state == "crafted" else "warning")
    assert found[0].command is not None
    assert doctor(damaged.root, repair=True).ok
    assert doctor(damaged.root).ok
    assert damaged.answers() == damaged.answers_of_fresh()

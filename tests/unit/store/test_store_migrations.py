"""A database of every schema that was ever released can be opened, read and written.

`schema_N.db` beside this file was written by the version that introduced schema N.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rootleaf.store.migrations import MIGRATIONS
from rootleaf.store.schema import SCHEMA_VERSION
from rootleaf.store.sqlite import open_for_reading, open_for_writing
from rootleaf.types import IgnoredBy, Skipped


@pytest.mark.parametrize("schema", range(1, SCHEMA_VERSION + 1))
def test_a_database_of_an_earlier_release_is_brought_up_to_date(
    tmp_path: Path, schema: int
) -> None:
    """Nothing it held is lost, and ids go on where they stopped."""
    db_path = str(tmp_path / "copy.db")
    shutil.copy(Path(__file__).parent / f"schema_{schema}.db", db_path)
    with open_for_writing(db_path) as store:
        assert store.schema_version() == SCHEMA_VERSION
    with open_for_reading(db_path) as store:
        documents = list(store.documents())
        assert [(found.path, found.front_matter) for found in documents] == [
            ("/notes/log.md", "absent"),
            ("/notes/odd.md", "unparsed"),
            ("/notes/plan/ä.md", "parsed"),
        ]
        assert documents[0].text == "# Log\n\nfirst entry\n"
        assert documents[2].metadata == {"kind": "plan", "tags": ["a", "b"]}
        assert store.first_seen(documents[0].document_id) == ["2026-05-28T20:26:40Z"]
        assert store.generation() == 1
        (root,) = store.roots()
        assert (root.path, root.selection, root.files_to_go) == ("/notes", "all markdown", 3)
        assert root.skipped == (Skipped(path="/notes/x.md", reason="permission denied"),)
        assert root.ignored == (IgnoredBy(rule="build/ (.gitignore:1)", files=0, directories=2),)
        mark = store.marks(root.root_id)["odd.md"]
        assert (mark.stat_signature, mark.rules_identity) == ("1:2:3:2", "rules")
        assert [entry.reason for entry in store.unparsed_front_matter()] == [
            "line 2: a block scalar"
        ]


def test_each_schema_has_its_step() -> None:
    """As many steps as there are schemas."""
    assert len(MIGRATIONS) == SCHEMA_VERSION

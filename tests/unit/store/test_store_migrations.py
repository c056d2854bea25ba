"""A database of every schema that was ever released can be opened, read and written.

No schema is released yet, so that the sample of the first one is made here. The release that fixes
it puts the file beside this one.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf.store.migrations import MIGRATIONS
from rootleaf.store.schema import APPLICATION_ID, SCHEMA_VERSION
from rootleaf.store.sqlite import open_for_reading, open_for_writing
from rootleaf.types import IgnoredBy, Skipped

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE_1 = """
INSERT INTO meta VALUES ('schema_version', 1);
UPDATE meta SET value = 1 WHERE name = 'generation';
INSERT INTO states VALUES (1, x'000102030405060708090a0b0c0d0e0f');
INSERT INTO roots VALUES (1, '/notes', 'all markdown', 'chunker 1', 3,
    '[["/notes/x.md","permission denied"]]', '[["build/ (.gitignore:1)",0,2]]');
INSERT INTO documents VALUES
    (1, 1, 'log.md', 1, '1:2:3:1', x'11', 19, 2, 'absent', NULL, NULL, '', '{}'),
    (2, 1, 'odd.md', 1, '1:2:3:2', x'22', 9, 1, 'unparsed', 2, 'a block scalar', 'rules', '{}'),
    (4, 1, 'plan/ä.md', 1, '1:2:3:4', x'44', 9, 1, 'parsed', NULL, NULL, '',
        '{"kind":"plan","tags":["a","b"]}');
INSERT INTO texts VALUES (1, '# Log' || char(10, 10) || 'first entry' || char(10)), (2, 'odd'),
    (4, 'plan');
INSERT INTO chunksets VALUES (1, 0, x'00', 1779999999), (2, 0, x'01', 1780000000);
INSERT INTO tombstones VALUES (3, 1);
"""


def write_sample(db_path: str, schema: int) -> None:
    """Makes a database as the release that introduced a schema would leave it."""
    with sqlite3.connect(db_path) as connection:
        for steps in MIGRATIONS[:schema]:
            for statement in steps:
                connection.execute(statement)
        connection.executescript(SAMPLE_1)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {schema}")
    connection.close()


@pytest.mark.parametrize("schema", range(1, SCHEMA_VERSION + 1))
def test_a_database_of_an_earlier_release_is_brought_up_to_date(
    tmp_path: Path, schema: int
) -> None:
    """Nothing it held is lost, and ids go on where they stopped."""
    db_path = str(tmp_path / "copy.db")
    write_sample(db_path, schema)
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
        assert store.first_seen(documents[0].document_id) == ["2026-05-28T20:26:39Z"]
        assert store.generation() == 1
        assert store.state_id(1) == bytes(range(16))
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

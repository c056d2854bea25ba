"""An edit of the rules changes metadata and nothing else; rules are known by their meaning."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.errors import MetadataIncomplete, MetadataRulesError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Shell, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

RULES = ".rootleaf-metadata.json"
BOM = "\ufeff"


def rules(kind: str, **layout: object) -> str:
    """Rules that give all files below `docs/` a kind."""
    listed = [{"glob": "docs/**/*.md", "metadata": {"kind": kind, "tags": ["a", "b"]}}]
    return json.dumps({"rules": listed}, **layout)  # type: ignore[arg-type]


def rows(db_path: str, table: str) -> list[tuple[object, ...]]:
    """Everything in a table."""
    connection = sqlite3.connect(db_path)
    found = connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
    connection.close()
    return found


def test_an_edit_of_the_rules_renews_metadata_in_place(notes: WriteNotes) -> None:
    """Texts and chunksets, with their dates, are not written; document ids stay."""
    text = "---\nkind: own\nauthor: me\n---\n# A\n\napple\n\n## B\n\npear\n"
    root = notes(
        {"docs/a.md": text, "docs/b/c.md": "# C\n\napple\n", "x.md": "x\n", RULES: rules("one")}
    )
    db_path = rootleaf.index(root).db_path
    connection = sqlite3.connect(db_path)
    with connection:
        connection.execute("UPDATE chunksets SET first_seen = 7")
    connection.close()
    before = {table: rows(db_path, table) for table in ("texts", "chunksets")}
    ids = {row[0] for row in rows(db_path, "documents")}
    (root / RULES).write_text(rules("two"))
    with pytest.raises(MetadataIncomplete):
        rootleaf.search("apple", root, where={"kind": "own"})
    report = rootleaf.index(root)
    assert (report.metadata_refreshed, report.files_indexed, report.chunks) == (3, 0, 0)
    assert {table: rows(db_path, table) for table in before} == before
    assert {row[0] for row in rows(db_path, "documents")} == ids
    found = {
        os.path.basename(hit.file_path): hit.metadata
        for hit in rootleaf.search("apple", root, where={"tags": "b"})
    }
    assert found == {
        "a.md": {"author": "me", "kind": "own", "tags": ["a", "b"]},
        "c.md": {"kind": "two", "tags": ["a", "b"]},
    }


def test_layout_order_of_keys_and_a_byte_order_mark_are_no_edit(notes: WriteNotes) -> None:
    """A filtered search goes on answering, and a run has nothing to do."""
    root = notes({"docs/a.md": "apple\n", RULES: rules("one")})
    rootleaf.index(root)
    generation = rootleaf.status(root).generation
    for same in (
        rules("one", indent=4),
        rules("one", sort_keys=True),
        BOM + rules("one").replace("one", "\\u006fne"),
    ):
        (root / RULES).write_text(same, encoding="utf-8")
        assert len(rootleaf.search("apple", root, where={"kind": "one"})) == 1
        assert rootleaf.index(root).metadata_refreshed == 0
    assert rootleaf.status(root).generation == generation


def test_broken_rules_stop_the_run_of_their_root_and_warn_in_that_of_another(
    notes: WriteNotes, tmp_path: Path
) -> None:
    """Nothing of the one is indexed on rules that are half understood; the other is not stopped."""
    root = notes({"docs/a.md": "apple\n", RULES: rules("one")})
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("pear\n")
    db_path = tmp_path / "shared.db"
    rootleaf.index(root, db_path)
    (root / RULES).write_text('{"rules": [{"glob": "**", "metadata": {"n": 1}}]}')
    (root / "docs" / "late.md").write_text("late\n")
    with pytest.raises(MetadataRulesError) as caught:
        rootleaf.index(root, db_path)
    assert caught.value.files == (str(root.resolve() / RULES),)
    assert "rule 1" in caught.value.message
    report = rootleaf.index(other, db_path)
    assert report.files_indexed == 1
    assert any(str(root.resolve() / RULES) in warning for warning in report.warnings)
    assert report.has_warnings
    assert rootleaf.search("late", db_path=db_path).verdict == "no_match"


def test_the_command_that_renames_foreign_rules_can_be_run_as_it_is_printed(
    notes: WriteNotes, shell: Shell, tmp_path: Path
) -> None:
    """After it and a run, the rules are those of the root."""
    notes({"docs/a.md": "apple\n", ".poma-metadata.json": rules("one")})
    root = (tmp_path / "notes").rename(tmp_path / "it's a $root")
    report = rootleaf.index(root)
    (notice,) = [said for said in report.notices if ".poma-metadata.json" in said]
    assert rootleaf.search("apple", root, where={"kind": "one"}).verdict == "filter_matched_nothing"
    shell([notice[notice.index("mv ") :]])
    assert not any("poma" in said for said in rootleaf.index(root).notices)
    assert len(rootleaf.search("apple", root, where={"kind": "one"})) == 1

"""A text is held to the hash of its file, whatever its line ends and encoding are."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf import doctor, index, search
from rootleaf.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "# Trees\n\nThe café has a quince.\n\n\n## Part\n\n- one\n- two\n\n"
FILES = {
    "plain": TEXT.encode(),
    "windows": TEXT.replace("\n", "\r\n").encode(),
    "old mac": TEXT.replace("\n", "\r").encode(),
    "marked": b"\xef\xbb\xbf" + TEXT.encode(),
    "marked windows": b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
    "utf-16": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    "utf-16 of the other order": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "cp1252": TEXT.encode("cp1252"),
    "mixed": TEXT.replace("\n", "\r\n", 2).encode(),
    "no UTF-8 at all": TEXT.encode() + b"\xff\x81\n",
}


@pytest.fixture
def db_path(tmp_path: Path) -> str:
    """An index of a file in each form."""
    root = tmp_path / "notes"
    root.mkdir()
    for name, content in FILES.items():
        (root / f"{name}.md").write_bytes(content)
    index(root, tmp_path / "x.db")
    return str(tmp_path / "x.db")


def execute(db_path: str, statement: str, *values: object) -> None:
    """Does by hand what no program of ours does."""
    connection = sqlite3.connect(db_path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_every_form_is_vouched_for_and_no_file_has_to_be_there(db_path: str) -> None:
    """Mixed line ends are known only by the file; where it is gone, nothing is said of it."""
    assert doctor(db_path=db_path).ok
    root = os.path.join(os.path.dirname(db_path), "notes")
    for name in os.listdir(root):
        os.unlink(os.path.join(root, name))
    assert doctor(db_path=db_path).ok


@pytest.mark.parametrize("name", FILES)
def test_a_blank_line_that_was_moved_by_hand_is_found(db_path: str, name: str) -> None:
    """Keys, counts and sizes stay, and every line below would be cited by another number."""
    where = "document_id = (SELECT document_id FROM documents WHERE path = ?)"
    moved = f"UPDATE texts SET text = char(10) || substr(text, 1, length(text) - 1) WHERE {where}"
    execute(db_path, moved, f"{name}.md")
    report = doctor(db_path=db_path)
    (check,) = [check for check in report.checks if check.name == "texts"]
    assert (check.severity, len(check.items)) == ("error", 1)
    assert f"{name}.md" in check.items[0]
    mended = doctor(db_path=db_path, repair=True)
    assert mended.ok
    root = os.path.join(os.path.dirname(db_path), "notes")
    assert index(root, db_path).files_indexed == 1
    hits = {
        os.path.basename(hit.file_path): hit for hit in search("quince", db_path=db_path, top_k=100)
    }
    hit = hits[f"{name}.md"]
    assert hit.spans[0].start_line == 1
    assert doctor(db_path=db_path).ok


def test_a_text_that_the_snapshot_was_not_made_of_is_damage_and_no_wrong_argument(
    db_path: str,
) -> None:
    """The search names the repair."""
    execute(db_path, "UPDATE texts SET text = '# T'")
    with pytest.raises(StoreError) as caught:
        search("two", db_path=db_path)
    assert caught.value.code == "store.damaged"
    assert "doctor --repair" in (caught.value.hint or "")

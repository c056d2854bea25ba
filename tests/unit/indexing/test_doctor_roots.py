"""Roots that only somebody's hand can have recorded are named, and mended without losing a text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, index

if TYPE_CHECKING:
    from pathlib import Path

ADD = "INSERT INTO roots (path, selection, chunker) SELECT '{}', selection, chunker FROM roots"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index of thirty notes."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


@pytest.mark.parametrize(
    "where", ["/", "{root}/..", "{root}/dir1", "{root}/", "{root}/dir1/../dir2"]
)
def test_a_root_without_documents_that_overlaps_with_another_is_dropped(
    damaged: DamagedIndex, where: str
) -> None:
    """It is named; the other root and its documents stay as they are."""
    path = where.format(root=damaged.root)
    damaged.execute(ADD.format(path))
    report = doctor(damaged.root)
    assert not report.ok
    (check,) = [check for check in report.checks if check.name == "roots"]
    assert check.severity == "error"
    assert any(item.startswith(path) or repr(path) in item for item in check.items)
    mended = doctor(damaged.root, repair=True)
    assert mended.ok, mended.checks
    assert mended.lost == ()
    assert damaged.column("SELECT path FROM roots") == [str(damaged.root)]
    assert damaged.answers() == damaged.answers_of_fresh()


def test_documents_of_a_root_within_another_become_that_ones(damaged: DamagedIndex) -> None:
    """Those that both have stay once; ids stay, and the next run of the outer root reads them."""
    inner = str(damaged.root / "dir1")
    ids = set(damaged.column("SELECT document_id FROM documents"))
    damaged.execute(
        ADD.format(inner),
        "UPDATE documents SET path = substr(path, 6), root_id = 2 WHERE path LIKE 'dir1/%'",
        # One that the outer root has as well.
        "INSERT INTO documents SELECT document_id + 500, 1, 'dir1/' || path, revision,"
        " stat_signature, content_hash, text_bytes, chunk_count, front_matter, problem_line,"
        " problem_reason, rules_identity, metadata FROM documents WHERE root_id = 2 LIMIT 1",
        "INSERT INTO texts SELECT document_id + 500, text FROM texts WHERE document_id IN"
        " (SELECT document_id FROM documents WHERE root_id = 2 LIMIT 1)",
        "INSERT INTO chunksets SELECT document_id + 500, ordinal, key, first_seen FROM chunksets"
        " WHERE document_id IN (SELECT document_id FROM documents WHERE root_id = 2 LIMIT 1)",
        "UPDATE sqlite_sequence SET seq = 1000 WHERE name = 'documents'",
    )
    report = doctor(damaged.root)
    (check,) = [check for check in report.checks if check.name == "roots"]
    assert check.items == (
        f"{inner}: lies within the root {damaged.root}; both would own its files",
    )
    mended = doctor(damaged.root, repair=True)
    assert mended.ok, [check for check in mended.checks if not check.ok]
    assert mended.saved is not None
    assert damaged.column("SELECT path FROM roots") == [str(damaged.root)]
    kept = set(damaged.column("SELECT document_id FROM documents"))
    assert len(kept - ids) == 1
    assert len(ids - kept) == 1
    assert damaged.run().files_indexed == len(damaged.column(
        "SELECT 1 FROM documents WHERE path LIKE 'dir1/%'"
    ))  # fmt: skip
    assert damaged.answers() == damaged.answers_of_fresh()
    assert doctor(damaged.root).ok


def test_the_root_of_all_files_is_a_notice(tmp_path: Path) -> None:
    """It may be meant; where it came by hand the command that drops it is there."""
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_text("# A\n\nquince\n")
    db_path = str(tmp_path / "x.db")
    index(root, db_path)
    import sqlite3

    connection = sqlite3.connect(db_path)
    connection.execute("UPDATE documents SET path = ?", (str(root / "a.md")[1:],))
    connection.execute("UPDATE roots SET path = '/'")
    connection.commit()
    connection.close()
    os.unlink(f"{db_path}-snapshot")
    report = doctor(db_path=db_path)
    (check,) = [check for check in report.checks if check.name == "roots"]
    assert (check.ok, check.severity) == (True, "notice")
    assert check.command == f"rootleaf forget / --db {db_path}"

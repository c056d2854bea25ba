"""A handle that is open says after a repair what every other search says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from damaged_indexes import FILTERS, QUERIES, DamagedIndex
from rootleaf import MemoryIndex, doctor, index

if TYPE_CHECKING:
    from pathlib import Path

WHO = "WHERE document_id = 4"

# Of what each leaves in rows that go together, only the snapshot can tell that something is wrong.
BY_HAND = {
    "a document that is gone as a whole": [
        f"DELETE FROM {table} {WHO}" for table in ("chunksets", "texts", "documents")
    ],
    "a path": [f"UPDATE documents SET path = 'dir0/other.md' {WHO}"],
    "a text": [f"UPDATE texts SET text = '# Other' {WHO}"],
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index of thirty notes."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


def answers(handle: MemoryIndex) -> list[Any]:
    """As `DamagedIndex.answers`, of a handle."""
    return [
        [
            (hit.file_path, hit.score, hit.bm25, hit.context, hit.metadata)
            for hit in handle.search(query, where=where, top_k=100)
        ]
        for query in QUERIES
        for where in FILTERS
    ]


@pytest.mark.parametrize("case", BY_HAND)
def test_a_repair_reaches_the_handles_that_are_open(damaged: DamagedIndex, case: str) -> None:
    """The state that they know is gone, though nobody committed a change of it."""
    kept = (damaged.root / "dir0" / "note 00.md").read_text()
    (damaged.root / "dir0" / "other.md").write_text(kept)
    try:
        with MemoryIndex(damaged.db_path) as handle:
            assert answers(handle) == damaged.answers()
            damaged.execute("PRAGMA foreign_keys = OFF", *BY_HAND[case])
            assert not doctor(damaged.root).ok
            assert doctor(damaged.root, repair=True).ok
            for where in FILTERS[:1]:
                for query in QUERIES:
                    found = [hit.file_path for hit in handle.search(query, where=where, top_k=100)]
                    with MemoryIndex(damaged.db_path) as other:
                        assert found == [
                            hit.file_path for hit in other.search(query, where=where, top_k=100)
                        ]
    finally:
        os.unlink(damaged.root / "dir0" / "other.md")


def test_a_snapshot_that_is_overwritten_under_a_handle_changes_no_answer(
    damaged: DamagedIndex, tmp_path: Path
) -> None:
    """Here by that of another index, with the time of its last change put back."""
    root = tmp_path / "others"
    root.mkdir()
    for number in range(40):
        (root / f"{number}.md").write_text(f"# Other {number}\n\nquince " + "mango " * 200)
    index(root, tmp_path / "other.db")
    with MemoryIndex(damaged.db_path) as handle:
        expected = answers(handle)
        assert expected == damaged.answers_of_fresh()
        seen = os.stat(damaged.snapshot)
        with open(tmp_path / "other.db-snapshot", "rb") as other:
            content = other.read()
        # In place, and no shorter, so that no page that is mapped goes away.
        with open(damaged.snapshot, "r+b") as file:
            file.write(content.ljust(seen.st_size, b"\0")[: seen.st_size])
        os.utime(damaged.snapshot, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        assert answers(handle) == expected
        assert damaged.answers() == expected
        assert not doctor(damaged.root).ok
        assert doctor(damaged.root, repair=True).ok
        assert answers(handle) == expected

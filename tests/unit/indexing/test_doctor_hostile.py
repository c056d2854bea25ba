"""Values that only somebody else's hand can have put there are found, and a repair is an end."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, index, search
from rootleaf.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 2**63 - 1
WHO = "WHERE document_id = 4"
GENERATION = "UPDATE meta SET value = {} WHERE name = 'generation'"
SEQUENCE = "UPDATE sqlite_sequence SET seq = {} WHERE name = 'documents'"

# The check that finds it, and what somebody did by hand.
BY_HAND: dict[str, tuple[str, list[str]]] = {
    "a trigger that drops texts": (
        "schema",
        [
            "CREATE TRIGGER t AFTER UPDATE ON documents BEGIN DELETE FROM texts; END",
        ],
    ),
    "a trigger that forbids": (
        "schema",
        [
            "CREATE TRIGGER t BEFORE UPDATE ON documents BEGIN SELECT raise(ABORT, 'no'); END",
        ],
    ),
    "an index that forbids": ("schema", ["CREATE UNIQUE INDEX u ON documents (path, root_id)"]),
    "a last id that is no number": ("counters", [SEQUENCE.format("'many'")]),
    "a last id of nothing": ("counters", [SEQUENCE.format("NULL")]),
    "a last id after which there is none": ("counters", [SEQUENCE.format(LARGEST)]),
    "a generation after which there is none": (
        "counters",
        [GENERATION.format(LARGEST), f"INSERT INTO states VALUES ({LARGEST}, randomblob(16))"],
    ),
    "a generation that is less than none": (
        "counters",
        [
            GENERATION.format(-7), "UPDATE documents SET revision = -7", "DELETE FROM states",
            "INSERT INTO states VALUES (-7, randomblob(16))",
        ],
    ),
    "a revision after which there is none": (
        "counters",
        [f"UPDATE documents SET revision = {LARGEST} {WHO}"],
    ),
    "a tombstone after which there is none": (
        "counters",
        [f"INSERT INTO tombstones VALUES ({LARGEST}, {LARGEST})"],
    ),
    "an id after which there is none": (
        "texts",
        [
            f"UPDATE {table} SET document_id = {LARGEST} {WHO}"
            for table in ("documents", "texts", "chunksets")
        ],
    ),
    "a model that is no whole number": (
        "counters",
        ["UPDATE meta SET value = 1.5 WHERE name = 'model'"],
    ),
    "an analyzer that is a number": (
        "counters",
        ["UPDATE meta SET value = 5 WHERE name = 'analyzer'"],
    ),
    "a path out of the root": ("texts", [f"UPDATE documents SET path = '../../x.md' {WHO}"]),
    "an absolute path": ("texts", [f"UPDATE documents SET path = '/etc/hostname' {WHO}"]),
    "a path with a zero byte": ("texts", [f"UPDATE documents SET path = 'a' || char(0) {WHO}"]),
    "a path of bytes": ("pages", [f"UPDATE documents SET path = CAST(path AS BLOB) {WHO}"]),
    "a mark that is no UTF-8": (
        "pages",
        [f"UPDATE documents SET stat_signature = CAST(x'ff' AS TEXT) {WHO}"],
    ),
    "a text of bytes": ("pages", [f"UPDATE texts SET text = CAST(text AS BLOB) {WHO}"]),
    "a date beyond all dates": ("pages", [f"UPDATE chunksets SET first_seen = 1 << 61 {WHO}"]),
    "a date of bytes": ("pages", [f"UPDATE chunksets SET first_seen = x'ff' {WHO}"]),
    "a root with a zero byte": ("roots", ["UPDATE roots SET path = path || char(0) || 'x'"]),
    "a root that is relative": ("roots", ["UPDATE roots SET path = 'notes'"]),
    "a root with files to go that are no number": (
        "pages",
        ["UPDATE roots SET files_to_go = 'many', chunker = x'ff'"],
    ),
    "a root that is no UTF-8": ("pages", ["UPDATE roots SET path = CAST(x'2fff' AS TEXT)"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index of thirty notes."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


@pytest.mark.parametrize("case", BY_HAND)
def test_what_no_program_of_ours_writes_is_found_and_mended(
    damaged: DamagedIndex, case: str
) -> None:
    """A second look finds nothing, and a run that changes a file goes on with ids that are new."""
    check, statements = BY_HAND[case]
    highest = damaged.column("SELECT max(document_id) FROM documents")[0]
    damaged.execute("PRAGMA foreign_keys = OFF", *statements)
    report = doctor(damaged.root)
    assert check in {one.name for one in report.checks if one.severity == "error"}
    mended = doctor(damaged.root, repair=True)
    # Where a root or an analyzer was lost, the next run has something left to do.
    assert {one.name for one in mended.checks if not one.ok} <= {"version"}
    assert mended.repaired
    assert not doctor(damaged.root, repair=True).repaired
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()
    new = damaged.root / "new.md"
    new.write_text("# New\n\nloquat\n")
    try:
        damaged.run()
        path = "SELECT document_id FROM documents WHERE path = 'new.md'"
        assert highest < damaged.column(path)[0] < 1 << 53
        assert doctor(damaged.root).ok
    finally:
        os.unlink(new)


def test_a_schema_of_no_version_is_damage_and_is_mended(damaged: DamagedIndex) -> None:
    """Every command names the repair, and it keeps all documents with their ids."""
    ids = "SELECT document_id || path FROM documents ORDER BY document_id"
    before = damaged.column(ids)
    damaged.execute("PRAGMA user_version = 0")
    for run in (damaged.run, damaged.answers):
        with pytest.raises(StoreError, match="its schema is 0") as caught:
            run()
        assert "rootleaf doctor --repair" in (caught.value.hint or "")
    assert not doctor(damaged.root).is_readable
    assert doctor(damaged.root, repair=True).ok
    assert damaged.column(ids) == before


@pytest.mark.parametrize(("offset", "wrong"), [(16, b"\x00\x01"), (16, b"\x20\x00"), (20, b"\x40")])
def test_a_wrong_size_of_pages_in_the_header_loses_no_document(
    damaged: DamagedIndex, offset: int, wrong: bytes
) -> None:
    """The pages are where they were; a header that says otherwise is mended in the copy."""
    ids = "SELECT document_id || path FROM documents ORDER BY document_id"
    before = damaged.column(ids)
    content = bytearray(damaged.read())
    content[offset : offset + len(wrong)] = wrong
    damaged.write(bytes(content))
    report = doctor(damaged.root, repair=True)
    assert report.ok
    assert report.lost == ()
    assert damaged.column(ids) == before


@pytest.mark.timeout(60)
def test_a_repair_ends_where_the_last_id_is_damaged_too(
    damaged: DamagedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids are looked for up to the last one given; there may be too many of them to try."""
    monkeypatch.setattr("rootleaf.store.sqlite_salvage._MOST_FAILURES", 1 << 12)
    page = damaged.column("SELECT rootpage FROM sqlite_master WHERE name = 'texts'")[0]
    damaged.execute(SEQUENCE.format(1 << 50))
    content = bytearray(damaged.read())
    start = (page - 1) * 4096
    last = int.from_bytes(content[start + 8 : start + 12], "big")
    content[(last - 1) * 4096 : last * 4096] = bytes(4096)
    damaged.write(bytes(content))
    report = doctor(damaged.root, repair=True)
    assert report.ok
    assert report.lost
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()


def test_a_row_whose_path_leads_elsewhere_ends_a_run_and_reads_nothing_there(
    tmp_path: Path,
) -> None:
    """Without any repair: the run comes to an end, and no file beyond the root is read."""
    outside = tmp_path / "outside.md"
    for path in (str(outside), "../outside.md"):
        outside.write_text("quince\n")
        home = tmp_path / str(len(path))
        damaged = DamagedIndex(home)
        (home / "outside.md").write_text("xylograph\n")
        outside.write_text("xylograph\n")
        connection = sqlite3.connect(damaged.db_path)
        connection.execute(f"UPDATE documents SET path = ? {WHO}", (path,))
        connection.commit()
        connection.close()
        index(damaged.root)
        assert not list(search("xylograph", db_path=damaged.db_path))


def test_a_text_that_is_missing_is_said_with_the_command_that_mends_it(
    damaged: DamagedIndex,
) -> None:
    """A search that comes to such a document says that the index is damaged."""
    damaged.execute("DELETE FROM texts")
    with pytest.raises(StoreError, match="has no text") as caught:
        search("quince", db_path=damaged.db_path)
    assert "rootleaf doctor --repair" in (caught.value.hint or "")

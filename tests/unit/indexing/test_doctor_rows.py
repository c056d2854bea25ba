"""Rows that are not what they should be are found, named, and made anew from the texts."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, index
from rootleaf.store.paths import quoted

if TYPE_CHECKING:
    from pathlib import Path

ONE = "(SELECT max(document_id) FROM documents WHERE chunk_count > 4)"

WHO = f"WHERE document_id = {ONE}"
LAST = f"(SELECT max(ordinal) FROM chunksets {WHO})"

# The check that finds it, and what somebody did by hand.
BY_HAND = {
    "a chunkset is missing": ("chunksets", f"DELETE FROM chunksets {WHO} AND ordinal = 1"),
    "all chunksets are missing": ("chunksets", "DELETE FROM chunksets"),
    "the last chunkset is missing": (
        "chunksets",
        f"DELETE FROM chunksets {WHO} AND ordinal = {LAST}",
    ),
    "a chunkset too many": (
        "chunksets",
        f"INSERT INTO chunksets VALUES ({ONE}, 99, randomblob(16), 5)",
    ),
    "wrong keys": ("chunksets", "UPDATE chunksets SET key = randomblob(16) WHERE ordinal = 0"),
    "a key that is none": ("chunksets", f"UPDATE chunksets SET key = 'x' {WHO} AND ordinal = 0"),
    "a wrong count": ("chunksets", f"UPDATE documents SET chunk_count = 1 {WHO}"),
    "texts are missing": ("texts", "DELETE FROM texts WHERE document_id % 7 = 0"),
    "another text": ("texts", f"UPDATE texts SET text = replace(text, 'quince', 'durian') {WHO}"),
    "a text that is no text": (
        "texts",
        f"UPDATE texts SET text = CAST(x'23204eff6f' AS TEXT) {WHO}",
    ),
    "a wrong size": ("texts", f"UPDATE documents SET text_bytes = 3 {WHO}"),
    "a wrong state of front matter": (
        "texts",
        f"UPDATE documents SET front_matter = 'absent' {WHO}",
    ),
    "no hash": ("texts", f"UPDATE documents SET content_hash = x'00' {WHO}"),
    "metadata that is none": ("metadata", f"UPDATE documents SET metadata = '[1' {WHO}"),
    "other metadata": ("metadata", f"UPDATE documents SET metadata = '{{}}' {WHO}"),
    "chunksets of nobody": ("strays", "INSERT INTO chunksets VALUES (99999, 0, randomblob(16), 5)"),
    "a text of nobody": ("strays", "INSERT INTO texts VALUES (99999, 'nobody owns this')"),
    "a document of no root": ("strays", f"UPDATE documents SET root_id = 77 {WHO}"),
    "a root is missing": ("strays", "DELETE FROM roots"),
    "a living document that is said to be removed": (
        "strays",
        f"INSERT INTO tombstones VALUES ({ONE}, 1)",
    ),
    "an id above the last one": (
        "counters",
        "UPDATE sqlite_sequence SET seq = 3 WHERE name = 'documents'",
    ),
    "a revision of the future": ("counters", f"UPDATE documents SET revision = 500 {WHO}"),
    "no state": ("counters", "DELETE FROM states"),
    "a state that is none": ("counters", "UPDATE states SET state_id = 'abc'"),
    "no generation": ("counters", "DELETE FROM meta WHERE name = 'generation'"),
    "a generation that is no number": (
        "counters",
        "UPDATE meta SET value = 'many' WHERE name = 'generation'",
    ),
    "a model that is not there": ("counters", "UPDATE meta SET value = 9 WHERE name = 'model'"),
    "what a run skipped is unreadable": ("roots", "UPDATE roots SET skipped = '[['"),
    "a selection that is none": ("roots", "UPDATE roots SET selection = 'everything'"),
    "an index is missing": ("schema", "DROP INDEX chunksets_by_key"),
    "a table is missing": ("schema", "DROP TABLE tombstones"),
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


def test_a_sound_index_is_healthy_and_is_not_written_to(damaged: DamagedIndex) -> None:
    """Every check is there and says so; a repair of it does nothing."""
    expected = damaged.answers_of_fresh()
    reports = [doctor(damaged.root), doctor(damaged.root, repair=True)]
    for report in reports:
        assert report.ok
        assert report.is_readable
        assert (report.repaired, report.lost, report.saved, report.commands) == ((), (), None, ())
        assert {check.severity for check in report.checks} == {"none"}
    assert [check.name for check in reports[0].checks] == [
        "pages", "schema", "counters", "roots", "strays", "texts", "chunksets", "metadata",
        "vectors", "version", "snapshot", "embedder", "journal", "place",
    ]  # fmt: skip
    assert damaged.read() == damaged.whole
    assert damaged.answers() == expected


@pytest.mark.parametrize("case", BY_HAND)
def test_what_is_wrong_is_named_and_mended(damaged: DamagedIndex, case: str) -> None:
    """Afterwards, and one run later, the index answers as one that was never damaged."""
    check, statement = BY_HAND[case]
    damaged.execute("PRAGMA foreign_keys = OFF", statement)
    before = damaged.read()
    report = doctor(damaged.root)
    assert not report.ok
    found = {one.name: one for one in report.checks}[check]
    assert (found.ok, found.severity) == (False, "error")
    assert found.command == f"rootleaf doctor --repair --db {quoted(damaged.db_path)}"
    assert report.commands[0] == found.command
    assert damaged.read() == before
    mended = doctor(damaged.root, repair=True)
    assert mended.ok, [one for one in mended.checks if not one.ok]
    assert mended.repaired
    assert doctor(damaged.root).ok
    assert any(command.startswith("rootleaf index ") for command in mended.commands)
    for path in mended.lost:
        assert os.path.exists(path)
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()
    assert doctor(damaged.root).ok
    assert damaged.left_over() == set()


def test_first_seen_dates_and_ids_outlive_a_repair(damaged: DamagedIndex) -> None:
    """Chunksets whose key is known keep their date; no document changes its id."""
    damaged.execute("UPDATE chunksets SET first_seen = 1000 + ordinal")
    ids = "SELECT document_id || path FROM documents ORDER BY document_id"
    before = damaged.column(ids)
    dates = "SELECT first_seen FROM chunksets ORDER BY document_id, ordinal"
    expected = damaged.column(dates)
    damaged.execute("UPDATE chunksets SET ordinal = ordinal + 1000 WHERE ordinal % 2 = 0")
    assert doctor(damaged.root, repair=True).ok
    assert damaged.column(ids) == before
    assert sorted(damaged.column(dates)) == sorted(expected)


def test_a_text_that_belongs_to_nothing_is_saved_before_it_is_dropped(
    damaged: DamagedIndex,
) -> None:
    """The file that it is saved to is named, and a second one gets another name."""
    for number in (1, 2):
        damaged.execute(f"INSERT INTO texts VALUES (99999, 'nobody owns this {number}')")
        report = doctor(damaged.root, repair=True)
        assert report.saved in damaged.saved()
        assert len(damaged.saved()) == number
        with open(report.saved or "", "rb") as file:
            assert b"nobody owns this %d" % number in file.read()
    assert damaged.column("SELECT count(*) FROM texts WHERE document_id = 99999") == [0]


def test_a_document_id_is_not_given_again_after_a_repair(damaged: DamagedIndex) -> None:
    """Not even that of a document that was dropped, nor where the counter itself was wrong."""
    highest = damaged.column("SELECT max(document_id) FROM documents")[0]
    damaged.execute(
        f"DELETE FROM texts WHERE document_id = {highest}",
        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'documents'",
    )
    doctor(damaged.root, repair=True)
    damaged.run()
    assert damaged.column("SELECT max(document_id) FROM documents") == [highest + 1]


VECTORS = {
    "too short": b"\0" * 4,
    "no number": struct.pack("<f", float("nan")),
    "infinite": struct.pack("<f", float("-inf")),
    "zero": struct.pack("<f", 0.0),
    "not of length 1": struct.pack("<f", 3.0),
    "too long": struct.pack("<f", 1.0) + b"\0" * 4096,
}


@pytest.mark.parametrize("case", VECTORS)
def test_vectors_that_nothing_can_be_compared_with_are_dropped_and_paid_again(
    tmp_path: Path, case: str
) -> None:
    """The others stay; the next run embeds what is missing."""
    damaged = DamagedIndex(tmp_path, with_vectors=True)
    assert doctor(damaged.root).ok
    count = damaged.column("SELECT count(*) FROM vectors")[0]
    width = damaged.column("SELECT length(floats) FROM vectors LIMIT 1")[0]
    is_wide = len(VECTORS[case]) == 4 and case != "too short"
    floats = VECTORS[case] * (width // 4) if is_wide else VECTORS[case]
    damaged.execute(f"UPDATE vectors SET floats = x'{floats.hex()}' WHERE vector_id % 5 = 0")
    os.unlink(damaged.snapshot)
    report = doctor(damaged.root)
    assert next(check.name for check in report.checks if not check.ok) == "vectors"
    assert doctor(damaged.root, repair=True).ok
    kept = damaged.column("SELECT count(*) FROM vectors")[0]
    assert 0 < kept < count
    assert damaged.run().embedded == count - kept
    assert damaged.answers() == damaged.answers_of_fresh()
    assert doctor(damaged.root).ok


MODELS = {
    "no dimension": "UPDATE models SET dimension = 0",
    "more dimensions than any": "UPDATE models SET dimension = 1 << 40",
    "normalised in no way": "UPDATE models SET is_normalised = 7",
    "another dimension than its vectors": "UPDATE models SET dimension = dimension + 1",
}


@pytest.mark.parametrize("case", MODELS)
def test_a_model_that_its_vectors_cannot_be_of_is_found_and_they_are_paid_again(
    tmp_path: Path, case: str
) -> None:
    """The next run records the model anew."""
    damaged = DamagedIndex(tmp_path, with_vectors=True)
    count = damaged.column("SELECT count(DISTINCT key) FROM vectors")[0]
    damaged.execute(MODELS[case])
    report = doctor(damaged.root)
    assert next(check.name for check in report.checks if not check.ok) == "vectors"
    assert doctor(damaged.root, repair=True).ok
    assert damaged.column("SELECT count(*) FROM vectors") == [0]
    assert damaged.run().embedded == count
    assert damaged.answers() == damaged.answers_of_fresh()
    assert doctor(damaged.root).ok


def test_chunksets_without_a_vector_are_a_notice(tmp_path: Path) -> None:
    """Here of a recorded model that has none at all; searches by words are right all the same."""
    damaged = DamagedIndex(tmp_path, with_vectors=True)
    chunksets = damaged.column("SELECT count(*) FROM chunksets")[0]
    damaged.execute("DELETE FROM vectors")
    doctor(damaged.root, repair=True)
    report = doctor(damaged.root)
    assert report.ok
    (check,) = [check for check in report.checks if check.name == "vectors"]
    assert check.severity == "notice"
    assert check.found.startswith(f"{chunksets:,} of {chunksets:,} chunksets have no vector of ")
    damaged.run()
    (check,) = [check for check in doctor(damaged.root).checks if check.name == "vectors"]
    assert check.severity == "none"


def test_rows_of_another_version_are_brought_up_to_date_by_a_run(damaged: DamagedIndex) -> None:
    """That is a warning with the command of the run, and no damage."""
    damaged.execute("UPDATE roots SET chunker = 'chunks-0/9'")
    report = doctor(damaged.root)
    (check,) = [one for one in report.checks if one.name == "version"]
    assert check.severity == "warning"
    assert check.command == (
        f"rootleaf index {quoted(str(damaged.root))} --db {quoted(damaged.db_path)}"
    )
    index(damaged.root)
    assert doctor(damaged.root).ok

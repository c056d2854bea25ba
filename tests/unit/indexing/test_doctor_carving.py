"""Texts and vectors outlive the pages that lead to them."""

from __future__ import annotations

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> DamagedIndex:
    """An index with vectors."""
    return DamagedIndex(tmp_path_factory.mktemp("whole"), with_vectors=True)


@pytest.fixture
def damaged(whole: DamagedIndex) -> DamagedIndex:
    """An index to be damaged, as it was made."""
    whole.restore()
    return whole


def lose_root_pages(damaged: DamagedIndex, *tables: str) -> None:
    """Overwrites the page that leads to all rows of a table."""
    content = bytearray(damaged.read())
    for table in tables:
        (page,) = damaged.column(f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")
        content[(page - 1) * 4096 : page * 4096] = bytes(4096)
    damaged.write(bytes(content))


def test_no_text_is_lost_with_the_page_that_leads_to_them(damaged: DamagedIndex) -> None:
    """Nor with the rows of the documents, whose names an index of them still knows."""
    for tables in (("texts",), ("texts", "documents"), ("texts", "meta", "chunksets")):
        damaged.restore()
        texts = damaged.column("SELECT text FROM texts ORDER BY document_id")
        lose_root_pages(damaged, *tables)
        report = doctor(damaged.root, repair=True)
        assert report.lost == ()
        assert damaged.column("SELECT text FROM texts ORDER BY document_id") == texts
        damaged.run()
        assert damaged.answers() == damaged.answers_of_fresh()
        assert doctor(damaged.root).ok


def test_no_vector_is_paid_again_when_the_page_that_leads_to_them_is_lost(
    damaged: DamagedIndex,
) -> None:
    """Each lies on its own page with the key of its text."""
    vectors = damaged.column("SELECT hex(key) || hex(floats) FROM vectors ORDER BY key")
    lose_root_pages(damaged, "vectors")
    assert doctor(damaged.root, repair=True).ok
    assert damaged.column("SELECT hex(key) || hex(floats) FROM vectors ORDER BY key") == vectors
    assert damaged.run().embedded == 0


def test_the_text_of_now_wins_over_one_of_an_earlier_time(damaged: DamagedIndex) -> None:
    """Pages that are free may hold rows that were replaced; the hash of the file tells them."""
    note = damaged.root / "dir0" / "note 00.md"
    kept = note.read_text()
    earlier = damaged.whole
    try:
        note.write_text("# Short\n\nonly this\n")
        damaged.run()
        texts = damaged.column("SELECT text FROM texts ORDER BY document_id")
        pages = [earlier[at : at + 4096] for at in range(4096, len(earlier), 4096)]
        leaves = b"".join(page for page in pages if page[0] == 13 and b"# Note" in page)
        assert leaves
        lose_root_pages(damaged, "texts")
        damaged.write(damaged.read() + leaves)
        assert doctor(damaged.root, repair=True).ok
        assert damaged.column("SELECT text FROM texts ORDER BY document_id") == texts
    finally:
        note.write_text(kept)

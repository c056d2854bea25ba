"""Rows are read off the pages of a file as SQLite reads them along its trees."""

from __future__ import annotations

import random
import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf.store.row_carving import carved_rows

if TYPE_CHECKING:
    from pathlib import Path

PAGE_BYTES = 4096


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Texts and vectors of every size, from nothing to many pages, beside rows of other shapes."""
    chance = random.Random(3)
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)")
    connection.execute("CREATE TABLE vectors (id INTEGER PRIMARY KEY, model, key, floats)")
    connection.execute("CREATE TABLE others (id INTEGER PRIMARY KEY, one, two, three)")
    # Around what a page holds, where a row begins to go on elsewhere.
    sizes = [0, 1, 3000, *range(4050, 4075), 4096, 8150, 8200, 70_000]
    ids = chance.sample(range(-5, 1 << 40), len(sizes))
    for row_id, size in zip(ids, sizes, strict=True):
        text = "".join(chance.choices("aé€😀\n", k=size))
        connection.execute("INSERT INTO texts VALUES (?, ?)", (row_id, text))
        model = chance.choice([0, 1, 2, 200, 1 << 15, 1 << 23, -(1 << 31), 1 << 40, 1 << 60])
        values = (row_id, model, chance.randbytes(16), chance.randbytes(size))
        connection.execute("INSERT INTO vectors VALUES (?, ?, ?, ?)", values)
        for other in (("text", None, 1.5), (None, None, None), (1, "x", b"y")):
            connection.execute("INSERT INTO others (one, two, three) VALUES (?, ?, ?)", other)
    connection.commit()
    connection.close()
    return str(tmp_path / "x.db")


@pytest.mark.parametrize(("table", "shape"), [("texts", "nt"), ("vectors", "nibb")])
def test_all_rows_of_a_shape_are_found_and_no_other(path: str, table: str, shape: str) -> None:
    """With ids, numbers, texts and bytes, also of rows that go on over many pages."""
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    expected = {row[0]: row[1:] for row in connection.execute(f"SELECT * FROM {table}")}
    connection.close()
    found = {row_id: values[1:] for row_id, values in carved_rows(path, PAGE_BYTES, shape)}
    assert found == {row_id: row for row_id, row in expected.items() if row_id >= 0}


def test_no_bytes_whatever_end_it(path: str) -> None:
    """What is not whole is passed over: random bytes, on any page, raise nothing."""
    chance = random.Random(4)
    with open(path, "rb") as file:
        content = file.read()
    for _ in range(60):
        bad = bytearray(content)
        for _ in range(chance.randrange(1, 200)):
            page = chance.randrange(0, len(bad), PAGE_BYTES)
            bad[page + chance.randrange(0, 64)] = chance.randrange(256)
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        with open(path, "wb") as file:
            file.write(bad[: chance.randrange(len(bad))])
        for shape in ("nt", "nibb"):
            for row_id, values in carved_rows(path, PAGE_BYTES, shape):
                assert isinstance(row_id, int)
                assert len(values) == len(shape)

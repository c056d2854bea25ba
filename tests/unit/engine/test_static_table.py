"""The mapped table as the engine hands it out: its file, its identity, its refusals."""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
from typing import TYPE_CHECKING

import pytest
from rootleaf.embed.builtin import TABLE_PATH
from rootleaf.engine.static_table import StaticTable
from rootleaf.errors import EmbedderError

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES = 8_500_000
# Of vocab.txt as BERT's authors published it, a token on each line.
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


@pytest.fixture(scope="module")
def table() -> StaticTable:
    """The one of the package."""
    return StaticTable(TABLE_PATH)


def test_the_vocabulary_is_that_of_bert_uncased(table: StaticTable) -> None:
    """Token by token, in order."""
    lines = "".join(f"{token}\n" for token in table.vocabulary())
    assert hashlib.sha256(lines.encode()).hexdigest() == VOCABULARY_SHA256
    assert table.vocabulary()[table.unknown_id] == "[UNK]"


def test_table_and_vocabulary_are_small_enough_for_a_wheel() -> None:
    """Together at most 8.5 MB."""
    with open(TABLE_PATH, "rb") as file:
        assert len(file.read()) <= MAX_FILE_BYTES


def test_the_identity_stands_for_every_byte_of_the_file(table: StaticTable) -> None:
    """It is the checksum of the front, in which the checksums of all sections stand."""
    if not os.environ.get("CI"):
        pytest.importorskip("xxhash")
    import xxhash  # type: ignore[import-not-found, unused-ignore]

    table.verify()
    with open(TABLE_PATH, "rb") as file:
        content = file.read()
    (sections,) = struct.unpack_from("<I", content, 40)
    front_end = 64 + 32 * sections
    assert xxhash.xxh3_128(content[32:front_end]).hexdigest() == table.identity
    end = front_end
    for start in range(64, front_end, 32):
        offset, length, checksum = struct.unpack_from("<QQ16s", content, start)
        assert content[end:offset].strip(b"\0") == b""
        assert xxhash.xxh3_128(content[offset : offset + length]).digest() == checksum
        end = offset + length
    assert content[end:].strip(b"\0") == b""


def test_its_provenance_names_it(table: StaticTable) -> None:
    """The page beside the table is about this table."""
    with open(TABLE_PATH.replace("all_minilm_l6_v2.table", "PROVENANCE.md"), encoding="utf-8") as f:
        page = f.read()
    with open(TABLE_PATH, "rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() in page
    assert table.identity in page


def test_a_lone_surrogate_leaves_no_trace(table: StaticTable) -> None:
    """Text that cannot be encoded has tokens and a vector as if it were without it."""
    assert table.token_ids("cr\ud83dane") == table.token_ids("crane") != []
    assert table.embed(["cr\ud83dane"]) == table.embed(["crane"])


def test_no_text_gives_no_vector(table: StaticTable) -> None:
    """An empty batch is legal."""
    assert table.embed([]) == b""


@pytest.mark.parametrize("content", [None, b"", b"# No table", bytes(10_000)])
def test_what_is_no_table_is_refused_and_named(tmp_path: Path, content: bytes | None) -> None:
    """Absent, empty, text, zeros: one error, one code."""
    path = tmp_path / "a.table"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EmbedderError) as caught:
        StaticTable(str(path))
    assert caught.value.code == "embedder.table_invalid"


def test_a_damaged_row_is_found_by_verifying(tmp_path: Path) -> None:
    """Opening reads no rows; `verify` reads all."""
    path = tmp_path / "a.table"
    shutil.copyfile(TABLE_PATH, path)
    with path.open("r+b") as file:
        file.seek(-1000, 2)
        before = file.read(1)
        file.seek(-1000, 2)
        file.write(bytes([before[0] ^ 1]))
    damaged = StaticTable(str(path))
    with pytest.raises(EmbedderError) as caught:
        damaged.verify()
    assert caught.value.code == "embedder.table_invalid"

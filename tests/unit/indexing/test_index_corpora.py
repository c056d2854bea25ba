"""Real markdown: every file is indexed, the database stays small, a second run changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rootleaf import index, status

if TYPE_CHECKING:
    from pathlib import Path

GREATEST_RATIO = 2.0
"""Bytes of the database for each byte of markdown, without vectors."""

BYTES_A_VECTOR = 1500
"""At most, of 256 floats in pages of 4,096 bytes, of which three have room in one."""


@pytest.mark.parametrize("corpus", ["eips", "keps", "rust-book", "copilot"])
def test_a_corpus_is_indexed_whole_and_small(
    shared_data: Path, tmp_path: Path, corpus: str
) -> None:
    """Nothing is skipped, the text is stored once, and the second run writes nothing."""
    directory, db_path = shared_data / "corpora" / corpus, tmp_path / "x.db"
    suffixes = (".md", ".markdown", ".mdc")
    markdown_bytes = [
        path.stat().st_size for path in directory.rglob("*") if path.name.endswith(suffixes)
    ]
    first = index(directory, db_path, embedder="none")
    assert (first.files_indexed, first.files_seen) == (len(markdown_bytes), len(markdown_bytes))
    assert (first.skipped, first.held_back, first.decoded_by_fallback) == ((), (), ())
    assert first.chunksets > 0
    found = status(db_path=db_path)
    assert found.size_bytes <= GREATEST_RATIO * sum(markdown_bytes)
    embedded = index(directory, db_path, embedder="builtin").embedded
    assert first.chunksets * 0.8 < embedded <= first.chunksets
    with_vectors = status(db_path=db_path)
    assert with_vectors.without_vector == 0
    assert with_vectors.size_bytes - found.size_bytes <= BYTES_A_VECTOR * embedded
    before = db_path.read_bytes()
    second = index(directory, db_path)
    assert (second.files_unchanged, second.chunks) == (len(markdown_bytes), 0)
    assert db_path.read_bytes() == before

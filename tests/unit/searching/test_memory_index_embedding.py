"""A handle with an embedder: what lacks a vector gets one, and is shown with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rootleaf import MemoryIndex, index, index_file
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import EmbedderError, NotIndexedError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed directory of two notes, without vectors and with no wish to stay so."""
    directory = tmp_path.resolve() / "notes"
    directory.mkdir()
    (directory / "a.md").write_text("# A\n\nalpha\n")
    (directory / "b.md").write_text("# B\n\nbeta\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROOTLEAF_EMBEDDER", "none")
        index(directory)
    return directory


def test_what_lacks_a_vector_gets_one(root: Path) -> None:
    """Once; a second call pays for nothing."""
    with MemoryIndex(root / ".rootleaf/index.db", embedder=FakeEmbedder()) as memory:
        assert memory.ensure_embeddings() == 2
        assert memory.ensure_embeddings() == 0
        assert memory.status().without_vector == 0


def test_new_documents_are_shown_with_their_vectors_in_one_step(root: Path) -> None:
    """While the lock is held neither the one nor the other is seen."""
    with MemoryIndex(root / ".rootleaf/index.db", embedder=FakeEmbedder()) as memory:
        memory.ensure_embeddings()
        with memory.lock:
            (root / "c.md").write_text("# C\n\ngamma\n")
            index_file(root / "c.md", root)
            assert "C" not in {hit.title for hit in memory.search("gamma")}
            assert memory.ensure_embeddings() == 1
            assert "C" not in {hit.title for hit in memory.search("gamma")}
        answer = memory.search("gamma")
        assert "C" in {hit.title for hit in answer}
        assert answer.without_vector == 0
        assert memory._serving._moment.view.without_vector == 0


def test_without_an_embedder_nothing_is_embedded_and_nothing_raises(root: Path) -> None:
    """Such an index is searched by keyword."""
    with MemoryIndex(root / ".rootleaf/index.db", embedder="none") as memory:
        assert memory.ensure_embeddings() == 0
        assert memory.search("alpha").mode == "keyword"


def test_an_index_that_is_to_have_no_vectors_gets_none_unless_they_are_asked_for(
    root: Path,
) -> None:
    """What a run was told holds for handles too."""
    index(root, embedder="none")
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert memory.ensure_embeddings() == 0
        assert memory.search("alpha").mode == "keyword"
    with MemoryIndex(root / ".rootleaf/index.db", embedder="builtin") as memory:
        assert memory.ensure_embeddings() == 2


def test_a_handle_that_was_told_nothing_embeds_with_the_recorded_model_or_builtin(
    root: Path,
) -> None:
    """As `rootleaf index` does; and its searches compare with what that made."""
    with MemoryIndex(root / ".rootleaf/index.db") as memory:
        assert memory.ensure_embeddings() == 2
        assert memory.search("alpha").mode == "hybrid"
        assert memory.status().embedder.startswith("builtin")


def test_another_model_is_refused_and_what_was_paid_stays(root: Path) -> None:
    """Vectors of two models are never mixed."""
    with MemoryIndex(root / ".rootleaf/index.db", embedder=FakeEmbedder()) as memory:
        memory.ensure_embeddings()
    other = FakeEmbedder(dimension=7)
    with MemoryIndex(root / ".rootleaf/index.db", embedder=other) as memory:
        with pytest.raises(EmbedderError) as refused:
            memory.ensure_embeddings()
        assert refused.value.code == "embedder.other_model"
        assert memory.status().without_vector == 0


def test_an_index_that_is_gone_is_not_made_anew(root: Path) -> None:
    """The error of every other command that finds none."""
    with MemoryIndex(root / ".rootleaf/index.db", embedder=FakeEmbedder()) as memory:
        for entry in (root / ".rootleaf").iterdir():
            entry.unlink()
        with pytest.raises(NotIndexedError):
            memory.ensure_embeddings()
        assert not (root / ".rootleaf/index.db").exists()

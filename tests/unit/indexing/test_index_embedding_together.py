"""Two programs that embed one database at once pay for a few batches twice, and not for all."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.indexing import embedding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conftest import WriteNotes

TEXTS = 60
BATCH = 3


class InStep(FakeEmbedder):
    """Answers only when the other one is asked as well, or is done."""

    def __init__(self, barrier: threading.Barrier) -> None:
        super().__init__()
        self.barrier = barrier

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """Vectors, at the same moment as the other."""
        with contextlib.suppress(threading.BrokenBarrierError):
            self.barrier.wait(timeout=60)
        return super().embed_documents(texts)


@pytest.mark.parametrize("files", [1, 10, TEXTS])
def test_runs_that_meet_share_the_work(
    notes: WriteNotes, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    """Even where each batch of one is asked for while the other is; all have vectors then."""
    monkeypatch.setattr(embedding, "MOST_TEXTS", BATCH)
    sections = [f"# Section {number}\n\nword{number}\n\n" for number in range(TEXTS)]
    size = TEXTS // files
    root = notes({f"{n:02}.md": "".join(sections[n * size : (n + 1) * size]) for n in range(files)})
    rootleaf.index(root, embedder="none")
    barrier = threading.Barrier(2)
    fakes = [InStep(barrier), InStep(barrier)]

    def run(fake: InStep) -> None:
        try:
            rootleaf.index(root, embedder=fake)
        finally:
            barrier.abort()

    threads = [threading.Thread(target=run, args=(fake,)) for fake in fakes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    paid = [text for fake in fakes for text in fake.texts]
    assert len(set(paid)) == TEXTS
    assert len(paid) <= TEXTS + 3 * BATCH
    assert min(len(fake.texts) for fake in fakes) > TEXTS // 3
    assert rootleaf.status(root).without_vector == 0

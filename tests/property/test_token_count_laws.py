"""Laws of the token count, for any text and any bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.tokens import TOKEN_SEAM, count_tokens

# Runs of few kinds of characters reach deep into the count's states; free text seldom does.
RUNS = st.sampled_from(
    ["aé", "bZ", "a", "Z9", "9a", " \n", "\t ", "水a", "ก🚀", "a-", " 9", "aZ9-"]
)
TEXTS = st.text() | RUNS.flatmap(lambda alphabet: st.text(alphabet=alphabet, max_size=80))


@given(st.binary(), st.binary())
def test_appending_never_lowers_the_count(before: bytes, after: bytes) -> None:
    """A longer text never counts less, whatever its bytes, even where it is cut in a character."""
    assert (
        count_tokens(before)
        <= count_tokens(before + after)
        <= count_tokens(before) + 4 * (len(after) + 1)
    )


@given(TEXTS, TEXTS)
def test_parts_count_together_what_the_whole_does(left: str, right: str) -> None:
    """Cut between two characters, the difference is bounded, so that budgets can be summed."""
    parts = count_tokens(left) + count_tokens(right)
    assert abs(count_tokens(left + right) - parts) <= TOKEN_SEAM


@given(st.text().filter(lambda text: text.strip()))
def test_text_that_is_not_blank_counts_at_least_one(text: str) -> None:
    """No word is free."""
    assert count_tokens(text) >= 1

"""Budgets as the models that read the answer count them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.engine.tokens import count_tokens
from token_samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

BUDGET_TOKENS = 400


@pytest.mark.parametrize(
    "kind", ["english", "chinese", "thai", "python", "hexdump", "emoji", "url", "base64", "table"]
)
def test_real_tokens_stay_within_the_budget_for_every_kind_of_text(
    tmp_path: Path, kind: str
) -> None:
    """The samples shown whole take no more real tokens than asked for, wrapper text included."""
    sample, real = SAMPLES[kind]
    sample = sample.strip("\n")
    for name in ("a", "b", "c", "d"):
        body = "\n\n".join([f"```\n{sample}\n```" if kind == "python" else sample] * 12)
        (tmp_path / f"{name}.md").write_text(f"# Zebra\n\n{body}\n", "utf-8")
    rootleaf.index(tmp_path, all_markdown=True)
    answer = rootleaf.search("zebra", tmp_path, budget_tokens=BUDGET_TOKENS, cite=True)
    shown = "\n\n".join(hit.context for hit in answer)
    assert shown.count(sample) * max(real) + count_tokens(shown.replace(sample, "")) <= (
        BUDGET_TOKENS
    )
    assert sum(count_tokens(hit.context) for hit in answer) < BUDGET_TOKENS
    assert sample in shown
    assert answer.omitted.tokens > BUDGET_TOKENS

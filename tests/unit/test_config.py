"""What the environment says, and what is said where it cannot be meant."""

from __future__ import annotations

import pytest
from rootleaf import config
from rootleaf.errors import InvalidInputError


@pytest.mark.parametrize(
    ("text", "gate"), [(None, None), ("", None), ("0", 0.0), ("0.55", 0.55), ("2.5", 2.5)]
)
def test_a_threshold_is_a_number_or_not_set(
    monkeypatch: pytest.MonkeyPatch, text: str | None, gate: float | None
) -> None:
    """The gate measure may be above 1; an empty value is none."""
    monkeypatch.delenv("ROOTLEAF_EMPTY_GATE", raising=False)
    if text is not None:
        monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", text)
    assert config.empty_gate() == gate


@pytest.mark.parametrize("text", ["high", "-1", "nan", "inf", "0,5"])
def test_a_threshold_that_cannot_be_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """The variable, its value, and what is allowed."""
    monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", text)
    with pytest.raises(InvalidInputError) as caught:
        config.empty_gate()
    expected = f"ROOTLEAF_EMPTY_GATE is {text!r}; allowed: a number of 0 or more"
    assert caught.value.message == expected
    assert caught.value.hint == "unset ROOTLEAF_EMPTY_GATE"


def test_a_setting_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may change its environment between two calls."""
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "none")
    assert config.embedder() == "none"
    monkeypatch.delenv("ROOTLEAF_EMBEDDER")
    assert config.embedder() is None

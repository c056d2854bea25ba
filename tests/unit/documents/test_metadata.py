"""How rules and front matter become one mapping."""

from __future__ import annotations

from rootleaf.documents.metadata import merge


def test_front_matter_wins_per_key() -> None:
    """A key of both is what front matter says, whole; the others stand side by side."""
    rules: dict[str, str | list[str]] = {
        "kind": "event",
        "tags": ["a", "b"],
        "repo": "acme/billing",
    }
    merged = merge(rules, {"kind": "decision", "tags": ["c"], "author": ""})
    assert merged == {"kind": "decision", "tags": ["c"], "repo": "acme/billing", "author": ""}


def test_equal_sources_merge_to_equal_text() -> None:
    """The order of keys does not depend on the order of the sources' keys."""
    one = merge({"b": "1", "a": "2"}, {"c": "3"})
    other = merge({"a": "2", "b": "1"}, {"c": "3"})
    assert list(one.items()) == list(other.items())

"""What a filter may look like, and how a wrong one is named."""

from __future__ import annotations

import pytest
from rootleaf.errors import InvalidInputError
from rootleaf.searching.filters import checked_where, parse_pairs


def test_pairs_of_one_key_are_alternatives_and_values_are_taken_as_written() -> None:
    """A value may be empty, hold `=` and blanks, and is never anything but a string."""
    assert parse_pairs(["kind=event", "kind=decision", "a=b=c", "empty=", "n= 1.0 "]) == {
        "kind": ["event", "decision"],
        "a": ["b=c"],
        "empty": [""],
        "n": [" 1.0 "],
    }


@pytest.mark.parametrize("pair", ["kind", "", "=", "=x", "kind:event"])
def test_a_malformed_pair_is_named(pair: str) -> None:
    """The error shows the pair as it was given."""
    with pytest.raises(InvalidInputError) as caught:
        parse_pairs(["a=b", pair])
    assert repr(pair) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("where", [None, {}])
def test_an_empty_filter_filters_nothing(where: dict[str, str] | None) -> None:
    """No filter and an empty one are the same."""
    assert checked_where(where) is None


def test_a_single_string_is_a_list_of_one_and_an_empty_list_stays() -> None:
    """Values are lists inside; an empty one is kept, for it matches nothing."""
    assert checked_where({"kind": "event", "repo": (), "tag": ["a", "b"]}) == {
        "kind": ["event"],
        "repo": [],
        "tag": ["a", "b"],
    }


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("kind=event", "'kind=event'"),
        (["kind"], "['kind']"),
        (dict, "<class 'dict'>"),
        ({"version": 1}, "'version': 1"),
        ({"version": [1.0]}, "'version': [1.0]"),
        ({"version": None}, "'version': None"),
        ({"version": b"1"}, "'version': b'1'"),
        ({"kind": {"a": "b"}}, "'kind': {'a': 'b'}"),
        ({1: "x"}, "1: 'x'"),
        ({"": "x"}, "'': 'x'"),
        ({"kind": ["a", True]}, "'kind': ['a', True]"),
    ],
)
def test_what_is_no_string_is_refused_by_name(where: object, named: str) -> None:
    """A value that is no string, or no mapping at all, is named and not converted."""
    with pytest.raises(InvalidInputError) as caught:
        checked_where(where)
    assert named in caught.value.message
    assert caught.value.code == "input.invalid"

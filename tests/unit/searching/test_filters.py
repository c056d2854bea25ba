"""What a filter may look like, and how a wrong one is named."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.errors import InvalidInputError
from rootleaf.searching.filters import checked_where, parse_pairs

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes


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


KINDS: dict[str, str | bytes] = {
    "a.md": "---\nkind: event\nrepo: acme/billing\n---\napple\n",
    "b.md": "---\nkind: decision\nrepo: acme/billing\n---\napple\n",
    "c.md": "---\nkind: event\nrepo: acme/other\n---\napple\n",
    "d.md": "---\nkind: [note, event]\nrepo: acme/billing\n---\napple\n",
    "e.md": "---\nversion: 1.0\nempty:\nodd: '!event'\n---\napple\n",
    "f.md": "apple\n",
}


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], "abcdef"),
        (["kind=event"], "acd"),
        (["kind=event", "kind=decision"], "abcd"),
        (["kind=event", "kind=decision", "repo=acme/billing"], "abd"),
        (["kind=note", "repo=acme/other"], ""),
        (["kind=Event"], ""),
        (["Kind=event"], ""),
        (["kind=even"], ""),
        (["kind=note,event"], ""),
        (["version=1.0"], "e"),
        (["version=1"], ""),
        (["empty="], "e"),
        # No operators, no negation, no ranges: these are values like any other.
        (["kind=*"], ""),
        (["kind=!event"], ""),
        (["odd=!event"], "e"),
        (["kind!=event"], ""),
        (["version=>0"], ""),
        (["version=0..2"], ""),
    ],
)
def test_keys_are_all_met_and_values_of_a_key_are_alternatives(
    notes: WriteNotes, cli: Cli, pairs: list[str], found: str
) -> None:
    """Equality of strings by case, and any element of a list; in both forms of the question."""
    root = notes(KINDS)
    rootleaf.index(root)
    where: dict[str, list[str]] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        where.setdefault(key, []).append(value)
    options = [word for pair in pairs for word in ("--where", pair)]
    done = cli("search", "apple", "--path", str(root), "--top", "9", "--json", *options)
    answer = rootleaf.search("apple", root, top_k=9, where=where)
    for paths in (
        [hit["file_path"] for hit in json.loads(done.stdout)["hits"]],
        [hit.file_path for hit in answer],
    ):
        assert sorted(os.path.basename(path) for path in paths) == [f"{one}.md" for one in found]


def test_a_filtered_answer_is_that_of_an_index_of_the_matching_documents(
    notes: WriteNotes, tmp_path: Path
) -> None:
    """Hits, order, scores and verdicts, though most of the other documents hold the words too."""
    inside = {
        f"in/{number}.md": f"---\nkind: in\n---\n# N{number}\n\n{'apple ' * number}pear\n"
        for number in range(1, 6)
    }
    outside = {f"out/{number}.md": "# Apple\n\napple pear pear\n" for number in range(40)}
    root = notes({**inside, **outside})
    rootleaf.index(root, tmp_path / "all.db")
    rootleaf.index(root / "in", tmp_path / "in.db")
    for query in ("apple", "pear apple", "n3", "plum", ""):
        for top_k in (2, 9):
            part = rootleaf.search(
                query, db_path=tmp_path / "all.db", where={"kind": "in"}, top_k=top_k
            )
            alone = rootleaf.search(query, db_path=tmp_path / "in.db", top_k=top_k)
            assert part.verdict == alone.verdict
            assert part.omitted == alone.omitted
            assert [(hit.file_path, hit.parts) for hit in part] == [
                (hit.file_path, hit.parts) for hit in alone
            ]

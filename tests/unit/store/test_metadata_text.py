"""Which stored texts are metadata, against a slow reading by the rule; and rows without any."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
import rootleaf
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.store.metadata_text import find_metadata, unreadable_texts, written
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes

strings = st.text(max_size=6)
mappings = st.dictionaries(strings, strings | st.lists(strings, max_size=3), max_size=4)
pieces = st.lists(
    st.sampled_from(
        [b"{", b"}", b"[", b"]", b",", b":", b'"', b'"a"', b'"b":', b"\\", b"\\n", b"\n", b" ",
         b"1", b"null", b"\\ud800", b"\\udc00", b"\\u0041", b"\xff", b"\xc3", b"\xa9", b"{}",
         b'{"a":"b"}']
    ),
    max_size=8,
).map(b"".join)  # fmt: skip


def by_the_rule(stored: bytes) -> object:
    """The mapping of strings to strings or lists of strings that is stored, else None."""
    try:
        found = json.loads(stored.decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    for value in found.values():
        if not isinstance(value, str) and not (
            isinstance(value, list) and all(isinstance(entry, str) for entry in value)
        ):
            return None
    try:
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return None
    return found


@given(mappings)
def test_what_is_written_is_read_back(metadata: dict[str, str | list[str]]) -> None:
    """Whatever strings they are; and it is not taken for unreadable."""
    stored = written(metadata).encode()
    assert find_metadata(stored) == metadata
    assert unreadable_texts([stored]) == set()


@given(st.lists(pieces | mappings.map(written).map(str.encode) | st.binary(max_size=6), max_size=5))
def test_unreadable_is_what_is_no_mapping_of_strings(texts: list[bytes]) -> None:
    """Each text by itself, whatever stands beside it."""
    for text in texts:
        assert find_metadata(text) == by_the_rule(text)
    assert unreadable_texts(texts) == {text for text in texts if by_the_rule(text) is None}


@pytest.mark.parametrize(
    "stored",
    [
        b'{"a":1}', b'{"a":null}', b'{"a":{"b":"c"}}', b'{"a":["b",1]}', b'{"a":[["b"]]}', b"[]",
        b'"a"', b"", b"{", b'{"a":"\xe9"}', b'{"a":"\\ud800"}', b'{"a":"b"}\n{"a":"b"}',
        b'{"a":"b"}{}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_one_unreadable_text_is_found_among_many(stored: bytes) -> None:
    """And only that one."""
    others = [written({"n": str(number)}).encode() for number in range(1200)]
    assert unreadable_texts([*others[:700], stored, *others[700:]]) == {stored}


BAD = {
    "a.md": (None, None),
    "b.md": ("", None),
    "c.md": (None, "{}"),
    "d.md": ("", '{"kind": 1}'),
    "e.md": ("", "x"),
    "f.md": ("", b"\xff\xfe"),
}


def test_rows_without_metadata_are_read_searched_and_renewed(notes: WriteNotes) -> None:
    """They are documents with empty metadata, and a run that reaches them resolves it anew."""
    text = "---\nkind: fruit\n---\n# Apple\n\nround\n"
    root = notes(dict.fromkeys([*BAD, "good.md"], text))
    report = rootleaf.index(root)
    fresh = _rows(report.db_path)
    with sqlite3.connect(report.db_path) as connection:
        for name, (identity, metadata) in BAD.items():
            connection.execute(
                "UPDATE documents SET rules_identity = ?, metadata = CAST(? AS TEXT)"
                " WHERE path = ?",
                (identity, metadata, name),
            )
    connection.close()
    with open_for_reading(report.db_path) as store:
        check = store.check_metadata()
        (root_id,) = check.identities
        assert check.identities[root_id] == {""}
        assert check.unscanned == {root_id: ("a.md", "b.md", "c.md")}
        assert check.unreadable == {root_id: ("d.md", "e.md", "f.md")}
        for document in store.documents():
            is_good = document.path.endswith("good.md")
            assert document.metadata == ({"kind": "fruit"} if is_good else {})
            assert document.rules_identity == ("" if is_good else None)
        marks = store.marks(root_id)
        assert [name for name, mark in marks.items() if mark.rules_identity is None] == list(BAD)
    (root / ".rootleaf" / "index.snapshot").unlink()
    # Twice: from the stored text, and from a snapshot that a run made of other rows.
    assert len(rootleaf.search("fruit", root, top_k=10)) == len(BAD) + 1
    assert rootleaf.status(root).files == len(BAD) + 1
    assert rootleaf.index(root).metadata_refreshed == len(BAD)
    assert _rows(report.db_path) == fresh
    assert len(rootleaf.search("fruit", root, top_k=10)) == len(BAD) + 1


def _rows(db_path: str | Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(db_path)
    rows = connection.execute(
        "SELECT path, rules_identity, metadata, text FROM documents JOIN texts USING (document_id)"
        " ORDER BY path"
    ).fetchall()
    connection.close()
    return rows

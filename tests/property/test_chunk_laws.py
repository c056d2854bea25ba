"""Laws that hold for the chunks and chunksets of every text, whatever it holds."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.chunker import (
    KINDS,
    NO_PARENT,
    ChunkColumns,
    chunk_columns,
    front_matter_span,
)

if TYPE_CHECKING:
    from pathlib import Path

BLANK = b" \t\r\n"
MOST_ANCESTORS = 106
LIMITS = (16, 64, 256)

FRAGMENTS = (
    "# Fig", "## Plum ##", "#### Deep", "Kiwi\n====", "Two\nlines\n---", "plain words here.",
    "A sentence. Another one! A third? And the rest of it", "x" * 90, "word " * 40, "- item",
    "  - nested", "    - deeper", "- - twice", "1. first", "2) second", "-", "-\n  late", "> quote",
    "> > inner", ">", "> - item\n>   more", "```sh\n# no heading\n\nrun\n```", "~~~\nopen",
    "    indented code", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "---", "* * *",
    "<!--\nnote\n-->", "<!-- one line -->",
    "<div>\n*raw*", "<script>\n# x\n</script>", "[ref]: /url 'title'",
    "[b]: <x>", "---\nkind: note\n---", "---\nkind: [\n---", "\ttab", "a\\", "&amp; `code | span`",
    "e\u0301te\u0301 " * 12, "\U0001F468\u200D\U0001F469\u200D\U0001F467" * 5, "漢字。" * 20,
    "\u3000", "\x0c", "\x00",
)  # fmt: skip

LINE = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.text(max_size=30),
    st.text(alphabet=" \t\r\n->*#`|:.1ae\u0301", max_size=40),
    st.binary(max_size=30).map(lambda raw: raw.decode("utf-8", "replace")),
)


@st.composite
def nested(draw: st.DrawFn) -> str:
    """A line behind a chain of container markers."""
    markers = draw(st.lists(st.sampled_from(["> ", "- ", "1. ", "  ", ">", "    "]), max_size=12))
    return "".join(markers) + draw(LINE)


MARKDOWN = st.lists(st.one_of(LINE, nested()), max_size=25).flatmap(
    lambda parts: st.sampled_from(["\n", "\n\n", "\r\n"]).map(lambda joint: joint.join(parts))
)


def check_laws(text: str, columns: ChunkColumns, max_tokens: int, markdown_start: int) -> None:
    """Asserts all laws of one document."""
    utf8 = text.encode()
    _check_cover(utf8, columns, max_tokens, markdown_start)
    _check_lines(utf8, columns)
    _check_tree(columns)
    _check_chunksets(columns, max_tokens)
    _check_surroundings(columns)


def _check_cover(utf8: bytes, columns: ChunkColumns, max_tokens: int, markdown_start: int) -> None:
    covered = markdown_start
    for start, end in zip(columns.starts, columns.ends, strict=True):
        assert covered <= start < end <= len(utf8)
        assert not utf8[covered:start].strip(BLANK), "a byte that is not blank is in no chunk"
        utf8[start:end].decode()
        assert end - start <= 4 * max_tokens
        covered = end
    assert not utf8[covered:].strip(BLANK), "a byte that is not blank is in no chunk"


def _check_lines(utf8: bytes, columns: ChunkColumns) -> None:
    line_starts = [0]
    line_starts.extend(end.end() for end in re.finditer(rb"\r\n|\r|\n", utf8))
    for index, (start, end) in enumerate(zip(columns.starts, columns.ends, strict=True)):
        assert columns.start_lines[index] == bisect_right(line_starts, start) - 1
        assert columns.end_lines[index] == bisect_left(line_starts, end)


def _check_tree(columns: ChunkColumns) -> None:
    path: list[int] = []
    levels, depths, kinds = list(columns.levels), list(columns.depths), list(columns.kinds)
    for index, parent in enumerate(columns.parents):
        while path and path[-1] != parent:
            path.pop()
        assert bool(path) == (parent != NO_PARENT), "the parent is no ancestor of the chunk before"
        assert depths[index] == len(path) <= MOST_ANCESTORS
        assert kinds[index] < len(KINDS)
        if path:
            assert KINDS[kinds[parent]] in ("heading", "list_item")
        if levels[index]:
            assert KINDS[kinds[index]] == "heading"
            assert not path or 0 < levels[parent] < levels[index]
        path.append(index)


def _check_chunksets(columns: ChunkColumns, max_tokens: int) -> None:
    all_parents = list(columns.parents)
    parents = set(all_parents)
    leaves = [index for index in range(columns.len_chunks()) if index not in parents]
    in_chunksets: list[int] = []
    for ordinal in range(columns.len_chunksets()):
        first = columns.chunkset_firsts[ordinal]
        run = range(first, first + columns.chunkset_counts[ordinal])
        in_chunksets.extend(run)
        assert len({all_parents[leaf] for leaf in run}) == 1
        shown_bytes = sum(columns.ends[leaf] - columns.starts[leaf] for leaf in run) + len(run) - 1
        assert shown_bytes <= 4 * max_tokens
        assert len(run) == 1 or not any(columns.levels[leaf] for leaf in run)
    assert in_chunksets == leaves


def _check_surroundings(columns: ChunkColumns) -> None:
    for index in range(columns.len_chunks()):
        if columns.head_starts[index] != columns.head_ends[index]:
            assert columns.head_ends[index] < columns.starts[index]
            assert KINDS[columns.kinds[index]] in ("code", "table", "comment")
        if columns.tail_starts[index] != columns.tail_ends[index]:
            assert columns.ends[index] < columns.tail_starts[index]
            assert KINDS[columns.kinds[index]] in ("code", "comment", "list_item")


def markdown_start(text: str, *, parsed: bool) -> int:
    """The byte where chunks must start: behind front matter that was parsed."""
    span = front_matter_span(text)
    return span.end if parsed and span.state == "closed" else 0


@given(text=MARKDOWN, max_tokens=st.sampled_from(LIMITS), parsed=st.booleans())
def test_chunks_are_a_lossless_ordered_tree(text: str, max_tokens: int, parsed: bool) -> None:
    """Chunks cover each byte that is not blank once, in order; chunksets are paths of siblings."""
    columns = chunk_columns(text, front_matter_parsed=parsed, max_tokens=max_tokens)
    check_laws(text, columns, max_tokens, markdown_start(text, parsed=parsed))


@pytest.mark.parametrize("max_tokens", [16, 256])
def test_real_documents_are_chunked_lossless(shared_data: Path, max_tokens: int) -> None:
    """The same holds for every document of the corpora."""
    for path in sorted((shared_data / "corpora").rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "replace")
        columns = chunk_columns(text, max_tokens=max_tokens)
        check_laws(text, columns, max_tokens, markdown_start(text, parsed=True))


@given(text=MARKDOWN, max_tokens=st.sampled_from(LIMITS))
def test_keys_are_equal_exactly_where_normalised_texts_are(text: str, max_tokens: int) -> None:
    """Two chunksets have one key if and only if they show the same words in the same parts."""
    columns = chunk_columns(text, max_tokens=max_tokens)
    key_of: dict[tuple[object, ...], bytes] = {}
    for ordinal in range(columns.len_chunksets()):
        key_of.setdefault(normalised(text.encode(), columns, ordinal), columns.key(ordinal))
        assert key_of[normalised(text.encode(), columns, ordinal)] == columns.key(ordinal)
    assert len(set(key_of.values())) == len(key_of)


def normalised(utf8: bytes, columns: ChunkColumns, ordinal: int) -> tuple[object, ...]:
    """What a chunkset shows, with white space folded."""

    def fold(start: int, end: int) -> bytes:
        return b" ".join(part for part in _split_blank(utf8[start:end]) if part)

    first = columns.chunkset_firsts[ordinal]
    above = tuple(fold(columns.starts[at], columns.ends[at]) for at in columns.ancestors(first))
    shown: list[tuple[str, bytes]] = []
    head_end = 0
    for leaf in range(first, first + columns.chunkset_counts[ordinal]):
        head = (columns.head_starts[leaf], columns.head_ends[leaf])
        if head[0] < head[1] != head_end and head[0] < columns.starts[first]:
            shown.append(("head", fold(*head)))
            head_end = head[1]
        shown.append(("leaf", fold(columns.starts[leaf], columns.ends[leaf])))
    return (above, tuple(shown))


def _split_blank(text: bytes) -> list[bytes]:
    return text.replace(b"\t", b" ").replace(b"\n", b" ").replace(b"\r", b" ").split(b" ")


@given(text=MARKDOWN)
def test_line_ends_do_not_change_the_structure(text: str) -> None:
    """A text and its CRLF form have the same tree as long as no block has to be cut."""
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    columns = chunk_columns(unix, max_tokens=65536)
    dos = chunk_columns(unix.replace("\n", "\r\n"), max_tokens=65536)
    for column in ("kinds", "levels", "depths", "parents", "start_lines", "end_lines"):
        assert list(getattr(dos, column)) == list(getattr(columns, column)), column


SECTION = st.lists(
    st.sampled_from([part for part in FRAGMENTS if part[:1] not in "#~<" and "\n" not in part]),
    max_size=8,
).map("\n\n".join)


@given(sections=st.lists(SECTION, min_size=1, max_size=6), extra=SECTION)
def test_an_appended_section_leaves_all_before_it_alone(sections: list[str], extra: str) -> None:
    """Indices, spans and keys of earlier sections stay, also where all headings are the same."""
    text = "".join(f"## Setup\n\n{section}\n\n" for section in sections)
    before = chunk_columns(text)
    after = chunk_columns(f"{text}## Setup\n\n{extra}\n")
    chunks, chunksets = before.len_chunks(), before.len_chunksets()
    for column in ("kinds", "depths", "parents", "starts", "ends"):
        assert list(getattr(after, column))[:chunks] == list(getattr(before, column)), column
    assert after.chunkset_keys[: 16 * chunksets] == before.chunkset_keys
    sections_of = [after.ancestors(first)[:1] or [first] for first in after.chunkset_firsts]
    assert len({section[0] for section in sections_of}) == len(sections) + 1


@given(leaves=st.lists(st.integers(1, 400), min_size=1, max_size=40), extra=st.integers(1, 400))
def test_an_appended_sibling_changes_at_most_the_last_chunkset(
    leaves: list[int], extra: int
) -> None:
    """A log that grows at its end has one chunkset with new text per entry."""
    entries = [f"- entry {number} {'ab ' * (size // 3)}" for number, size in enumerate(leaves)]
    before = chunk_columns("# Log\n\n" + "\n".join(entries))
    after = chunk_columns("# Log\n\n" + "\n".join([*entries, f"- last {'cd ' * (extra // 3)}"]))
    kept = before.chunkset_keys[:-16]
    assert after.chunkset_keys[: len(kept)] == kept
    assert after.len_chunksets() - before.len_chunksets() in (0, 1)

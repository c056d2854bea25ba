"""What front matter may say, what it means, and how anything else is refused."""

from __future__ import annotations

import time

import pytest
from rootleaf.documents.decoding import decode
from rootleaf.documents.front_matter import FrontMatter, parse_front_matter, parse_lines


def parsed(content: str) -> dict[str, str | list[str]]:
    """The values of a block that must be parsed."""
    front_matter = parse_lines(content.split("\n"))
    assert front_matter.problem is None
    assert front_matter.state == "parsed"
    return front_matter.values


def refused(content: str) -> tuple[int, str]:
    """Line and reason of a block that must be refused, and that then gives nothing."""
    front_matter = parse_lines(content.split("\n"))
    assert front_matter.state == "unparsed"
    assert front_matter.values == {}
    assert front_matter.problem is not None
    return front_matter.problem.line, front_matter.problem.reason


def test_values_are_strings_as_written() -> None:
    """No value becomes a date, a number, a truth or nothing."""
    assert parsed(
        "title: 2026-05-26\nversion: 1.0\ndraft: yes\nport: 0080\nratio: 1e3\nempty:\n"
        "flag: true\none: 1\nnull: ~\nplus: +1\nhex: 0x1F\ntime: 12:30:00\nbig: 1_000"
    ) == {
        "title": "2026-05-26",
        "version": "1.0",
        "draft": "yes",
        "port": "0080",
        "ratio": "1e3",
        "empty": "",
        "flag": "true",
        "one": "1",
        "null": "~",
        "plus": "+1",
        "hex": "0x1F",
        "time": "12:30:00",
        "big": "1_000",
    }


def test_lists_are_written_in_a_line_or_in_a_block() -> None:
    """Entries are plain or quoted; a block list may stand at the indent of its key or deeper."""
    assert parsed(
        "a: [x, 'y, z', \"w\"]\nb: []\nc:\n- 1\n- two words\nd:\n    - 'q'\n    -\ne: [x,]"
    ) == {
        "a": ["x", "y, z", "w"],
        "b": [],
        "c": ["1", "two words"],
        "d": ["q", ""],
        "e": ["x"],
    }


def test_one_level_of_nesting_is_flattened() -> None:
    """`parent.child`, with any value a key may have."""
    assert parsed("metadata:\n  author: ann\n  tags: [a]\n  list:\n    - b\n  last:\nnext: x") == {
        "metadata.author": "ann",
        "metadata.tags": ["a"],
        "metadata.list": ["b"],
        "metadata.last": "",
        "next": "x",
    }


def test_comments_need_a_space_before_them() -> None:
    """` # …` outside quotes is dropped, a `#` within a word or within quotes is text."""
    assert parsed(
        "# first\na: one # two\nb: one#two\nc: 'x # y' # z\nd: # nothing\n  # indented\n"
        "e: [p, q] # r\n\nf: #x"
    ) == {"a": "one", "b": "one#two", "c": "x # y", "d": "", "e": ["p", "q"], "f": ""}


def test_keys_may_be_quoted() -> None:
    """Quotes make any text a key; a plain key may hold spaces, dots, dashes and colons."""
    assert parsed("\"a: b\": 1\n'c d': 2\ne-f.g h: 3\nurn:x: 4\nspaced : 5") == {
        "a: b": "1",
        "c d": "2",
        "e-f.g h": "3",
        "urn:x": "4",
        "spaced": "5",
    }


def test_quotes_open_only_at_the_start_of_a_value() -> None:
    """Later they are characters."""
    assert parsed("a: it's \"so\"\nb: x 'y'") == {"a": 'it\'s "so"', "b": "x 'y'"}


def test_spaces_around_a_value_are_dropped_and_within_quotes_kept() -> None:
    """Spaces at line ends mean nothing; other blank characters are text."""
    assert parsed("a:   x y   \nb: '  x '   \nc: \u00a0x\u2028y\x0c") == {
        "a": "x y",
        "b": "  x ",
        "c": "\u00a0x\u2028y\x0c",
    }


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("a: x\nb: |\n  text", 3, "block scalar"),
        ("a: >-\n  text", 2, "block scalar"),
        ("a: &anchor x", 2, "anchor"),
        ("a: *alias", 2, "alias"),
        ("a: **/*.md", 2, "quote the value"),
        ("a: !!str x", 2, "tag"),
        ("a: {b: c}", 2, "flow mapping"),
        ("{a: b}", 2, "flow mapping"),
        ("a: [{b: c}]", 2, "flow mapping"),
        ("<<: x", 2, "merge key"),
        ('a: "x\\n"', 2, "escape"),
        ('a: "x\\"y"', 2, "escape"),
        ("a: 'it''s'", 2, "escape"),
        ("a:\n  b:\n    c: d", 4, "deeper than one level"),
        ("a: x\nb: y\na: z", 4, "'a' for a second time"),
        ("a:\n  b: x\n  b: y", 4, "'a.b' for a second time"),
        ("a.b: x\na:\n  b: y", 4, "'a.b' for a second time"),
        ("a: x\n\tb: y", 3, "a tab"),
        ("a:\tx", 2, "a tab"),
        ("a:\n  b: x\n c: y", 4, "mixed indents"),
        ("a:\n  b: x\n   c: y", 4, "mixed indents"),
        ("a:\n  - x\n - y", 4, "mixed indents"),
        ("a: x\n  goes on", 3, "goes on on the next line"),
        ("a:\n  text", 3, "not `key: value`"),
        ("a: 'x", 2, "not closed"),
        ("a: 'x\n  y'", 2, "not closed"),
        ("a: 'x' y", 2, "after a closing quote"),
        ("a: 'x'#y", 2, "after a closing quote"),
        ("a: [x, y", 2, "not closed"),
        ("a: [\n  x\n]", 2, "not closed"),
        ("a: [x, [y]]", 2, "list within a list"),
        ("a: [x,, y]", 2, "empty entry"),
        ("a: [x] y", 2, "after a list"),
        ("a:\n- [x]", 3, "list within a list"),
        ("a:\n- - x", 3, "list within a list"),
        ("a:\n- b: c", 3, "mapping within a list"),
        ("- a\n- b", 2, "without a key"),
        ("a: x\n- b", 3, "without a key"),
        ("a: b: c", 2, "colon followed by a space"),
        ("a: - b", 2, "quote it"),
        ("a: @b", 2, "quote it"),
        ("? a", 2, "not `key: value`"),
        ("a: x\njust text", 3, "not `key: value`"),
        ("a: x\n: y", 3, "empty key"),
    ],
)
def test_anything_else_is_refused_with_line_and_reason(
    content: str, line: int, reason: str
) -> None:
    """The whole block is unparsed, whatever stands before the line."""
    found_line, found_reason = refused(content)
    assert reason in found_reason
    assert found_line == line


def test_a_document_with_front_matter_is_read() -> None:
    """Between the fences, with spaces after either and `...` for the second."""
    for text in (
        "---\nkind: note\n---\n# A\n",
        "---  \nkind: note\n...  \n# A\n",
        "---\nkind: note\n---",
    ):
        assert parse_front_matter(text) == FrontMatter(state="parsed", values={"kind": "note"})


def test_a_byte_order_mark_does_not_hide_front_matter() -> None:
    """A marked file says what the same file says without its mark."""
    decoded = decode(b"\xef\xbb\xbf---\r\nkind: runbook\r\n---\r\n# Restart\r\n")
    assert parse_front_matter(decoded.text).values == {"kind": "runbook"}


def test_the_line_of_a_problem_is_the_line_in_the_document() -> None:
    """The fence is line 1; characters of several bytes before it change nothing."""
    front_matter = parse_front_matter("---\n# größer 证书\ntitle: größer\nb: |\n  x\n---\n# A\n")
    assert front_matter.problem is not None
    assert front_matter.problem.line == 4


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nIntro guava\n\n## Before\n\n---\n\n## After\n\ndate\n",
        "# A\n\n---\nkind: note\n---\n",
        "\n---\nkind: note\n---\n",
        "----\nkind: note\n---\n",
        "",
        "---",
        "text\n",
    ],
)
def test_a_rule_on_line_one_is_no_front_matter(text: str) -> None:
    """Without `key:` on the first line that says something, `---` is a thematic break."""
    assert parse_front_matter(text) == FrontMatter(state="absent", values={})


def test_front_matter_that_is_never_closed_is_named() -> None:
    """No metadata is taken from it."""
    front_matter = parse_front_matter("---\nkind: note\n# Title\n\nlychee\n")
    assert (front_matter.state, front_matter.values) == ("unparsed", {})
    assert front_matter.problem is not None
    assert front_matter.problem.line == 1
    assert "never closed" in front_matter.problem.reason


@pytest.mark.parametrize(
    "content",
    [
        "a: [" + "x, " * 300_000 + "]",
        "a: [" + "'x', " * 300_000,
        "a: [" + "[" * 300_000,
        "a: '" + "x" * 1_000_000,
        "a:" + " " * 1_000_000,
        "a: x" + " #" * 500_000,
        "a: " + ":x" * 500_000,
        "a:\n" + "- x\n" * 200_000,
        "\n".join(f"k{number}: x" for number in range(100_000)),
        "a:\n  " + "\n  ".join(f"k{number}: x" for number in range(100_000)),
        "\n" * 1_000_000 + "a: x",
    ],
)
def test_hostile_blocks_take_linear_time(content: str) -> None:
    """Megabytes on one line or on many are read or refused at once."""
    start = time.process_time()
    parse_lines(content.split("\n"))
    assert time.process_time() - start < 5

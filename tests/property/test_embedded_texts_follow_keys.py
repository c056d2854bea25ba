"""The text that is embedded is a function of the chunkset's key: equal keys, equal texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.chunker import ChunkColumns, chunk_columns
from rootleaf.indexing.embedded_texts import EmbeddedTexts

PIECES = (
    "# Head\n",
    "## Head\n",
    "Head\n====\n",
    "para one\n",
    "para  one\n",
    "para\tone \n",
    "- item\n",
    "- item\n  - inner  item\n",
    "  * inner item\n",
    "> quote\n",
    "---\n",
    "***\n",
    "[a]: http://b\n",
    "| a | b |\n|---|---|\n" + "| row of a table | with words |\n" * 4,
    "```\ncode\n  more code\n```\n",
    "```text\n" + "a line of long code\n" * 12 + "```\n",
    "<!-- note\nnote " + "long comment\n" * 9 + "-->\n",
    "caf\u00e9 \u00a0 \u2003 wide\n",
    "\f form \v feed\n",
    "\n",
    "\n\n",
    "    indented\n",
)

texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def embedded(text: str) -> dict[bytes, str]:
    """The embedded text of each chunkset of a text, by key; each key has one."""
    found: dict[bytes, str] = {}
    for max_tokens in (16, 256):
        columns = chunk_columns(text, max_tokens=max_tokens)
        made = EmbeddedTexts(text, columns)
        for ordinal in range(columns.len_chunksets()):
            assert found.setdefault(columns.key(ordinal), made[ordinal]) == made[ordinal]
    return found


@given(texts, texts, st.sampled_from(["", "\n", "intro\n\n", "# Head\n\n"]))
def test_equal_keys_have_equal_texts(one: str, other: str, between: str) -> None:
    """Within a text, in two texts, and where one text is a part of another."""
    first = embedded(one)
    for key, text in {**embedded(other), **embedded(one + between + other)}.items():
        assert first.get(key, text) == text
    respaced = embedded(one.replace("para  one", "para\tone").replace("one \n", "one\n"))
    for key, text in respaced.items():
        assert first.get(key, text) == text


@given(texts)
def test_every_word_of_the_chunkset_is_embedded(text: str) -> None:
    """Of its headings and of its leaves, in their order, and words of nothing else than heads."""
    columns = chunk_columns(text, max_tokens=16)
    made = EmbeddedTexts(text, columns)
    utf8 = text.encode()
    for ordinal in range(columns.len_chunksets()):
        lines = made[ordinal].split("\n")
        for chunk in columns.chunkset_chunks(ordinal):
            assert folded(utf8, columns, chunk) in lines
        extra = len(lines) - len(columns.chunkset_chunks(ordinal))
        heads = {
            columns.head_ends[chunk]
            for chunk in columns.chunkset_chunks(ordinal)
            if columns.head_starts[chunk] != columns.head_ends[chunk]
        }
        assert extra <= len(heads)


def folded(utf8: bytes, columns: ChunkColumns, chunk: int) -> str:
    """The text of a chunk with single blanks for white space, character by character."""
    out = ""
    for character in utf8[columns.starts[chunk] : columns.ends[chunk]].decode():
        blank = character in " \t\r\n"
        if blank and (not out or out[-1] == " "):
            continue
        out += " " if blank else character
    return out.removesuffix(" ")


def test_white_space_and_names_make_no_difference() -> None:
    """A text that is laid out anew is the same text; one with another word is not."""
    one = embedded("# Head\n\n- item  one\n\ttwo\n")
    assert one == embedded("# Head\n\n- item one two\n")
    assert not set(one) & set(embedded("# Head\n\n- item one three\n"))

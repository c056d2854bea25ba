"""Where blocks that are too long are cut, and that an edit moves only the cuts near it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.chunker import ChunkColumns, chunk_columns

if TYPE_CHECKING:
    from collections.abc import Callable

SMALLEST_TOKENS = 16

CLUSTERS = (
    "a",
    "e\u0301",
    "o\u0308\u0323",
    "漢",
    "\u1100\u1161\u11a8",
    "न\u093f",
    "\U0001f1e9\U0001f1ea",
    "\U0001f1ef\U0001f1f5",
    "\u2764\ufe0f",
    "\U0001f44d\U0001f3fd",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "7\ufe0f\u20e3",
    " ",
)


def pieces_of(text: str, columns: ChunkColumns) -> list[str]:
    """The text of every chunk."""
    utf8 = text.encode()
    return [
        utf8[start:end].decode() for start, end in zip(columns.starts, columns.ends, strict=True)
    ]


@given(clusters=st.lists(st.sampled_from(CLUSTERS), min_size=30, max_size=300))
def test_no_piece_starts_or_ends_inside_a_grapheme(clusters: list[str]) -> None:
    """Letters with their accents, flags, families and syllables stay whole."""
    text = "x" + "".join(clusters)
    borders = {0, 1}
    for cluster in clusters:
        borders.add(max(borders) + len(cluster.encode()))
    columns = chunk_columns(text, max_tokens=SMALLEST_TOKENS)
    assert set(columns.starts) <= borders
    assert set(columns.ends) <= borders


def test_a_grapheme_longer_than_a_chunk_is_cut_between_characters() -> None:
    """One letter under a thousand accents stays bounded, and every slice is text."""
    text = "e" + "\u0301" * 1000
    columns = chunk_columns(text, max_tokens=SMALLEST_TOKENS)
    assert "".join(pieces_of(text, columns)) == text
    assert all(end - start <= 64 for start, end in zip(columns.starts, columns.ends, strict=True))


def sentences(rng: random.Random, count: int) -> str:
    """A paragraph on one line."""
    words = ["fig", "plum", "kiwi", "pear", "lime", "quince", "medlar", "sloe", "mulberry"]
    return " ".join(
        " ".join(rng.choice(words) for _ in range(rng.randrange(4, 14))).capitalize() + "."
        for _ in range(count)
    )


def code(rng: random.Random, count: int) -> str:
    """A fenced block."""
    calls = ["open", "close", "read", "write", "seek"]
    lines = [
        f"{' ' * rng.choice((0, 4, 8))}{rng.choice(calls)}({number})" for number in range(count)
    ]
    return "```py\n" + "\n".join(lines) + "\n```"


def table(rng: random.Random, count: int) -> str:
    """A table with a column of numbers."""
    rows = [f"| svc{number} | {rng.randrange(1000)} | team |" for number in range(count)]
    return "| service | limit | owner |\n|---|---|---|\n" + "\n".join(rows)


def items(rng: random.Random, count: int) -> str:
    """A tight list; its items are chunks, which are packed to chunksets."""
    return "\n".join(f"- {number} {'ab ' * rng.randrange(1, 60)}" for number in range(count))


def blob(rng: random.Random, count: int) -> str:
    """One line without any white space."""
    return "".join(rng.choice("ABCDEFabcdef0123456789+/") for _ in range(count * 40))


def quote(rng: random.Random, count: int) -> str:
    """A quote of several paragraphs."""
    return "\n>\n".join(f"> {sentences(rng, 3)}" for _ in range(count // 3))


def same_lines(_rng: random.Random, count: int) -> str:
    """Lines that cannot be told apart."""
    return "```\n" + "x = 1\n" * count + "```"


LONG_BLOCKS = (sentences, code, table, items, blob, quote)


@pytest.mark.parametrize("make", LONG_BLOCKS)
def test_an_edit_changes_a_bounded_number_of_keys(make: Callable[..., str]) -> None:
    """A word put in anywhere renames the chunksets around it, not all that follow."""
    rng = random.Random(7)
    body = make(rng, 1500)
    before = chunk_columns(f"# Long\n\n{body}\n")
    keys = {before.key(ordinal) for ordinal in range(before.len_chunksets())}
    assert len(keys) > 20
    changed = []
    for _ in range(30):
        at = rng.randrange(100, len(body) // 2)
        after = chunk_columns(f"# Long\n\n{body[:at]}zz{body[at:]}\n")
        changed.append(sum(after.key(at) not in keys for at in range(after.len_chunksets())))
    assert sum(changed) / len(changed) <= 3
    assert max(changed) <= 12


@pytest.mark.parametrize("make", [*LONG_BLOCKS, same_lines])
def test_chunksets_of_long_blocks_are_more_than_half_full(make: Callable[..., str]) -> None:
    """Cuts by content cost size only within bounds."""
    body = make(random.Random(3), 3000)
    columns = chunk_columns(body)
    assert len(body.encode()) / columns.len_chunksets() > 512


def test_prose_is_cut_at_sentence_ends() -> None:
    """Where sentences are short enough, every piece is whole sentences."""
    text = sentences(random.Random(5), 200)
    pieces = pieces_of(text, chunk_columns(text))
    assert len(pieces) > 8
    assert all(piece.rstrip().endswith(".") for piece in pieces)
    assert "".join(pieces) == text


def test_chinese_sentences_end_without_white_space() -> None:
    """Ideographic full stops end a sentence."""
    text = "春眠不覺曉處處聞啼鳥。" * 60
    pieces = pieces_of(text, chunk_columns(text))
    assert len(pieces) > 1
    assert all(piece.endswith("。") for piece in pieces)


def test_code_is_cut_between_lines_and_keeps_its_fences_at_hand() -> None:
    """Every piece is whole lines; the fences are the head and tail of pieces that lack them."""
    text = code(random.Random(5), 400)
    columns = chunk_columns(text)
    lines = text.split("\n")
    utf8 = text.encode()
    pieces = pieces_of(text, columns)
    assert len(pieces) > 5
    for index, piece in enumerate(pieces):
        first, end = columns.start_lines[index], columns.end_lines[index]
        assert piece == "\n".join(lines[first:end])
        head = utf8[columns.head_starts[index] : columns.head_ends[index]]
        tail = utf8[columns.tail_starts[index] : columns.tail_ends[index]]
        assert head == (b"" if index == 0 else b"```py")
        assert tail == (b"" if index == len(pieces) - 1 else b"```")
    assert len(pieces[0].split("\n")) > 2
    assert len(pieces[-1].split("\n")) > 1


def test_code_is_cut_after_blank_lines_where_there_are_any() -> None:
    """A function stays whole if the pieces allow it."""
    body = "\n\n".join(f"def f{number}():\n    a = {number}\n    return a" for number in range(90))
    text = f"```py\n{body}\n```"
    pieces = pieces_of(text, chunk_columns(text))
    assert len(pieces) > 2
    assert all(piece.startswith("def f") for piece in pieces[1:])


def test_a_long_comment_shows_its_marks_with_each_piece() -> None:
    """The lines `<!--` and `-->` are head and tail of the pieces between them."""
    text = "<!--\n" + "a line of notes that nobody sees\n" * 100 + "-->"
    columns = chunk_columns(text)
    utf8 = text.encode()
    heads = [
        utf8[start:end] for start, end in zip(columns.head_starts, columns.head_ends, strict=True)
    ]
    tails = [
        utf8[start:end] for start, end in zip(columns.tail_starts, columns.tail_ends, strict=True)
    ]
    assert len(heads) > 2
    assert heads == [b""] + [b"<!--"] * (len(heads) - 1)
    assert tails == [b"-->"] * (len(tails) - 1) + [b""]


def test_a_long_quote_is_cut_where_its_blocks_start() -> None:
    """Every piece of a quote of short paragraphs starts with a paragraph."""
    text = "\n>\n".join(
        f"> Paragraph {number}. With a second. And a third." for number in range(90)
    )
    pieces = pieces_of(text, chunk_columns(text))
    assert len(pieces) > 2
    assert all(piece.startswith("> Paragraph") for piece in pieces)


def test_a_row_is_never_parted_from_its_start() -> None:
    """Rows of very different length: where each fits in a piece, each piece starts with one."""
    rng = random.Random(11)
    rows = [f"| r{number} | {'w ' * rng.choice((3, 30, 400))}|" for number in range(60)]
    text = "| a | b |\n|---|---|\n" + "\n".join(rows)
    pieces = pieces_of(text, chunk_columns(text))
    assert all(piece.startswith(("| a |", "| r")) for piece in pieces)


def test_a_header_row_too_long_for_a_chunk_is_not_repeated() -> None:
    """What is repeated with every piece is bounded, or a wide table would be stored many times."""
    text = f"| {'h' * 5000} |\n|---|\n" + "| cell |\n" * 400
    columns = chunk_columns(text)
    assert list(columns.head_starts) == list(columns.head_ends)


def test_the_first_piece_of_a_long_item_is_short() -> None:
    """An item's first piece is shown above all others, so it has a quarter of their size."""
    text = "- " + sentences(random.Random(1), 100) + "\n  - child"
    columns = chunk_columns(text)
    assert columns.ends[0] - columns.starts[0] <= 256
    assert set(columns.parents[1:]) == {0}


@pytest.mark.parametrize("size", [20, 100, 200, 300, 342, 450, 510, 512, 900])
def test_an_entry_on_top_of_a_list_of_equals_renames_only_what_is_near(size: int) -> None:
    """Entries of one size, where counting from the front would move every later boundary."""
    entries = [f"- {number:06d} {'x' * (size - 9)}" for number in range(1500)]
    before = chunk_columns("\n".join(entries))
    keys = {before.key(ordinal) for ordinal in range(before.len_chunksets())}
    for at in range(8):
        text = "\n".join([*entries[:at], f"- entry  {'y' * (size - 9)}", *entries[at:]])
        after = chunk_columns(text)
        assert sum(after.key(one) not in keys for one in range(after.len_chunksets())) <= 8

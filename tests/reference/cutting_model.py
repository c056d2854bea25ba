"""Cutting a passage to a size: at the end of a sentence, else of a word, else of a character."""

from __future__ import annotations

import re

from graphemes_model import floor_grapheme

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？][」』）]*|\n")
_WORD_END = re.compile(r"(?<=\S)(?=\s)|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
_LINE_END = re.compile(r"\n")


def cut_end(passage: str, max_bytes: int, *, at_lines: bool = False) -> int:
    """Finds where to end a passage so that its UTF-8 form takes at most `max_bytes`.

    Args:
        passage: The text to cut.
        max_bytes: The most bytes that may stay; zero or less leaves nothing.
        at_lines: Prefer the end of a line to the end of a sentence (code, tables).

    Returns:
        A character offset: the end of a sentence (or line) in the second half of what fits, else of
        a word, else of a character with its accents; 0 where not even one fits.
    """
    limit = _chars_within(passage, max_bytes)
    if limit == len(passage):
        return limit
    best = _last_end(_LINE_END if at_lines else _SENTENCE_END, passage, limit)
    if 2 * best < limit:
        best = max(best, _last_end(_WORD_END, passage, limit))
    return floor_grapheme(passage, best or limit)


def start_before(passage: str, char_offset: int, max_chars_before: int) -> int:
    """The start of the sentence (or else the word) that `char_offset` stands in.

    At most `max_chars_before` characters lie between the result and `char_offset`; 0 when the
    passage's own start is as near.
    """
    if char_offset <= max_chars_before:
        return 0
    earliest = char_offset - max_chars_before
    for pattern in (_SENTENCE_END, _WORD_END):
        starts = [match.end() for match in pattern.finditer(passage, earliest, char_offset)]
        for start in starts:
            begin = start + _blanks(passage, start)
            if begin <= char_offset:
                return floor_grapheme(passage, begin)
    return floor_grapheme(passage, char_offset)


def _chars_within(passage: str, max_bytes: int) -> int:
    if max_bytes <= 0:
        return 0
    encoded = passage.encode("utf-8")
    if len(encoded) <= max_bytes:
        return len(passage)
    return len(encoded[:max_bytes].decode("utf-8", "ignore"))


def _last_end(pattern: re.Pattern[str], passage: str, limit: int) -> int:
    best = 0
    for match in pattern.finditer(passage, 0, min(limit + 1, len(passage))):
        end = match.end() - 1 if match.group().endswith("\n") else match.end()
        if end <= limit:
            best = end
    return best


def _blanks(passage: str, start: int) -> int:
    count = 0
    while start + count < len(passage) and passage[start + count].isspace():
        count += 1
    return count

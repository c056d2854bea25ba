"""What BERT's normalisation makes of each code point, asked of the `tokenizers` library.

Asked, not read from a Unicode table: the library joins tables of several versions of Unicode, and
the core has to give the same tokens.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from tokenizers.normalizers import (  # type: ignore[import-not-found, unused-ignore]
    BertNormalizer,
)
from tokenizers.pre_tokenizers import (  # type: ignore[import-not-found, unused-ignore]
    BertPreTokenizer,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = np.ndarray[Any, np.dtype[Any]]

CODE_POINTS = 0x110000
SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xD7A4)
BLOCK = 128
ALONE_BIT = 1 << 31
KEEP, DROP, SPACE, ALONE, SYLLABLE, FIRST_MAPPING = range(6)


class CharacterSections(NamedTuple):
    """The sections of a table file that hold the normalisation."""

    block_of: Array
    entries: Array
    mapping_ends: Array
    units: Array


class CharacterReader:
    """The library's normaliser and pre-tokenizer, by code point."""

    def __init__(self) -> None:
        self._normalizer = BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True
        )
        self._splitter = BertPreTokenizer()
        self._units: dict[str, list[int]] = {}

    def units(self, code_point: int) -> list[int]:
        """The characters that a code point becomes, those that are words alone marked."""
        text = self._normalizer.normalize_str(chr(code_point))
        if text not in self._units:
            self._units[text] = self._split(text)
        return self._units[text]

    def _split(self, text: str) -> list[int]:
        units = []
        for character in text:
            if not character.isspace():
                # With a letter on each side, one that is no word by itself is in the middle of one.
                is_alone = len(self._splitter.pre_tokenize_str(f"a{character}a")) > 1
                units.append(ord(character) | (ALONE_BIT if is_alone else 0))
        if text.startswith(" ") and text.endswith(" ") and len(units) == 1:
            units = [units[0] | ALONE_BIT]
        elif " " in text and text != " ":
            message = f"a character becomes {text!r}, for which the format has no form"
            raise ValueError(message)
        return units

    def is_space(self, code_point: int) -> bool:
        """Whether it ends a word and is nothing itself."""
        text: str = self._normalizer.normalize_str(chr(code_point))
        return text == " "


def character_sections(tokens: Sequence[str]) -> CharacterSections:
    """The normalisation of all code points.

    Raises:
        ValueError: A token holds a mark whose place among marks canonical order decides; the core
            has no such order.
    """
    ordered = {c for token in tokens for c in token if unicodedata.combining(c)}
    if ordered:
        message = f"the vocabulary has marks: {sorted(ordered)}"
        raise ValueError(message)
    reader = CharacterReader()
    mappings: dict[tuple[int, ...], int] = {}
    entries = np.zeros(CODE_POINTS, dtype=np.uint16)
    for code_point in range(CODE_POINTS):
        entries[code_point] = _entry(reader, code_point, mappings)
    blocks: dict[bytes, int] = {}
    block_of = [
        blocks.setdefault(entries[start : start + BLOCK].tobytes(), len(blocks))
        for start in range(0, CODE_POINTS, BLOCK)
    ]
    return CharacterSections(
        np.array(block_of, dtype=np.uint16),
        np.frombuffer(b"".join(blocks), dtype=np.uint16),
        np.cumsum([len(mapping) for mapping in mappings], dtype=np.uint32),
        np.array([unit for mapping in mappings for unit in mapping], dtype=np.uint32),
    )


def _entry(reader: CharacterReader, code_point: int, mappings: dict[tuple[int, ...], int]) -> int:
    if code_point in SURROGATES:
        return DROP
    if code_point in HANGUL:
        return SYLLABLE
    if reader.is_space(code_point):
        return SPACE
    units = tuple(reader.units(code_point))
    if not units:
        return DROP
    if units == (code_point,):
        return KEEP
    if units == (code_point | ALONE_BIT,):
        return ALONE
    return FIRST_MAPPING + mappings.setdefault(units, len(mappings))

"""The file of token vectors, laid out as in `cpp/rootleaf/text/static_table_format.hpp`."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash  # type: ignore[import-not-found, unused-ignore]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from characters import CharacterSections

    Array = np.ndarray[Any, np.dtype[Any]]

MAGIC = b"\x89RTT\r\n\x1a\n"
BYTE_ORDER = 0x01020304
FORMAT_VERSION = 1
ALIGNMENT = 64
HEADER_BYTES = 64
ENTRY_BYTES = 32
EMPTY_SLOT = 0xFFFF
SLOT_COUNT = 1 << 16
WORD_BITS = 32
WORD_MASK = (1 << WORD_BITS) - 1


def checksum(content: bytes) -> bytes:
    """XXH3-128 in canonical byte order."""
    digest: bytes = xxhash.xxh3_128(content).digest()
    return digest


def slot_of(token: bytes) -> int:
    """Where a token's place in the hash table begins: FNV-1a, spread by a multiplication."""
    value = 0x811C9DC5
    for byte in token:
        value = ((value ^ byte) * 0x01000193) & WORD_MASK
    return ((value * 0x9E3779B1) & WORD_MASK) * SLOT_COUNT >> WORD_BITS


def slots_of(tokens: Sequence[bytes]) -> Array:
    """A hash table of token ids with linear probing.

    The first ids of a vocabulary made by frequency are the frequent ones, and are found first.
    """
    slots = np.full(SLOT_COUNT, EMPTY_SLOT, dtype="<u2")
    for number, token in enumerate(tokens):
        slot = slot_of(token)
        while slots[slot] != EMPTY_SLOT:
            slot = (slot + 1) % SLOT_COUNT
        slots[slot] = number
    return slots


def table_file(
    tokens: Sequence[str],
    unknown_id: int,
    characters: CharacterSections,
    scales: Array,
    rows: Array,
) -> bytes:
    """The bytes of a table.

    Args:
        tokens: By id.
        unknown_id: Of the unknown token.
        characters: The sections of the normalisation.
        scales: One for each token.
        rows: int8 (tokens, dimension).
    """
    utf8 = [token.encode() for token in tokens]
    sections = [
        b"".join(utf8),
        np.cumsum([len(token) for token in utf8]).astype("<u4").tobytes(),
        slots_of(utf8).tobytes(),
        characters.block_of.astype("<u2").tobytes(),
        characters.entries.astype("<u2").tobytes(),
        characters.mapping_ends.astype("<u4").tobytes(),
        characters.units.astype("<u4").tobytes(),
        scales.astype("<f4").tobytes(),
        rows.astype("<i1").tobytes(),
    ]
    entries = b""
    body = b""
    offset = start = -(-(HEADER_BYTES + ENTRY_BYTES * len(sections)) // ALIGNMENT) * ALIGNMENT
    for section in sections:
        entries += struct.pack("<QQ", offset, len(section)) + checksum(section)
        padding = bytes(-len(section) % ALIGNMENT)
        body += section + padding
        offset += len(section) + len(padding)
    counts = (len(sections), rows.shape[1], len(tokens), unknown_id)
    checked = struct.pack("<QIIII8x", offset, *counts) + entries
    front = MAGIC + struct.pack("<II", BYTE_ORDER, FORMAT_VERSION) + checksum(checked) + checked
    return front.ljust(start, b"\0") + body

"""A reader of snapshot files, written from docs/format.md alone: slow, and with `struct` only.

It verifies everything that the page asks a reader to verify, but for the checksums: they would take
an implementation of XXH3, and every other test opens files with them.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import NamedTuple

MAGIC = bytes.fromhex("8952544C0D0A1A0A")
HEADER = struct.Struct("<8sII16sQII16sQII")
ROW = struct.Struct("<IIQQ16s")
FIRST_OPTIONAL_KIND = 0x80000000
SEGMENT_KINDS = range(16, 39)
LIVE_DOCUMENTS = 39
VECTOR_KINDS = {40, 41, 42}
FLOATS_IN_BLOCK = 16
SQUARE_TOLERANCE = 0.001


class Posting(NamedTuple):
    """Where a term stands, and how often in the two fields there."""

    ordinal: int
    first: int
    second: int


class Segment(NamedTuple):
    """A segment as plain values."""

    document_ids: list[int]
    paths: list[bytes]
    live: list[bool]
    first_chunksets: list[int]
    document_lengths: list[tuple[int, int]]
    chunkset_lengths: list[tuple[int, int]]
    document_postings: dict[bytes, list[Posting]]
    chunkset_postings: dict[bytes, list[Posting]]
    values: dict[tuple[bytes, bytes], list[int]]
    vectors: list[tuple[float, ...] | None]


class Snapshot(NamedTuple):
    """A snapshot as plain values."""

    database_id: bytes
    generation: int
    analyzer_id: str
    chunker_id: str
    max_tokens: int
    segments: list[Segment]


def _require(holds: bool, promise: str) -> None:
    if not holds:
        broken = f"not so: {promise}"
        raise ValueError(broken)


def _ascend(values: list[object], promise: str) -> None:
    _require(all(a < b for a, b in pairwise(values)), promise)  # type: ignore[operator]


def _array(content: bytes, letter: str) -> list[int]:
    size = struct.calcsize(f"<{letter}")
    _require(len(content) % size == 0, "a section holds whole elements")
    return list(struct.unpack(f"<{len(content) // size}{letter}", content))


def _pairs(content: bytes) -> list[tuple[int, int]]:
    numbers = _array(content, "I")
    _require(len(numbers) % 2 == 0, "a section holds whole elements")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _strings(content: bytes, ends: bytes) -> list[bytes]:
    bounds = [0, *_array(ends, "I")]
    _require(bounds == sorted(bounds) and bounds[-1] == len(content), "ends ascend to the last")
    return [content[start:end] for start, end in pairwise(bounds)]


def _runs(starts: bytes, count: int, total: int) -> list[tuple[int, int]]:
    bounds = _array(starts, "I")
    _require(len(bounds) == count + 1 and bounds[0] == 0, "there is a start for each, from 0")
    _require(bounds == sorted(bounds) and bounds[-1] == total, "starts ascend to the last")
    return list(pairwise(bounds))


def _postings(
    sections: dict[int, bytes], kind: int, terms: list[bytes], limit: int
) -> dict[bytes, list[Posting]]:
    columns = (_array(sections[kind + 1], "I"), list(sections[kind + 2]), list(sections[kind + 3]))
    _require(len({len(column) for column in columns}) == 1, "postings have all three columns")
    postings = [Posting(*row) for row in zip(*columns, strict=True)]
    _require(all(p.ordinal < limit for p in postings), "a posting names what is there")
    _require(all(p.first or p.second for p in postings), "a posting has a frequency")
    lists = {}
    runs = _runs(sections[kind], len(terms), len(postings))
    for term, (start, end) in zip(terms, runs, strict=True):
        lists[term] = postings[start:end]
        _ascend([p.ordinal for p in lists[term]], "postings ascend")
    return lists


def _values(sections: dict[int, bytes], documents: int) -> dict[tuple[bytes, bytes], list[int]]:
    keys = _strings(sections[32], sections[33])
    _ascend(list(keys), "keys ascend")
    values = _strings(sections[34], sections[35])
    pairs = list(zip(_array(sections[36], "I"), values, strict=True))
    _require(all(key < len(keys) for key, _ in pairs), "a value has a key")
    _ascend(list(pairs), "values ascend by key and value")
    members = _array(sections[38], "I")
    _require(all(member < documents for member in members), "a value names documents")
    found = {}
    runs = _runs(sections[37], len(values), len(members))
    for (key, value), (start, end) in zip(pairs, runs, strict=True):
        found[keys[key], value] = members[start:end]
        _ascend(list(members[start:end]), "the documents of a value ascend")
    return found


def _vectors(sections: dict[int, bytes], chunksets: int) -> list[tuple[float, ...] | None]:
    if not VECTOR_KINDS & set(sections):
        return [None] * chunksets
    _require(set(sections) >= VECTOR_KINDS, "vectors are whole")
    (dimension,) = _array(sections[40], "I")
    present = list(sections[41])
    _require(1 <= dimension <= 65536 and set(present) <= {0, 1}, "vectors have a dimension")
    _require(len(present) == chunksets, "each chunkset has a vector or not")
    width = -(-dimension // FLOATS_IN_BLOCK) * FLOATS_IN_BLOCK
    _require(len(sections[42]) == 4 * width * chunksets, "each chunkset has a row")
    vectors: list[tuple[float, ...] | None] = []
    for mark, row in zip(present, struct.iter_unpack(f"<{width}f", sections[42]), strict=True):
        _require(not any(row[dimension * mark :]), "zeros follow a vector")
        square = sum(element * element for element in row)
        _require(abs(square - mark) <= SQUARE_TOLERANCE, "a vector has a length of 1")
        vectors.append(row[:dimension] if mark else None)
    return vectors


def _segment(sections: dict[int, bytes]) -> Segment:
    needed = set(sections) - {LIVE_DOCUMENTS} - VECTOR_KINDS
    _require(needed == set(SEGMENT_KINDS), "a segment is whole")
    ids = _array(sections[16], "Q")
    paths = _strings(sections[17], sections[18])
    _ascend(list(zip(paths, ids, strict=True)), "documents ascend")
    _require(len(set(ids)) == len(ids), "ids are distinct")
    chunkset_lengths = _pairs(sections[21])
    document_lengths = _pairs(sections[20])
    _require(len(document_lengths) == len(ids), "each document has lengths")
    runs = _runs(sections[19], len(ids), len(chunkset_lengths))
    live = list(sections.get(LIVE_DOCUMENTS, b"\1" * len(ids)))
    _require(len(live) == len(ids) and set(live) <= {0, 1}, "each document is live or not")
    terms = _strings(sections[22], sections[23])
    _ascend(list(terms), "terms ascend")
    return Segment(
        document_ids=ids,
        paths=paths,
        live=[mark == 1 for mark in live],
        first_chunksets=[start for start, _ in runs],
        document_lengths=document_lengths,
        chunkset_lengths=chunkset_lengths,
        document_postings=_postings(sections, 24, terms, len(ids)),
        chunkset_postings=_postings(sections, 28, terms, len(chunkset_lengths)),
        values=_values(sections, len(ids)),
        vectors=_vectors(sections, len(chunkset_lengths)),
    )


def read_snapshot(content: bytes) -> Snapshot:
    """Reads a snapshot; raises ValueError where the format does not hold, checksums apart."""
    _require(len(content) >= HEADER.size == 80, "there is a header")
    (magic, order, version, _, file_size, segment_count, section_count, *rest) = HEADER.unpack_from(
        content
    )
    database_id, generation, max_tokens, reserved = rest
    _require(magic == MAGIC and order == 0x01020304 and version == 1, "it is a snapshot")
    _require(file_size == len(content) and reserved == 0, "the header is of this version")
    end = HEADER.size + section_count * ROW.size
    _require(end <= len(content), "there is a table")
    rows = [ROW.unpack_from(content, HEADER.size + i * ROW.size) for i in range(section_count)]
    _ascend([row[:2] for row in rows], "rows ascend")
    by_segment: dict[int, dict[int, bytes]] = {n: {} for n in range(segment_count + 1)}
    for segment, kind, offset, size, _ in rows:
        _require(offset == -(-end // 64) * 64, "sections follow one another")
        _require(not any(content[end:offset]), "zeros fill the gaps")
        end = offset + size
        _require(end <= len(content), "a section lies in the file")
        if kind < FIRST_OPTIONAL_KIND:
            by_segment[segment][kind] = content[offset:end]
    _require(end == len(content), "nothing follows the last section")
    _require(set(by_segment[0]) == {1, 2}, "the file has its sections")
    return Snapshot(
        database_id=database_id,
        generation=generation,
        analyzer_id=by_segment[0][1].decode(),
        chunker_id=by_segment[0][2].decode(),
        max_tokens=max_tokens,
        segments=[_segment(by_segment[n]) for n in range(1, segment_count + 1)],
    )

"""Reading rows off the pages of a database file where the way that leads to them is lost.

The rows of a table lie on its leaves; the pages above only lead there. Each leaf is a page that
says so, and each of its cells a whole row (https://www.sqlite.org/fileformat.html, sections 1.6 and
2.1), so that rows can be told from their shape alone, whatever became of the pages above.

Pages that are free may hold rows of an earlier time. Who asks has to know which row is the right
one.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    Row = tuple[int, tuple[int | bytes | None, ...]]

_LEAF = 0x0D
_LEAF_HEADER_BYTES = 8
_MOST_HEADER_BYTES = 64
_MOST_NUMBER_BYTES = 9
_SEVEN_BITS = 0x7F

# Serial types (section 2.1): whole numbers with their width, two of which are the type itself.
_ZERO, _ONE = 8, 9
_INTEGER_WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, _ZERO: 0, _ONE: 0}
_FIRST_BLOB = 12


def carved_rows(path: str, page_bytes: int, shape: str) -> Iterator[Row]:
    """Row id and values of each row on a leaf of any table of a file, in the order of pages.

    Args:
        path: The file, with nothing in a log beside it.
        page_bytes: The size of its pages.
        shape: For each column of the table what its values are: `n` NULL, as the place of a row id
            holds, `i` a whole number, `t` text, `b` bytes. Rows of another shape are passed over.

    Texts come as bytes. What is not whole is passed over too.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        for number in range(1, size // page_bytes):  # the first page holds the schema
            file.seek(number * page_bytes)
            page = file.read(page_bytes)
            if page[0] != _LEAF or len(page) < page_bytes:
                continue
            cells = int.from_bytes(page[3:5], "big")
            pointers = page[_LEAF_HEADER_BYTES : _LEAF_HEADER_BYTES + 2 * cells]
            for at in range(0, len(pointers) - 1, 2):
                start = int.from_bytes(pointers[at : at + 2], "big")
                row = _row(file, page, start, size, shape)
                if row is not None:
                    yield row


def _row(file: BinaryIO, page: bytes, start: int, size: int, shape: str) -> Row | None:
    payload_bytes, start = _number(page, start)
    row_id, start = _number(page, start)
    if not 0 < payload_bytes <= size or row_id >= 1 << 63 or start >= len(page):
        return None
    local = _local_bytes(payload_bytes, len(page))
    begun = page[start : start + local]
    header_bytes, at = _number(begun, 0)
    if not 0 < header_bytes <= min(_MOST_HEADER_BYTES, len(begun)):
        return None
    types = []
    while at < header_bytes:
        kind, at = _number(begun, at)
        types.append(kind)
    if at != header_bytes or "".join(map(_kind, types)) != shape:
        return None
    widths = [_width(kind) for kind in types]
    if header_bytes + sum(widths) != payload_bytes:
        return None
    payload = begun
    if local < payload_bytes:
        following = int.from_bytes(page[start + local : start + local + 4], "big")
        payload += _overflow(file, following, payload_bytes - local, len(page))
    if len(payload) != payload_bytes:
        return None
    values = []
    for kind, width in zip(types, widths, strict=True):
        values.append(_value(kind, payload[at : at + width]))
        at += width
    return row_id, tuple(values)


def _local_bytes(payload_bytes: int, page_bytes: int) -> int:
    """How much of a row lies on the leaf itself; the rest is on pages of its own."""
    if payload_bytes <= page_bytes - 35:
        return payload_bytes
    least = (page_bytes - 12) * 32 // 255 - 23
    most = least + (payload_bytes - least) % (page_bytes - 4)
    return most if most <= page_bytes - 35 else least


def _overflow(file: BinaryIO, number: int, left: int, page_bytes: int) -> bytes:
    parts = []
    while left > 0 and number > 0:
        file.seek((number - 1) * page_bytes)
        page = file.read(page_bytes)
        if len(page) < page_bytes:
            break
        parts.append(page[4 : 4 + left])
        left -= len(parts[-1])
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _number(source: bytes, at: int) -> tuple[int, int]:
    """A number of up to nine bytes, and where it ends; past the end of `source` it is cut."""
    found = 0
    for byte in source[at : at + _MOST_NUMBER_BYTES - 1]:
        at += 1
        found = found << 7 | byte & _SEVEN_BITS
        if byte <= _SEVEN_BITS:
            return found, at
    last = source[at : at + 1]
    return (found << 8 | last[0], at + 1) if last else (found, at)


def _kind(serial: int) -> str:
    """What a value is: `n` NULL, `i` a whole number, `b` bytes, `t` text, `?` something else."""
    if serial >= _FIRST_BLOB:
        return "bt"[serial % 2]
    return "n" if serial == 0 else "i" if serial in _INTEGER_WIDTHS else "?"


def _width(serial: int) -> int:
    """How many bytes a value takes."""
    if serial >= _FIRST_BLOB:
        return (serial - _FIRST_BLOB) // 2
    return _INTEGER_WIDTHS.get(serial, 0)


def _value(serial: int, stored: bytes) -> int | bytes | None:
    if serial >= _FIRST_BLOB:
        return stored
    if serial == 0:
        return None
    return int.from_bytes(stored, "big", signed=True) if stored else int(serial == _ONE)

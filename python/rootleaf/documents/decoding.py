r"""Bytes of a file → the text that is indexed; the machine's locale has no part in it.

A file is UTF-8 (with or without a byte order mark) or UTF-16 with one; any other bytes are read as
Windows-1252, which gives every byte a character, and the first byte that was not UTF-8 is named.
The text has "\n" as its only line end and no byte order mark; what no text may hold is U+FFFD.
"""

from __future__ import annotations

import codecs

from rootleaf.types import Value

FALLBACK_ENCODING = "cp1252"
"""How bytes are read that are no UTF-8 and no marked UTF-16; its five undefined ones are U+FFFD."""

_BYTE_ORDER_MARK = "\ufeff"
_REPLACEMENT = "\ufffd"


class Decoded(Value):
    """A decoded file.

    `encoding` is `utf-8`, `utf-16-le`, `utf-16-be` or `cp1252`. `fallback_byte_offset` is the
    offset in the file of the first byte that is not UTF-8 where the fallback was taken, else None.
    """

    text: str
    encoding: str
    fallback_byte_offset: int | None = None


def decode(content: bytes) -> Decoded:
    """Decodes a whole file; every sequence of bytes has a text.

    NUL and surrogates without a partner become U+FFFD; CR LF and CR become LF. U+0085, U+2028 and
    form feed are characters like any other, and so is U+FEFF after the start.
    """
    text, encoding, fallback_byte_offset = _decode_bytes(content)
    text = text.lstrip(_BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", _REPLACEMENT)
    return Decoded(text=text, encoding=encoding, fallback_byte_offset=fallback_byte_offset)


def _decode_bytes(content: bytes) -> tuple[str, str, int | None]:
    # "replace" in UTF-16 touches only surrogates without a partner and half a unit at the end.
    if content.startswith(codecs.BOM_UTF16_LE):
        return content.decode("utf-16-le", "replace"), "utf-16-le", None
    if content.startswith(codecs.BOM_UTF16_BE):
        return content.decode("utf-16-be", "replace"), "utf-16-be", None
    try:
        return content.decode("utf-8"), "utf-8", None
    except UnicodeDecodeError as error:
        bad_byte_offset = error.start
    try:
        # Surrogates written as if they were characters (as some exporters do): still a UTF-8 file.
        units = content.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace"), "utf-8", None
    except UnicodeDecodeError:
        unmarked = content.removeprefix(codecs.BOM_UTF8)
        return unmarked.decode(FALLBACK_ENCODING, "replace"), FALLBACK_ENCODING, bad_byte_offset

"""Whether a stored text is that of the file that it was read from.

The hash that is kept is of the bytes of the file, and a text does not tell its file's line ends and
encoding. So each form that a file of this text usually has is tried; only where none fits is the
file itself looked at, as far as it is still the one that was read.
"""

from __future__ import annotations

import codecs

from rootleaf.documents.decoding import FALLBACK_ENCODING, decode
from rootleaf.documents.fingerprints import CONTENT_HASH_BYTES, content_hash
from rootleaf.documents.reading import read_regular_file

SAME = "same"
OTHER = "other"
UNKNOWN = "unknown"
"""The file has mixed line ends or the like, and is gone or has changed since."""

_LINE_ENDS = ("\n", "\r\n", "\r")
_FORMS = (
    (b"", "utf-8"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"", FALLBACK_ENCODING),
)


def is_hash(kept: object) -> bool:
    """Whether what is kept as the hash of a file can be one."""
    return isinstance(kept, bytes) and len(kept) == CONTENT_HASH_BYTES


def origin_of(text: str, kept: object, path: str) -> str:
    """`SAME` where the text is that of its file, `OTHER` where it is not, else `UNKNOWN`.

    Args:
        text: As it is stored.
        kept: What is kept as the hash of the file.
        path: The file.
    """
    for line_end in _LINE_ENDS:
        spelled = text if line_end == "\n" else text.replace("\n", line_end)
        for mark, encoding in _FORMS:
            try:
                content = mark + spelled.encode(encoding)
            except UnicodeEncodeError:
                continue
            if content_hash(content) == kept:
                return SAME
    try:
        found, _ = read_regular_file(path)
    except (OSError, ValueError):
        return UNKNOWN
    if found is None:
        return UNKNOWN
    if decode(found).text == text:
        return SAME
    return OTHER if content_hash(found) == kept else UNKNOWN

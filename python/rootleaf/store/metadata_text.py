"""How a document's metadata is written in the store, and whether a stored text is such a writing.

It is a JSON object whose values are strings or lists of strings.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Metadata = dict[str, str | list[str]]

# What `written` writes, one line for each document. To match many at once takes a small part of the
# time that it takes to parse each. Half a surrogate pair, as an escape, is left to the parser.
_ESCAPE = rb'\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})'
_PLAIN = rb'[^"\\\x00-\x1f]*'
_STRING = rb'"%b(?:%b%b)*"' % (_PLAIN, _ESCAPE, _PLAIN)
_LIST = rb"\[(?:%b(?:,%b)*)?\]" % (_STRING, _STRING)
_ENTRY = rb"%b:(?:%b|%b)" % (_STRING, _STRING, _LIST)
_LINES = re.compile(rb"(?:\{(?:%b(?:,%b)*)?\}\n)*" % (_ENTRY, _ENTRY))
_LINES_AT_ONCE = 500


def written(metadata: Mapping[str, str | list[str]]) -> str:
    """The text that stands for a mapping."""
    return json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))


def find_metadata(stored: bytes | None) -> Metadata | None:
    """The mapping that a stored text stands for; None where it stands for none, or there is none.

    Args:
        stored: In UTF-8, or whatever lies in its place.
    """
    if stored is None:
        return None
    try:
        found = json.loads(stored.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    for key, value in found.items():
        strings = value if isinstance(value, list) else [value]
        for string in (key, *strings):
            if not isinstance(string, str):
                return None
            if not string.isascii() and not _is_text(string):
                return None
    return found


def unreadable_texts(stored: Iterable[bytes]) -> set[bytes]:
    """Those of the texts for which `find_metadata` finds nothing, in a fraction of its time."""
    texts = list(stored)
    unreadable: set[bytes] = set()
    for start in range(0, len(texts), _LINES_AT_ONCE):
        some = texts[start : start + _LINES_AT_ONCE]
        lines = b"\n".join([*some, b""])
        is_plain = lines.count(b"\n") == len(some) and _LINES.fullmatch(lines) is not None
        if not is_plain or not _is_utf8(lines):
            unreadable.update(text for text in some if find_metadata(text) is None)
    return unreadable


def _is_text(string: str) -> bool:
    try:
        string.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_utf8(stored: bytes) -> bool:
    try:
        stored.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

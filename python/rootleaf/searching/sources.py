"""The URI of a document."""

from __future__ import annotations

import os

# RFC 3986: unreserved characters, sub-delimiters, what else a path segment may hold, and "/".
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/"


def file_uri(path: str) -> str:
    """The `file:` URI of an absolute path; bytes outside plain ASCII are percent-encoded.

    Source: RFC 8089 (the file scheme), RFC 3986 section 3.3 (paths).
    """
    if os.sep != "/":
        path = "/" + path.replace(os.sep, "/")
    # Not by the locale: documents are only ever stored with names that are UTF-8.
    name = path.encode("utf-8", "surrogateescape")
    if not name.translate(None, _PLAIN):
        return f"file://{path}"
    encoded = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in name)
    return f"file://{encoded}"

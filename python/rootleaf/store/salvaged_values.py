"""What a value of a damaged database may be: a number, a text or bytes, each where it belongs."""

from __future__ import annotations

from rootleaf.store.schema import LATEST_SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Row = tuple[Any, ...]

# What a value has to be: i a whole number, t text, b bytes, n text, a number or NULL.
_TYPES = {
    "roots": "itttitt",
    "documents": "iititbiitnnnn",
    "texts": "it",
    "chunksets": "iibi",
    "models": "ittiitt",
    "vectors": "iibb",
}


_ROOT_INSTEAD = (None, None, "", "", 0, "[]", "[]")
"""What stands for a value of a root that cannot be read: a root is not given up for it."""


def checked_row(table: str, row: Row) -> Row | None:
    """A row whose values are what the table says; None where one is not."""
    if table == "roots":
        row = tuple(
            instead if instead is not None and not _is_of_kind(kind, value) else value
            for kind, value, instead in zip(_TYPES[table], row, _ROOT_INSTEAD, strict=True)
        )
    kept: list[Any] = []
    for kind, value in zip(_TYPES[table], row, strict=True):
        if kind == "i":
            if not isinstance(value, int):
                return None
            kept.append(value)
        elif kind == "b":
            if not isinstance(value, bytes):
                return None
            kept.append(value)
        elif kind == "n":
            # Problem and metadata may be absent; what they hold is looked at when they are used.
            kept.append(readable_text(value) if isinstance(value, bytes) else value)
        else:
            text = (
                value if isinstance(value, str) else readable_text(value, lenient=table == "texts")
            )
            if text is None:
                return None
            kept.append(text)
    if table == "chunksets" and not 0 <= kept[-1] <= LATEST_SECOND:
        return None
    return tuple(kept)


def _is_of_kind(kind: str, value: object) -> bool:
    return isinstance(value, int) if kind == "i" else readable_text(value) is not None


def readable_text(value: object, *, lenient: bool = False) -> str | None:
    """The text of bytes that are UTF-8, or with what is not replaced; None where they are none."""
    if not isinstance(value, bytes):
        return None
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("utf-8", "replace") if lenient else None


def whole_number(value: object) -> int:
    """A value where it is a whole number, else 0."""
    return value if isinstance(value, int) else 0

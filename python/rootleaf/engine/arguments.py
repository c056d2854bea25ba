"""What the engine's arguments may be, checked before they cross into the core.

Every error names the argument, what was expected, and what came.
"""

from __future__ import annotations

from rootleaf.engine.analyzer import utf8
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_COUNT = 0xFFFFFFFF
MAX_ID = 2**64 - 1


def flag(value: object, name: str) -> bool:
    """A bool, and nothing that only behaves like one."""
    if not isinstance(value, bool):
        message = f"{name} must be a bool, not {type(value).__name__}"
        raise InvalidInputError(message)
    return value


def count(value: object, name: str, *, least: int, most: int | None = None) -> int:
    """An int in a range; without an upper limit it is cut to what the core counts with."""
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{name} must be an int, not {type(value).__name__}"
        raise InvalidInputError(message)
    if value < least or (most is not None and value > most):
        limit = f"at least {least}" if most is None else f"{least} to {most}"
        message = f"{name} must be {limit}, not {value}"
        raise InvalidInputError(message)
    return value if most is not None else min(value, MAX_COUNT)


def filters(where: object) -> list[tuple[bytes, list[bytes]]]:
    """A filter as the core takes it; None filters nothing."""
    return [] if where is None else values_by_key(where, "where")


def values_by_key(mapping: object, name: str) -> list[tuple[bytes, list[bytes]]]:
    """The mapping with its strings as UTF-8, each value a list; errors name the key."""
    keys = getattr(mapping, "keys", None)
    if keys is None:
        message = f"{name} must be a mapping of str to str or a sequence of str, not "
        raise InvalidInputError(
            message + type(mapping).__name__, hint=f'{name}={{"key": ["one", "other"]}}'
        )
    encoded = []
    for key in keys():
        if not isinstance(key, str):
            message = f"{name} has the key {key!r}, which must be a str, not {type(key).__name__}"
            raise InvalidInputError(message)
        values = mapping[key]  # type: ignore[index]
        encoded.append((utf8(key, "key"), _strings(values, f"{name}[{key!r}]")))
    return encoded


def _strings(values: object, label: str) -> list[bytes]:
    if isinstance(values, str):
        return [utf8(values, label)]
    is_sequence = isinstance(values, (list, tuple)) or (
        hasattr(values, "__getitem__")
        and not hasattr(values, "keys")
        and not isinstance(values, (bytes, bytearray, memoryview))
    )
    if not is_sequence:
        message = f"{label} must be a str or a sequence of str, not {type(values).__name__}"
        raise InvalidInputError(message)
    encoded = []
    for value in values:  # type: ignore[attr-defined]
        if not isinstance(value, str):
            message = f"{label} holds {value!r}, which must be a str, not {type(value).__name__}"
            raise InvalidInputError(message, hint=repr(str(value)))
        encoded.append(utf8(value, label))
    return encoded


def id_column(ids: object, name: str) -> tuple[bytes, int]:
    """Document ids as a native-endian column, and the bytes that each takes in it.

    Args:
        ids: An iterable of int, or a `pyroaring.BitMap`, whose own array is taken at once.
        name: What errors call it.

    Raises:
        InvalidInputError: It is neither, or holds something else than ints of 0 to 2**64 - 1.
    """
    from array import array

    if isinstance(ids, (str, bytes, bytearray, memoryview)) or not hasattr(ids, "__iter__"):
        message = f"{name} must be an iterable of int, not {type(ids).__name__}"
        raise InvalidInputError(message, hint=f"{name}=[1, 2]")
    if hasattr(ids, "serialize") and hasattr(ids, "to_array"):
        column = ids.to_array()
        if isinstance(column, array) and column.typecode in {"I", "L", "Q"}:
            return column.tobytes(), column.itemsize
    return _wide_column(ids, name), 8


def _wide_column(ids: Iterable[object], name: str) -> bytes:
    from array import array

    column = array("Q")
    for document_id in ids:
        column.append(count(document_id, f"an id in {name}", least=0, most=MAX_ID))
    return column.tobytes()


def weights_by_part(weights: object) -> list[tuple[bytes, float]]:
    """Weights by the names of score parts, in the order of the names, so that sums are the same."""
    if weights is None:
        return []
    items: Mapping[object, object] | None = weights if hasattr(weights, "keys") else None  # type: ignore[assignment]
    if items is None:
        message = f"weights must be a mapping of str to float, not {type(weights).__name__}"
        raise InvalidInputError(message, hint='weights={"coverage": 0.4, "similarity": 0.6}')
    checked = []
    for part in items:
        weight = items[part]
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            message = f"weights[{part!r}] must be a float, not {type(weight).__name__}"
            raise InvalidInputError(message)
        try:
            checked.append((utf8(part, "a key of weights"), float(weight)))
        except OverflowError:
            message = f"weights[{part!r}] must be a float, not an int that is larger than any"
            raise InvalidInputError(message) from None
    return sorted(checked)

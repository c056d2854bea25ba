"""Vectors as callers have them, checked: buffers of float32 (arrays of numpy, say), or numbers.

Nothing here imports numpy: any object with the buffer protocol will do.
"""

from __future__ import annotations

import sys

from rootleaf import _core
from rootleaf.engine import kernels
from rootleaf.engine.arguments import count
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Buffer

FLOAT_BYTES = 4
INFINITY = float("inf")
LENGTH_TOLERANCE = 1e-3
"""How far from 1 the length of a unit vector may lie; that of the core."""

_FLOAT32 = {"f", "@f", "=f", "<f" if sys.byteorder == "little" else ">f"}
_RAW = {"B", "b", "c"}


class FloatRows:
    """Rows of float32, as the core reads them.

    Attributes:
        buffer: `row_count × dimension` native float32, row by row; zeros where a row is absent.
        row_count: Rows, absent ones included.
        dimension: Floats of a row; 0 where there is no row and none was asked for.
        present: One byte for each row, 0 where it is absent; empty: all are there.
    """

    __slots__ = ("buffer", "dimension", "present", "row_count")

    def __init__(
        self, buffer: Buffer, row_count: int, dimension: int, present: bytes = b""
    ) -> None:
        self.buffer = buffer
        self.row_count = row_count
        self.dimension = dimension
        self.present = present


def float_rows(
    vectors: object, name: str, *, row_count: int | None = None, dimension: int | None = None
) -> FloatRows:
    """Reads vectors: their number and width, not yet the floats, which the core checks.

    Args:
        vectors: A C-contiguous buffer of float32 with two dimensions; or one with one dimension,
            or plain bytes of native float32, whose rows `dimension` or `row_count` tells; or a
            sequence of sequences of numbers, None where a row is absent.
        name: What messages call it.
        row_count: How many rows it must have; None: any.
        dimension: How many floats a row must have; None: any, but all the same.

    Raises:
        InvalidInputError: It is none of these; the message says what was expected and what came.
    """
    view = _view(vectors, name)
    if view is None:
        return _rows_of_sequence(vectors, name, row_count, dimension)
    floats = view.nbytes // FLOAT_BYTES
    if view.ndim > 1:
        rows = len(view)
        width = floats // max(rows, 1)
    else:
        if dimension is None and not row_count:
            message = f"{name} must say where its rows end: by two dimensions, not by {view.ndim}"
            raise InvalidInputError(message)
        width = dimension if dimension is not None else floats // (row_count or 1)
        rows = floats // width if width else 0
        if rows * width != floats:
            message = f"{name} must hold whole rows of {width} float32, not {floats} float32"
            raise InvalidInputError(message)
    _check_shape(name, rows, width, row_count, dimension)
    return FloatRows(_flat(view), rows, width)


def float_vector(vector: object, name: str, *, dimension: int | None = None) -> memoryview:
    """Reads one vector: a buffer of float32 with one dimension, plain bytes, or numbers.

    Raises:
        InvalidInputError: It is none of these, or has another width than `dimension`.
    """
    view = _view(vector, name)
    if view is None:
        packed = _packed(vector, name)
    elif view.ndim == 1:
        packed = _flat(view)
    else:
        message = f"{name} must have one dimension, not {view.ndim}"
        raise InvalidInputError(message)
    width = packed.nbytes // FLOAT_BYTES
    if dimension is not None and width != dimension:
        message = f"{name} must have {dimension} elements, not {width}"
        raise InvalidInputError(message)
    return packed


def vector_columns(vectors: object, name: str) -> tuple[bytes, bytes | None]:
    """The vectors of a document in one float32 column, and a byte for each chunkset: has it one.

    Args:
        vectors: As for `float_rows`; with one dimension, the core tells rows by their number.
        name: What messages call it.

    Raises:
        InvalidInputError: It is none of these, or the vectors are of different widths.
    """
    view = _view(vectors, name)
    if view is not None:
        # Marks say how many rows there are, so that the core cuts the floats nowhere else.
        return bytes(_flat(view)), None if view.ndim == 1 else b"\1" * len(view)
    rows, _ = _packed_rows(vectors, name, None)
    return b"".join(row for row in rows if row is not None), bytes(row is not None for row in rows)


def unit_vector(vector: memoryview, name: str, *, is_normalised: bool) -> bytes:
    """A vector as it is kept: of length 1, with float32 in native order.

    Args:
        vector: The bytes of native float32.
        name: What messages call it.
        is_normalised: Whether it must have a length of 1 already, and is then kept as it is.

    Raises:
        InvalidInputError: It holds a NaN or an infinity, is zero, or has another length than it
            must have.
    """
    from array import array
    from math import hypot, isfinite

    floats = vector.cast("f").tolist()
    length = hypot(*floats)
    if not isfinite(length):
        position = next(i for i, number in enumerate(floats) if not isfinite(number))
        kind = "an infinity" if floats[position] in {INFINITY, -INFINITY} else "a NaN"
        message = f"{name} holds {kind} as element {position}"
        raise InvalidInputError(message)
    if length == 0:
        message = f"{name} is zero, which has no direction"
        raise InvalidInputError(message)
    if not is_normalised:
        return array("f", [number / length for number in floats]).tobytes()
    if abs(length - 1) > LENGTH_TOLERANCE:
        message = f"{name} has a length of {length:.6g}, and must have 1"
        raise InvalidInputError(message)
    return bytes(vector)


def nearest(
    vectors: object, query_vector: object, *, limit: int, allowed: bytes | None = None
) -> list[tuple[int, float]]:
    """The rows of a caller's own vectors that are most similar to a query; exact. No GIL is held.

    Args:
        vectors: Unit vectors, as for `float_rows`, none absent.
        query_vector: A unit vector, as for `float_vector`.
        limit: The most rows to return; 0 or more.
        allowed: One byte for each row, 0 where it is left out; None: all are compared.

    Returns:
        (row, similarity), best first, ties by row; a similarity is the cosine, in 0..1, and rows
        that have none above 0 are left out.

    Raises:
        InvalidInputError: An argument is none of the above, or a vector has no unit length.
    """
    kernels.use_setting()
    query = float_vector(query_vector, "query_vector")
    dimension = query.nbytes // FLOAT_BYTES
    rows = float_rows(vectors, "vectors", dimension=dimension)
    if 0 in rows.present:
        message = f"vectors[{rows.present.index(0)}] must be a sequence of numbers, not None"
        raise InvalidInputError(message)
    if allowed is not None and len(allowed) != rows.row_count:
        message = f"allowed must have {rows.row_count} bytes, one a row, not {len(allowed)}"
        raise InvalidInputError(message)
    most = min(count(limit, "limit", least=0), rows.row_count)
    if rows.row_count == 0:
        return []
    mask = b"" if allowed is None else allowed
    found, similarities = _core.nearest(rows.buffer, dimension, query, mask, most)
    return list(zip(memoryview(found).cast("I"), memoryview(similarities).cast("f"), strict=True))


def _view(vectors: object, name: str) -> memoryview | None:
    """The buffer of `vectors`, checked but for its shape; None if it has none."""
    try:
        view = memoryview(vectors)  # type: ignore[arg-type]
    except TypeError:
        return None
    except (ValueError, BufferError) as error:
        message = f"{name} must be a C-contiguous buffer of float32: {error}"
        raise InvalidInputError(message) from error
    if view.ndim not in {1, 2}:
        message = f"{name} must have one or two dimensions, not {view.ndim}"
        raise InvalidInputError(message)
    is_raw = view.format in _RAW and view.ndim == 1
    if not is_raw and view.format not in _FLOAT32:
        message = f"{name} must hold float32 ('f'), not {view.format!r}"
        raise InvalidInputError(message, hint=f"{name}.astype('float32')")
    if not view.c_contiguous:
        message = f"{name} must be C-contiguous, and is strided"
        raise InvalidInputError(message, hint=f"numpy.ascontiguousarray({name})")
    if view.nbytes % FLOAT_BYTES:
        message = f"{name} must hold whole float32 of {FLOAT_BYTES} bytes, not {view.nbytes} bytes"
        raise InvalidInputError(message)
    return view


def _flat(view: memoryview) -> memoryview:
    """The bytes of a contiguous view; an empty one cannot be cast."""
    return view.cast("B") if view.nbytes else memoryview(b"")


def _packed(numbers: object, name: str) -> memoryview:
    """A sequence of numbers as float32; what is out of range becomes an infinity."""
    from array import array

    if isinstance(numbers, str) or not hasattr(numbers, "__iter__"):
        message = f"{name} must be a sequence of numbers or a buffer of float32, not "
        raise InvalidInputError(message + type(numbers).__name__)
    try:
        floats = array("f", numbers)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"{name} must hold numbers: {error}"
        raise InvalidInputError(message) from error
    return memoryview(floats).cast("B") if floats else memoryview(b"")


def _rows_of_sequence(
    vectors: object, name: str, row_count: int | None, dimension: int | None
) -> FloatRows:
    rows, width = _packed_rows(vectors, name, dimension)
    absent = bytes(FLOAT_BYTES * width)
    _check_shape(name, len(rows), width, row_count, dimension)
    return FloatRows(
        b"".join(absent if row is None else row for row in rows),
        len(rows),
        width,
        bytes(row is not None for row in rows) if None in rows else b"",
    )


def _packed_rows(
    vectors: object, name: str, dimension: int | None
) -> tuple[list[memoryview | None], int]:
    """The rows of a sequence, and their width: 0 where there is none and none was asked for."""
    if isinstance(vectors, str) or not hasattr(vectors, "__iter__"):
        message = f"{name} must be a buffer of float32 or a sequence of sequences of numbers, not "
        raise InvalidInputError(message + type(vectors).__name__)
    rows: list[memoryview | None] = []
    width = dimension
    for i, row in enumerate(vectors):
        if row is None:
            rows.append(None)
            continue
        packed = float_vector(row, f"{name}[{i}]", dimension=width)
        width = packed.nbytes // FLOAT_BYTES
        rows.append(packed)
    return rows, width or 0


def _check_shape(
    name: str, rows: int, width: int, row_count: int | None, dimension: int | None
) -> None:
    if row_count is not None and rows != row_count:
        message = f"{name} must have {row_count} rows, not {rows}"
        raise InvalidInputError(message)
    if dimension is not None and rows and width != dimension:
        message = f"{name} must have {dimension} elements in each row, not {width}"
        raise InvalidInputError(message)

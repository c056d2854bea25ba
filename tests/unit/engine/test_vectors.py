"""Vectors from callers: every usual form gives the same rows, and the others are named."""

from __future__ import annotations

import math
from array import array

import numpy as np
import pytest
from rootleaf.engine.vectors import float_rows, float_vector, nearest
from rootleaf.errors import InvalidInputError

ROWS = [[0.5, 0.25, 1.0], [2.0, -0.5, 0.0]]
BYTES = array("f", [*ROWS[0], *ROWS[1]]).tobytes()
ARRAY = np.array(ROWS, dtype=np.float32)


@pytest.mark.parametrize(
    ("vectors", "shape"),
    [
        (ARRAY, {}),
        (ROWS, {}),
        (tuple(map(tuple, ROWS)), {}),
        (list(ARRAY), {}),
        (BYTES, {"dimension": 3}),
        (BYTES, {"row_count": 2}),
        (bytearray(BYTES), {"row_count": 2, "dimension": 3}),
        (ARRAY.ravel(), {"row_count": 2}),
        (array("f", [*ROWS[0], *ROWS[1]]), {"dimension": 3}),
        (memoryview(BYTES), {"dimension": 3}),
    ],
)
def test_every_usual_form_gives_the_same_rows(vectors: object, shape: dict[str, int]) -> None:
    """Arrays, bytes and numbers differ in nothing but how their shape is told."""
    rows = float_rows(vectors, "vectors", **shape)
    assert (bytes(rows.buffer), rows.row_count, rows.dimension) == (BYTES, 2, 3)
    assert rows.present == b""


@pytest.mark.parametrize("vectors", [[], np.empty((0, 3), np.float32), ()])
def test_no_rows_are_rows_too(vectors: object) -> None:
    """A document without chunksets has no vectors."""
    rows = float_rows(vectors, "vectors", dimension=3, row_count=0)
    assert (bytes(rows.buffer), rows.row_count) == (b"", 0)
    assert float_rows(b"", "vectors", dimension=3).row_count == 0


def test_a_row_may_be_absent() -> None:
    """None stands for a chunkset that has no vector yet."""
    rows = float_rows([None, ROWS[0], None], "vectors")
    assert (rows.row_count, rows.dimension, rows.present) == (3, 3, b"\x00\x01\x00")
    assert bytes(rows.buffer) == bytes(12) + BYTES[:12] + bytes(12)


@pytest.mark.parametrize(
    ("vectors", "shape", "message"),
    [
        (ARRAY.astype(np.float64), {}, "v must hold float32 ('f'), not 'd'"),
        (ARRAY.astype(np.int32), {}, "v must hold float32 ('f'), not 'i'"),
        (ARRAY[:, ::2], {}, "v must be C-contiguous, and is strided"),
        (np.asfortranarray(ARRAY), {}, "v must be C-contiguous, and is strided"),
        (ARRAY[None], {}, "v must have one or two dimensions, not 3"),
        (ARRAY, {"dimension": 4}, "v must have 4 elements in each row, not 3"),
        (ARRAY, {"row_count": 3}, "v must have 3 rows, not 2"),
        (ROWS, {"row_count": 1}, "v must have 1 rows, not 2"),
        (ROWS, {"dimension": 2}, "v[0] must have 2 elements, not 3"),
        ([[1.0], [1.0, 2.0]], {}, "v[1] must have 1 elements, not 2"),
        (BYTES, {}, "v must say where its rows end: by two dimensions, not by 1"),
        (BYTES[:-1], {"dimension": 3}, "v must hold whole float32 of 4 bytes, not 23 bytes"),
        (BYTES, {"dimension": 4}, "v must hold whole rows of 4 float32, not 6 float32"),
        (BYTES, {"dimension": 3, "row_count": 1}, "v must have 1 rows, not 2"),
        (
            "text",
            {},
            "v must be a buffer of float32 or a sequence of sequences of numbers, not str",
        ),
        (5, {}, "v must be a buffer of float32 or a sequence of sequences of numbers, not int"),
        ([1.0, 2.0], {}, "v[0] must be a sequence of numbers or a buffer of float32, not float"),
        (["ab"], {}, "v[0] must be a sequence of numbers or a buffer of float32, not str"),
        ([["a"]], {}, "v[0] must hold numbers: must be real number, not str"),
        ([[ROWS]], {}, "v[0] must hold numbers: must be real number, not list"),
    ],
)
def test_what_is_no_rows_is_named(vectors: object, shape: dict[str, int], message: str) -> None:
    """The argument, what was expected, and what came."""
    with pytest.raises(InvalidInputError) as caught:
        float_rows(vectors, "v", **shape)
    assert caught.value.message == message


def test_one_vector_has_one_dimension() -> None:
    """A query is a vector, not a table of one row."""
    assert bytes(float_vector(ARRAY[0], "query_vector", dimension=3)) == BYTES[:12]
    with pytest.raises(InvalidInputError, match="query_vector must have one dimension, not 2"):
        float_vector(ARRAY[:1], "query_vector")
    with pytest.raises(InvalidInputError, match="query_vector must have 4 elements, not 3"):
        float_vector(ROWS[0], "query_vector", dimension=4)


@pytest.mark.parametrize(
    ("vectors", "query", "message"),
    [
        ([[1.0, 0.0], [math.nan, 0.0]], [1.0, 0.0], "vector 1 holds a NaN as element 0"),
        ([[1e39, 0.0]], [1.0, 0.0], "vector 0 holds an infinity as element 0"),
        ([[0.0, 0.0]], [1.0, 0.0], "vector 0 is zero, which has no direction"),
        ([[3.0, 4.0]], [1.0, 0.0], "vector 0 has a length of 5.000000, and must have 1"),
        ([[1.0, 0.0]], [0.0, 0.0], "the query's vector is zero, which has no direction"),
        ([[1.0, 0.0]], [0.9, 0.0], "the query's vector has a length of 0.900000, and must have 1"),
        ([[1.0, 0.0], None], [1.0, 0.0], "vectors[1] must be a sequence of numbers, not None"),
    ],
)
def test_what_is_no_unit_vector_is_named(
    vectors: list[list[float]], query: list[float], message: str
) -> None:
    """NaN, infinite, zero and long vectors have no cosine, and are refused where they enter."""
    with pytest.raises(InvalidInputError) as caught:
        nearest(vectors, query, limit=1)
    assert caught.value.message == message


def test_a_mask_and_a_limit_are_checked() -> None:
    """One byte a row, and a number of rows."""
    with pytest.raises(InvalidInputError, match="allowed must have 1 bytes, one a row, not 2"):
        nearest([[1.0]], [1.0], limit=1, allowed=b"\x01\x01")
    for limit in (-1, True, 1.0):
        with pytest.raises(InvalidInputError, match="limit must be"):
            nearest([[1.0]], [1.0], limit=limit)  # type: ignore[arg-type]
    assert nearest([[1.0]], [1.0], limit=0) == []
    assert nearest([], [1.0], limit=5) == []

"""The exact vector search against numpy in double precision, on every instruction set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine import kernels
from rootleaf.engine.vectors import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

TOLERANCE = 1e-6


@pytest.fixture(autouse=True)
def unforced() -> Iterator[None]:
    """Each test ends with the widest instruction set."""
    yield
    kernels.force(None)


def unit_rows(seed: int, rows: int, dimension: int) -> NDArray[np.float32]:
    """Random directions; every third row is one of few, so that ties are frequent."""
    random = np.random.default_rng(seed)
    matrix = random.standard_normal((rows, dimension))
    coarse = random.integers(-1, 2, (rows, dimension)).astype(np.float64)
    coarse[:, 0] += np.where(np.abs(coarse).sum(axis=1) == 0, 1.0, 0.0)
    matrix[::3] = coarse[::3]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix.astype(np.float32)


def cosines(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """In double precision, of the float32 vectors that the engine is given."""
    rows = matrix.astype(np.float64)
    one = query.astype(np.float64)
    norms = np.linalg.norm(rows, axis=1) * np.linalg.norm(one)
    return np.asarray((rows @ one) / norms, dtype=np.float64)


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 60),
    dimension=st.integers(1, 70) | st.sampled_from([256, 384, 768, 1024, 2048]),
    mask=st.none() | st.integers(0, 2**60 - 1),
    limit=st.integers(0, 70),
)
def test_the_nearest_rows_are_those_of_numpy(
    seed: int, rows: int, dimension: int, mask: int | None, limit: int
) -> None:
    """Same similarities up to rounding, same rows in the same order, the same on every CPU."""
    vectors = unit_rows(seed, rows + 1, dimension)
    matrix, query = vectors[1:], vectors[0]
    allowed = None if mask is None else bytes(mask >> row & 1 for row in range(rows))
    expected = np.clip(cosines(matrix, query), 0.0, 1.0)
    if allowed is not None:
        expected[np.frombuffer(allowed, dtype=np.uint8) == 0] = 0.0

    answers = []
    for isa in kernels.available():
        kernels.force(isa)
        answers.append(nearest(matrix, query, limit=rows, allowed=allowed))
        assert nearest(matrix, query, limit=limit, allowed=allowed) == answers[-1][:limit]
    assert all(answer == answers[0] for answer in answers)

    found = np.zeros(rows)
    for row, similarity in answers[0]:
        found[row] = similarity
    assert np.abs(found - expected).max() < TOLERANCE
    # numpy's order, by the similarities found: they are its own up to rounding.
    order = np.lexsort((np.arange(rows), -found))
    assert [row for row, _ in answers[0]] == [row for row in order if found[row] > 0.0]


def test_the_order_is_that_of_numpy_where_similarities_are_far_apart() -> None:
    """No help from the engine's own numbers: the angles are known."""
    angles = np.random.default_rng(7).permutation(np.linspace(0.0, 3.0, 200))
    matrix = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    expected = [int(row) for row in np.argsort(angles) if np.cos(angles[row]) > 0]
    found = nearest(matrix, np.array([1.0, 0.0], dtype=np.float32), limit=200)
    assert [row for row, _ in found] == expected


def test_equal_rows_stand_in_their_order() -> None:
    """Ties go to the earlier row, also where a limit cuts through them."""
    matrix = np.tile(np.array([[0.6, 0.8]], dtype=np.float32), (50, 1))
    found = nearest(matrix, [0.6, 0.8], limit=20, allowed=bytes([0, 1] * 25))
    assert [row for row, _ in found] == list(range(1, 41, 2))
    assert all(0.999999 < similarity <= 1.0 for _, similarity in found)

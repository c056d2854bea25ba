"""Lists of candidates into one score, for those that a caller brings from elsewhere too.

Formulas stand in the core's `rank/fusion.hpp`. A search does the same inside the core.
"""

from __future__ import annotations

from array import array
from math import isfinite

from rootleaf import _core
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FUSIONS = ("weighted", "rrf")
"""`weighted`: the sum of weight × measure. `rrf`: the sum of weight / (60 + rank)."""


def fuse(
    fusion: str, parts: Mapping[str, Iterable[float]], weights: Mapping[str, float]
) -> list[float]:
    """The score of each candidate.

    Args:
        fusion: One of `FUSIONS`.
        parts: Columns by name, with one number for each candidate: measures for `weighted`, ranks
            for `rrf`, counted from 1, and 0 for a candidate that is not in that list.
        weights: How much a part counts, by its name: 0 or more. Others count nothing. Sums run in
            the order of this mapping.

    Raises:
        InvalidInputError: An argument is none of the above.
    """
    if fusion not in FUSIONS:
        message = f"fusion must be 'weighted' or 'rrf', not {fusion!r}"
        raise InvalidInputError(message, hint='fusion="weighted"')
    columns = [(name, _column(values, f"parts[{name!r}]")) for name, values in parts.items()]
    factors = list(zip(weights, _column(weights.values(), "weights"), strict=True))
    return list(memoryview(_core.fuse(fusion, columns, factors)).cast("d"))


def ranks(candidates: Iterable[float], full_list: Iterable[float]) -> list[int]:
    """The rank of each candidate's measure: 1 more than the number of greater ones in the list.

    Equals share a rank. A measure of 0 or less is in no list, and has the rank 0.

    Args:
        candidates: Measures of the candidates.
        full_list: Measures of all, the candidates' own included.

    Raises:
        InvalidInputError: A measure is no finite number.
    """
    found = _core.ranks(_column(candidates, "candidates"), _column(full_list, "full_list"))
    return [int(rank) for rank in memoryview(found).cast("d")]


def _column(values: Iterable[float], name: str) -> array[float]:
    try:
        column = array("d", values)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"{name} must hold numbers: {error}"
        raise InvalidInputError(message) from error
    if not all(map(isfinite, column)):
        message = (
            f"{name} must hold finite numbers, not {next(x for x in column if not isfinite(x))}"
        )
        raise InvalidInputError(message)
    return column

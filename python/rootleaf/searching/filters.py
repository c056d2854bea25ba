"""What a filter may look like, and the words for what is wrong with one.

Keys are AND-ed, the values of a key OR-ed; a value matches by case-sensitive equality.
"""

from __future__ import annotations

from collections.abc import Mapping

from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Where = Mapping[str, str | Sequence[str]]


def parse_pairs(pairs: Iterable[str]) -> dict[str, list[str]]:
    """Reads `KEY=VALUE` pairs; pairs of one key are alternatives. A value may be empty or hold `=`.

    Raises:
        InvalidInputError: A pair has no `=`, or no key before it; the message names the pair.
    """
    where: dict[str, list[str]] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            message = f"the filter {pair!r} has no '=' between key and value"
            raise InvalidInputError(message, hint=f"--where {pair or 'kind'}=VALUE")
        if not key:
            message = f"the filter {pair!r} has no key before '='"
            raise InvalidInputError(message, hint=f"--where KEY={value}")
        where.setdefault(key, []).append(value)
    return where


def checked_where(where: object) -> dict[str, list[str]] | None:
    """The filter with every value as a list, or None where it filters nothing.

    Raises:
        InvalidInputError: It is no mapping, or a key or value is no string; the pair is named.
    """
    if where is None:
        return None
    if not isinstance(where, Mapping):
        message = (
            f"where must be a mapping of keys to values, not {type(where).__name__}: {where!r}"
        )
        raise InvalidInputError(message, hint='where={"kind": ["event", "decision"]}')
    checked: dict[str, list[str]] = {}
    for key, value in where.items():
        if not isinstance(key, str) or not key:
            message = f"where: the key of {key!r}: {value!r} must be a string that is not empty"
            raise InvalidInputError(message, hint='where={"kind": "event"}')
        checked[key] = _checked_values(key, value)
    return checked or None


def _checked_values(key: str, value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise _not_a_string(key, value, value)
    values = []
    for alternative in value:
        if not isinstance(alternative, str):
            raise _not_a_string(key, value, alternative)
        values.append(alternative)
    return sorted(values)


def _not_a_string(key: str, value: object, culprit: object) -> InvalidInputError:
    kind = type(culprit).__name__
    message = (
        f"where: {key!r}: {value!r} must hold strings, not {kind}; values are compared as written"
    )
    return InvalidInputError(message, hint=f"where={{{key!r}: {str(culprit)!r}}}")

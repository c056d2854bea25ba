"""The base of all frozen values.

A hand-made base instead of `dataclasses`: importing that module costs 6 to 9 ms of a cold start of
25 to 50 ms.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options: object) -> object:
        """The marker for type checkers, which does nothing at run time."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value:
    """Base of the frozen values: keyword arguments in, equality and a readable repr out."""

    _fields: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        # Read as stored: `inspect`, which would evaluate them, costs more than a whole search.
        annotations = cls.__dict__.get("__annotations__", {})  # noqa: RUF063
        own = [name for name in annotations if not name.startswith("_")]
        cls._fields = cls._fields + tuple(own)
        cls._names = frozenset(cls._fields)

    def __init__(self, **given: Any) -> None:
        values = self.__dict__
        if given.keys() == self._names:
            values.update(given)
            return
        for name in self._fields:
            if name in given:
                values[name] = given.pop(name)
            elif not hasattr(type(self), name):
                message = f"{type(self).__name__}() lacks the argument {name!r}"
                raise TypeError(message)
            else:
                values[name] = getattr(type(self), name)
        if given:
            message = f"{type(self).__name__}() takes no argument {next(iter(given))!r}"
            raise TypeError(message)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be set"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be deleted"
        raise AttributeError(message)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    def to_json(self) -> dict[str, Any]:
        """The value as plain dictionaries, lists, strings and numbers, by its field names."""
        return {name: _plain(getattr(self, name)) for name in self._fields}


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_json()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return value

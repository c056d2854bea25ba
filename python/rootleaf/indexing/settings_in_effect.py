"""What each setting is at a place: its value, and what set it."""

from __future__ import annotations

from rootleaf import config
from rootleaf.embed.calibration import calibration_of
from rootleaf.embed.choosing import chosen_name, embedder_named
from rootleaf.errors import NotIndexedError, RootleafError
from rootleaf.indexing.embedder_choice import recorded_name
from rootleaf.store.locating import locate
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable

ENVIRONMENT = "environment"
RECORDED = "recorded"
DEFAULT = "default"


class SettingInEffect(Value):
    """A setting as it is.

    Attributes:
        name: Of the variable.
        value: What holds, as text; empty where nothing does.
        origin: `environment`, `recorded` (in the database), or `default`.
        meaning: What it changes.
        allowed: What it may be.
    """

    name: str
    value: str
    origin: str
    meaning: str
    allowed: str


class Settings(Value):
    """All settings, and the database whose record was looked at; None where there is none."""

    db_path: str | None
    settings: tuple[SettingInEffect, ...]


def settings_in_effect(
    path: str | os.PathLike[str] | None = None, db_path: str | os.PathLike[str] | None = None
) -> Settings:
    """What holds for a call that names nothing itself; only reads.

    Args:
        path: Where the nearest `.rootleaf/` is looked for upward; the current directory where None.
        db_path: The database itself.

    Raises:
        InvalidInputError: A variable has a value that it cannot have.
        NotIndexedError: A database was named, and is not there.
        StoreError: The database cannot be read.
    """
    located: str | None
    try:
        located = locate(path, db_path)
    except NotIndexedError:
        if path is not None:
            raise
        located = None
    recorded = None
    if located is not None:
        with open_for_reading(located) as store:
            recorded = recorded_name(store)
    rows = []
    for setting in config.SETTINGS:
        value, origin = _WAYS[setting.name](setting, recorded)
        rows.append(
            SettingInEffect(
                name=setting.name,
                value=value,
                origin=origin,
                meaning=setting.meaning,
                allowed=setting.allowed,
            )
        )
    return Settings(db_path=located, settings=tuple(rows))


def _embedder(setting: config.Setting, recorded: str | None) -> tuple[str, str]:
    name = chosen_name(None, recorded)
    if setting.value() is not None:
        return name, ENVIRONMENT
    return name, DEFAULT if recorded is None else RECORDED


def _empty_gate(setting: config.Setting, recorded: str | None) -> tuple[str, str]:
    gate = config.empty_gate()
    if gate is not None:
        return (f"{gate:g}" if gate else "0 (off)"), ENVIRONMENT
    try:
        embedder = embedder_named(chosen_name(None, recorded))
    except RootleafError as error:
        return f"off: {error.message}", DEFAULT
    gate = None if embedder is None else calibration_of(embedder).gate
    return ("off" if gate is None else f"{gate:g}"), DEFAULT


def _isa(setting: config.Setting, recorded: str | None) -> tuple[str, str]:
    from rootleaf.engine import kernels

    kernels.use_setting()
    return kernels.active(), DEFAULT if setting.value() is None else ENVIRONMENT


def _as_set(setting: config.Setting, recorded: str | None) -> tuple[str, str]:
    value = setting.value()
    return ("", DEFAULT) if value is None else (str(value), ENVIRONMENT)


_WAYS: dict[str, Callable[[config.Setting, str | None], tuple[str, str]]] = {
    config.EMBEDDER.name: _embedder,
    config.EMPTY_GATE.name: _empty_gate,
    config.ISA.name: _isa,
    config.NO_COLOR.name: _as_set,
}

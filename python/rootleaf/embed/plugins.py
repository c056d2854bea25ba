"""Embedders of other distributions, announced by entry points of the group `rootleaf.embedders`.

An entry point names a factory: it is called with the text behind the `:` of the name, or with
nothing, and gives an embedder whose identity begins with the name of the entry point.
"""

from __future__ import annotations

import threading

from rootleaf.embed.calibration import calibration_of
from rootleaf.embed.protocol import identity_of
from rootleaf.errors import EmbedderError, InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from rootleaf.embed.protocol import Embedder

GROUP = "rootleaf.embedders"

_made: dict[str, Embedder] = {}
_making = threading.Lock()


def plugin_names() -> list[str]:
    """The names of all plug-ins that are installed, in order."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=GROUP)})


def find_entry_point(name: str) -> EntryPoint | None:
    """The entry point that a name stands for, with or without an argument behind `:`."""
    from importlib.metadata import entry_points

    points = entry_points(group=GROUP, name=name.partition(":")[0])
    return next(iter(points), None)


def plugin_named(name: str) -> Embedder | None:
    """The embedder of a plug-in; None where none is of that name.

    The same object for the same name, for a model takes long to load.

    Raises:
        EmbedderError: `embedder.plugin`: it cannot be loaded, or makes what is no embedder; what it
            raised is named, and the distribution that it came with.
    """
    with _making:
        embedder = _made.get(name)
        if embedder is None:
            point = find_entry_point(name)
            if point is None:
                return None
            embedder = _made[name] = _make(point, name)
        return embedder


def _make(point: EntryPoint, name: str) -> Embedder:
    _, colon, argument = name.partition(":")
    try:
        factory = point.load()
        embedder: Embedder = factory(argument) if colon else factory()
        identity = identity_of(embedder)
        calibration_of(embedder)
    except InvalidInputError as error:
        raise _broken(point, name, f"makes what is no embedder: {error.message}") from error
    except EmbedderError:
        raise  # in its own words: a server that is not there, say
    except (Exception, SystemExit) as error:  # whatever a third party's module raises
        raise _broken(point, name, f"cannot be loaded: {error!r}") from error
    if identity.name.partition(":")[0] != point.name:
        said = f"calls its model {identity.name!r}, whose name must begin with {point.name!r}"
        raise _broken(point, name, said)
    return embedder


def _broken(point: EntryPoint, name: str, said: str) -> EmbedderError:
    distribution = point.dist
    origin = "an unnamed distribution"
    hint = None
    if distribution is not None:
        # Its metadata may lack the name, as whatever else is broken.
        title = distribution.metadata["Name"] or origin
        origin = f"{title} {distribution.version}" if distribution.version else title
        hint = f"pip install --upgrade {title}"
    message = f"The embedder {name!r} of {origin} ({point.value}) {said}"
    return EmbedderError(message, hint=hint, code="embedder.plugin")

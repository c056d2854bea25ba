"""Which embedder is meant, and making it: by the names of the package, and by plug-ins.

A plug-in is looked for only where a name is none of the package's own, since to list what is
installed takes longer than many a search.
"""

from __future__ import annotations

from rootleaf import config
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.embed.protocol import Embedder

BUILTIN = "builtin"
MINILM = "minilm"
NONE = "none"
OWN_NAMES = (BUILTIN, MINILM, NONE)
"""The names that the package itself knows; `none` stands for no embedder."""


def chosen_name(argument: str | None, recorded: str | None) -> str:
    """The name of the embedder that is meant.

    Args:
        argument: What was asked for in this call.
        recorded: The name of the model that the database records.

    Returns:
        The argument; else what `ROOTLEAF_EMBEDDER` says; else what is recorded; else `builtin`.

    Raises:
        InvalidInputError: `ROOTLEAF_EMBEDDER` names no embedder.
    """
    if argument is not None:
        return argument
    from_environment = config.embedder()
    if from_environment is not None:
        if not is_known(from_environment):
            raise config.EMBEDDER.refusal(from_environment, _known_names())
        return from_environment
    return recorded if recorded is not None else BUILTIN


def embedder_named(name: str) -> Embedder | None:
    """The embedder of a name; None for `none`. A plug-in is made once in a process for each name.

    Args:
        name: `builtin`, `minilm`, `none`, or the name of a plug-in, with `:` and its argument where
            it takes one.

    Raises:
        InvalidInputError: There is no embedder of that name.
        EmbedderError: `embedder.not_installed`: it needs a package that is not there.
            `embedder.plugin`: a plug-in cannot be loaded, or makes what is no embedder.
    """
    if name == NONE:
        return None
    if name == BUILTIN:
        from rootleaf.embed.builtin import BuiltinEmbedder

        return BuiltinEmbedder()
    if name == MINILM:
        from rootleaf.embed.minilm import MinilmEmbedder

        return MinilmEmbedder()
    from rootleaf.embed.plugins import plugin_named

    embedder = plugin_named(name)
    if embedder is None:
        message = f"There is no embedder {name!r}"
        raise InvalidInputError(message, hint=f"One of {_known_names()}")
    return embedder


def is_known(name: str) -> bool:
    """Whether there is an embedder of a name; it may need a package that is not installed."""
    if name in OWN_NAMES:
        return True
    from rootleaf.embed.plugins import find_entry_point

    return find_entry_point(name) is not None


def _known_names() -> str:
    from rootleaf.embed.plugins import plugin_names

    return ", ".join([*OWN_NAMES, *plugin_names()])

"""Which embedder a run uses: one that was named, or else what the database says of itself.

One that was named and cannot be had ends a run before it begins. Where nobody named one, a run goes
on without the recorded one: its files are worth more than their vectors.
"""

from __future__ import annotations

import os

from rootleaf import config
from rootleaf.embed.calibration import calibration_of
from rootleaf.embed.choosing import BUILTIN, NONE, chosen_name, embedder_named, is_known
from rootleaf.embed.protocol import identity_of
from rootleaf.errors import EmbedderError, InvalidInputError
from rootleaf.store.paths import default_db_path, quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.embed.protocol import Embedder
    from rootleaf.store.protocol import Store

PYTHON_CALL = "index(..., embedder=..., embed=True)"
"""How an embedder without a name is used."""


class EmbedderChoice(Value):
    """What was said about the embedder of a run.

    Attributes:
        embedder: The one that was named or given; None where none was, or `none`.
        is_named: Whether one was named, `none` included.
        forgets_model: Whether the database is to have no vectors from now on.
    """

    embedder: Embedder | None = None
    is_named: bool = False
    forgets_model: bool = False

    def embedder_for(
        self, store: Store, root: str, *, embed: bool
    ) -> Embedder | MissingEmbedder | None:
        """The embedder for a database: that which was named, else the recorded one.

        Args:
            store: The database.
            root: The root of the run, for what an error says.
            embed: Whether all text is to be embedded, so that none will not do.

        Raises:
            EmbedderError: The recorded one cannot be had, and `embed` asks for it.
            InvalidInputError: `embed` asks for one, and the database is kept without vectors.
        """
        if self.is_named:
            return self.embedder
        name = recorded_name(store) or BUILTIN
        if name == NONE:
            if embed:
                message = "The index is kept without vectors, and no embedder was named"
                hint = index_command(root, store.db_path, f"--embedder {BUILTIN}", "--embed")
                raise InvalidInputError(message, hint=hint)
            return None
        try:
            embedder = embedder_named(name)
            if embedder is not None:
                identity_of(embedder)
        except InvalidInputError as error:
            said = f"The recorded model {store.model()} is of no embedder that is installed"
            if embed:
                raise EmbedderError(said, hint=error.hint, code="embedder.not_installed") from error
            return MissingEmbedder(reason=said, remedy=None)
        except EmbedderError as error:
            if embed:
                raise
            return MissingEmbedder(reason=error.message, remedy=error.hint)
        return embedder


class MissingEmbedder(Value):
    """The recorded embedder, where it cannot be had.

    Attributes:
        reason: Why, as a sentence without its stop.
        remedy: The command that brings it back, if there is one.
    """

    reason: str
    remedy: str | None

    def warning(self, root: str, db_path: str, lacking: int) -> str:
        """What a person should know, with the commands that lead on.

        Args:
            root: The root of the run.
            db_path: The database.
            lacking: How many of its chunksets have no vector.
        """
        chunksets = f"{lacking:,} chunkset{'' if lacking == 1 else 's'}"
        ways = [] if self.remedy is None else [f"To bring it back: {self.remedy}"]
        command = index_command(root, db_path, f"--embedder {BUILTIN}", "--embed")
        ways.append(f"To embed all text anew with another one: {command}")
        return (
            f"{self.reason}. Nothing was embedded; {chunksets} without a vector can be found by "
            f"keyword alone. {'. '.join(ways)}"
        )


def embedder_choice(
    embedder: object,
    *,
    embed: bool,
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
) -> EmbedderChoice:
    """What was given as `embedder` to a run, checked; where it is None, the environment speaks.

    Args:
        embedder: A name, an embedder, or None.
        embed: Whether all text is to be embedded.
        path: The directory of the run as it was named, for what an error says.
        db_path: Likewise its database.

    Raises:
        InvalidInputError: It is no embedder and no name of one, or `embed` asks for none to embed.
        EmbedderError: The one that was named cannot be had.
    """
    if embedder is None and config.embedder() is None:
        return EmbedderChoice()
    if embedder is not None and not isinstance(embedder, str):
        identity_of(embedder)
        calibration_of(embedder)
        return EmbedderChoice(embedder=embedder, is_named=True)  # type: ignore[arg-type]
    found = embedder_named(chosen_name(embedder, None))
    if found is not None:
        identity_of(found)
    elif embed:
        message = "All text is to be embedded anew, and by no embedder"
        parts = ["rootleaf index"]
        if path is not None:
            parts.append(quoted(os.fspath(path)))
        if db_path is not None:
            parts += ["--db", quoted(os.fspath(db_path))]
        raise InvalidInputError(message, hint=" ".join([*parts, f"--embedder {BUILTIN} --embed"]))
    # The variable counts for the runs that see it, and is not written down.
    forgets_model = found is None and embedder is not None
    return EmbedderChoice(embedder=found, is_named=True, forgets_model=forgets_model)


def recorded_name(store: Store) -> str | None:
    """The name of the embedder that a database is of; `none` where it is to have no vectors.

    None for a database that has none yet, and was not asked to do without.
    """
    if store.is_keyword_only():
        return NONE
    model = store.model()
    return None if model is None else model.name


def reembed_command(root: str, db_path: str, embedder: Embedder, choice: EmbedderChoice) -> str:
    """What embeds all text of a database with an embedder, in place of another one."""
    if not choice.is_named:
        return index_command(root, db_path, "--embed")
    name = embedder.identity.name
    if not is_known(name):
        return PYTHON_CALL
    return index_command(root, db_path, f"--embedder {quoted(name)}", "--embed")


def index_command(root: str, db_path: str, *options: str) -> str:
    """A command that runs `index` for a root, with options."""
    parts = ["rootleaf index", quoted(root)]
    if db_path != default_db_path(root):
        parts += ["--db", quoted(db_path)]
    return " ".join([*parts, *options])

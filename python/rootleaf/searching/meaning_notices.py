"""The sentences of answers that were searched by keyword alone although there are vectors."""

from __future__ import annotations

from rootleaf.store.paths import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.embed.protocol import Embedder, ModelIdentity
    from rootleaf.errors import RootleafError
    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import Model

_ALONE = "searched by keyword alone"


def embedding_command(rows: Rows, chosen: str | Embedder | None) -> str:
    """What embeds all text of an index with the embedder that was chosen, None by default."""
    from rootleaf.indexing.embedder_choice import PYTHON_CALL, index_command

    if chosen is not None and not isinstance(chosen, str):
        return PYTHON_CALL
    roots = rows.roots()
    root = roots[0].path if roots else "."
    options = ["--embed"] if chosen is None else ["--embed", f"--embedder {quoted(chosen)}"]
    return index_command(root, rows.db_path, *options)


def other_model(recorded: Model, asked: ModelIdentity | str, remedy: str) -> str:
    """The embedder is not the model that the index records."""
    known, other = _told_apart(recorded, asked)
    return (
        f"The index has vectors of {known}, which {other} cannot be compared with: {_ALONE}. "
        f"`{remedy}` embeds it anew"
    )


def no_vectors(remedy: str) -> str:
    """An embedder was asked for, and nothing is embedded."""
    return f"Nothing in the index is embedded: {_ALONE}. `{remedy}` embeds it"


def vanished(recorded: Model, remedy: str) -> str:
    """No embedder of the name that the index records is installed."""
    name = recorded.name
    return (
        f"The index has vectors of {name}, and there is no embedder {name!r} here: "
        f"{_ALONE}. Install it, or `{remedy} --embedder builtin` embeds the index anew"
    )


def unusable(recorded: Model, error: RootleafError) -> str:
    """The embedder is known and cannot be made."""
    hint = f". {error.hint}" if error.hint else ""
    return f"{error.message}: {_ALONE}, without {recorded.name}{hint}"


def failed(name: str, said: str) -> str:
    """The embedder raised something."""
    return f"The embedder {name} failed ({said}): {_ALONE}"


def no_vector(name: str, said: str) -> str:
    """What the embedder gave for the question is no vector of its model: "it ..."."""
    fault = said.removeprefix("it ")
    return f"The vector that the embedder {name} gave for the question {fault}: {_ALONE}"


def unknown_words(name: str) -> str:
    """The model cannot read the question."""
    return f"The embedder {name} does not know the words of the question: {_ALONE}"


def too_late(recorded: Model, seconds: float) -> str:
    """The embedder has not answered in time, or is still at an earlier question."""
    return f"The embedder {recorded.name} has not answered within {seconds:g} s: {_ALONE}"


def _told_apart(recorded: Model, asked: ModelIdentity | str) -> tuple[str, str]:
    """Both models, with as much of them as tells the one from the other."""
    if isinstance(asked, str):
        return recorded.name, asked
    if recorded.name != asked.name:
        return recorded.name, asked.name
    if recorded.revision != asked.revision:
        return f"{recorded.name} ({recorded.revision})", f"{asked.name} ({asked.revision})"
    return _told_whole(recorded), _told_whole(asked)


def _told_whole(model: Model | ModelIdentity) -> str:
    kind = "normalised" if model.is_normalised else "not normalised"
    return f"{model.name} of {model.dimension} floats, {kind}, {model.preprocessing!r}"

"""Why there is no index: nobody made one yet, or there is nothing to make one of."""

from __future__ import annotations

import os

from rootleaf.documents.selection import MARKDOWN_SUFFIXES, Selection
from rootleaf.documents.walking import walk
from rootleaf.errors import NotIndexedError, RootleafError
from rootleaf.store.paths import quoted

_MOST_ENTRIES = 2000
"""A directory with more entries is not searched for the sake of a better message."""


def explain_absence(
    error: NotIndexedError,
    path: str | os.PathLike[str] | None,
    db_path: str | os.PathLike[str] | None,
) -> NotIndexedError:
    """The error to raise for `error`, which `locate` raised for these arguments.

    Where the directory holds nothing to index, the advice to index it would lead nowhere.
    """
    directory = os.path.realpath(os.curdir if path is None else os.fspath(path))
    if db_path is not None or not os.path.isdir(directory) or not _holds_nothing(directory):
        return error
    kinds = ", ".join(MARKDOWN_SUFFIXES)
    message = f"There is no index in {directory} or above it, and nothing to index in it ({kinds})"
    hint = f"rootleaf index {quoted(directory)}, once it holds markdown; --glob names other files"
    return NotIndexedError(message, hint=hint)


def _holds_nothing(directory: str) -> bool:
    """Whether a directory is small, and a run would find no file in it."""
    entries = 0
    for _, directories, files in os.walk(directory):
        entries += len(directories) + len(files)
        if entries > _MOST_ENTRIES:
            return False
    try:
        return not walk(directory, Selection.all_markdown()).files
    except RootleafError:
        return False

"""Which database a search means."""

from __future__ import annotations

import os

from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import find_db_path, quoted


def locate(path: str | os.PathLike[str] | None, db_path: str | os.PathLike[str] | None) -> str:
    """The database that is asked: `db_path` itself, else the nearest `.rootleaf/` upward.

    Args:
        path: The directory, or a file of it, to start from; the current one where None. It only
            names the database: a shared one is searched whole.
        db_path: The database; need not exist, opening it says so.

    Raises:
        NotIndexedError: Neither the directory nor any above it holds a database.
    """
    if db_path is not None:
        return os.path.abspath(os.fspath(db_path))
    directory = os.path.realpath(os.curdir if path is None else os.fspath(path))
    if os.path.isfile(directory):
        directory = os.path.dirname(directory)
    found = find_db_path(directory)
    if found is None:
        message = f"There is no index in {directory} or above it"
        raise NotIndexedError(message, hint=f"rootleaf index {quoted(directory)}")
    return found

"""Which database a caller means."""

from __future__ import annotations

import os

from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import check_path, find_db_path, quoted


def locate(path: str | os.PathLike[str] | None, db_path: str | os.PathLike[str] | None) -> str:
    """The database that is asked: `db_path` itself, else the nearest `.rootleaf/` upward.

    Args:
        path: The directory, or a file of it, to start from; the current one where None. It only
            names the database: a shared one is searched whole.
        db_path: The database; need not exist, opening it says so.

    Raises:
        InvalidInputError: An argument is no path; the message names it.
        NotIndexedError: Neither the directory nor any above it holds a database.
    """
    for name, value in (("path", path), ("db_path", db_path)):
        if value is not None:
            check_path(name, value)
    if db_path is not None:
        return os.path.abspath(os.fspath(db_path))
    directory = os.path.realpath(os.curdir if path is None else os.fspath(path))
    if os.path.isfile(directory):
        directory = os.path.dirname(directory)
    found = find_db_path(directory)
    if found is not None:
        return found
    if not os.path.lexists(directory):
        message = f"There is no directory {directory}, and no index above it"
        raise NotIndexedError(message, hint="Check the path")
    message = f"There is no index in {directory} or above it"
    raise NotIndexedError(message, hint=f"rootleaf index {quoted(directory)}")

"""Where the database of a root lies.

By default at `ROOT/.rootleaf/index.db`, beside a `.gitignore` that keeps it out of git.
"""

from __future__ import annotations

import os

DIRECTORY_NAME = ".rootleaf"
DATABASE_NAME = "index.db"
SNAPSHOT_NAME = "index.snapshot"


def default_db_path(root: str) -> str:
    """The path of the database that belongs to the directory `root`; it need not exist."""
    return os.path.join(root, DIRECTORY_NAME, DATABASE_NAME)


def find_db_path(directory: str) -> str | None:
    """The nearest database from `directory` upward, by real path.

    None where no parent holds one.
    """
    directory = os.path.realpath(directory)
    while True:
        candidate = default_db_path(directory)
        if os.path.isfile(candidate):
            return candidate
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent


def is_default_db_path(db_path: str) -> bool:
    """Whether `db_path` lies where the database of some root lies by default."""
    directory, name = os.path.split(db_path)
    return name == DATABASE_NAME and os.path.basename(directory) == DIRECTORY_NAME


def snapshot_path(db_path: str) -> str:
    """Where the snapshot of a database lies: `index.snapshot` beside `index.db`, else `X-snapshot`.

    The short name stands only where a root has its database by default.
    """
    if is_default_db_path(db_path):
        return os.path.join(os.path.dirname(db_path), SNAPSHOT_NAME)
    return f"{db_path}-snapshot"


def join_root(root: str, relative_path: str) -> str:
    """The absolute path of a document from its root and the path below it, given with `/`."""
    if os.sep != "/":
        relative_path = relative_path.replace("/", os.sep)
    return os.path.join(root, relative_path)


def quoted(path: str) -> str:
    """A path as it is written in a command that a person can copy."""
    import shlex

    return shlex.quote(path)

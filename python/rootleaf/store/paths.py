"""Where the database of a root lies.

By default at `ROOT/.rootleaf/index.db`, beside a `.gitignore` that keeps it out of git.
"""

from __future__ import annotations

import os
import stat

from rootleaf.errors import InvalidInputError

DIRECTORY_NAME = ".rootleaf"
DATABASE_NAME = "index.db"
SNAPSHOT_NAME = "index.snapshot"


def default_db_path(root: str) -> str:
    """The path of the database that belongs to the directory `root`; it need not exist."""
    return os.path.join(root, DIRECTORY_NAME, DATABASE_NAME)


def find_db_path(directory: str) -> str | None:
    """The nearest database from `directory` upward, by real path.

    None where no parent holds one. One that may not be looked at counts where there is no other,
    so that opening it says what is in the way.
    """
    directory = os.path.realpath(directory)
    hidden = None
    while True:
        candidate = default_db_path(directory)
        try:
            if stat.S_ISREG(os.stat(candidate).st_mode):
                return candidate
        except PermissionError:
            hidden = hidden or candidate
        except (OSError, UnicodeEncodeError):
            pass
        parent = os.path.dirname(directory)
        if parent == directory:
            return hidden
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


def companion_path(db_path: str, kind: str) -> str:
    """Where SQLite has a log (`wal`), its shared memory (`shm`) or a `journal` of a database.

    That is beside the file itself, also where its name is a link.
    """
    return f"{os.path.realpath(db_path)}-{kind}"


def index_files(db_path: str) -> frozenset[str]:
    """The real paths of a database and of all that may lie beside it as a part of it."""
    path = os.path.realpath(db_path)
    files = {path, *(f"{path}-{kind}" for kind in ("wal", "shm", "journal"))}
    # The snapshot lies beside the name that was given, which may be a link.
    directory, name = os.path.split(db_path)
    for spelling in (path, os.path.join(os.path.realpath(directory), name)):
        snapshot = snapshot_path(spelling)
        files |= {snapshot, f"{snapshot}.tmp"}
    return frozenset(files)


def join_root(root: str, relative_path: str) -> str:
    """The absolute path of a document from its root and the path below it, given with `/`."""
    if os.sep != "/":
        relative_path = relative_path.replace("/", os.sep)
    return os.path.join(root, relative_path)


def quoted(path: str) -> str:
    """A path as it is written in a command that a person can copy."""
    import shlex

    return shlex.quote(path)


def check_path(name: str, value: object) -> None:
    """Refuses what is neither a str nor a path object.

    Raises:
        InvalidInputError: `value` is something else, empty, or holds a NUL.
    """
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str):
        message = f"{name} must be a str or a path of str, not {type(value).__name__}"
        raise InvalidInputError(message, hint=f"{name}='docs'")
    if not text:
        message = f"{name} is empty"
        raise InvalidInputError(message, hint="'.' names the current directory")
    if "\0" in text:
        message = f"{name} holds a NUL, which no path can: {text!r}"
        raise InvalidInputError(message, hint="Name it without the NUL")


def shown_path(path: str) -> str:
    """A path as a person would type it: relative to the working directory when it lies below it."""
    try:
        base = os.path.realpath(os.getcwd())
    except OSError:
        return path
    return path.removeprefix(os.path.join(base, ""))

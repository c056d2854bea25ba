"""Which directory a run is about, and whether a database may hold it beside its others."""

from __future__ import annotations

import os
import stat

from rootleaf.documents.reading import printable
from rootleaf.documents.rules import load_rules
from rootleaf.errors import (
    InvalidInputError,
    MetadataRulesError,
    OverlappingRootsError,
    RootNotFoundError,
)
from rootleaf.store.paths import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rootleaf.store.records import StoredRoot


def resolve_root(path: str) -> str:
    """The real path of a directory that is to be indexed.

    Raises:
        InvalidInputError: Its path is not UTF-8.
        RootNotFoundError: It is absent (`root.missing`), cannot be read (`root.unreadable`) or is
            no directory (`root.not_a_directory`).
    """
    root = os.path.realpath(path)
    if printable(root) != root:
        message = f"The path {printable(root)} is not UTF-8"
        raise InvalidInputError(message, hint="Rename the directory")
    try:
        status = os.stat(root)
    except (FileNotFoundError, NotADirectoryError):
        message = f"There is no directory {root}; nothing was removed from any index"
        hint = "Check the path; if a drive was unmounted, mount it again"
        raise RootNotFoundError(message, hint=hint) from None
    except OSError as error:
        raise _unreadable(root, error) from error
    if not stat.S_ISDIR(status.st_mode):
        message = f"{root} is not a directory"
        hint = f"rootleaf index {quoted(os.path.dirname(root))} --file {quoted(root)}"
        raise RootNotFoundError(message, hint=hint, code="root.not_a_directory")
    try:
        os.scandir(root).close()
    except OSError as error:
        raise _unreadable(root, error) from error
    return root


def is_below(path: str, directory: str) -> bool:
    """Whether a real path lies below a real directory; nothing lies below itself."""
    return path != directory and path.startswith(os.path.join(directory, ""))


def path_below(path: str, root: str) -> str:
    """The path of a file from its root, with `/` on every system."""
    relative = path[len(os.path.join(root, "")) :]
    return relative if os.sep == "/" else relative.replace(os.sep, "/")


def find_root(roots: Iterable[StoredRoot], path: str) -> StoredRoot | None:
    """The root of exactly this path, or None."""
    return next((root for root in roots if root.path == path), None)


def other_rules_problems(roots: Iterable[StoredRoot], root: str) -> list[str]:
    """What to say of other roots of a database whose metadata rules are not understood."""
    problems = []
    for other in roots:
        if other.path != root:
            try:
                load_rules(other.path)
            except MetadataRulesError as error:
                problems.append(f"{error.message}; {root} was indexed, {other.path} cannot be now")
    return problems


def check_overlap(root: str, recorded: Iterable[StoredRoot], db_path: str) -> None:
    """Refuses a root that holds, or lies within, another root of the same database.

    Raises:
        OverlappingRootsError: Both would own the same files; the hint says what to run instead.
    """
    for other in recorded:
        if is_below(root, other.path):
            message = (
                f"{root} lies within {other.path}, which the index {db_path} holds already; one of "
                "the two would own the other's files"
            )
            command = f"rootleaf index {quoted(other.path)} --db {quoted(db_path)}"
            hint = f"{command}, or by itself: rootleaf index {quoted(root)}"
            raise OverlappingRootsError(message, hint=hint)
        if is_below(other.path, root):
            message = (
                f"{root} contains {other.path}, which the index {db_path} holds already; one of "
                "the two would own the other's files"
            )
            hint = f"Give it an index of its own: rootleaf index {quoted(root)} --db FILE"
            raise OverlappingRootsError(message, hint=hint)


def _unreadable(root: str, error: OSError) -> RootNotFoundError:
    message = f"The directory {root} cannot be read: {error.strerror}"
    hint = f"Check its permissions: ls -ld {quoted(root)}"
    return RootNotFoundError(message, hint=hint, code="root.unreadable")

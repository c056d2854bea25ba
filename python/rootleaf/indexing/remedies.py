"""The commands that bring the metadata of given rows into order, as complete lines for a shell.

A command is only printed where it is certain to reach the rows it is printed for: whether it does
is worked out from the selection that a run would use, and from what is found on disk now.
"""

from __future__ import annotations

import os
import re
import stat

from rootleaf.documents.presence import may_root_be_there
from rootleaf.documents.rules import RULES_NAME
from rootleaf.documents.selection import Selection
from rootleaf.errors import InvalidInputError
from rootleaf.store.paths import DIRECTORY_NAME, join_root, quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rootleaf.store.records import StoredRoot

_MOST_FILES = 3
"""Up to as many rows that no run of their root comes to are named one by one."""


class Remedy(Value):
    """Commands to be run in this order, and sentences that a person should read before."""

    commands: tuple[str, ...]
    advice: tuple[str, ...] = ()


def resolve_anew(root: StoredRoot, rows: Sequence[str], db_path: str) -> Remedy:
    """Has the metadata of rows resolved anew; a root that is gone is forgotten.

    Args:
        root: Whose rows they are.
        rows: Their relative paths.
        db_path: The database.
    """
    if not may_root_be_there(root.path):
        return forget(root, db_path)
    opening = _opening(root.path)
    if opening is None:
        return forget(root, db_path, closed=True)
    commands = _runs(root, rows, db_path)
    advice = []
    if _is_empty(root.path):
        advice.append(f"{root.path} is empty: if a drive failed to mount there, mount it instead.")
    return Remedy(commands=(opening + commands[0], *commands[1:]), advice=tuple(advice))


def mend_rules(root: StoredRoot, rows: Sequence[str], db_path: str) -> Remedy:
    """Makes the rules of a root usable: lets them be read, or sets them aside.

    Args:
        root: Whose rules cannot be used.
        rows: The rows whose metadata is to be resolved after that.
        db_path: The database.
    """
    path = os.path.join(root.path, RULES_NAME)
    opening = _opening(root.path)
    if opening is None:
        return forget(root, db_path, closed=True)
    commands = _runs(root, rows, db_path)
    if opening:
        return Remedy(commands=(opening + commands[0], *commands[1:]))
    if _may_be_opened(path):
        first = f"chmod u+r {quoted(path)} && {commands[0]}"
        return Remedy(commands=(first, *commands[1:]))
    aside = f"{path}.broken"
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{path}.broken-{number}"
    first = f"mv -n {quoted(path)} {quoted(aside)} && {commands[0]}"
    advice = f"Mend {path} by hand and index again, or set it aside with this command."
    return Remedy(commands=(first, *commands[1:]), advice=(advice,))


def is_closed(root: str) -> bool:
    """Whether the rules file of a root may not be read, whatever it says."""
    return _opening(root) != "" or _may_be_opened(os.path.join(root, RULES_NAME))


def forget(root: StoredRoot, db_path: str, *, closed: bool = False) -> Remedy:
    """Drops the rows of a root.

    Args:
        root: The root.
        db_path: The database.
        closed: That it is there, and another user's to open.
    """
    if closed:
        advice = (
            f"{root.path} is not open to you: have its owner open it, or forget what was indexed "
            "of it."
        )
    else:
        advice = (
            f"{root.path} is gone. If it lies on a drive that is not mounted, mount it instead of "
            "forgetting what was indexed of it."
        )
    return Remedy(
        commands=(f"rootleaf forget {quoted(root.path)} --db {quoted(db_path)}",), advice=(advice,)
    )


def run_of(root: StoredRoot, db_path: str, *options: str) -> str:
    """The command that indexes a root, with options."""
    words = ["rootleaf", "index", quoted(root.path), *options, "--db", quoted(db_path)]
    return " ".join(words)


def open_root(root: StoredRoot) -> str | None:
    """What has to stand before a run of a root, empty as a rule; None where nothing would help."""
    return _opening(root.path)


def _runs(root: StoredRoot, rows: Sequence[str], db_path: str) -> list[str]:
    """The runs that together come to all of the rows, and leave the root's selection as it was."""
    recorded = _recorded(root)
    beyond = _beyond(recorded, rows, os.path.basename(root.path))
    singles, wide = _split(root, beyond)
    runs: list[str] = []
    if wide:
        runs, unreached = _wide_runs(root, wide, db_path)
        singles += unreached
    if runs:
        glob = None if recorded is None else recorded.glob
        last = run_of(root, db_path, "--all" if glob is None else _glob_option(glob))
        if runs[-1] != last:
            runs.append(last)
    elif len(beyond) < len(rows):
        runs.append(run_of(root, db_path))
    # First, for a run of the root may remove the rows of files that are gone.
    return [_run_of_file(root, row, db_path) for row in singles] + runs or [run_of(root, db_path)]


def _run_of_file(root: StoredRoot, row: str, db_path: str) -> str:
    path = join_root(root.path, row)
    return run_of(root, db_path, "--file", quoted(path), *(() if _is_file(path) else ("--prune",)))


def _recorded(root: StoredRoot) -> Selection | None:
    try:
        return Selection.from_spelling(root.selection)
    except InvalidInputError:
        return None


def _beyond(selection: Selection | None, rows: Iterable[str], root_name: str) -> list[str]:
    if selection is None:
        return list(rows)
    matcher = selection.matcher()
    return [row for row in rows if not matcher.reaches(row, root_name=root_name)]


def _split(root: StoredRoot, beyond: list[str]) -> tuple[list[str], list[str]]:
    """Rows that are named one by one, and those that a wider run has to come to."""
    if len(beyond) <= _MOST_FILES:
        files = [row for row in beyond if _is_file(join_root(root.path, row))]
        return files, [row for row in beyond if row not in files]
    return [], beyond


def _wide_runs(root: StoredRoot, rows: list[str], db_path: str) -> tuple[list[str], list[str]]:
    """Runs with a wider selection, and the rows that not even these would come to."""
    name = os.path.basename(root.path)
    left = _beyond(Selection.all_markdown(), rows, name)
    last = [run_of(root, db_path, "--all")] if len(left) < len(rows) else []
    commands = []
    for glob in sorted({_glob_of(row) for row in left}):
        try:
            selection = Selection.from_glob(glob)
        except InvalidInputError:
            continue
        still = _beyond(selection, left, name)
        if len(still) < len(left):
            commands.append(run_of(root, db_path, _glob_option(glob)))
            left = still
    return commands + last, left


def _glob_of(row: str) -> str:
    """A glob for all files of a root whose name ends like that of a row."""
    name = row.rpartition("/")[2]
    suffix = os.path.splitext(name)[1]
    return f"**/*{_literal(suffix)}" if suffix else f"**/{_literal(name)}"


def _glob_option(glob: str) -> str:
    # By itself a word that begins with a dash would be taken for another option.
    return f"--glob={quoted(glob)}" if glob.startswith("-") else f"--glob {quoted(glob)}"


def _literal(text: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", text)


def _is_file(path: str) -> bool:
    """Whether a run with `--file` certainly reads a file by this path."""
    try:
        status = os.lstat(path)
    except (OSError, UnicodeEncodeError):
        return False
    return (
        stat.S_ISREG(status.st_mode) and os.path.realpath(path) == path and os.access(path, os.R_OK)
    )


def _is_empty(directory: str) -> bool:
    try:
        return not set(os.listdir(directory)) - {DIRECTORY_NAME}
    except OSError:
        return False


def _opening(root: str) -> str | None:
    """What lets this user into a root: nothing, the beginning of a command, or None: no way.

    Only the first directory on the way that is closed; what lies behind it cannot be seen.
    """
    directories = [root]
    while (parent := os.path.dirname(directories[-1])) != directories[-1]:
        directories.append(parent)
    for directory in reversed(directories):
        needed = os.R_OK | os.X_OK if directory == root else os.X_OK
        if not os.access(directory, needed):
            rights = "u+rx" if directory == root else "u+x"
            return f"chmod {rights} {quoted(directory)} && " if _is_ours(directory) else None
    return ""


def _may_be_opened(path: str) -> bool:
    """Whether a file is closed to this user, who may open it."""
    return not os.access(path, os.R_OK) and os.path.isfile(path) and _is_ours(path)


def _is_ours(path: str) -> bool:
    try:
        return os.stat(path).st_uid == os.geteuid()
    except (OSError, AttributeError):
        return False

"""Rows whose file is gone, and the rules that hold back their removal.

"Gone" means that the system said so; a file that merely cannot be reached keeps its row. What
looks like a directory that failed to mount is held back until a person says that it is not.
"""

from __future__ import annotations

import os
import stat

from rootleaf.documents.presence import is_gone
from rootleaf.documents.spelling import is_listed
from rootleaf.store.paths import DIRECTORY_NAME, default_db_path, join_root, quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from rootleaf.store.records import FileMark

_HANDFUL = 5
"""So many removals are nobody's lost drive, unless the directory itself is gone."""

_FILLED = 0
_EMPTY = 1
_ABSENT = 2


class Gone(Value):
    """Rows of a root whose file is gone, by path.

    `reason` is the sentence, for a person, of the rule that holds back a run which would remove all
    of `marks`; None where none does.
    """

    marks: list[FileMark]
    reason: str | None


def find_gone(
    root: str,
    marks: Mapping[str, FileMark],
    *,
    found: Container[str] = (),
    db_path: str | None = None,
    command: str | None = None,
) -> Gone:
    """Asks the system which files of a root's rows are gone, and whether to believe it.

    Args:
        root: The real path of the root; where it is away itself, that is the reason.
        marks: All its rows by relative path.
        found: Relative paths that are known to be there.
        db_path: The database, which the command in the reason names where it has to.
        command: The command that removes what is held back, if it is another than the run of the
            root.
    """
    real_directories: dict[str, bool] = {}
    gone = [
        mark
        for path, mark in marks.items()
        if path not in found and is_gone(join_root(root, path), real_directories)
    ]
    reason = hold_back_reason(root, gone, len(marks), db_path=db_path, command=command)
    return Gone(marks=gone, reason=reason)


def is_away(root: str, mark: FileMark) -> bool:
    """Whether the file of a row is gone, or is there by another spelling of its name alone."""
    return is_gone(join_root(root, mark.path)) or not is_listed(root, mark.path)


def is_root_certain(root: str) -> bool:
    """Whether a root is there without doubt: a directory, reached, under its own real path.

    To be asked before anything of it is removed. `documents.presence.may_root_be_there` asks less.
    """
    return os.path.isdir(root) and os.path.realpath(root) == root


def prune_command(
    root: str, db_path: str | None, *, file: str | None = None, ignore_files: bool = True
) -> str:
    """The command that removes what a run of a root, or of one file of it, holds back."""
    parts = ["rootleaf index", quoted(root)]
    if file is not None:
        parts += ["--file", quoted(file)]
    if db_path is not None and db_path != default_db_path(root):
        parts += ["--db", quoted(db_path)]
    if not ignore_files:
        parts.append("--no-ignore")
    return " ".join([*parts, "--prune"])


def hold_back_reason(
    root: str,
    removals: list[FileMark],
    rows_before: int,
    *,
    db_path: str | None = None,
    command: str | None = None,
) -> str | None:
    """The rule that holds back a run which would remove the rows `removals`, as a sentence.

    Args:
        root: The real path of the root.
        removals: The rows; their files are gone.
        rows_before: How many rows the root had when the run began.
        db_path: As for `find_gone`.
        command: As for `find_gone`.
    """
    if removals and not is_root_certain(root):
        reason = f"{_were_kept(len(removals))}, because {root} itself is gone. {_MOUNT}"
        if db_path is not None:
            forget = f"rootleaf forget {quoted(root)} --db {quoted(db_path)}"
            reason += f"; if it is gone for good: `{forget}`"
        return reason
    why = directory_reason(root, removals, removals)
    if why is None and len(removals) > _HANDFUL and 2 * len(removals) > rows_before:
        why = f"they are more than half of the {rows_before:,} documents of {root}"
    if why is None:
        return None
    return held_back_sentence(len(removals), why, command or prune_command(root, db_path))


def held_back_sentence(count: int, why: str, command: str) -> str:
    """What a person is told of `count` documents that are held back, and what to do."""
    return f"{_were_kept(count)}, because {why}. {_MOUNT}; if they were deleted: `{command}`"


def kept_as_asked(count: int, command: str) -> str:
    """What a person is told who asked that nothing be removed."""
    kept = f"{_documents(count)} of files that are gone or excluded kept, as asked"
    return f"{kept}; to remove: `{command}`"


def directory_reason(
    root: str, removals: Iterable[FileMark], gone: Iterable[FileMark]
) -> str | None:
    """Why a directory of `removals` looks as if it had failed to mount, or None.

    Either it is gone itself, or it is completely empty and more than a handful of its files in
    `gone` are missing; the latter holds for the root too.

    Args:
        root: The real path of the root.
        removals: Rows that are to be removed: their directories are looked at.
        gone: All rows whose files are known to be gone.
    """
    counts: dict[str, int] = {}
    for mark in gone:
        for directory in _directories(mark.path):
            counts[directory] = counts.get(directory, 0) + 1
    suspects = {directory for mark in removals for directory in _directories(mark.path)}
    absent: list[str] = []
    empty: list[str] = []
    for directory in sorted(suspects, key=lambda name: name.split("/")):
        if absent and directory.startswith(absent[-1] + "/"):
            continue
        state = _state(join_root(root, directory) if directory else root)
        if state == _ABSENT and directory:
            absent.append(directory)
        elif state == _EMPTY and counts[directory] > _HANDFUL:
            empty.append(directory)
    if absent:
        return _named(root, absent, counts, "gone")
    return _named(root, empty, counts, "empty") if empty else None


def _directories(relative_path: str) -> list[str]:
    """The directories that a file lies in, from its own up to the root, which is empty."""
    directories = []
    while relative_path:
        relative_path = relative_path.rpartition("/")[0]
        directories.append(relative_path)
    return directories


def _state(directory: str) -> int:
    try:
        if not stat.S_ISDIR(os.lstat(directory).st_mode):
            return _ABSENT
    except (FileNotFoundError, NotADirectoryError):
        return _ABSENT
    except OSError:
        return _FILLED
    try:
        with os.scandir(directory) as entries:
            return _FILLED if any(entry.name != DIRECTORY_NAME for entry in entries) else _EMPTY
    except OSError:
        # What cannot be listed does not vouch for the files that are missing from it.
        return _EMPTY


def _named(root: str, directories: list[str], counts: Mapping[str, int], state: str) -> str:
    shown = join_root(root, directories[0]) if directories[0] else root
    total = sum(counts[directory] for directory in directories)
    if len(directories) > 1:
        others = len(directories) - 1
        also = "1 other directory are" if others == 1 else f"{others:,} other directories are"
        return f"{shown} and {also} {state}, which held {_documents(total)}"
    return f"the directory {shown}, which held {_documents(total)}, is {state}"


def _documents(count: int) -> str:
    return "1 document" if count == 1 else f"{count:,} documents"


def _were_kept(count: int) -> str:
    return (
        "1 document whose file is gone was kept"
        if count == 1
        else f"{count:,} documents whose files are gone were kept"
    )


_MOUNT = "If a drive is not mounted, mount it and run again"

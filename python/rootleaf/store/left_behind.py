"""What a repair makes beside a database while it works, and what is left of one that was killed.

The names hold the id of the process, so that what nobody works on any more can be told.
"""

from __future__ import annotations

import os
import re
import sys

_WORK = ".repairing-"
_NEW = ".repaired-"
_being_repaired: set[str] = set()


def begin_repair(db_path: str) -> tuple[str, str]:
    """Paths for a copy to work on and for a new file; what killed repairs left is removed.

    `end_repair` has to follow.

    Args:
        db_path: The database, by its real path.
    """
    remove_left_behind(db_path)
    _being_repaired.add(db_path)
    return f"{db_path}{_WORK}{os.getpid()}", f"{db_path}{_NEW}{os.getpid()}"


def end_repair(db_path: str) -> None:
    """Says that a repair of this process is over."""
    _being_repaired.discard(db_path)


def left_behind(db_path: str) -> list[str]:
    """Files that a repair made beside a database, and that was killed before it removed them."""
    path = os.path.realpath(db_path)
    directory, name = os.path.split(path)
    pattern = re.compile(
        f"{re.escape(name)}(?:{re.escape(_WORK)}|{re.escape(_NEW)})([0-9]+)(?![0-9])"
    )
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    made = [(other, pattern.match(other)) for other in sorted(names)]
    return [
        os.path.join(directory, other)
        for other, found in made
        if found is not None and not _is_at_work(int(found[1]), path)
    ]


def remove_left_behind(db_path: str) -> list[str]:
    """Removes what `left_behind` finds, and gives what could be removed."""
    removed = []
    for path in left_behind(db_path):
        try:
            os.unlink(path)
        except OSError:
            continue
        removed.append(path)
    return removed


def _is_at_work(process_id: int, db_path: str) -> bool:
    """Whether a process of this id may be repairing a database at this moment."""
    if process_id == os.getpid():
        # Ids come again, in a container soon.
        return db_path in _being_repaired
    if sys.platform == "win32":
        return True  # to ask would end it
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True

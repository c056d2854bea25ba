"""Whether a path still names the file that was opened by it.

A repair puts a new file in the place of a damaged one. SQLite goes by the name for what lies beside
a database, so that who has the former file open must not write a log that belongs to the new one.
"""

from __future__ import annotations

import os


def file_identity(path: str) -> tuple[int, int] | None:
    """What tells the file at a path from every other one; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

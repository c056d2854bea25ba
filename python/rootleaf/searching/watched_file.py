"""What the file of a database tells without being opened: which one it is, and what became of it.

SQLite counts commits for whoever reads. What it does not tell is that somebody wrote over the file
by other means; and to fold the log in changes the file as well, and is no commit.
"""

from __future__ import annotations

import os
import sys
import time

from rootleaf.errors import StoreError
from rootleaf.store.file_identity import file_identity
from rootleaf.store.paths import companion_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    FileIdentity = tuple[int, ...]
    Log = tuple[int, int]

_SETTLED_NS = 20_000_000
"""What is written to a file within this time may leave its time of change as it was."""

_FOLDING_NS = 1_000_000_000
"""Who folds the log in begins by writing to the database, and empties the log within this time."""

_COARSE_CLOCK = 5
"""Linux's CLOCK_REALTIME_COARSE, by which it stamps files: it moves a few hundred times a second.

Once it has moved on, no change can leave the same time.
https://man7.org/linux/man-pages/man2/clock_gettime.2.html
"""
_HAS_COARSE_CLOCK = bool(sys.platform == "linux")


class WatchedFile:
    """The file that a path leads to, and its log; threads share it.

    Args:
        db_path: The database; it need not be there at all times.

    Attributes:
        overwrites: How often it was written over by other means than SQLite's.
    """

    def __init__(self, db_path: str) -> None:
        self.db_path = db_path
        self.overwrites = 0
        self._log_path = companion_path(db_path, "wal")
        self._overwritten: FileIdentity | None = None
        self._suspected: FileIdentity | None = None

    def follow(self) -> None:
        """Looks anew where the log lies: a link may lead elsewhere by now."""
        self._log_path = companion_path(self.db_path, "wal")

    def identity(self) -> FileIdentity | None:
        """Tells the file of the database from any other, and from what it was; None for no file.

        SQLite changes the file as well when it folds the log in, which each run does at its end.
        """
        try:
            status = os.stat(self.db_path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            message = f"The index {self.db_path} cannot be read: {error.strerror}"
            hint = f"Check the permissions of {self.db_path}"
            raise StoreError(message, hint=hint) from error
        return status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns

    def log(self) -> Log | None:
        """Device and inode of the file that lies where the log of the database does."""
        return file_identity(self._log_path)

    def note_overwrite(self, identity: FileIdentity) -> None:
        """Says that the file has become this one by other means than SQLite's."""
        if self._overwritten != identity:
            self._overwritten = identity
            self.overwrites += 1

    def note_change(self, identity: FileIdentity, *, has_log: bool) -> None:
        """Says that the file has become this one, and that nobody committed.

        Where there was something in the log, somebody is folding it in, or has; unless it is still
        there when that has to be over.
        """
        if not has_log:
            self.note_overwrite(identity)
        elif self.has_log():
            self._suspected = identity

    def has_log(self) -> bool:
        """Whether there is anything in the log."""
        try:
            return os.stat(self._log_path).st_size > 0
        except OSError:
            return False

    def decide(self) -> None:
        """Makes up its mind about a change that could have been either."""
        suspected = self._suspected
        if suspected is None:
            return
        if not self.has_log():
            self._suspected = None
        elif time.time_ns() - suspected[-1] > _FOLDING_NS:
            self._suspected = None
            self.note_overwrite(suspected)


def is_same_file(identity: FileIdentity | None, other: FileIdentity) -> bool:
    """Whether two identities are of one file, whatever became of it in between."""
    return identity is not None and identity[:2] == other[:2]


def has_settled(identity: FileIdentity) -> bool:
    """Whether whatever is written from now on gives another identity."""
    if _HAS_COARSE_CLOCK:
        return time.clock_gettime_ns(_COARSE_CLOCK) > identity[-1]
    return time.time_ns() - identity[-1] > _SETTLED_NS

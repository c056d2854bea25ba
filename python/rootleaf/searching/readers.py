"""Connections for reading one database, kept open from one search to the next.

Each is lent to one thread at a time and shows, while it is lent, one moment. Which file the path
leads to is looked at each time, and whether anything but a commit has changed it: a database that
was replaced by another file, or overwritten, is read anew.
"""

from __future__ import annotations

import os
import time

from rootleaf.errors import NotIndexedError, RootleafError, StoreError
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from rootleaf.store.sqlite import SqliteStore

    FileIdentity = tuple[int, ...]

_MOST_KEPT = 32
_ATTEMPTS = 100
_SETTLED_NS = 20_000_000
"""What is written to a file within this time may leave its time of change as it was."""

# What a fork has left in its child: closed there, they would be closed under the parent's locks.
_abandoned: list[object] = []


class Readers:
    """The connections of one handle; any thread may ask for one.

    Args:
        db_path: The database; it need not be there at all times.
    """

    def __init__(self, db_path: str) -> None:
        self.db_path = db_path
        self._free: list[Lent] = []
        self._is_closed = False
        self._process = os.getpid()

    def lend(self) -> Lent:
        """A connection that shows the database as it is now; to be used in a `with` statement.

        Raises:
            NotIndexedError: There is no database at this moment.
            StoreError: It is there and cannot be read.
        """
        self._leave_to_parent()
        for _ in range(_ATTEMPTS):
            identity = self._identity()
            if identity is None:
                self._close_free()
                message = f"There is no index at {self.db_path}"
                raise NotIndexedError(message, hint="Bring it back, or index again")
            try:
                lent = self._free_one(identity) or self._opened(identity)
            except RootleafError:
                if _is_same_file(self._identity(), identity):
                    raise
                continue
            try:
                lent.begin()
                if _is_same_file(self._identity(), identity):
                    return lent
            except BaseException:
                lent.close()
                raise
            lent.close()
        message = f"The index {self.db_path} is replaced again and again"
        raise StoreError(message, hint="Search again when that has ended", code="store.busy")

    def close(self) -> None:
        """Closes what is not lent; what is lent is closed when it comes back."""
        self._is_closed = True
        self._close_free()

    def take_back(self, lent: Lent) -> None:
        """Keeps a connection for the next one who asks."""
        if len(self._free) < _MOST_KEPT and lent.may_be_kept(self._identity()):
            self._free.append(lent)
            if self._is_closed:
                self._close_free()
        else:
            lent.close()

    def _identity(self) -> FileIdentity | None:
        """Tells the file of the database from any other, and from what it was; None for no file.

        SQLite changes the file as well when it folds the log in; to read it anew then is cheap.
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

    def _opened(self, identity: FileIdentity) -> Lent:
        is_settled = time.time_ns() - identity[-1] > _SETTLED_NS
        return Lent(self, open_for_reading(self.db_path), identity, is_settled=is_settled)

    def _free_one(self, identity: FileIdentity) -> Lent | None:
        while self._free:
            try:
                lent = self._free.pop()
            except IndexError:  # another thread was faster
                return None
            if lent.may_be_kept(identity):
                return lent
            lent.close()
        return None

    def _close_free(self) -> None:
        self._leave_to_parent()
        while self._free:
            try:
                lent = self._free.pop()
            except IndexError:
                return
            lent.close()

    def _leave_to_parent(self) -> None:
        if self._process != os.getpid():
            abandon(self._free)
            self._free = []
            self._process = os.getpid()


class Lent:
    """A connection while it is lent.

    Attributes:
        store: Shows one moment.
        state: The state at that moment, once it has begun.
        facts: What was read of rows that a commit may change without another state, by name.
    """

    def __init__(
        self, readers: Readers, store: SqliteStore, identity: FileIdentity, *, is_settled: bool
    ) -> None:
        self.store = store
        self.state: tuple[int, bytes] | None = None
        self.facts: dict[object, Any] = {}
        self._readers = readers
        self._identity = identity
        self._is_settled = is_settled
        self._commits_seen = -1
        self._is_rewritten = False

    def begin(self) -> None:
        """Shows the database as it is from now on."""
        self.store.move_on()
        commits_seen = self.store.commits_seen()
        if commits_seen == self._commits_seen:
            return
        state = self.store.state()
        self._is_rewritten |= state == self.state
        self._commits_seen, self.state, self.facts = commits_seen, state, {}

    @property
    def is_rewritten(self) -> bool:
        """Whether somebody committed without another state, so that rows may be others."""
        return self._is_rewritten

    def take_notice(self) -> bool:
        """Tells `is_rewritten`, for the last time."""
        was_rewritten, self._is_rewritten = self._is_rewritten, False
        return was_rewritten

    def may_be_kept(self, identity: FileIdentity | None) -> bool:
        """Whether it reads the file of this identity, and sees what others write to it."""
        return self._is_settled and identity == self._identity and not self.store.is_immutable

    def close(self) -> None:
        """Lets go of the connection for good."""
        self.store.close()

    def __enter__(self) -> Lent:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        is_sound = error is None or (
            isinstance(error, RootleafError) and not isinstance(error, StoreError)
        )
        if not is_sound:
            self.close()
            return
        try:
            # A moment that is kept would keep the log from being folded in.
            self.store.end_moment()
            self._readers.take_back(self)
        except StoreError:
            # What was asked is answered; the next one who asks will hear of it.
            self.close()


def abandon(of_parent: object) -> None:
    """Keeps what a child of a fork must neither use nor end."""
    _abandoned.append(of_parent)


def _is_same_file(identity: FileIdentity | None, other: FileIdentity) -> bool:
    return identity is not None and identity[:2] == other[:2]

"""Connections for reading one database, kept open from one search to the next.

Each is lent to one thread at a time and shows, while it is lent, one moment. Which file the path
leads to is looked at each time: a database that was replaced by another file is read anew.
"""

from __future__ import annotations

import os

from rootleaf.errors import NotIndexedError, RootleafError, StoreError
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from rootleaf.store.sqlite import SqliteStore

    FileIdentity = tuple[int, ...]

_MOST_KEPT = 32
_ATTEMPTS = 5

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
            identity = self.identity()
            if identity is None:
                self._close_free()
                message = f"There is no index at {self.db_path}"
                raise NotIndexedError(message, hint="Bring it back, or index again")
            lent = self._free_one(identity) or Lent(self, open_for_reading(self.db_path), identity)
            try:
                lent.begin()
                if self.identity() == identity:
                    return lent
            except BaseException:
                lent.close()
                raise
            lent.close()
        message = f"The index {self.db_path} is replaced again and again"
        raise NotIndexedError(message, hint="Search again when that has ended")

    def identity(self) -> FileIdentity | None:
        """Tells the file of the database from any other; None where there is none."""
        try:
            status = os.stat(self.db_path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return status.st_dev, status.st_ino

    def close(self) -> None:
        """Closes what is not lent; what is lent is closed when it comes back."""
        self._is_closed = True
        self._close_free()

    def take_back(self, lent: Lent) -> None:
        """Keeps a connection for the next one who asks."""
        if (
            not self._is_closed
            and len(self._free) < _MOST_KEPT
            and lent.may_be_kept(self.identity())
        ):
            self._free.append(lent)
        else:
            lent.close()

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
            _abandoned.append(self._free)
            self._free = []
            self._process = os.getpid()


class Lent:
    """A connection while it is lent."""

    def __init__(self, readers: Readers, store: SqliteStore, identity: FileIdentity) -> None:
        self.store = store
        self.identity = identity
        self._readers = readers

    def begin(self) -> None:
        """Shows the database as it is from now on."""
        self.store.move_on()

    def may_be_kept(self, identity: FileIdentity | None) -> bool:
        """Whether it reads the file of this identity, and sees what others write to it."""
        return identity == self.identity and not self.store.is_immutable

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
        if is_sound:
            # A moment that is kept would keep the log from being folded in.
            self.store.end_moment()
            self._readers.take_back(self)
        else:
            self.close()

"""Connections for reading one database, kept open from one search to the next.

Each is lent to one thread at a time and shows, while it is lent, one moment. Which file the path
leads to is looked at each time, and whether anything but a commit has changed it: a database that
was replaced by another file, or overwritten, is read anew, and so is one whose log was removed.

Mostly nothing has changed, and who asks knows all rows of the moment already. `glance` is for them:
it only looks, and begins no transaction unless a row is asked for after all.
"""

from __future__ import annotations

import os
import time

from rootleaf.errors import NotIndexedError, RootleafError, StoreError
from rootleaf.searching.watched_file import WatchedFile, has_settled, is_same_file
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from rootleaf.searching.watched_file import FileIdentity, Log
    from rootleaf.store.sqlite import SqliteStore

_MOST_KEPT = 32
_NO_LOG_OF_ANY_PATH = (-1, -1)
_ATTEMPTS = 100
_STRAYS_SECONDS = 0.002


class MovedOn(Exception):  # noqa: N818 - it is none, but says to ask again
    """Somebody has committed since a glance, so that rows of its moment cannot be read any more."""


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
        self.file = WatchedFile(db_path)
        self._logs_open: dict[int, tuple[FileIdentity, Log | None]] = {}
        self._last_identity: FileIdentity | None = None

    def glance(self) -> Lent | None:
        """A connection that shows what it has shown before; None where that is not sure.

        To be used in a `with` statement, in which `MovedOn` is raised if its rows are asked for and
        are others by then.
        """
        if self._process != os.getpid():
            return None
        self.file.decide()
        try:
            lent = self._free.pop()
        except IndexError:
            return None
        try:
            # In this order: what is committed to a file before the path leads to another one is
            # of no moment of the path.
            if lent.is_as_before() and lent.may_be_kept(self.file.identity(), self.file.log()):
                return lent
        except RootleafError:
            lent.close()
            return None
        except BaseException:
            lent.close()
            raise
        self._free.append(lent)
        return None

    def lend(self) -> Lent:
        """A connection that shows the database as it is now; to be used in a `with` statement.

        Raises:
            NotIndexedError: There is no database at this moment.
            StoreError: It is there and cannot be read.
        """
        self._leave_to_parent()
        self.file.decide()
        for _ in range(_ATTEMPTS):
            identity = self.file.identity()
            if identity is None:
                self._close_free()
                message = f"There is no index at {self.db_path}"
                raise NotIndexedError(message, hint="Bring it back, or index again")
            try:
                lent = self._free_one(identity) or self._opened(identity)
            except RootleafError:
                if is_same_file(self.file.identity(), identity):
                    raise
                continue
            try:
                lent.begin()
                if is_same_file(self.file.identity(), identity):
                    self._last_identity = identity
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
        # Whether it still shows what the path leads to, the next one looks.
        if len(self._free) < _MOST_KEPT and not lent.store.is_immutable:
            self._free.append(lent)
            if self._is_closed:
                self._close_free()
        else:
            lent.close()

    def note_closed(self, lent: Lent) -> None:
        """Says that a connection reads its log no more."""
        self._logs_open.pop(id(lent), None)

    def _opened(self, identity: FileIdentity) -> Lent:
        is_settled = has_settled(identity)
        self.file.follow()
        self._wait_for_strays(identity)
        before = self.file.log()
        store = open_for_reading(self.db_path)
        log = self.file.log()
        if before not in {None, log} or self._has_strays(identity, log):
            log = _NO_LOG_OF_ANY_PATH
        if self._last_identity not in {None, identity}:
            self.file.note_overwrite(identity)  # or a commit: no connection is left that could tell
        lent = Lent(self, store, identity, log, is_settled=is_settled)
        self._logs_open[id(lent)] = identity, log
        return lent

    def _has_strays(self, identity: FileIdentity, log: Log | None) -> bool:
        """Whether any connection is open that reads another log of the file than this one."""
        return any(
            is_same_file(file, identity) and other not in {None, log}
            for file, other in list(self._logs_open.values())
        )

    def _wait_for_strays(self, identity: FileIdentity) -> None:
        """Waits until none is open that reads a log which was removed, but not for ever.

        SQLite has all connections of a process share what they know of a log, of whichever file
        that is: beside one that reads a log that was removed, a new one would read that too.
        """
        for _ in range(_ATTEMPTS):
            if not self._has_strays(identity, self.file.log()):
                return
            # Those that came back since; who needs one meanwhile waits here too.
            self._close_free()
            time.sleep(_STRAYS_SECONDS)

    def _free_one(self, identity: FileIdentity) -> Lent | None:
        while self._free:
            try:
                lent = self._free.pop()
            except IndexError:  # another thread was faster
                return None
            log = self.file.log()
            if lent.may_be_kept(identity, log) or lent.is_renewed(identity, log):
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
        self,
        readers: Readers,
        store: SqliteStore,
        identity: FileIdentity,
        log: Log | None,
        *,
        is_settled: bool,
    ) -> None:
        self.store = store
        self.state: tuple[int, bytes] | None = None
        self.facts: dict[object, Any] = {}
        self._readers = readers
        self._identity = identity
        self._log = log
        self._is_settled = is_settled
        self._overwrites = readers.file.overwrites
        self._commits_seen = -1
        self._has_log = False
        self._is_rewritten = False
        self._is_renewed = False

    def begin(self) -> None:
        """Shows the database as it is from now on."""
        self.store.move_on()
        commits_seen = self.store.commits_seen()
        if commits_seen == self._commits_seen and not self._is_renewed:
            return
        state = self.store.state()
        self._is_rewritten |= state == self.state and commits_seen != self._commits_seen
        if commits_seen != self._commits_seen:
            self._has_log = self._readers.file.has_log()
        self._commits_seen, self.state, self.facts = commits_seen, state, {}
        self._is_renewed = False

    def hold(self) -> None:
        """Goes on showing what `is_as_before` has found, now that rows of it are read.

        Raises:
            MovedOn: They are others by now.
        """
        if self.store.is_in_moment():
            return
        self.store.move_on()
        if self.store.commits_seen() != self._commits_seen:
            raise MovedOn

    def is_as_before(self) -> bool:
        """Whether nobody has committed since it was lent last; begins nothing."""
        return not self._is_rewritten and self.store.commits_seen() == self._commits_seen

    def is_renewed(self, identity: FileIdentity, log: Log | None) -> bool:
        """Reads a file that is the same one and was changed as a new connection would.

        Returns:
            Whether it could; what is wrong else, a new connection will say.
        """
        is_readable = is_same_file(identity, self._identity) and self._reads(log)
        if not is_readable or self.store.is_immutable:
            return False
        is_settled = has_settled(identity)
        try:
            self.store.forget_pages()
            has_commits = self.store.commits_seen() != self._commits_seen
        except RootleafError:
            return False
        if identity != self._identity:
            self.state = None  # to fold the log in is no commit, and looks like one
            if not has_commits:
                self._readers.file.note_change(identity, has_log=self._has_log)
                self._has_log = self._readers.file.has_log()
        self._overwrites = self._readers.file.overwrites
        self._identity, self._is_settled = identity, is_settled
        self._is_renewed = True
        return True

    @property
    def file(self) -> tuple[int, ...]:
        """Device and inode of the file that it reads, and how often it was overwritten."""
        return *self._identity[:2], self._overwrites

    @property
    def is_rewritten(self) -> bool:
        """Whether somebody committed without another state, so that rows may be others."""
        return self._is_rewritten

    def take_notice(self) -> bool:
        """Tells `is_rewritten`, for the last time."""
        was_rewritten, self._is_rewritten = self._is_rewritten, False
        return was_rewritten

    def may_be_kept(self, identity: FileIdentity | None, log: Log | None) -> bool:
        """Whether it reads the file of this identity, and sees what others write to it."""
        is_of_path = identity == self._identity and self._reads(log)
        is_of_now = is_of_path and self._overwrites == self._readers.file.overwrites
        return self._is_settled and is_of_now and not self.store.is_immutable

    def close(self) -> None:
        """Lets go of the connection for good."""
        self.store.close()
        self._readers.note_closed(self)

    def _reads(self, log: Log | None) -> bool:
        """Whether the log that it reads is this one; others write another where it was removed."""
        return self._log in {None, log}

    def __enter__(self) -> Lent:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        is_sound = error is None or (
            isinstance(error, (RootleafError, MovedOn)) and not isinstance(error, StoreError)
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

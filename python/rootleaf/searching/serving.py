"""Keeping a view of a database current while threads search it and others write it.

A search takes the moment that is there and looks whether the database is still at it. If it is not,
the search brings it up: what changed goes into the collection, whose next view is shown in one
step. Only one thread does so at a time. Whoever comes meanwhile and finds the database ahead of the
moment waits for that, because a search has to see what was committed before it began; a writer is
never waited for.
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref

from rootleaf.engine.collection import Collection
from rootleaf.errors import ClosedIndexError, NotIndexedError, RootleafError
from rootleaf.indexing.snapshot import apply_changes, current_collection, find_snapshot
from rootleaf.searching.moment import KnownDocuments, Moment, MomentStore, Pinned
from rootleaf.searching.readers import MovedOn, Readers, abandon
from rootleaf.searching.writer_lock import WriterLock
from rootleaf.store.paths import snapshot_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from rootleaf.searching.readers import Lent

    Found = TypeVar("Found")


class Serving:
    """The moments of one database; any number of threads may read at once.

    Args:
        db_path: The database, which has to be there now.

    Attributes:
        lock: While a thread holds it, all read the moment that was there when it was taken.

    Raises:
        NotIndexedError: There is no database.
        StoreError: It cannot be read.
    """

    def __init__(self, db_path: str) -> None:
        self.db_path = db_path
        self.lock = WriterLock(self._pin, self._unpin)
        self._readers = Readers(db_path)
        self._is_closed = False
        self._bringing_up = threading.Lock()
        self._pinned: Pinned | None = None
        # None while it is changed: after an error its content would be of no state.
        self._collection: Collection | None = None
        self._absent = Moment(None, Collection().view(), KnownDocuments())
        self._moment = self._absent
        self._mapped: tuple[int, ...] | None = None
        with self._readers.lend() as lent:
            self._brought_up(lent)
        _all.add(self)

    def read(self, ask: Callable[[MomentStore], Found]) -> Found:
        """What `ask` gives for the moment of now; there are no rows where the database is away.

        It is asked again where somebody commits while it looks for rows that are not known yet.

        Raises:
            ClosedIndexError: `close` was called.
            StoreError: The database cannot be read.
        """
        self.check_open()
        if self._is_snapshot_overwritten():
            with self._bringing_up:
                self._let_go()
        pinned = self._pinned
        if pinned is not None and pinned.join():
            return self._read_pinned(pinned, ask)
        lent = self._readers.glance()
        if lent is not None:
            try:
                with lent:
                    moment = self._moment
                    if moment.is_of(lent):
                        return ask(MomentStore(self.db_path, moment, lent))
            except MovedOn:
                pass
        try:
            lent = self._readers.lend()
        except NotIndexedError:
            return ask(MomentStore(self.db_path, self._absent, None))
        with lent:
            moment = self._moment
            if moment.is_of(lent) and not lent.is_rewritten:
                return ask(MomentStore(self.db_path, moment, lent))
            with self._bringing_up:
                pinned = self._pinned
                if pinned is None or not pinned.join():
                    pinned = None
                    lent.begin()
                    moment = self._brought_up(lent)
            if pinned is None:
                return ask(MomentStore(self.db_path, moment, lent))
        return self._read_pinned(pinned, ask)

    def _read_pinned(self, pinned: Pinned, ask: Callable[[MomentStore], Found]) -> Found:
        try:
            return ask(MomentStore(self.db_path, pinned.moment, pinned.lent, pinned.turn))
        finally:
            pinned.leave()

    def refresh(self) -> int:
        """Brings the moment up to now, once no other thread holds `lock`; returns its generation.

        0 where there is no database.
        """
        self.check_open()
        with self.lock.waited_for():
            return self._refresh()

    def check_open(self) -> None:
        """Refuses what is asked after `close`.

        Raises:
            ClosedIndexError: It was called.
        """
        if self._is_closed:
            message = f"This handle on {self.db_path} was closed"
            raise ClosedIndexError(message, hint="rootleaf.MemoryIndex(db_path) makes a new one")

    def close(self) -> None:
        """Lets go of the database; what is being read is read to its end."""
        self._is_closed = True
        self._readers.close()
        self._let_go()

    def leave_to_parent(self) -> None:
        """Begins anew in a child of a fork.

        What threads of the parent held at that moment would never be let go, and what they changed
        would be left between two states.
        """
        abandon((self._moment, self._collection, self._pinned, self._absent))
        self._absent = Moment(None, Collection().view(), KnownDocuments())
        self._bringing_up = threading.Lock()
        self._pinned = None
        self._let_go()
        self.lock.leave_to_parent()

    def _let_go(self) -> None:
        self._collection = None
        self._mapped = None
        self._moment = self._absent

    def _refresh(self) -> int:
        with self._bringing_up:
            try:
                with self._readers.lend() as lent:
                    moment = self._brought_up(lent)
            except NotIndexedError:
                return 0
        return 0 if moment.state is None else moment.state[0]

    def _brought_up(self, lent: Lent) -> Moment:
        """The moment that a connection shows, which all reads take from now on."""
        store, state = lent.store, lent.state
        before = self._moment
        is_rewritten = lent.take_notice()
        if before.is_of(lent):
            if is_rewritten:
                self._moment = before = Moment(state, before.view, KnownDocuments(), lent.file)
            return before
        collection, self._collection = self._collection, None
        changes = None
        if collection is not None and before.state is not None and before.file == lent.file:
            changes = apply_changes(store, before.state, collection)
        if collection is None or changes is None:
            mark = _snapshot_mark(self.db_path)
            found = find_snapshot(store)
            collection = current_collection(store, found)
            self._mapped = None if found.snapshot is None else mark
            documents = KnownDocuments()
        else:
            ids = {document.document_id for document in changes.documents}
            documents = before.documents.without(ids.union(changes.removed_ids))
        moment = Moment(state, collection.view(), documents, lent.file)
        if changes is not None:
            moment.facts = before.facts_after(changes)
        self._collection = collection
        self._moment = moment
        if self._is_closed:
            self._let_go()
        return moment

    def _is_snapshot_overwritten(self) -> bool:
        """Whether somebody wrote into the file that the view maps; a run puts a new one there."""
        mapped = self._mapped
        if mapped is None:
            return False
        now = _snapshot_mark(self.db_path)
        return now is not None and now != mapped and now[:2] == mapped[:2]

    def _pin(self) -> None:
        self.check_open()
        with self._bringing_up:
            try:
                lent = self._readers.lend()
            except NotIndexedError:
                self._pinned = Pinned(self._absent, None)
                return
            try:
                moment = self._brought_up(lent)
                if lent.store.has_log():
                    self._pinned = Pinned(moment, lent)
                    return
            except BaseException:
                lent.close()
                raise
            # With a rollback journal a writer waits for whoever reads, so nothing is held: the one
            # who has taken the lock would wait for itself.
            lent.__exit__(None, None, None)

    def _unpin(self) -> None:
        pinned, self._pinned = self._pinned, None
        if pinned is not None:
            pinned.leave()
        # Ahead of the next search. What is wrong now, that one will say.
        with contextlib.suppress(RootleafError):
            self._refresh()


def _snapshot_mark(db_path: str) -> tuple[int, ...] | None:
    """Tells the snapshot of a database from every other file, and from what it was before."""
    try:
        status = os.stat(snapshot_path(db_path))
    except OSError:
        return None
    return (
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns,
    )  # fmt: skip


_all: weakref.WeakSet[Serving] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for serving in list(_all):
        serving.leave_to_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_to_parent)

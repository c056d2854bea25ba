"""Writing what a run has prepared, in batches.

Each is one transaction, and with it is written how far the run has come.
"""

from __future__ import annotations

import os

from rootleaf.engine.analyzer import ANALYZER_ID
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.indexing.adopting import adopt_moved_root, other_roots_notices
from rootleaf.indexing.roots import check_overlap, find_root
from rootleaf.indexing.snapshot import renew_snapshot
from rootleaf.store.sqlite import open_for_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from rootleaf.indexing.preparing import Change
    from rootleaf.store.records import FileMark, StoredRoot
    from rootleaf.store.sqlite import SqliteStore
    from rootleaf.store.sqlite_writing import SqliteTransaction

_MOST_FILES = 256
_MOST_BYTES = 4 * 1024 * 1024


class BatchWriter:
    """Writes to the rows of one root.

    Makes the database when there is something to write and not before.

    The first batch is a single file and each one after it twice as large, up to a limit: a run that
    is killed early has left its mark, and a long one does not commit for each file.

    Args:
        db_path: The database.
        root: The real path of the root.

    Attributes:
        selection: The spelling to record with a root that is not recorded yet.
        adopted: A sentence for a person, where a renamed root was found to be this one.
        roots: The roots that were recorded when the run began.
        recorded: The root as it was recorded when the run began, or None.
        files_to_go: What the database says of a run under way.
        analyzer: The analyzer that the database records, or an empty string.

    Raises:
        OverlappingRootsError: The database holds a root that lies within this one or around it.
        StoreError: The database is there and cannot be used.
    """

    def __init__(self, db_path: str, root: str) -> None:
        self.db_path = db_path
        self.root = root
        self.selection = ""
        self.store: SqliteStore | None = None
        self.adopted: str | None = None
        self.roots: list[StoredRoot] = []
        self.recorded: StoredRoot | None = None
        self.files_to_go = 0
        self.analyzer = ""
        self._gone: list[FileMark] = []
        self._inherited: dict[bytes, int] | None = None
        self._changes: list[Change] = []
        self._bytes = 0
        self._limit = 1
        if os.path.lexists(db_path):
            self.store = open_for_writing(db_path)
            try:
                self.adopted = adopt_moved_root(self.store, root)
                self.roots = self.store.roots()
                check_overlap(root, self.roots, db_path)
                self.recorded = find_root(self.roots, root)
                self.files_to_go = self.recorded.files_to_go if self.recorded else 0
                self.analyzer = self.store.analyzer()
            except BaseException:
                self.store.close()
                raise

    def marks(self) -> dict[str, FileMark]:
        """The rows of the root, by relative path."""
        if self.store is None or self.recorded is None:
            return {}
        return self.store.marks(self.recorded.root_id)

    def notices(self) -> list[str]:
        """What a person who runs this should know of the roots in the database."""
        if self.adopted is not None:
            return [self.adopted]
        if self.recorded is not None:
            return []
        return other_roots_notices(self.roots, self.root, self.db_path)

    def text(self, document_id: int) -> str | None:
        """The stored text of a document."""
        return None if self.store is None else self.store.text(document_id)

    def inherit(self, gone: list[FileMark]) -> None:
        """Lets text that stood in these rows, and turns up elsewhere, keep the date of its own."""
        self._gone = gone

    def add(self, change: Change, files_to_go: int | None) -> None:
        """Takes a change, and writes the batch if it is full; `files_to_go` as for `flush`."""
        self._changes.append(change)
        if change.version is not None:
            self._bytes += len(change.version.text)
        if len(self._changes) >= self._limit or self._bytes >= _MOST_BYTES:
            self.flush(files_to_go)
            self._limit = min(self._limit * 2, _MOST_FILES)

    def flush(self, files_to_go: int | None) -> None:
        """Writes what was taken.

        With it goes, unless it is None, how many files the run still has to go through.
        """
        if not self._changes:
            return
        if self._inherited is None and self.store is not None and self._holds_version():
            self._inherited = self.store.first_seen_by_key(mark.document_id for mark in self._gone)
        with self.writing() as (write, root_id):
            for change in self._changes:
                _apply(change, write, root_id, self._inherited or {})
            if files_to_go is not None:
                write.set_run(root_id, files_to_go=files_to_go)
        if files_to_go is not None:
            self.files_to_go = files_to_go
        self._changes.clear()
        self._bytes = 0

    def _holds_version(self) -> bool:
        return any(change.version is not None for change in self._changes)

    def writing(self) -> RootTransaction:
        """A transaction in which the root is recorded."""
        if self.store is None:
            self.store = open_for_writing(self.db_path)
        return RootTransaction(self.store, self.root, self.selection)

    def renew_snapshot(self) -> str | None:
        """Brings the snapshot up to date, after the last batch.

        An interrupted run leaves the one before: it is behind then, and searches read what it
        lacks.

        Returns:
            A sentence for a person where it could not be written.
        """
        if self.store is None:
            return None
        # The disk has a state before it has what is made of it, and before the run says it is done.
        self.store.settle()
        with self.store.reading():
            return renew_snapshot(self.store)

    def close(self) -> None:
        """Lets go of the database; what was taken and not written is dropped."""
        if self.store is not None:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class RootTransaction:
    """A write transaction together with the id of a root, which is recorded where it was not."""

    def __init__(self, store: SqliteStore, root: str, selection: str) -> None:
        self._root = root
        self._selection = selection
        self._db_path = store.db_path
        self._transaction = store.writing()

    def __enter__(self) -> tuple[SqliteTransaction, int]:
        write = self._transaction.__enter__()
        try:
            # Once more under the lock: another process may have recorded a root since the run
            # began.
            check_overlap(self._root, write.roots(), self._db_path)
            write.set_analyzer(ANALYZER_ID)
            return write, write.add_root(self._root, self._selection, CHUNKER_ID)
        except BaseException as error:
            self._transaction.__exit__(type(error), error, None)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._transaction.__exit__(kind, error, trace)


def _apply(
    change: Change, write: SqliteTransaction, root_id: int, inherited: dict[bytes, int]
) -> None:
    if change.version is not None:
        write.put_document(root_id, change.version, inherited)
        return
    if change.stat_signature is not None:
        write.touch(change.document_id, change.stat_signature)
    if change.metadata is not None:
        write.set_metadata(change.document_id, change.rules_identity, change.metadata)
    if change.chunkset_keys is not None:
        write.set_chunksets(change.document_id, change.chunk_count, change.chunkset_keys)

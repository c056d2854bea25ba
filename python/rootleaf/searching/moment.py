"""One state of a database as a long-lived reader keeps it: the view, and what was read of its rows.

All of it is of one state, so what was read once need not be read again until the state changes;
then only what changed is dropped.
"""

from __future__ import annotations

import contextlib
import threading

from rootleaf.searching.answering import prepared
from rootleaf.store.records import MetadataCheck
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    from rootleaf.engine.cheatsheet import PreparedDocument
    from rootleaf.engine.view import View
    from rootleaf.searching.readers import Lent
    from rootleaf.store.protocol import Store
    from rootleaf.store.records import Changes, FileMark, Model, StoredDocument, StoredRoot
    from rootleaf.types import IndexedFile

    Found = TypeVar("Found")

MOST_TEXT_BYTES = 64 * 1024 * 1024
"""How much text of documents that were found is kept, about; the oldest goes first."""

_OTHER_RULES = "count of other rules"


class Moment:
    """A state of the database, and what is searched while it lasts. Threads share it.

    Attributes:
        state: Generation and state id; None where there is no database.
        view: Its documents.
        documents: Those that were found so far.
        file: Device and inode of the database that they were read from, and how often that was
            overwritten until then.
        facts: What else was read of the rows, by name.
    """

    __slots__ = ("documents", "facts", "file", "state", "view")

    def __init__(
        self,
        state: tuple[int, bytes] | None,
        view: View,
        documents: KnownDocuments,
        file: tuple[int, ...] = (),
    ) -> None:
        self.file = file
        self.state = state
        self.view = view
        self.documents = documents
        self.facts: dict[object, Any] = {}

    def is_of(self, lent: Lent) -> bool:
        """Whether it is what a connection shows.

        A file that took the place of another may say that it is of the same state, if it is read
        with the log of that one, and hold other rows.
        """
        return self.state == lent.state and self.file == lent.file

    def facts_after(self, changes: Changes) -> dict[object, Any]:
        """What is known of the rows and holds after changes to them too.

        That is: no document is of other rules than these, if all that changed are of these.
        """
        identities = {document.rules_identity for document in changes.documents}
        return {
            name: count
            for name, count in list(self.facts.items())
            if isinstance(name, tuple)
            and name[0] == _OTHER_RULES
            and count == 0
            and identities <= {name[-1]}
        }


class KnownDocument(Value):
    """A document that was read, ready to be shown, with the dates of its chunksets."""

    document: StoredDocument
    dates: list[str]
    prepared: PreparedDocument


class KnownDocuments:
    """Documents that were read; bounded. Threads may share it."""

    def __init__(self, most_bytes: int = MOST_TEXT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._keeping = threading.Lock()
        self._known: dict[int, KnownDocument] = {}

    def __len__(self) -> int:
        return len(self._known)

    def get(self, document_id: int) -> KnownDocument | None:
        """A document, if it is known."""
        return self._known.get(document_id)

    def put(self, known: KnownDocument) -> None:
        """Keeps a document; while there is no room, the one that was kept first goes."""
        with self._keeping:
            # Two threads may have read it at once.
            self._drop(known.document.document_id)
            self._known[known.document.document_id] = known
            self._bytes += _text_bytes(known)
            while self._bytes > self._most_bytes:
                self._drop(next(iter(self._known)))

    def without(self, document_ids: Collection[int]) -> KnownDocuments:
        """Those of a later state, in which these documents changed."""
        rest = KnownDocuments(self._most_bytes)
        with self._keeping:
            rest._known, rest._bytes = self._known.copy(), self._bytes
        for document_id in document_ids:
            rest._drop(document_id)
        return rest

    def _drop(self, document_id: int) -> None:
        gone = self._known.pop(document_id, None)
        if gone is not None:
            self._bytes -= _text_bytes(gone)


def _text_bytes(known: KnownDocument) -> int:
    # Twice: as Python has it, and as the core has it.
    return 2 * len(known.document.text)


class MomentStore:
    """The rows of a moment: what is known of it, and else what a connection reads.

    Args:
        db_path: The database.
        moment: What is known.
        lent: Shows the same state; None where there is no database.
        turn: Held while the connection is asked, where threads share it.
    """

    def __init__(
        self,
        db_path: str,
        moment: Moment,
        lent: Lent | None,
        turn: AbstractContextManager[object] | None = None,
    ) -> None:
        self.db_path = db_path
        self.moment = moment
        self.is_immutable = lent is not None and lent.store.is_immutable
        self._lent = lent
        self._lent_facts = {} if lent is None else lent.facts
        self._turn = contextlib.nullcontext() if turn is None else turn

    def documents_by_id(self, document_ids: Iterable[int]) -> dict[int, StoredDocument]:
        """The documents of these ids that there are, by id."""
        return {
            document_id: known.document
            for document_id in document_ids
            if (known := self._known(document_id)) is not None
        }

    def first_seen(self, document_id: int, ordinals: Sequence[int] | None = None) -> list[str]:
        """For each chunkset of a document, or those of `ordinals`, when it was first seen."""
        known = self._known(document_id)
        dates = [] if known is None else known.dates
        if ordinals is None:
            return dates
        return [dates[ordinal] for ordinal in sorted(set(ordinals)) if ordinal < len(dates)]

    def prepared(self, document: StoredDocument) -> PreparedDocument:
        """A document of the moment, ready to be shown."""
        known = self.moment.documents.get(document.document_id)
        return prepared(document) if known is None else known.prepared

    def model(self) -> Model | None:
        """The recorded model, whose vectors documents have."""
        return self._fact("model", lambda store: store.model(), None)

    def roots(self) -> list[StoredRoot]:
        """The roots, ordered by path."""
        # How far a run has come, and which files it has found unchanged, raises no generation.
        return self._fact("roots", lambda store: store.roots(), [], self._lent_facts)

    def marks(self, root_id: int) -> dict[str, FileMark]:
        """What is known of each file of a root, by its relative path."""
        return self._fact(
            ("marks", root_id), lambda store: store.marks(root_id), {}, self._lent_facts
        )

    def check_metadata(self) -> MetadataCheck:
        """What is wrong with stored metadata."""
        nothing = MetadataCheck(unscanned={}, unreadable={}, identities={})
        return self._fact("metadata", lambda store: store.check_metadata(), nothing)

    def other_rules(self, root_id: int, rules_identity: str) -> list[str]:
        """Which documents of a root were resolved by rules of another identity."""
        return self._fact(
            ("other rules", root_id, rules_identity),
            lambda store: store.other_rules(root_id, rules_identity),
            [],
        )

    def count_other_rules(self, root_id: int, rules_identity: str) -> int:
        """How many documents of a root were resolved by rules of another identity."""
        return self._fact(
            (_OTHER_RULES, root_id, rules_identity),
            lambda store: store.count_other_rules(root_id, rules_identity),
            0,
        )

    def indexed_files(self) -> list[IndexedFile]:
        """Id, path and metadata of each document, by path."""
        return self._fact("files", lambda store: store.indexed_files(), [])

    def _fact(
        self,
        name: object,
        read: Callable[[Store], Found],
        without: Found,
        facts: dict[object, Any] | None = None,
    ) -> Found:
        if self._lent is None:
            return without
        facts = self.moment.facts if facts is None else facts
        if name not in facts:
            with self._turn:
                self._lent.hold()
                facts[name] = read(self._lent.store)
        found: Found = facts[name]
        return found

    def _known(self, document_id: int) -> KnownDocument | None:
        known = self.moment.documents.get(document_id)
        if known is not None or self._lent is None:
            return known
        with self._turn:
            self._lent.hold()
            store = self._lent.store
            document = store.documents_by_id([document_id]).get(document_id)
            dates = [] if document is None else store.first_seen(document_id)
        if document is None:
            return None
        known = KnownDocument(document=document, dates=dates, prepared=prepared(document))
        self.moment.documents.put(known)
        return known


class Pinned:
    """A moment that is kept readable while the database goes on, for all threads together.

    It ends when all that joined it have left, the one who made it among them.

    Attributes:
        moment: The moment.
        lent: Shows it; one thread at a time may use it, with `turn`.
        turn: A lock.
    """

    def __init__(self, moment: Moment, lent: Lent | None) -> None:
        self.moment = moment
        self.turn = threading.Lock()
        self.lent = lent
        self._users = 1

    def join(self) -> bool:
        """Keeps it from ending until `leave`; False where it has ended."""
        with self.turn:
            self._users += self._users > 0
            return self._users > 0

    def leave(self) -> None:
        """Lets it end."""
        with self.turn:
            self._users -= 1
            is_last = self._users == 0
        if is_last and self.lent is not None:
            self.lent.__exit__(None, None, None)

"""The snapshot beside a database: whether it can be used, what it lacks, and writing it.

It is a cache of what the database says. A reader takes it where it is of a state that this
database was in, and of this analyzer and chunker; the documents changed since are then read as
text. Else all are. Only runs that index write it.
"""

from __future__ import annotations

import os

from rootleaf.documents.naming import telling_name
from rootleaf.engine.analyzer import ANALYZER_ID
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.engine.collection import IndexedDocument
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.engine.view import SnapshotIdentity
from rootleaf.errors import InvalidInputError, SnapshotError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.records import Changes
from rootleaf.store.sqlite_errors import damaged
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.collection import Collection
    from rootleaf.engine.snapshot import Snapshot
    from rootleaf.engine.view import View
    from rootleaf.store.protocol import Store
    from rootleaf.store.records import StoredDocument

TERMS_ID = f"{ANALYZER_ID}, fields 1"
"""Identity of all that makes terms of a document: the analyzer, and what `indexed` gives it.

To be counted up where the name or the field text of a document comes to be another.
"""

_MANY_CHANGES = 64
"""More changed documents than this are taken from a current snapshot, if there is one."""

ABSENT = "absent"
CURRENT = "current"
_INVALID = "the snapshot cannot be used: "  # begins the core's reasons, as `not usable` does ours


class FoundSnapshot(Value):
    """What lies where the snapshot of a database is to lie.

    `reason` says why it cannot be used; `snapshot` is then None.
    """

    snapshot: Snapshot | None = None
    reason: str = ""

    def is_of(self, generation: int) -> bool:
        """Whether it can be used and is of this generation."""
        return self.snapshot is not None and self.snapshot.identity.generation == generation


def find_snapshot(store: Store, *, moves_on: bool = False) -> FoundSnapshot:
    """Opens the snapshot beside a store; raises nothing because of what the file is.

    Args:
        store: The store.
        moves_on: It was opened for reading, and nothing was read of it yet: where a run has
            committed since its moment began, and written a snapshot of that, it moves on to now.
    """
    path = snapshot_path(store.db_path)
    try:
        snapshot = open_snapshot(path)
    except SnapshotError as error:
        reason = error.message.removeprefix(_INVALID)
        return FoundSnapshot(reason=reason if os.path.lexists(path) else ABSENT)
    found = snapshot.identity
    if moves_on and found.generation > store.generation() and not store.is_immutable:
        store.move_on()
    # What a file says may be more than a database can be asked for.
    is_known = found.generation <= store.generation()
    state_id = store.state_id(found.generation) if is_known else None
    if state_id is None or found.database_id != state_id:
        return FoundSnapshot(reason="it is of another database, or of a state that this one lost")
    here = _identity(state_id, found.generation)
    if found.analyzer_id != here.analyzer_id:
        return FoundSnapshot(reason="it was made by another analyzer")
    if found != here:
        return FoundSnapshot(reason="it was made by another chunker")
    return FoundSnapshot(snapshot=snapshot)


def identity_of(store: Store) -> SnapshotIdentity:
    """What a snapshot of a store, made now by this program, is of.

    Raises:
        StoreError: The store does not know its own state.
    """
    generation = store.generation()
    state_id = store.state_id(generation)
    if state_id is None:
        raise damaged(store.db_path, f"its state {generation} has no id")
    return _identity(state_id, generation)


def _identity(state_id: bytes, generation: int) -> SnapshotIdentity:
    return SnapshotIdentity(database_id=state_id, generation=generation, analyzer_id=TERMS_ID)


def current_view(store: Store, found: FoundSnapshot) -> View:
    """All documents of a store as of the moment that it is read at, by the cheapest way there is.

    Whichever it is, the view gives the same answers.
    """
    return current_collection(store, found).view()


def current_collection(store: Store, found: FoundSnapshot) -> Collection:
    """Like `current_view`, for who goes on with it when the store does."""
    snapshot = found.snapshot
    if snapshot is None:
        return collection_of_texts(store)
    collection = snapshot.collection()
    if not found.is_of(store.generation()):
        _apply(store, store.changes_since(snapshot.identity.generation), collection)
    return collection


def apply_changes(store: Store, since: tuple[int, bytes], collection: Collection) -> Changes | None:
    """Brings a collection, which holds the documents of an earlier state, to that of a store.

    Args:
        store: Read as of one moment.
        since: Generation and state id of the earlier state.
        collection: To be thrown away where this raises, for it may be between the two then.

    Returns:
        What changed; None where the store does not go on from that state, or so much changed that
        it is cheaper to begin anew, and the collection is as it was.
    """
    generation, state_id = since
    if store.state_id(generation) != state_id:
        return None
    changed_ids, removed_ids = store.changed_ids_since(generation)
    count = len(changed_ids) + len(removed_ids)
    if count > _MANY_CHANGES and find_snapshot(store).is_of(store.generation()):
        return None
    # By id: to look for them again by revision would go through all rows again.
    documents = list(store.documents_by_id(changed_ids).values())
    changes = Changes(documents=documents, removed_ids=removed_ids)
    _apply(store, changes, collection)
    return changes


def _apply(store: Store, changes: Changes, collection: Collection) -> None:
    if changes.removed_ids:
        collection.remove(changes.removed_ids)
    vectors = StoredVectors(store)
    collection.add(indexed(document, vectors.of(document)) for document in changes.documents)


def renew_snapshot(store: Store) -> str | None:
    """Writes the snapshot where there is none that is current.

    Args:
        store: Read as of one moment.

    Returns:
        A sentence for a person where it could not be written; searches then take longer, and find
        the same.
    """
    found = find_snapshot(store)
    if found.is_of(store.generation()):
        return None
    view = current_view(store, found)
    try:
        # It tells the words of the database, and so may be read by those who may read that.
        permissions = os.stat(store.db_path).st_mode & 0o777
        view.write_snapshot(
            snapshot_path(store.db_path), identity_of(store), permissions=permissions
        )
    except SnapshotError as error:
        return f"{error.message}; searches work without it, and take longer"
    return None


def remove_snapshot(store: Store) -> None:
    """Removes the snapshot of a store, where that can be done; nothing is lost with it."""
    try:
        os.unlink(snapshot_path(store.db_path))
    except OSError:
        # Absent, or mapped by a program on a system that then does not let go: who writes the next
        # one says so.
        return


def describe_snapshot(store: Store) -> str:
    """In words: `current`, `behind by N documents`, `absent`, or `not usable: ` and why.

    What is read of the store later is of the moment that this is true of.
    """
    found = find_snapshot(store, moves_on=True)
    if found.snapshot is None:
        return ABSENT if found.reason == ABSENT else f"not usable: {found.reason}"
    if found.is_of(store.generation()):
        return CURRENT
    changed_ids, removed_ids = store.changed_ids_since(found.snapshot.identity.generation)
    count = len(changed_ids) + len(removed_ids)
    return f"behind by {count:,} document{'' if count == 1 else 's'}"


class StoredVectors:
    """The vectors of a store's documents, as far as they are of the recorded model.

    Args:
        store: Read as of one moment.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._has_model = store.model() is not None
        # Chunksets are made from the text; keys that another chunker left do not count them alike.
        roots = store.roots() if self._has_model else []
        self._other_roots = {root.path for root in roots if root.chunker != CHUNKER_ID}

    def of(self, document: StoredDocument) -> list[bytes | None] | None:
        """A vector or None for each chunkset of a document; None where none has one."""
        if not self._has_model or document.root in self._other_roots:
            return None
        vectors = self._store.vectors(document.document_id)
        return vectors if any(vectors) else None


def indexed(document: StoredDocument, vectors: list[bytes | None] | None = None) -> IndexedDocument:
    """A document of a store as the engine takes it, with the vectors of its chunksets."""
    return IndexedDocument(
        document_id=document.document_id,
        path=document.path,
        name=telling_name(document.path.removeprefix(os.path.join(document.root, ""))),
        text=document.text,
        front_matter_parsed=document.front_matter != "unparsed",
        field_text=_field_text(document),
        metadata=document.metadata,
        vectors=vectors,
    )


def collection_of_texts(store: Store) -> Collection:
    """All documents of a store from their texts, whatever snapshot there is."""
    from rootleaf.engine.keyword import SegmentBuilder

    # Document after document, so that no more than one text is held at a time.
    builder = SegmentBuilder()
    vectors = StoredVectors(store)
    for document in store.documents():
        try:
            builder.add_document(indexed(document, vectors.of(document)))
        except InvalidInputError as error:
            # What was stored was taken by the same rules; it is something else by now.
            raise damaged(store.db_path, f"{document.path}: {error.message}") from error
    return builder.collection()


def _field_text(document: StoredDocument) -> str:
    """The values of the front matter; what rules say of a path is metadata and no text."""
    if document.front_matter != "parsed":
        return ""
    # Without rules the metadata is what the front matter says, and need not be parsed again.
    values = document.metadata
    if document.rules_identity != "":
        from rootleaf.documents.front_matter import parse_front_matter

        values = parse_front_matter(document.text).values
    lines: list[str] = []
    for value in values.values():
        lines.extend([value] if isinstance(value, str) else value)
    return "\n".join(lines)

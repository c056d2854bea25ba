"""What a store offers, whatever keeps it.

Reading, and writing in transactions that are whole or not there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Protocol

    from typing_extensions import Self

    from rootleaf.store.records import (
        Changes,
        Counts,
        DocumentVersion,
        FileMark,
        MetadataCheck,
        Model,
        StoredDocument,
        StoredRoot,
    )
    from rootleaf.types import IgnoredBy, IndexedFile, Skipped
else:
    Protocol = object

KEY_BYTES = 16

UNUSED_VECTORS_KEPT = 10_000
"""How many vectors are kept at least that no document uses: texts come back."""


class Store(Protocol):
    """An open store.

    Opened for reading, all that it reads until it is closed is of one moment. A document whose
    metadata was never looked for, or cannot be read, is read like any other, with empty metadata.
    """

    db_path: str
    is_immutable: bool
    """Whether it is read without locks, because nothing can be written beside it."""

    def generation(self) -> int:
        """A counter that every write of content raises; equal numbers mean equal content."""

    def schema_version(self) -> int:
        """The number of the last migration that was applied."""

    def state_id(self, generation: int) -> bytes | None:
        """16 bytes drawn at random by the write that led to a generation.

        None where this store was never at it, or too long ago. Equal ids mean equal content, also
        after a store was brought back from a copy or lost its last writes.
        """

    def analyzer(self) -> str:
        """The identity of the analyzer that the last run which wrote anything had; may be empty."""

    def roots(self) -> list[StoredRoot]:
        """The roots, ordered by path."""

    def documents(self) -> Iterator[StoredDocument]:
        """All documents, ordered by path."""

    def documents_by_id(self, document_ids: Iterable[int]) -> dict[int, StoredDocument]:
        """The documents of these ids that there are, by id."""

    def changes_since(self, revision: int) -> Changes:
        """What a reader of generation `revision` does not know yet."""

    def changed_ids_since(self, revision: int) -> tuple[list[int], list[int]]:
        """The ids of the documents that `changes_since` gives, and of those that were removed."""

    def texts(self, root_id: int) -> Iterator[tuple[int, str, str, str]]:
        """Id, relative path, text and front-matter state of a root's documents, ordered by path."""

    def text(self, document_id: int) -> str | None:
        """The text of one document, or None when there is no such document."""

    def first_seen(self, document_id: int, ordinals: Sequence[int] | None = None) -> list[str]:
        """For each chunkset of a document the UTC time it was first seen, in document order.

        Written as `2026-05-26T07:00:00Z`. With `ordinals` only for those of them that there are.
        """

    def first_seen_by_key(self, document_ids: Iterable[int]) -> dict[bytes, int]:
        """When each chunkset of some documents was first seen, in seconds since 1970, by key.

        The earliest time where several documents have the key.
        """

    def marks(self, root_id: int) -> dict[str, FileMark]:
        """What is known of each file of a root, by its relative path, ordered by path."""

    def paths_below(self, root_id: int, below: str) -> list[str]:
        """The relative paths of a root's documents at or below one, in order; below "" lie all."""

    def unparsed_front_matter(self) -> list[Skipped]:
        """The documents whose front matter could not be parsed, with line and reason."""

    def counts(self, root_id: int | None = None) -> Counts:
        """How much is stored, in all or for one root."""

    def count_other_rules(self, root_id: int, rules_identity: str) -> int:
        """How many documents of a root were resolved by rules of another identity, or never."""

    def other_rules(self, root_id: int, rules_identity: str) -> list[str]:
        """Which ones these are: their relative paths, ordered."""

    def check_metadata(self) -> MetadataCheck:
        """Looks at the metadata of every document, for what a filtered search has to know first."""

    def model(self) -> Model | None:
        """The recorded model, whose vectors documents have; None where none was recorded."""

    def is_keyword_only(self) -> bool:
        """Whether it was asked for that documents have no vectors; `model` is None then."""

    def vectors(self, document_id: int) -> list[bytes | None]:
        """For each chunkset of a document its vector of the recorded model; None: it has none."""

    def count_without_vector(self, root_id: int | None = None) -> int:
        """How many chunksets lack a vector of the recorded model; 0 where none is recorded."""

    def count_keys_without_vector(self, model: Model, root_id: int | None = None) -> int:
        """How many distinct chunkset keys lack a vector of a model, in all or for one root."""

    def documents_without_vector(self, model: Model, root_id: int | None = None) -> list[int]:
        """The documents with a chunkset that lacks a vector of a model, ordered by root and path.

        In all or for one root.
        """

    def keys_without_vector(self, model: Model, document_id: int) -> list[tuple[int, bytes]]:
        """Ordinal and key of each chunkset of a document that lacks a vector of a model."""

    def size_bytes(self) -> int:
        """The size of the database file, with what is not yet folded into it."""

    def state(self) -> tuple[int, bytes]:
        """The generation and its state id, which together tell this content from any other."""

    def indexed_files(self) -> list[IndexedFile]:
        """Id, path and metadata of each document, by path."""

    def move_on(self) -> None:
        """Lets a store that was opened for reading read as of now."""

    def end_moment(self) -> None:
        """Lets go of the moment that is read, until `move_on`."""

    def erase_traces(self) -> bool:
        """Rewrites what keeps the store, so that nothing is left in it of what was removed.

        False where that could not be done now; nothing that is stored is any different.
        """

    def reading(self) -> Moment:
        """A block within which all that is read is of one moment."""

    def writing(self) -> Transaction:
        """A write transaction to be used in a `with` statement; it waits for other writers."""

    def close(self) -> None:
        """Lets go of the database; a second call does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Moment(Protocol):
    """A `with` block in which a store is read as of one moment."""

    def __enter__(self) -> object: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Transaction(Protocol):
    """One write transaction.

    It is committed when its `with` block ends, undone when an error leaves the block.

    The generation is raised once if any of the content has changed, in the same transaction.
    """

    def roots(self) -> list[StoredRoot]:
        """The roots as they are under the write lock."""

    def add_root(self, path: str, selection: str, chunker: str) -> int:
        """Records a root and returns its id, or that of the root recorded by this path already."""

    def set_analyzer(self, identity: str) -> None:
        """Records the analyzer at work, where another one is recorded; raises no generation."""

    def set_run(
        self,
        root_id: int,
        *,
        selection: str | None = None,
        chunker: str | None = None,
        files_to_go: int | None = None,
        skipped: tuple[Skipped, ...] | None = None,
        ignored: tuple[IgnoredBy, ...] | None = None,
    ) -> None:
        """Records how a run of a root stands; what is None stays."""

    def put_document(
        self, root_id: int, version: DocumentVersion, inherited: Mapping[bytes, int] | None = None
    ) -> int:
        """Stores a version of a document and returns the document's id.

        Chunksets whose key the document had before keep the time they were first seen; others take
        it from `inherited`, which has seconds since 1970 by key, before they take the present.
        """

    def holds(self, mark: FileMark) -> bool:
        """Whether the row of `mark` is still of that file and content, under the write lock."""

    def move(
        self,
        root_id: int,
        mark: FileMark,
        *,
        path: str,
        stat_signature: str,
        rules_identity: str,
        metadata: Mapping[str, str | list[str]],
    ) -> bool:
        """Gives a document another path below its root, and the metadata that goes with it.

        Its id, text and chunksets stay. False, and nothing is done, where the path has a document
        already or the row of `mark` is not as it was.
        """

    def touch(self, document_id: int, stat_signature: str) -> None:
        """Records that a file's stat signature changed and its bytes did not.

        This raises no generation.
        """

    def set_metadata(
        self, document_id: int, rules_identity: str, metadata: Mapping[str, str | list[str]]
    ) -> None:
        """Replaces the metadata of a document and the rules it was resolved by."""

    def set_chunksets(self, document_id: int, chunk_count: int, chunkset_keys: bytes) -> None:
        """Replaces the chunksets of a document whose text is the same and whose chunker is another.

        Chunksets of an unknown key count as seen when the newest known one of the document was.
        """

    def remove(self, document_id: int) -> None:
        """Removes a document; its id is never used again, its vectors stay."""

    def model(self) -> Model | None:
        """The recorded model, under the write lock."""

    def set_model(self, model: Model) -> None:
        """Records the model whose vectors documents have from now on.

        In place of another one, or of none by request, all documents count as changed.
        """

    def set_keyword_only(self) -> None:
        """Records that documents are to have no vectors from now on.

        Those of a model that was recorded stay, as unused ones do, and all documents count as
        changed.
        """

    def put_vectors(self, model: Model, vectors: Sequence[tuple[bytes, bytes]]) -> int:
        """Keeps vectors by chunkset key; one that is there for the model and key stays as it is.

        Documents that gain a vector of the recorded model count as changed. Each vector has
        `model.dimension` little-endian float32.

        Returns:
            How many were not there.
        """

    def trim_vectors(self) -> int:
        """Removes vectors that are not in use, the oldest first, as far as they are too many.

        In use is a vector of the recorded model whose key a chunkset has. As many others are kept
        as are in use, and `UNUSED_VECTORS_KEPT` at least. This raises no generation.

        Returns:
            How many were removed.
        """

    def forget(self, root_id: int, below: str) -> list[str]:
        """Removes the documents of a root at or below a relative path, and overwrites their bytes.

        All vectors that no document uses then, of whatever model, go with them, for those of
        earlier texts are not told apart. An empty path stands for the whole root.
        Gives the relative paths of what was removed.
        """

    def remove_root(self, root_id: int) -> None:
        """Removes a root that has no documents any more."""

    def move_root(self, root_id: int, path: str) -> None:
        """Gives a root another path; its documents keep all but the beginning of theirs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

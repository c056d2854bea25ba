"""What an answer asks of the rows of a database, whoever keeps them at hand."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from rootleaf.store.records import FileMark, MetadataCheck, Model, StoredDocument, StoredRoot
else:
    Protocol = object


class Rows(Protocol):
    """Rows of one moment; see `rootleaf.store.protocol.Store` for what each method promises."""

    @property
    def db_path(self) -> str:
        """The database."""

    @property
    def is_immutable(self) -> bool:
        """Whether it is read without locks, because nothing can be written beside it."""

    def model(self) -> Model | None:
        """The recorded model, whose vectors documents have."""

    def documents_by_id(self, document_ids: Iterable[int]) -> dict[int, StoredDocument]:
        """The documents of these ids that there are, by id."""

    def first_seen(self, document_id: int, ordinals: Sequence[int] | None = None) -> list[str]:
        """For each chunkset of a document, or those of `ordinals`, when it was first seen."""

    def roots(self) -> list[StoredRoot]:
        """The roots, ordered by path."""

    def marks(self, root_id: int) -> dict[str, FileMark]:
        """What is known of each file of a root, by its relative path."""

    def check_metadata(self) -> MetadataCheck:
        """What is wrong with stored metadata."""

    def other_rules(self, root_id: int, rules_identity: str) -> list[str]:
        """Which documents of a root were resolved by rules of another identity."""

    def count_other_rules(self, root_id: int, rules_identity: str) -> int:
        """How many documents of a root were resolved by rules of another identity."""

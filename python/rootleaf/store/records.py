"""The values that cross the border of the store: rows, without saying that they are rows."""

from __future__ import annotations

from rootleaf.types import IgnoredBy, Problem, Skipped, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class StoredDocument(Value):
    """A document as a search reads it.

    `root` and `path` are absolute, `metadata` is what rules and file say; `rules_identity` names
    the rules and is empty where there were none. Where metadata was never looked for, or what is
    stored of it cannot be read, it is empty and `rules_identity` is None. `front_matter` is
    `absent`, `parsed` or `unparsed`.
    """

    document_id: int
    root: str
    path: str
    text: str
    front_matter: str
    rules_identity: str | None
    metadata: Mapping[str, str | list[str]]


class StoredRoot(Value):
    """A root, what a run of it reads, and how its last run ended.

    `selection` is the spelling of what is read; `chunker` identifies the rules by which the
    chunkset keys of its documents were made; `files_to_go` is not zero while a run is under way or
    was interrupted.
    """

    root_id: int
    path: str
    selection: str
    chunker: str
    files_to_go: int
    skipped: tuple[Skipped, ...]
    ignored: tuple[IgnoredBy, ...]


class Model(Value):
    """What made a vector; vectors of models that differ in any of this are never compared.

    `text_form` identifies how the texts that it was given are made of chunks. `dimension` is the
    number of floats, each of 4 bytes, little-endian.
    """

    name: str
    revision: str
    dimension: int
    is_normalised: bool
    preprocessing: str
    text_form: str

    def __str__(self) -> str:
        return f"{self.name} ({self.revision})" if self.revision else self.name


class FileMark(Value):
    """What a run compares a file with before it reads it.

    `path` is relative to the root, with `/`. `rules_identity` is None, and so that of no rules,
    where its metadata was never looked for or what is stored of it cannot be read.
    """

    document_id: int
    path: str
    stat_signature: str
    content_hash: bytes
    rules_identity: str | None


class DocumentVersion(Value):
    """One version of a document's file, whole, as a run writes it.

    `chunkset_keys` holds 16 bytes for each chunkset, in order.
    """

    path: str
    stat_signature: str
    content_hash: bytes
    text: str
    front_matter: str
    front_matter_problem: Problem | None
    rules_identity: str
    metadata: Mapping[str, str | list[str]]
    chunk_count: int
    chunkset_keys: bytes


class Changes(Value):
    """What changed in a store since a revision: the documents as they are now, and ids removed."""

    documents: list[StoredDocument]
    removed_ids: list[int]

    def __len__(self) -> int:
        return len(self.documents) + len(self.removed_ids)


class MetadataCheck(Value):
    """What is wrong with the metadata of all documents, and by which rules it was resolved.

    It is the same for every reading of one generation. Paths are relative to their root, with `/`,
    and ordered.

    Attributes:
        identities: The identities of the rules that the rows of each root were resolved by, for
            each root that has rows.
        unscanned: The documents of each root whose metadata was never looked for, where there are
            any.
        unreadable: Likewise those whose stored metadata is no mapping of strings to strings or
            lists of strings.
    """

    identities: Mapping[int, frozenset[str]]
    unscanned: Mapping[int, tuple[str, ...]]
    unreadable: Mapping[int, tuple[str, ...]]


class Counts(Value):
    """How much a store holds; `text_bytes` counts the UTF-8 form of the text."""

    files: int
    chunks: int
    chunksets: int
    text_bytes: int

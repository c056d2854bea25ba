"""From a task of a plan to what is to be written.

Reading, decoding, front matter, metadata, chunkset keys.

All of it happens outside a transaction, so that the write lock is held for the writing alone.
"""

from __future__ import annotations

from rootleaf.documents.front_matter import parse_front_matter
from rootleaf.documents.metadata import merge
from rootleaf.documents.reading import read_document
from rootleaf.engine.chunker import chunk_columns
from rootleaf.errors import InternalError
from rootleaf.store.protocol import KEY_BYTES
from rootleaf.store.records import DocumentVersion
from rootleaf.types import DecodedByFallback, Skipped, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rootleaf.documents.reading import ReadDocument
    from rootleaf.documents.rules import Rules
    from rootleaf.indexing.plan import Task
    from rootleaf.store.records import FileMark
    from rootleaf.store.sqlite import SqliteStore


class Change(Value):
    """What is to be written for one file.

    A new `version`, or parts of the row with `document_id`. `skipped` says why the file could not
    be read; what is stored of it can be renewed all the same.
    """

    path: str
    version: DocumentVersion | None = None
    document_id: int = 0
    stat_signature: str | None = None
    rules_identity: str = ""
    metadata: Mapping[str, str | list[str]] | None = None
    chunk_count: int = 0
    chunkset_keys: bytes | None = None
    decoded_by_fallback: DecodedByFallback | None = None
    skipped: Skipped | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        parts = (self.version, self.stat_signature, self.metadata, self.chunkset_keys)
        return all(part is None for part in parts)

    @property
    def chunkset_count(self) -> int:
        """The chunksets of the new version."""
        return len(self.version.chunkset_keys) // KEY_BYTES if self.version else 0


def prepare(task: Task, rules: Rules, store: SqliteStore | None) -> Change:
    """Does what a task asks for, short of writing it."""
    mark = task.mark
    signature = None
    skipped = None
    if task.read:
        document = read_document(task.path)
        if isinstance(document, Skipped):
            skipped = document
            if mark is None:
                return Change(path=task.path, skipped=skipped)
        elif mark is None or mark.content_hash != document.content_hash:
            return _version(task, document, rules)
        elif mark.stat_signature != document.signature:
            signature = document.signature
    if mark is None or store is None:
        message = f"{task.path} has no row and is not to be read"
        raise InternalError(message)
    return _renewal(task, mark, rules, store, signature=signature, skipped=skipped)


def _version(task: Task, document: ReadDocument, rules: Rules) -> Change:
    text = document.decoded.text
    front_matter = parse_front_matter(text)
    columns = chunk_columns(text, front_matter_parsed=front_matter.state != "unparsed")
    version = DocumentVersion(
        path=task.relative_path,
        stat_signature=document.signature,
        content_hash=document.content_hash,
        text=text,
        front_matter=front_matter.state,
        front_matter_problem=front_matter.problem,
        rules_identity=rules.identity,
        metadata=merge(rules.resolve(task.relative_path), front_matter.values),
        chunk_count=columns.len_chunks(),
        chunkset_keys=columns.chunkset_keys,
    )
    fallback = None
    if document.decoded.fallback_byte_offset is not None:
        fallback = DecodedByFallback(
            path=task.path,
            encoding=document.decoded.encoding,
            byte_offset=document.decoded.fallback_byte_offset,
        )
    return Change(path=task.path, version=version, decoded_by_fallback=fallback)


def _renewal(
    task: Task,
    mark: FileMark,
    rules: Rules,
    store: SqliteStore,
    *,
    signature: str | None,
    skipped: Skipped | None,
) -> Change:
    """What of a row is made again from its text: its file's bytes are the same, or unreadable."""
    metadata = None
    keys = None
    chunk_count = 0
    text = store.text(mark.document_id) if task.resolve or task.rechunk else None
    if text is not None:
        front_matter = parse_front_matter(text)
        if task.resolve:
            metadata = merge(rules.resolve(task.relative_path), front_matter.values)
        if task.rechunk:
            columns = chunk_columns(text, front_matter_parsed=front_matter.state != "unparsed")
            keys = columns.chunkset_keys
            chunk_count = columns.len_chunks()
    return Change(
        path=task.path,
        document_id=mark.document_id,
        stat_signature=signature,
        rules_identity=rules.identity,
        metadata=metadata,
        chunk_count=chunk_count,
        chunkset_keys=keys,
        skipped=skipped,
    )

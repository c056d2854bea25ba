"""What is wrong with the rows of a database, and how each is put right from its text.

A row is compared with what this program makes of the same text. Where the text itself may be what
was damaged, which the hash of the file tells, the file is read again by the next run of its root.
"""

from __future__ import annotations

import os
import posixpath

from rootleaf.documents.front_matter import parse_front_matter
from rootleaf.documents.metadata import merge
from rootleaf.documents.rules import load_rules
from rootleaf.embed.protocol import MAX_DIMENSION
from rootleaf.engine.chunker import CHUNKER_ID, chunk_columns
from rootleaf.engine.vectors import unit_vector
from rootleaf.errors import InvalidInputError, MetadataRulesError
from rootleaf.indexing.faults import CHUNKSETS, COUNTERS, METADATA, STRAYS, TEXTS, VECTORS, Fault
from rootleaf.indexing.root_faults import overlap_faults, root_faults
from rootleaf.indexing.text_origin import OTHER, UNKNOWN, is_hash, origin_of
from rootleaf.store.metadata_text import find_metadata
from rootleaf.store.paths import join_root
from rootleaf.store.schema import LARGEST_NUMBER
from rootleaf.store.sqlite_mending import next_sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rootleaf.documents.front_matter import FrontMatter
    from rootleaf.documents.rules import Rules
    from rootleaf.indexing.faults import Mend
    from rootleaf.store.sqlite_examining import (
        ExaminedDocument,
        ExaminedRoot,
        SqliteExamination,
    )

_STRAY_WORDS = {
    "texts": "texts of no document",
    "chunksets": "documents that are not there and have chunksets",
    "documents": "documents of no root",
    "vectors": "vectors of no model",
    "tombstones": "documents that are there and are said to be removed",
}


class Rows:
    """All rows of a database, looked over.

    Args:
        examination: The database at one moment.
        is_salvaged: Whether any byte of it may be damaged, so that every text is held to the hash
            of its file.
        on_progress: Called after each document with how many were looked at, and how many there
            are.
    """

    def __init__(
        self,
        examination: SqliteExamination,
        *,
        is_salvaged: bool = False,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._examination = examination
        self._is_salvaged = is_salvaged
        self._on_progress = on_progress
        self._roots = {root.root_id: root for root in examination.roots()}
        self._rules = {root_id: _rules(root) for root_id, root in self._roots.items()}

    def faults(self) -> list[Fault]:
        """All that is wrong, in the order in which it has to be put right."""
        return [
            *self._counter_faults(),
            *root_faults(self._examination),
            *self._stray_faults(),
            *self._document_faults(),
            *self._model_faults(),
            *self._vector_faults(),
            # Last, for it may remove a document that another fault is about.
            *overlap_faults(self._examination),
        ]

    def _counter_faults(self) -> Iterator[Fault]:
        found = self._examination.counters()
        sequence = next_sequence(found.document_sequence, found.highest_document)
        if found.generation is None or not found.has_state:
            what = "the generation, or the id of its state, is missing"
        elif not 0 <= found.generation < LARGEST_NUMBER:
            what = f"the generation is recorded as {found.generation:,}, which none can be"
        elif max(found.highest_revision, found.highest_state) > found.generation:
            what = f"there are rows of a later generation than {found.generation:,}"
        elif found.document_sequence < found.highest_document:
            what = f"ids were given above {found.document_sequence:,}, the last one"
        elif found.document_sequence >= LARGEST_NUMBER:
            what = f"the last id given is recorded as {found.document_sequence:,}"
        elif not found.has_model or not isinstance(found.model, int):
            what = "the recorded model is not there"
        elif not isinstance(found.analyzer, str):
            what = "the analyzer is missing"
        else:
            return
        yield Fault(check=COUNTERS, what=what, mend=lambda write: write.restore_counters(sequence))

    def _stray_faults(self) -> Iterator[Fault]:
        for table, ids in self._examination.strays().items():
            yield Fault(
                check=STRAYS,
                what=f"{len(ids):,} {_STRAY_WORDS[table]}",
                mend=_remove_strays(table, tuple(ids)),
                discards_text=table in {"texts", "documents"},
            )

    def _document_faults(self) -> Iterator[Fault]:
        total = self._examination.count_documents()
        for done, document in enumerate(self._examination.documents(), 1):
            root = self._roots.get(document.root_id)
            if root is not None:
                yield from self._faults_of(document, root)
            if self._on_progress is not None:
                self._on_progress(done, total)

    def _faults_of(self, document: ExaminedDocument, root: ExaminedRoot) -> Iterator[Fault]:
        path = join_root(root.path, document.path)
        document_id = document.document_id
        if not 0 <= document_id < LARGEST_NUMBER:
            # After it no document could get an id any more.
            yield Fault(
                check=TEXTS,
                what=f"{path}: its id, {document_id:,}, is none that is given",
                mend=lambda write: write.remove(document_id),
                lost=path,
                discards_text=True,
            )
            return
        if not _is_below_root(document.path):
            yield Fault(
                check=TEXTS,
                what=f"{path!r}: its path leads out of {root.path}, or is none",
                mend=lambda write: write.remove(document_id),
                lost=path,
                discards_text=True,
            )
            return
        if document.text is None:
            yield Fault(
                check=TEXTS,
                what=f"{path}: it has no text",
                mend=lambda write: write.remove(document_id),
                lost=path,
            )
            return
        try:
            text = document.text.decode("utf-8")
        except UnicodeDecodeError:
            text = document.text.decode("utf-8", "replace")
            yield Fault(
                check=TEXTS,
                what=f"{path}: its text is no UTF-8",
                mend=lambda write: write.replace_text(document_id, text),
            )
        front_matter = parse_front_matter(text)
        yield from _derived_faults(document, root, path, text, front_matter, self._is_salvaged)
        yield from _metadata_faults(document, self._rules[root.root_id], path, front_matter)

    def _model_faults(self) -> Iterator[Fault]:
        bad = self._examination.impossible_models(MAX_DIMENSION)
        if bad:
            yield Fault(
                check=VECTORS,
                what=f"{len(bad):,} models that vectors cannot be of: {', '.join(bad.values())}",
                mend=lambda write: write.remove_models(bad),
            )

    def _vector_faults(self) -> Iterator[Fault]:
        bad = [
            vector_id
            for vector_id, is_wide, floats in self._examination.vectors()
            if not (is_wide and _is_unit(floats))
        ]
        if bad:
            yield Fault(
                check=VECTORS,
                what=f"{len(bad):,} vectors are not of the width of their model, or of length 1",
                mend=lambda write: write.remove_vectors(bad),
            )


def _derived_faults(  # noqa: PLR0917 - one row, from all sides
    document: ExaminedDocument,
    root: ExaminedRoot,
    path: str,
    text: str,
    front_matter: FrontMatter,
    is_salvaged: bool,
) -> Iterator[Fault]:
    """What was made of a text and is not what this text gives."""
    document_id = document.document_id
    problem = front_matter.problem
    stored = (document.front_matter, *document.problem)
    made = (
        (front_matter.state, problem.line, problem.reason)
        if problem
        else (front_matter.state, None, None)
    )
    is_differing = stored != made
    if is_differing:
        yield Fault(
            check=TEXTS,
            what=f"{path}: how its front matter was understood is not what it says",
            mend=lambda write: write.set_front_matter(document_id, front_matter.state, problem),
        )
    text_bytes = len(text.encode())
    if document.text_bytes != text_bytes:
        is_differing = True
        yield Fault(
            check=TEXTS,
            what=f"{path}: its size is recorded as {document.text_bytes}, and is {text_bytes}",
            mend=lambda write: write.set_text_bytes(document_id, text_bytes),
        )
    if root.chunker == CHUNKER_ID or not document.has_plain_ordinals:
        columns = chunk_columns(text, front_matter_parsed=front_matter.state != "unparsed")
        chunk_count, keys = columns.len_chunks(), columns.chunkset_keys
        if (
            document.keys != keys
            or document.chunk_count != chunk_count
            or not document.has_plain_ordinals
        ):
            is_differing = True
            yield Fault(
                check=CHUNKSETS,
                what=f"{path}: its chunksets are not those of its text",
                mend=lambda write: write.cut_again(document_id, chunk_count, keys),
            )
    origin = origin_of(text, document.content_hash, path)
    is_doubtful = origin == UNKNOWN and (is_differing or is_salvaged)
    if is_doubtful or origin == OTHER or not is_hash(document.content_hash):
        yield Fault(
            check=TEXTS,
            what=f"{path}: its text may not be that of its file, which is read again",
            mend=lambda write: write.set_unread(document_id),
        )


def _metadata_faults(
    document: ExaminedDocument, rules: Rules | None, path: str, front_matter: FrontMatter
) -> Iterator[Fault]:
    document_id = document.document_id
    if document.metadata is None:
        return
    stored = find_metadata(document.metadata)
    if rules is None:
        if stored is None:
            yield Fault(
                check=METADATA,
                what=f"{path}: its metadata cannot be read",
                mend=lambda write: write.clear_metadata(document_id),
            )
        return
    metadata = merge(rules.resolve(document.path), front_matter.values)
    if stored is None or (document.rules_identity == rules.identity and stored != metadata):
        yield Fault(
            check=METADATA,
            what=f"{path}: its metadata cannot be read, or is not what rules and file say",
            mend=lambda write: write.restore_metadata(document_id, rules.identity, metadata),
        )


def _remove_strays(table: str, ids: tuple[int, ...]) -> Mend:
    return lambda write: write.remove_strays({table: ids})


def _rules(root: ExaminedRoot) -> Rules | None:
    """The current rules of a root; None where it is away or they are not understood."""
    if not os.path.isdir(root.path):
        return None
    try:
        return load_rules(root.path)
    except MetadataRulesError:
        return None


def _is_below_root(path: str) -> bool:
    """Whether a path is one as a scan of a root gives it."""
    return (
        path not in {"", ".", ".."}
        and not path.startswith(("/", "../"))
        and "\0" not in path
        and posixpath.normpath(path) == path
    )


def _is_unit(floats: bytes) -> bool:
    try:
        unit_vector(memoryview(floats), "it", is_normalised=True)
    except (InvalidInputError, TypeError, ValueError):
        return False
    return True

"""Embedding what has no vector yet, after the rows of a run were committed.

A text is paid for once: its vector is stored under the key of the text and the model, a batch at a
time and off the write lock, so that whatever ends a run leaves all that was paid until then.
Retries are here, and in no embedder.
"""

from __future__ import annotations

import time
from collections import deque

from rootleaf.embed.protocol import batch_texts_of, identity_of
from rootleaf.engine.chunker import chunk_columns
from rootleaf.engine.vectors import FLOAT_BYTES, float_rows, unit_vector
from rootleaf.errors import EmbedderError, EmbedderUnavailableError, InvalidInputError
from rootleaf.indexing.embedded_texts import TEXT_FORM, EmbeddedTexts
from rootleaf.indexing.embedder_choice import PYTHON_CALL, MissingEmbedder, reembed_command
from rootleaf.indexing.roots import find_root
from rootleaf.store.records import Model
from rootleaf.store.sqlite_log import sync_log
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rootleaf.embed.protocol import Embedder
    from rootleaf.indexing.batches import BatchWriter
    from rootleaf.indexing.embedder_choice import EmbedderChoice
    from rootleaf.indexing.tally import Tally
    from rootleaf.store.protocol import Store

MOST_TEXTS = 128
"""How many texts a batch has at most, unless the embedder states its own `batch_texts`: what one
call of it gets, and one transaction writes."""

BYTES_A_TEXT = 2048
"""A batch has as many bytes at most as if all its texts had these."""

WAITS_SECONDS = (0.5, 2.0, 8.0)
"""How long is waited before each new attempt at an embedder that is unavailable."""

_RESUME = "What was embedded is kept; the same call goes on from there"
_SHOWN_CHARACTERS = 40


class Embedded(Value):
    """What `embed_missing` did: how many texts it paid for, and a sentence if it did not embed."""

    texts: int = 0
    notice: str | None = None


class _Pending(Value):
    """A text that is to be embedded, and the first file that has it."""

    key: bytes
    text: str
    path: str


def embed_missing(
    store: Store,
    embedder: Embedder,
    *,
    root_id: int | None = None,
    replace_model: bool = False,
    command: Callable[[], str] = lambda: PYTHON_CALL,
    on_progress: Callable[[int, int], None] | None = None,
    wait: Callable[[float], object] = time.sleep,
) -> Embedded:
    """Gives each chunkset that has no vector of a model one.

    The model becomes the recorded one where none is recorded. Where another one is, nothing is
    embedded; or, with `replace_model`, all documents are, and the model takes the place of that
    one when all is done. Vectors of that one stay as they are.

    Args:
        store: Open for writing, and in no transaction.
        embedder: Gives the vectors; it is called in no transaction.
        root_id: Embeds documents of this root alone.
        replace_model: Embeds all documents, and gives up another recorded model for this one.
        command: Says what does so, for the notice where another model is recorded.
        on_progress: Called after each batch with how many texts are embedded, and how many were to
            be. What it raises ends the run.
        wait: Waits for a number of seconds.

    Raises:
        EmbedderError: The embedder failed: all batches before are kept. Or it gave what is no
            vector of its model: what else it gave is kept, and all other texts were embedded,
            unless a whole batch was like that.
        InvalidInputError: `embedder` is none.
        StoreError: The database cannot be written.
    """
    identity = identity_of(embedder)
    model = Model(text_form=TEXT_FORM, **identity.to_json())
    recorded = store.model()
    is_other = recorded is not None and recorded != model
    if is_other and not replace_model:
        return Embedded(notice=_other_model_notice(recorded, model, command()))
    run = _Run(store, embedder, model, wait)
    of_root = None if replace_model else root_id
    lacking = store.documents_without_vector(model, of_root)
    total = store.count_keys_without_vector(model, of_root) if lacking else 0
    for batch in run.batches(lacking):
        run.embed(batch)
        if on_progress is not None:
            on_progress(run.paid, max(total, run.paid))
    run.raise_faults()
    # Back from none by request, all may be there still.
    is_other = is_other or store.is_keyword_only()
    if run.paid or is_other:
        with store.writing() as write:
            if is_other:
                write.set_model(model)
            write.trim_vectors()
    return Embedded(texts=run.paid)


def embed_index(db_path: str, embedder: Embedder, *, is_named: bool = True) -> int:
    """Gives each chunkset of an index that lacks a vector one; returns how many texts were paid.

    Args:
        db_path: The database.
        embedder: Gives the vectors.
        is_named: Whether somebody asked for it; otherwise an index that is to have no vectors gets
            none.

    Raises:
        EmbedderError: As for `embed_missing`; or the index has vectors of another model.
        NotIndexedError: There is no database.
        StoreError: It cannot be written.
    """
    from rootleaf.indexing.snapshot import renew_snapshot
    from rootleaf.store.sqlite import open_for_reading, open_for_writing

    open_for_reading(db_path).close()  # to write where there is none would make one
    with open_for_writing(db_path) as store:
        if not is_named and store.is_keyword_only():
            return 0
        embedded = embed_missing(store, embedder)
        if embedded.notice is not None:
            raise EmbedderError(embedded.notice, code="embedder.other_model")
        if embedded.texts:
            store.settle()
            with store.reading():
                renew_snapshot(store)
    return embedded.texts


class _Run:
    """One pass over the documents that lack vectors of a model."""

    def __init__(
        self, store: Store, embedder: Embedder, model: Model, wait: Callable[[float], object]
    ) -> None:
        self.paid = 0
        self._faults: list[EmbedderError] = []
        self._store = store
        self._embedder = embedder
        self._model = model
        self._wait = wait
        self._most_texts = batch_texts_of(embedder, MOST_TEXTS)
        self._most_bytes = self._most_texts * BYTES_A_TEXT
        # Two runs that began at once would pay for the same texts batch after batch: the one that
        # finds its vectors there already goes on from the other end.
        self._backwards = False

    def batches(self, document_ids: list[int]) -> Iterator[list[_Pending]]:
        """What documents lack, each text once; a batch has to be written before the next one."""
        batch: dict[bytes, _Pending] = {}
        size_bytes = 0
        remaining = deque(document_ids)
        while remaining:
            backwards = self._backwards
            document_id = remaining.pop() if backwards else remaining.popleft()
            # What was embedded since the document was asked what it lacks.
            paid: set[bytes] = set()
            for pending in self._pending(document_id):
                if pending.key in batch or pending.key in paid:
                    continue
                text_bytes = len(pending.text.encode())
                if batch and (
                    len(batch) >= self._most_texts or size_bytes + text_bytes > self._most_bytes
                ):
                    yield list(batch.values())
                    paid.update(batch)
                    batch.clear()
                    size_bytes = 0
                    if self._backwards != backwards:
                        put_back = remaining.append if backwards else remaining.appendleft
                        put_back(document_id)
                        break
                batch[pending.key] = pending
                size_bytes += text_bytes
        if batch:
            yield list(batch.values())

    def _pending(self, document_id: int) -> Iterator[_Pending]:
        missing = self._store.keys_without_vector(self._model, document_id)
        document = self._store.documents_by_id([document_id]).get(document_id)
        if document is None or not missing:
            return
        columns = chunk_columns(
            document.text, front_matter_parsed=document.front_matter != "unparsed"
        )
        texts = EmbeddedTexts(document.text, columns)
        for ordinal, key in reversed(missing) if self._backwards else missing:
            # The key tells which text is meant: one that another process has changed meanwhile, or
            # that another chunker cut, waits for the next run.
            if ordinal < columns.len_chunksets() and columns.key(ordinal) == key:
                yield _Pending(key=key, text=texts[ordinal], path=document.path)

    def embed(self, batch: list[_Pending]) -> None:
        """Pays for the vectors of a batch, and writes those that are sound.

        One that is not does not keep the texts behind it from theirs; a batch without a sound one
        ends the run, before more is paid for nothing.
        """
        given = self._ask([pending.text for pending in batch])
        dimension = self._model.dimension
        try:
            rows = float_rows(given, "vectors", row_count=len(batch), dimension=dimension)
        except InvalidInputError as error:
            raise self._fault(batch[0], f"came in a batch whose {error.message}") from error
        if 0 in rows.present:
            raise self._fault(batch[rows.present.index(0)], "is absent")
        row_bytes = dimension * FLOAT_BYTES
        floats = memoryview(rows.buffer)
        sound = []
        for i, pending in enumerate(batch):
            vector = floats[i * row_bytes : (i + 1) * row_bytes]
            try:
                kept = unit_vector(vector, "it", is_normalised=self._model.is_normalised)
            except InvalidInputError as error:
                self._faults.append(self._fault(pending, error.message.removeprefix("it ")))
                continue
            sound.append((pending.key, kept))
        if not sound:
            self.raise_faults()
        self._write(sound)

    def raise_faults(self) -> None:
        """Raises for the first vector that was refused, if one was."""
        if self._faults:
            first, *others = self._faults
            if others:
                message = f"{first.message}; {len(others):,} more of its vectors were refused"
                raise EmbedderError(message, hint=first.hint)
            raise first

    def _write(self, vectors: list[tuple[bytes, bytes]]) -> None:
        with self._store.writing() as write:
            if write.model() is None:
                write.set_model(self._model)
            added = write.put_vectors(self._model, vectors)
        # Texts can be read again, paid vectors cannot: they are not left to the next sync.
        sync_log(self._store.db_path)
        if added < len(vectors):
            self._backwards = not self._backwards
        self.paid += len(vectors)

    def _ask(self, texts: list[str]) -> object:
        for seconds in (*WAITS_SECONDS, None):
            try:
                return self._embedder.embed_documents(texts)
            except EmbedderUnavailableError as error:
                if seconds is None:
                    attempts = len(WAITS_SECONDS) + 1
                    message = f"{self._name()} was not available in {attempts} attempts: "
                    raise EmbedderUnavailableError(message + error.message, hint=_RESUME) from error
                self._wait(seconds)
            except (Exception, SystemExit) as error:  # whatever a third party's model raises
                said = error.message if isinstance(error, EmbedderError) else repr(error)
                message = f"{self._name()} failed: {said}"
                raise EmbedderError(message, hint=_RESUME) from error
        return None

    def _name(self) -> str:
        return f"The embedder {self._model}"

    def _fault(self, pending: _Pending, said: str) -> EmbedderError:
        text = pending.text.rpartition("\n")[2]
        if len(text) > _SHOWN_CHARACTERS:
            text = text[:_SHOWN_CHARACTERS] + "…"
        message = f"{self._name()} is at fault: its vector for {text!r} in {pending.path} {said}"
        return EmbedderError(message, hint=_RESUME)


def embed_after_run(
    writer: BatchWriter,
    tally: Tally,
    choice: EmbedderChoice,
    *,
    replace_model: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> None:
    """Embeds what lacks a vector below the root of a run, by the embedder that is meant.

    Where nobody named it, and it cannot be had, the run goes on without it, and says so if anything
    lacks a vector. Where the embedder fails, the snapshot is renewed all the same: the rows are
    there to be found.

    Raises:
        EmbedderError, InvalidInputError, StoreError: As for `embed_missing`.
    """
    store = writer.store
    root = None if store is None else find_root(store.roots(), writer.root)
    if store is None or root is None:
        return
    if choice.forgets_model and not store.is_keyword_only():
        with store.writing() as write:
            write.set_keyword_only()
    try:
        embedder = choice.embedder_for(store, writer.root, embed=replace_model)
        if isinstance(embedder, MissingEmbedder):
            if store.model() is None:
                lacking = store.counts(root.root_id).chunksets
            else:
                lacking = store.count_without_vector(root.root_id)
            if lacking:
                tally.warnings.append(embedder.warning(writer.root, writer.db_path, lacking))
        elif embedder is not None:
            done = embed_missing(
                store,
                embedder,
                root_id=root.root_id,
                replace_model=replace_model,
                command=lambda: reembed_command(writer.root, writer.db_path, embedder, choice),
                on_progress=on_progress,
            )
            tally.embedded += done.texts
            tally.note(done.notice)
    except EmbedderError:
        writer.renew_snapshot()
        raise
    tally.without_vector = store.count_without_vector(root.root_id)


def _other_model_notice(recorded: Model | None, model: Model, command: str) -> str:
    return (
        f"The index has vectors of {recorded}, which {model} cannot be compared with; nothing "
        f"was embedded. To embed all text anew: {command}"
    )

"""From a question to its vector, or to a sentence that says why it is searched by keyword alone.

The vectors of a database are only ever compared with those of the very model that made them. What
goes wrong on the way (a package that is gone, a server that is slow, a vector that is none) costs
an answer its meaning, never the answer.
"""

from __future__ import annotations

import os

from rootleaf import config
from rootleaf.embed.calibration import KEYWORD, calibration_of
from rootleaf.embed.choosing import BUILTIN, NONE, chosen_name, embedder_named, is_known
from rootleaf.embed.protocol import identity_of
from rootleaf.errors import InternalError, InvalidInputError, RootleafError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from rootleaf.embed.calibration import Calibration
    from rootleaf.embed.protocol import Embedder
    from rootleaf.engine.view import View
    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import Model

DEADLINE_SECONDS = 5.0
"""How long a search waits for the vector of a question; the first one includes loading a model."""

_MOST_KEPT_BYTES = 4 * 1024 * 1024


class Meaning(Value):
    """What a question is compared by beside its words.

    `vector` is a unit vector of the database's model, or None: by keyword alone. `notice` says why
    where vectors were there to be compared with.
    """

    vector: bytes | None = None
    calibration: Calibration = KEYWORD
    notice: str | None = None


class QueryEmbedder:
    """The embedder of the searches of one database, and the vectors that it gave.

    Threads may share one.

    Args:
        chosen: An embedder, or the name of one; None: what `ROOTLEAF_EMBEDDER` says, else the one
            that the database records.
    """

    def __init__(self, chosen: str | Embedder | None = None) -> None:
        self._chosen = chosen
        self._names: dict[tuple[str | None, str | None], str] = {}
        self._known: _KnownEmbedder | None = None
        # Sets and dictionaries whose single steps need no lock: one might be held during a fork.
        self._overdue: set[_Work] = set()

    def is_named(self) -> bool:
        """Whether somebody chose it; otherwise it is what the database records, or the default."""
        return self._chosen is not None or config.embedder() is not None

    def embedder(self, rows: Rows) -> Embedder | None:
        """The embedder that is meant; None for "none".

        Raises:
            InvalidInputError, EmbedderError: There is none of the name, or it cannot be made.
        """
        chosen = self._chosen_for(rows.model())
        return embedder_named(chosen) if isinstance(chosen, str) else chosen

    def meanings(self, queries: Sequence[str], rows: Rows, view: View) -> list[Meaning]:
        """For each question its meaning.

        A question without a letter or a digit has none: it asks for nothing.

        Raises:
            InvalidInputError: What was chosen is no embedder and no name of one.
        """
        recorded = rows.model()
        chosen = self._chosen_for(recorded)
        if chosen == NONE:
            return [Meaning()] * len(queries)
        if recorded is None or view.dimension == 0:
            notice = None
            if self._chosen is not None:
                _check(chosen)
            if self._chosen is not None and view.chunkset_count:
                notice = _notices().no_vectors(_notices().embedding_command(rows, self._chosen))
            return [Meaning(notice=notice)] * len(queries)
        if isinstance(chosen, str) and not _may_be(chosen, recorded):
            _check(chosen)
            remedy = _notices().embedding_command(rows, self._chosen)
            notice = _notices().other_model(recorded, chosen, remedy)
            return [_wordless_or(query, Meaning(notice=notice)) for query in queries]
        return self._ask(queries, chosen, recorded, rows)

    def _chosen_for(self, recorded: Model | None) -> str | Embedder:
        if self._chosen is not None and not isinstance(self._chosen, str):
            return self._chosen
        # A name is looked up among what is installed, which takes longer than a search.
        key = (config.embedder(), None if recorded is None else recorded.name)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = chosen_name(self._chosen, key[1])
        return name

    def _ask(
        self, queries: Sequence[str], chosen: str | Embedder, recorded: Model, rows: Rows
    ) -> list[Meaning]:
        asked = [query for query in dict.fromkeys(queries) if _has_word(query)]
        known = self._known
        is_ready = known is not None and known.is_of(chosen) and known.is_model(recorded)
        found: dict[str, Meaning] = {}
        if known is not None and is_ready:
            for query in asked:
                vector = known.vectors.get(query)
                if vector is not None:
                    found[query] = Meaning(vector=vector, calibration=known.calibration)
        missing = [query for query in asked if query not in found]
        if missing:

            def remedy() -> str:
                command: str = _notices().embedding_command(rows, self._chosen)
                return command

            if _answers_at_once(chosen):
                meanings = self._embedded(missing, chosen, recorded, remedy)
            else:
                # Rows are read here, for a connection is used by one thread.
                told = "" if is_ready else remedy()
                meanings = self._waited_for(
                    lambda: self._embedded(missing, chosen, recorded, lambda: told)
                )
            for query in missing:
                meaning = next(meanings, None)
                if meaning is None:
                    # No later one is waited for: the answers would come ever later.
                    meanings = iter(())
                    meaning = Meaning(notice=_notices().too_late(recorded, DEADLINE_SECONDS))
                found[query] = meaning
        return [found.get(query, Meaning()) for query in queries]

    def _embedded(
        self,
        queries: Sequence[str],
        chosen: str | Embedder,
        recorded: Model,
        remedy: Callable[[], str],
    ) -> Iterator[Meaning]:
        """The meaning of each question, or what went wrong with it."""
        known, notice = None, None
        try:
            known = self._loaded(chosen)
        except InvalidInputError:
            if self._chosen is not None:
                raise
            notice = _notices().vanished(recorded, remedy())
        except RootleafError as error:
            notice = _notices().unusable(recorded, error)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a model raises
            notice = _notices().failed(recorded.name, repr(error))
        if known is not None and not known.is_model(recorded):
            notice = _notices().other_model(recorded, known.identity, remedy())
            known = None
        for query in queries:
            yield Meaning(notice=notice) if known is None else _embed(known, query)

    def _loaded(self, chosen: str | Embedder) -> _KnownEmbedder:
        known = self._known
        if known is None or not known.is_of(chosen):
            embedder = embedder_named(chosen) if isinstance(chosen, str) else chosen
            if embedder is None:
                message = f"{chosen} is no embedder"
                raise InternalError(message)
            # In one step: what was kept of another model goes with it.
            self._known = known = _KnownEmbedder(chosen, embedder)
        return known

    def _waited_for(self, produce: Callable[[], Iterator[Meaning]]) -> Iterator[Meaning]:
        """What another thread produces, as long as each comes in time; raises what that raises."""
        import queue
        import threading

        # One that hangs would else be asked, and waited for, by every search. A child of a fork has
        # none of its parent's threads.
        if any(work.process == os.getpid() for work in list(self._overdue)):
            return
        results: queue.SimpleQueue[Meaning | BaseException] = queue.SimpleQueue()
        work = _Work(os.getpid())

        def run() -> None:
            try:
                for meaning in produce():
                    results.put(meaning)
                    if work in self._overdue:
                        break
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                results.put(error)
            work.has_ended = True
            self._overdue.discard(work)

        threading.Thread(target=run, name="rootleaf-embedder", daemon=True).start()
        while True:
            try:
                result = results.get(timeout=DEADLINE_SECONDS)
            except queue.Empty:
                self._overdue.add(work)
                if work.has_ended:  # in this very moment, and it may have been before it was added
                    self._overdue.discard(work)
                return
            if isinstance(result, BaseException):
                raise result
            yield result


class _Work:
    """What a thread that embeds for a search does, and in which process."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.has_ended = False


class _KnownEmbedder:
    """An embedder that was loaded, what it says of itself, and the vectors that it gave."""

    def __init__(self, chosen: str | Embedder, embedder: Embedder) -> None:
        self._chosen = chosen
        self.embedder = embedder
        self.identity = identity_of(embedder)
        self.calibration = calibration_of(embedder)
        self.vectors: dict[str, bytes] = {}

    def is_of(self, chosen: str | Embedder) -> bool:
        """Whether it is what was chosen."""
        return self._chosen == chosen if isinstance(chosen, str) else self._chosen is chosen

    def is_model(self, recorded: Model) -> bool:
        """Whether it is the model that a database records.

        The texts of documents may be made in another way: a question is no such text.
        """
        named = self.identity.to_json().items()
        return all(getattr(recorded, name) == value for name, value in named)

    def keep(self, query: str, vector: bytes) -> None:
        """Keeps the vector of a question; while there is no room, the oldest goes."""
        self.vectors[query] = vector
        while len(self.vectors) * len(vector) > _MOST_KEPT_BYTES:
            try:
                del self.vectors[next(iter(self.vectors))]
            except (KeyError, RuntimeError, StopIteration):
                return  # another thread is at it


def _embed(known: _KnownEmbedder, query: str) -> Meaning:
    from rootleaf.engine.vectors import float_vector, unit_vector

    try:
        knows = getattr(known.embedder, "knows", None)
        if knows is not None and not knows(query):
            return Meaning(notice=_notices().unknown_words(known.identity.name))
        given = known.embedder.embed_query(query)
        floats = float_vector(given, "it", dimension=known.identity.dimension)
        vector = unit_vector(floats, "it", is_normalised=known.identity.is_normalised)
    except InvalidInputError as error:
        return Meaning(notice=_notices().no_vector(known.identity.name, error.message))
    except RootleafError as error:
        return Meaning(notice=_notices().failed(known.identity.name, error.message))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a model raises
        return Meaning(notice=_notices().failed(known.identity.name, repr(error)))
    known.keep(query, vector)
    return Meaning(vector=vector, calibration=known.calibration)


def _notices() -> ModuleType:
    """The sentences, which few searches need."""
    from rootleaf.searching import meaning_notices

    return meaning_notices


def _answers_at_once(chosen: str | Embedder) -> bool:
    """Whether it can neither load for long nor wait for anything, and needs no thread."""
    from rootleaf.embed.builtin import BuiltinEmbedder

    return chosen == BUILTIN or isinstance(chosen, BuiltinEmbedder)


def _may_be(name: str, recorded: Model) -> bool:
    """Whether the embedder of a name can be the recorded model, without loading it."""
    return name.partition(":")[0] == recorded.name.partition(":")[0]


def _check(chosen: str | Embedder) -> None:
    """Refuses what is no embedder and no name of one, where it is not asked for more than that."""
    if not isinstance(chosen, str):
        identity_of(chosen)
    elif not is_known(chosen):
        embedder_named(chosen)


def _has_word(query: str) -> bool:
    return any(map(str.isalnum, query))


def _wordless_or(query: str, meaning: Meaning) -> Meaning:
    return meaning if _has_word(query) else Meaning()

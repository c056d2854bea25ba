"""A handle that stays open over the whole life of a database answers as a new search does.

Files change, runs of all kinds come and go, and the database is replaced, overwritten, deleted and
brought back under the handle. After each step all that it answers, or refuses, is what
`rootleaf.search` answers, or refuses, at that moment.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from typing import Any

import pytest
import rootleaf
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from life_cycle_vocabulary import BODIES, FRONT_MATTERS, RULES
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import NotIndexedError, RootleafError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import open_for_reading

QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("alpha beta", {}),
    ("gamma", {"explain": True, "cite": True, "top_k": 2}),
    ("alpha", {"where": {"kind": ["note", "sub"]}}),
    ("beta", {"where": {"kind": "event"}, "budget_tokens": 40}),
]
NAMES = ("a.md", "b.md", "sub/a.md", "sub/c.md")
MODELS = (4, 5)

names = st.sampled_from(NAMES)
versions = st.tuples(st.sampled_from(tuple(FRONT_MATTERS)), st.sampled_from(BODIES[1:]))


def told(ask: Any) -> Any:
    """All of an answer but how long it took; or the refusal."""
    try:
        answer = ask().to_json()
    except RootleafError as error:
        return type(error).__name__, error.code, str(error)
    del answer["took_ms"]
    return answer


class WarmHandle(RuleBasedStateMachine):
    """Steps that cannot be done at some moment raise an error of ours, and are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.base = os.path.realpath(tempfile.mkdtemp())
        self.root = os.path.join(self.base, "notes")
        self.db_path = os.path.join(self.base, "x.db")
        self.copies: list[str] = []

    def teardown(self) -> None:
        """Leaves nothing behind."""
        self.memory.close()
        shutil.rmtree(self.base)

    def path(self, name: str) -> str:
        """Where a file lies."""
        return os.path.join(self.root, name)

    @initialize(files=st.dictionaries(names, versions, min_size=1), embeds=st.booleans())
    def begin(self, files: dict[str, tuple[str, str]], embeds: bool) -> None:
        """An index, and the handle on it."""
        os.makedirs(os.path.join(self.root, "sub"))
        for name, (front, body) in files.items():
            self.write(name, (front, body))
        embedder = FakeEmbedder(MODELS[0]) if embeds else None
        rootleaf.index(self.root, self.db_path, embedder=embedder)
        self.memory = rootleaf.MemoryIndex(self.db_path, embedder=FakeEmbedder(MODELS[0]))

    @rule(name=names, version=versions)
    def write(self, name: str, version: tuple[str, str]) -> None:
        """A file is written."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("".join(version))

    @rule(old=names, new=names)
    def move(self, old: str, new: str) -> None:
        """A file gets another name."""
        with contextlib.suppress(FileNotFoundError):
            os.replace(self.path(old), self.path(new))

    @rule(name=names)
    def delete(self, name: str) -> None:
        """A file is deleted."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path(name))

    @rule(written=st.sampled_from([written for written, _ in RULES]))
    def edit_rules(self, written: str | None) -> None:
        """Another rules file, or none."""
        path = self.path(".rootleaf-metadata.json")
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        if written is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(written)

    @rule(
        prune=st.booleans(),
        model=st.sampled_from((None, *MODELS)),
        held=st.booleans(),
        asks=st.booleans(),
    )
    def index(self, prune: bool, model: int | None, held: bool, asks: bool) -> None:
        """A run, which may replace the model; perhaps with the handle's lock."""
        with contextlib.suppress(RootleafError), self.locked(held, asks):
            rootleaf.index(
                self.root,
                self.db_path,
                prune=prune or None,
                embedder=None if model is None else FakeEmbedder(model),
                embed=model is not None,
            )

    @rule(name=names, held=st.booleans(), embeds=st.booleans())
    def index_file(self, name: str, held: bool, embeds: bool) -> None:
        """A run over one file, and perhaps vectors for what lacks them."""
        with contextlib.suppress(RootleafError), self.locked(held, asks=True):
            rootleaf.index_file(self.path(name), self.root, self.db_path)
            if embeds:
                self.memory.ensure_embeddings()

    @contextlib.contextmanager
    def locked(self, held: bool, asks: bool) -> Any:
        """While the lock is held all answers are those of before, even after an error."""
        if not held:
            yield
            return
        with self.memory.lock:
            before = [told(lambda q=q, o=o: self.memory.search(q, **o)) for q, o in QUESTIONS[:2]]
            try:
                yield
            finally:
                if asks:
                    assert before == [
                        told(lambda q=q, o=o: self.memory.search(q, **o)) for q, o in QUESTIONS[:2]
                    ]

    @rule(name=st.sampled_from(("", "sub", *NAMES)))
    def forget(self, name: str) -> None:
        """Something is dropped for good."""
        with contextlib.suppress(RootleafError):
            rootleaf.forget(self.path(name) if name else self.root, self.db_path)

    @rule()
    def lose_snapshot(self) -> None:
        """It is only a cache."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(snapshot_path(self.db_path))

    @rule()
    def vacuum(self) -> None:
        """Another program tidies the file up."""
        if os.path.exists(self.db_path):
            with contextlib.suppress(sqlite3.Error):
                connection = sqlite3.connect(self.db_path)
                try:
                    connection.execute("VACUUM")
                finally:
                    connection.close()

    @rule()
    def keep(self) -> None:
        """A copy is put aside, by another process as it should be."""
        if os.path.exists(self.db_path) and self.is_folded():
            self.copies.append(os.path.join(self.base, f"copy{len(self.copies)}"))
            subprocess.run(["cp", self.db_path, self.copies[-1]], check=True)

    def is_folded(self) -> bool:
        """Whether no log lies beside the database."""
        log = f"{self.db_path}-wal"
        return not os.path.exists(log) or os.path.getsize(log) == 0

    @rule(which=st.integers(0, 5), in_place=st.booleans())
    def put_back(self, which: int, in_place: bool) -> None:
        """A copy takes the place of the database, by a rename or by being written over it."""
        # Written over with a log beside it, what is read is part this and part that, and says that
        # it is of the state before; docs/serving.md warns of it.
        if not self.copies or (in_place and not self.is_folded()):
            return
        copy = self.copies[which % len(self.copies)]
        if in_place:
            subprocess.run(["cp", copy, self.db_path], check=True)
        else:
            subprocess.run(["cp", copy, f"{self.db_path}.coming"], check=True)
            os.replace(f"{self.db_path}.coming", self.db_path)

    @rule(alone=st.booleans())
    def delete_database(self, alone: bool) -> None:
        """It is deleted, with what lies beside it or without."""
        for path in (self.db_path, *(f"{self.db_path}-{kind}" for kind in ("wal", "shm"))):
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)
            if alone:
                break

    @invariant()
    def answers_as_a_search_does(self) -> None:
        """Every field but the time; the same refusals; and the same documents."""
        for question, options in QUESTIONS:
            # By words and meaning, by words alone after another model, and in an index without any.
            asked = {**options, "db_path": self.db_path, "embedder": FakeEmbedder(MODELS[0])}
            cold = told(lambda q=question, o=asked: rootleaf.search(q, **o))
            warm = told(lambda q=question, o=options: self.memory.search(q, **o))
            if isinstance(cold, tuple) and cold[0] == NotIndexedError.__name__:
                empty = (warm["verdict"], warm["hits"], len(warm["notices"]))
                assert empty == ("empty_index", [], 1)
            else:
                assert warm == cold
        with contextlib.suppress(RootleafError), open_for_reading(self.db_path) as store:
            assert self.memory.documents() == store.indexed_files()


STEPS = {"dev": (30, 20), "ci": (80, 30), "nightly": (1500, 50)}
_EXAMPLES, _STEPS = STEPS.get(os.environ.get("HYPOTHESIS_PROFILE", "dev"), STEPS["dev"])


@pytest.mark.timeout(3600)
def test_a_handle_that_stays_open_never_says_anything_else() -> None:
    """The machine, as long as the profile of the tests says."""
    run_state_machine_as_test(
        WarmHandle, settings=settings(max_examples=_EXAMPLES, stateful_step_count=_STEPS)
    )

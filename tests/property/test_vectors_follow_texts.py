"""After any changes and runs each chunkset has the vector of its text, and each was paid once."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st
from rootleaf import index
from rootleaf.documents.chunking import chunk
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.errors import EmbedderError
from rootleaf.indexing import embedding
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import open_for_reading, open_for_writing

NAMES = ("a.md", "b.md", "sub/a.md", "sub/deep/c.md")
TEXTS = (
    "",
    "# One\n\nalpha\n",
    "# One\n\nalpha\n\n## Two\n\nbeta\n",
    "---\nkind: note\n---\n# One\n\n alpha\n",
    "## Two\n\nbeta\n\n# One\n\nalpha\n",
    "- a\n  - b\n- c\n\n```\n# code\n```\n",
    "---\nkind: |\n  block\n---\ntext\n",
    "alpha\n\n# One\n\nalpha\n\n# One\n\nalpha\n",
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("append"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("index"), st.just(""), st.sampled_from(["", "keyword", "fail", "prune"])),
        st.tuples(st.just("unused"), st.just(""), st.just("")),
    ),
    max_size=14,
)


class World:
    """A root with its database, and what a slow model says was to be paid."""

    def __init__(self, directory: str) -> None:
        self.root = os.path.join(directory, "root")
        self.database = os.path.join(directory, "notes.db")
        self.fake = FakeEmbedder(4)
        os.mkdir(self.root)

    def keys_by_path(self) -> list[tuple[str, list[bytes]]]:
        """Path and chunkset keys of each document, from its text alone."""
        with open_for_reading(self.database) as store:
            return [
                (found.path, [unit.key for unit in chunk(found.text).chunksets])
                for found in store.documents()
            ]

    def run(self, how: str) -> None:
        """One run; a failing one fails at its next call."""
        if how == "keyword":
            index(self.root, self.database, embedder="none")
            return
        if how == "fail":
            self.fake.fail_at(self.fake.calls + 2)
        with contextlib.suppress(EmbedderError):
            index(self.root, self.database, prune=how == "prune", embedder=self.fake)

    def change(self, step: tuple[str, str, str]) -> None:
        """One step of a sequence."""
        action, name, argument = step
        path = os.path.join(self.root, name)
        if action == "index":
            self.run(argument)
        elif action == "unused":
            if os.path.exists(self.database):
                with open_for_writing(self.database) as store, store.writing() as write:
                    write.trim_vectors()
        elif action in ("write", "append"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w" if action == "write" else "a") as file:
                file.write(argument)
        elif not os.path.exists(path):
            return
        elif action == "delete":
            os.remove(path)
        else:
            os.makedirs(os.path.dirname(os.path.join(self.root, argument)), exist_ok=True)
            os.replace(path, os.path.join(self.root, argument))


@settings(max_examples=30)
@given(steps, st.sampled_from([1, 2, 128]))
def test_vectors_follow_texts(sequence: list[tuple[str, str, str]], most_texts: int) -> None:
    """Whatever was interrupted, and whatever the size of batches."""
    directory = os.path.realpath(tempfile.mkdtemp())
    before = embedding.MOST_TEXTS
    embedding.MOST_TEXTS = most_texts
    try:
        world = World(directory)
        for step in [*sequence, ("index", "", "prune"), ("index", "", "")]:
            world.change(step)
        fake = world.fake
        assert len(fake.texts) == len(set(fake.texts)), "a text was paid for twice"
        if not os.path.exists(world.database):
            assert not fake.texts
            return
        by_text = {fake.vector(text): text for text in fake.texts}
        texts_by_key: dict[bytes, str] = {}
        with open_for_reading(world.database) as store:
            ids = {found.path: found.document_id for found in store.documents()}
            stored = {path: store.vectors(document_id) for path, document_id in ids.items()}
            paid = store._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
        for path, keys in world.keys_by_path():
            assert len(stored[path]) == len(keys)
            for key, vector in zip(keys, stored[path], strict=True):
                assert vector is not None
                assert texts_by_key.setdefault(key, by_text[vector]) == by_text[vector]
        assert len(fake.texts) == paid, "one text for each key that was ever seen by a run"
        view = open_snapshot(snapshot_path(world.database)).view()
        assert view.without_vector == 0
        assert view.chunkset_count == sum(map(len, stored.values()))
        fresh = os.path.join(directory, "fresh.db")
        again = FakeEmbedder(4)
        index(world.root, fresh, embedder=again)
        if os.path.exists(fresh):
            with open_for_reading(fresh) as store:
                made = {found.path: store.vectors(found.document_id) for found in store.documents()}
            assert made == stored
            assert set(again.texts) <= set(fake.texts)
    finally:
        embedding.MOST_TEXTS = before
        shutil.rmtree(directory)

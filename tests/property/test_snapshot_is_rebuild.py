"""An update is a rebuild: what a snapshot and changes answer, a fresh index answers, byte for byte.

After any sequence of edits and runs, with whatever snapshot an earlier run had left.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import filters, queries, texts
from rootleaf import index, index_file, search, status
from rootleaf.store.paths import snapshot_path

NAMES = ("a.md", "b.md", "sub/a.md", "sub/deep/c.md", "B.md")
RULES = (
    '{"rules": []}',
    '{"rules": [{"glob": "sub/**", "metadata": {"kind": "event"}}]}',
    '{"rules": [{"glob": "**", "metadata": {"kind": "decision", "tag": "a"}}]}',
)
front_matter = st.sampled_from(
    ["", "---\nkind: event\ntag: [a, b]\n---\n", "---\nkind: |\n  x\n---\n"]
)
names = st.sampled_from(NAMES)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), names, st.tuples(front_matter, texts).map("".join)),
        st.tuples(st.just("append"), names, texts),
        st.tuples(st.just("delete"), names, st.just("")),
        st.tuples(st.just("rename"), names, names),
        st.tuples(st.just("rules"), st.just(""), st.sampled_from(RULES)),
        st.tuples(st.just("index"), st.just(""), st.just("")),
        st.tuples(st.just("index_file"), names, st.just("")),
        st.tuples(st.just("keep"), st.just(""), st.just("")),
    ),
    max_size=14,
)


class Place:
    """A root, the database that follows its changes, and the snapshot that was put aside."""

    def __init__(self, directory: str) -> None:
        self.root = os.path.join(directory, "root")
        os.mkdir(self.root)
        self.updated = os.path.join(directory, "updated.db")
        self.fresh = os.path.join(directory, "fresh.db")
        self.kept: bytes | None = None

    def take(self, step: tuple[str, str, str]) -> None:
        """Changes a file, runs the indexer, or puts the snapshot aside for the end."""
        action, name, argument = step
        path = os.path.join(self.root, name)
        if action == "index":
            index(self.root, self.updated, prune=True)
        elif action == "keep":
            self.kept = self.snapshot()
        elif action == "rules":
            with open(os.path.join(self.root, ".rootleaf-metadata.json"), "w") as file:
                file.write(argument)
        elif action in ("write", "append"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w" if action == "write" else "a", encoding="utf-8") as file:
                file.write(argument)
        elif not os.path.exists(path):
            return
        elif action == "delete":
            os.remove(path)
        elif action == "rename":
            os.makedirs(os.path.dirname(os.path.join(self.root, argument)), exist_ok=True)
            os.replace(path, os.path.join(self.root, argument))
        else:
            index_file(path, self.root, self.updated)

    def snapshot(self) -> bytes | None:
        """The bytes of the snapshot as it is."""
        try:
            with open(snapshot_path(self.updated), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def put(self, content: bytes | None) -> None:
        """Lays a snapshot beside the database, or removes it."""
        if content is not None:
            with open(snapshot_path(self.updated), "wb") as file:
                file.write(content)
        elif os.path.exists(snapshot_path(self.updated)):
            os.remove(snapshot_path(self.updated))


def answer(db_path: str, query: str, where: dict[str, list[str]] | None) -> str:
    """What `--json` prints, but for ids, dates, the time it took, and where the database lies."""
    found = search(query, db_path=db_path, where=where, top_k=4).to_json()
    del found["took_ms"]
    for hit in found["hits"]:
        del hit["document_id"], hit["updated"]
    return json.dumps(found).replace(db_path, "DB")


@settings(max_examples=25)
@given(steps, st.lists(st.tuples(queries, st.none() | filters), min_size=1, max_size=4))
def test_snapshot_and_changes_answer_as_a_fresh_index(
    sequence: list[tuple[str, str, str]],
    questions: list[tuple[str, dict[str, list[str]] | None]],
) -> None:
    """With the current snapshot, with any earlier one, and with none."""
    directory = tempfile.mkdtemp()
    try:
        place = Place(directory)
        for step in sequence:
            place.take(step)
        index(place.root, place.updated, prune=True)
        index(place.root, place.fresh)
        if not os.path.exists(place.updated):
            return
        assert status(db_path=place.updated).snapshot == "current"
        if not os.path.exists(place.fresh):
            assert status(db_path=place.updated).files == 0
            return
        expected = [answer(place.fresh, query, where) for query, where in questions]
        for snapshot in (place.snapshot(), place.kept, None):
            place.put(snapshot)
            assert [answer(place.updated, query, where) for query, where in questions] == expected
    finally:
        shutil.rmtree(directory)

"""After any sequence of changes and runs an index equals one made afresh of the same files."""

from __future__ import annotations

import os
import shutil
import tempfile

from hypothesis import given, settings
from hypothesis import strategies as st
from rootleaf import index, index_file
from rootleaf.store.sqlite import open_for_reading

NAMES = ("a.md", "b.md", "sub/a.md", "sub/deep/c.md", "B.md")
TEXTS = (
    "",
    "# One\n\nalpha\n",
    "# One\n\nalpha\n\n## Two\n\nbeta\n",
    "---\nkind: note\ntags: [x, y]\n---\n# One\n\nalpha\n",
    "---\nkind: |\n  block\n---\ntext\n",
    "- a\n  - b\n- c\n\n```\n# code\n```\n",
)
RULES = (
    '{"rules": []}',
    '{"rules": [{"glob": "sub/**", "metadata": {"kind": "sub"}}]}',
    '{"rules": [{"glob": "**", "metadata": {"kind": "any", "team": "t"}}]}',
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("append"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("touch"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("rules"), st.just(""), st.sampled_from(RULES)),
        st.tuples(st.just("index"), st.just(""), st.just("")),
        st.tuples(st.just("index_file"), st.sampled_from(NAMES), st.just("")),
    ),
    max_size=12,
)


def content(db_path: str) -> object:
    """Documents with text and metadata, and chunkset keys; without ids and dates."""
    if not os.path.exists(db_path):
        return []
    with open_for_reading(db_path) as store:
        documents = [
            (found.path, found.text, found.front_matter, found.metadata)
            for found in store.documents()
        ]
        keys = store._connection.execute(
            "SELECT path, chunk_count, rules_identity, ordinal, key"
            " FROM documents LEFT JOIN chunksets USING (document_id) ORDER BY path, ordinal"
        ).fetchall()
    return [documents, keys] if documents else []


def change(root: str, step: tuple[str, str, str], db_path: str) -> None:
    """Makes one change below the root, or runs the indexer."""
    action, name, argument = step
    path = os.path.join(root, name)
    if action == "index":
        index(root, db_path)
    elif action == "rules":
        with open(os.path.join(root, ".rootleaf-metadata.json"), "w") as file:
            file.write(argument)
    elif action in ("write", "append"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w" if action == "write" else "a") as file:
            file.write(argument)
    elif not os.path.exists(path):
        return
    elif action == "delete":
        os.remove(path)
    elif action == "rename":
        os.makedirs(os.path.dirname(os.path.join(root, argument)), exist_ok=True)
        os.replace(path, os.path.join(root, argument))
    elif action == "touch":
        os.utime(path)
    else:
        index_file(path, root, db_path)


@settings(max_examples=30)
@given(steps)
def test_an_update_is_a_rebuild(sequence: list[tuple[str, str, str]]) -> None:
    """Writes, appends, edits, renames, deletes and edited rules, with runs in between."""
    directory = os.path.realpath(tempfile.mkdtemp())
    try:
        root = os.path.join(directory, "root")
        os.mkdir(root)
        updated, fresh = os.path.join(directory, "u.db"), os.path.join(directory, "f.db")
        for step in sequence:
            change(root, step, updated)
        index(root, updated, prune=True)
        index(root, fresh)
        assert content(updated) == content(fresh)
        if os.path.exists(updated):
            with open(updated, "rb") as file:
                before = file.read()
            assert index(root, updated).files_indexed == 0
            with open(updated, "rb") as file:
                assert file.read() == before
    finally:
        shutil.rmtree(directory)

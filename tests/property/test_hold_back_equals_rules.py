"""What a run removes and what it holds back, against the rules written over sets of paths."""

from __future__ import annotations

import os
import shutil
import tempfile

from hypothesis import given
from hypothesis import strategies as st
from rootleaf import index

DIRECTORIES = ("", "a", "a/b", "c", "c/d/e")
names = st.builds(
    lambda directory, number: f"{directory}/{number}.md".lstrip("/"),
    st.sampled_from(DIRECTORIES),
    st.integers(0, 8),
)


def directories_of(path: str) -> set[str]:
    """The directories that a path lies in, the root among them, which is empty."""
    parts = path.split("/")[:-1]
    return {"/".join(parts[:length]) for length in range(len(parts) + 1)}


def is_held_back(before: set[str], gone: set[str], listing: dict[str, list[str]]) -> bool:
    """The rules, word for word; `listing` has what each directory that is there holds."""
    for directory in set().union(*map(directories_of, gone)) if gone else set():
        if directory and directory not in listing:
            return True
        inside = [path for path in gone if directory in directories_of(path)]
        if listing.get(directory) == [] and len(inside) > 5:
            return True
    return len(gone) > 5 and len(gone) > len(before) / 2


def list_directories(root: str) -> dict[str, list[str]]:
    """What each directory holds, by its path from the root."""
    listing = {}
    for directory, below, files in os.walk(root):
        listing[os.path.relpath(directory, root).removeprefix(".")] = below + files
    return listing


@given(
    st.sets(names, min_size=1, max_size=30),
    st.sets(names, max_size=30),
    st.sets(st.sampled_from(DIRECTORIES[1:]), max_size=2),
    st.sets(names, max_size=3),
)
def test_a_run_removes_or_holds_back_as_the_rules_say(
    before: set[str], deleted: set[str], removed_directories: set[str], added: set[str]
) -> None:
    """All of it or nothing; with `prune` all, and files that are there never."""
    base = os.path.realpath(tempfile.mkdtemp())
    root, db_path = os.path.join(base, "root"), os.path.join(base, "index.db")
    try:
        write(root, before)
        index(root, db_path)
        for path in deleted & before:
            os.remove(os.path.join(root, path))
        for directory in removed_directories:
            shutil.rmtree(os.path.join(root, directory), ignore_errors=True)
        write(root, added - before)
        gone = {path for path in before if not os.path.exists(os.path.join(root, path))}
        expected = tuple(sorted(os.path.join(root, path) for path in gone))
        held = is_held_back(before, gone, list_directories(root))
        report = index(root, db_path)
        assert (report.held_back, report.pruned) == ((expected, ()) if held else ((), expected))
        assert (report.held_back_reason is not None) == held
        if held:
            assert index(root, db_path, prune=True).pruned == expected
    finally:
        shutil.rmtree(base)


def write(root: str, paths: set[str]) -> None:
    """Writes a file by each path, all of them different."""
    os.makedirs(root, exist_ok=True)
    for path in paths:
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w") as file:
            file.write(f"# {path}\n")

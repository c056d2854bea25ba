"""A walk of any tree finds what a plain listing of it finds, once, whatever links lie in it."""

from __future__ import annotations

import os
import tempfile

from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import walk

AGENT_DIRECTORIES = {".claude", ".cursor", ".agent", ".agents", "memory-bank"}

directory_names = st.sampled_from(
    ["a", "b", "a", ".hid", ".claude", ".github", "copilot", "node_modules", ".git", "memory-bank"]
)
file_names = st.sampled_from(
    ["x.md", "y.MDC", "z.txt", ".dot.md", "AGENTS.md", "my-instructions.md", "instructions.mdc"]
)
directories = st.lists(directory_names, max_size=4).map("/".join)
trees = st.lists(st.tuples(directories, file_names), max_size=12)
links = st.lists(
    st.tuples(directories, st.sampled_from(["l", "m", "n.md"]), directories), max_size=5
)


def is_meant(path: str, *, agent_files: bool) -> bool:
    """The list of what is indexed, word by word."""
    *parents, name = path.split("/")
    if name.startswith(".") or not name.lower().endswith((".md", ".markdown", ".mdc")):
        return False
    for_agents = name in {"AGENTS.md", "CLAUDE.md", "GEMINI.md"}
    within = ""
    for position, parent in enumerate(parents):
        if parent in {".git", "node_modules"}:
            return False
        if parent in AGENT_DIRECTORIES:
            within = "agents"
        elif parent == ".github":
            within = "github"
        elif parent.startswith("."):
            return False
        elif parent == "copilot" and position and parents[position - 1] == ".github":
            within = "agents"
    if within == "github":
        return for_agents or ("instructions" in name and name.endswith(".md"))
    return for_agents or within == "agents" or not agent_files


def plant(root: str, tree: list[tuple[str, str]]) -> None:
    """Creates the files of a tree."""
    for directory, name in tree:
        os.makedirs(os.path.join(root, directory), exist_ok=True)
        with open(os.path.join(root, directory, name), "w") as file:
            file.write("x\n")


def found(root: str, *, agent_files: bool) -> list[str]:
    """What a walk finds, by paths from the root."""
    selection = Selection.agent_files() if agent_files else Selection.all_markdown()
    return [file.relative_path for file in walk(root, selection).files]


@given(trees, st.booleans())
def test_without_links_a_walk_equals_a_listing(
    tree: list[tuple[str, str]], agent_files: bool
) -> None:
    """Every file that is meant, none that is not, in order."""
    with tempfile.TemporaryDirectory() as root:
        plant(root, tree)
        paths = {"/".join(filter(None, entry)) for entry in tree}
        expected = {path for path in paths if is_meant(path, agent_files=agent_files)}
        assert found(root, agent_files=agent_files) == sorted(expected)


@given(trees, st.sampled_from(["**/*.md", "a/**", "*/x.md", ".hid/**/*", "**", "b/*.txt", ""]))
def test_a_path_alone_tells_what_a_walk_reaches(tree: list[tuple[str, str]], glob: str) -> None:
    """Without ignore files and links, for every selection."""
    selections = [Selection.agent_files(), Selection.all_markdown()]
    if glob:
        selections.append(Selection.from_glob(glob))
    with tempfile.TemporaryDirectory() as root:
        plant(root, tree)
        paths = {"/".join(filter(None, entry)) for entry in tree}
        for selection in selections:
            matcher = selection.matcher()
            reached = [path for path in sorted(paths) if matcher.reaches(path)]
            assert reached == [file.relative_path for file in walk(root, selection).files]


@given(trees, links, st.booleans())
def test_links_neither_hide_nor_double_nor_leave(
    tree: list[tuple[str, str]], chosen: list[tuple[str, str, str]], agent_files: bool
) -> None:
    """With links to anywhere, loops too, the walk ends; each file comes once by its real path."""
    with tempfile.TemporaryDirectory() as outer:
        root = os.path.join(outer, "root")
        os.mkdir(root)
        plant(root, tree)
        plant(outer, [("outside", "x.md")])
        for directory, name, target in chosen:
            os.makedirs(os.path.join(root, directory), exist_ok=True)
            path = os.path.join(root, directory, name)
            if not os.path.lexists(path):
                os.symlink(os.path.join(root, target) if target else f"{outer}/outside", path)
        result = found(root, agent_files=agent_files)
        assert len(result) == len(set(result))
        for path in result:
            assert os.path.realpath(os.path.join(root, path)) == os.path.join(root, path)
            assert not {".git", "node_modules", ".hid"} & set(path.split("/"))
        paths = {"/".join(filter(None, entry)) for entry in tree}
        assert {path for path in paths if is_meant(path, agent_files=agent_files)} <= set(result)

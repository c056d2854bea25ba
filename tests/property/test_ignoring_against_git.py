"""Ignore files keep out what git keeps out; git itself is the independent reader."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import walk

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs the git command")

FILES = (
    "a.md",
    "b.md",
    "doc/a.md",
    "doc/b.md",
    "doc/x y.md",
    "doc/sub/a.md",
    "doc/sub/c.md",
    "doc/sub/doc/b.md",
    "out/a.md",
    "out/doc/a.md",
    "[b].md",
    "out/#c.md",
    "out/!d.md",
)

parts = st.sampled_from(
    [
        "a.md",
        "b.md",
        "c.md",
        "*.md",
        "*",
        "**",
        "doc",
        "sub",
        "out",
        "d*",
        "?.md",
        "[ab].md",
        "[!a].md",
        "s?b",
        "x y.md",
        "x\\ y.md",
        "\\#c.md",
        "\\!d.md",
        "\\[b].md",
        "***",
        "a",
        "[a-b]*",
        "[]b]*",
        "[!]b].md",
        "[^a].md",
        "[[:alpha:]].md",
        "[[:x:]]*",
        "[a-",
        "[b-a].md",
        "[\\\\b].md",
        "a**",
        "**b*",
        "\\\\a.md",
        "[.-b].md",
        ".md",
        "*.m*",
    ]
)
patterns = st.builds(
    lambda negated, anchor, names, end, tail: negated + anchor + "/".join(names) + end + tail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(parts, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/*", "/**"]),
    st.sampled_from(["", "", " ", "  ", "\r"]),
)
ignore_files = st.lists(
    patterns | st.sampled_from(["", "# comment", "#", "!", "/", "\\", " ", "*", "!*/", "!*.md"]),
    max_size=5,
).map("\n".join)


@given(ignore_files, ignore_files, ignore_files, ignore_files)
def test_the_walk_keeps_out_what_git_keeps_out(top: str, doc: str, sub: str, exclude: str) -> None:
    """Patterns of every form, nested files, negation and the repository's excludes."""
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["git", "init", "-q", root], check=True)
        for name in FILES:
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            with open(os.path.join(root, name), "w") as file:
                file.write("x\n")
        for name, content in (
            (".gitignore", top),
            ("doc/.gitignore", doc),
            ("doc/sub/.gitignore", sub),
            (".git/info/exclude", exclude),
        ):
            with open(os.path.join(root, name), "w", newline="") as file:
                file.write(content)
        listed = subprocess.run(
            [
                "git",
                "-C",
                root,
                "-c",
                "core.excludesFile=",
                "ls-files",
                "-o",
                "-z",
                "--exclude-standard",
            ],
            check=True,
            capture_output=True,
        ).stdout.decode()
        expected = sorted(name for name in listed.split("\0") if name.endswith(".md"))
        found = walk(root, Selection.all_markdown())
        assert [file.relative_path for file in found.files] == expected
        assert found.skipped == []

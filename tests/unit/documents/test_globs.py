"""What a glob means, and which are refused."""

from __future__ import annotations

import fnmatch
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.globs import Glob, glob_problem


@pytest.mark.parametrize(
    ("glob", "matching", "others"),
    [
        ("*.md", ["a.md", ".md"], ["a/b.md", "a.mdx", "A.MD"]),
        ("**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.txt"]),
        ("events/**/*.md", ["events/a.md", "events/x/y/a.md"], ["a.md", "x/events/a.md"]),
        ("events/**", ["events/a", "events/x/a.md"], ["events", "other/a"]),
        ("**", ["a", "a/b/c"], []),
        ("**/x/**/y.md", ["x/y.md", "a/x/b/c/y.md"], ["y.md", "ax/y.md"]),
        ("a**b.md", ["ab.md", "axxb.md"], ["a/b.md", "ax/xb.md"]),
        ("?.md", ["a.md", "é.md"], ["ab.md", "/.md"]),
        ("[a-c]?.md", ["bx.md"], ["dx.md", "b/.md"]),
        ("[!a-c].md", ["d.md"], ["a.md", "/.md"]),
        ("[]x].md", ["].md", "x.md"], ["y.md"]),
        ("a[b.md", ["a[b.md"], ["ab.md"]),
        ("a[/]b.md", ["a[/]b.md"], ["a/b.md"]),
        ("a+(b).md", ["a+(b).md"], ["aab.md"]),
        ("{a,b}.md", ["{a,b}.md"], ["a.md"]),
        ("a\n*", ["a\nb\n"], ["a"]),
    ],
)
def test_a_glob_matches_whole_paths_from_the_root(
    glob: str, matching: list[str], others: list[str]
) -> None:
    """`**` crosses directories, `*`, `?` and sets do not; letters keep their case."""
    compiled = Glob(glob)
    assert [path for path in matching if not compiled.matches(path)] == []
    assert [path for path in others if compiled.matches(path)] == []


@pytest.mark.parametrize(
    ("glob", "problem"),
    [
        ("", "empty"),
        ("/a/*.md", "absolute"),
        ("../a.md", "'..'"),
        ("a/../b.md", "'..'"),
        ("a\\b.md", "backslash"),
        ("C:/a.md", "drive letter"),
        ("c:a.md", "drive letter"),
        ("./a.md", "'.'"),
        ("docs/", "docs/**"),
        ("a//b.md", "'//'"),
    ],
)
def test_globs_outside_the_language_are_refused(glob: str, problem: str) -> None:
    """The reason says what would be right."""
    reason = glob_problem(glob)
    assert reason is not None
    assert problem in reason


@pytest.mark.parametrize("glob", ["..a/b..md", "ab:c.md", "...", "**/*", "~/a.md"])
def test_globs_that_only_look_like_those_are_taken(glob: str) -> None:
    """Dots within names and colons later on are characters."""
    assert glob_problem(glob) is None


def matches_by_parts(parts: list[str], names: list[str]) -> bool:
    """A slow model: parts against names, each by `fnmatch`."""
    if not parts:
        return not names
    if parts[0] == "**":
        if len(parts) == 1:
            return bool(names)
        return any(matches_by_parts(parts[1:], names[skip:]) for skip in range(len(names) + 1))
    return (
        bool(names)
        and fnmatch.fnmatchcase(names[0], parts[0])
        and matches_by_parts(parts[1:], names[1:])
    )


glob_parts = st.lists(
    st.just("**") | st.text(st.sampled_from("ab.*?[]!-"), min_size=1, max_size=5),
    min_size=1,
    max_size=4,
).filter(lambda parts: "." not in parts and ".." not in parts)
path_names = st.lists(
    st.text(st.sampled_from("ab.[]!-"), min_size=1, max_size=4), min_size=1, max_size=4
)


@given(glob_parts, path_names)
def test_globs_equal_a_slow_model(parts: list[str], names: list[str]) -> None:
    """Part by part as `fnmatch` matches; a match lies below directories that may be entered."""
    # `**` within a part is a `*`, as the model's is; a part of stars alone is `**` only with two.
    glob = Glob("/".join(parts))
    expected = matches_by_parts(parts, names)
    assert glob.matches("/".join(names)) == expected
    if expected:
        directories = ["/".join(names[:depth]) for depth in range(len(names))]
        assert all(glob.may_match_below(directory) for directory in directories)


def test_a_glob_of_many_stars_ends() -> None:
    """A pattern made to backtrack is answered at once."""
    start = time.process_time()
    assert not Glob("**/" * 20 + "x").matches("a/" * 100 + "y")
    assert not Glob("*" * 50 + "x").matches("a" * 100)
    assert not Glob("*a" * 30 + "b").matches("a" * 250)
    assert not Glob("**/a/" * 30 + "b").matches("a/" * 1000 + "c")
    assert not Glob("**/*a*a*a*/" * 10 + "b").matches("aaaa/" * 500 + "c")
    assert time.process_time() - start < 1

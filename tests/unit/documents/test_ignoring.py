"""Which rule of which ignore file keeps a path out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rootleaf.documents.ignoring import IgnoreFiles, parse_patterns

if TYPE_CHECKING:
    from pathlib import Path


def ignore_files_of(root: Path, relative_directory: str = "") -> IgnoreFiles:
    """The ignore files that have a say in a directory; fails where one cannot be read."""

    def fail(path: str, reason: str) -> None:
        raise AssertionError(path, reason)

    ignore_files = IgnoreFiles().within(str(root), "", fail)
    if relative_directory:
        ignore_files = ignore_files.within(str(root), relative_directory, fail)
    return ignore_files


def test_the_rule_is_shown_with_file_and_line(tmp_path: Path) -> None:
    """As it is written, without trailing spaces; blank lines and comments count as lines."""
    (tmp_path / ".gitignore").write_bytes(
        b"\xef\xbb\xbf# comment\r\n\r\n  \r\nbuild/   \r\n*.md\r\n"
    )
    ignore_files = ignore_files_of(tmp_path)
    assert ignore_files.ignored_by("build/", for_agents=False) == "build/ (.gitignore:4)"
    assert ignore_files.ignored_by("a.md", for_agents=False) == "*.md (.gitignore:5)"
    assert ignore_files.ignored_by("build", for_agents=False) is None


def test_the_last_pattern_of_the_deepest_file_decides(tmp_path: Path) -> None:
    """Within a file the last, among files the deepest; a `!` takes back."""
    (tmp_path / "docs").mkdir()
    (tmp_path / ".gitignore").write_text("*.md\n!keep.md\nkeep.md\n")
    (tmp_path / "docs/.gitignore").write_text("!/keep.md\n")
    ignore_files = ignore_files_of(tmp_path, "docs/")
    assert ignore_files.ignored_by("keep.md", for_agents=False) == "keep.md (.gitignore:3)"
    assert ignore_files.ignored_by("docs/keep.md", for_agents=False) is None
    assert ignore_files.ignored_by("docs/other.md", for_agents=False) == "*.md (.gitignore:1)"


def test_git_has_no_say_over_what_is_meant_for_agents(tmp_path: Path) -> None:
    """Our own ignore file has."""
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / ".rootleafignore").write_text("b.md\n")
    ignore_files = ignore_files_of(tmp_path)
    assert ignore_files.ignored_by("a.md", for_agents=True) is None
    assert ignore_files.ignored_by("b.md", for_agents=True) == "b.md (.rootleafignore:1)"


def test_a_pattern_meets_a_name_in_any_encoding(tmp_path: Path) -> None:
    """Names that are no UTF-8 match the same bytes in an ignore file."""
    (tmp_path / ".gitignore").write_bytes(b"caf\xe9.md\n")
    assert ignore_files_of(tmp_path).ignored_by("caf\udce9.md", for_agents=False) is not None


def test_a_pattern_made_to_backtrack_is_answered_at_once(tmp_path: Path) -> None:
    """Names and paths as long as a system allows."""
    (tmp_path / ".gitignore").write_text("*a" * 30 + "b\n" + "**/a/" * 30 + "b\n")
    ignore_files = ignore_files_of(tmp_path)
    start = time.process_time()
    assert ignore_files.ignored_by("a" * 250, for_agents=False) is None
    assert ignore_files.ignored_by("a/" * 1000 + "c", for_agents=False) is None
    assert time.process_time() - start < 2


def test_malformed_patterns_match_nothing() -> None:
    """As in git; the patterns around them keep their line numbers."""
    patterns = parse_patterns(b"[a-\n\\\n!\n/\n[[:what:]]\n#c\nlast\n")
    assert [(number, pattern.shown) for number, pattern in patterns] == [(7, "last")]

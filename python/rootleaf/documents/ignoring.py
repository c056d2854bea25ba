"""What ignore files keep out: `.gitignore` as git reads it, `.rootleafignore` in the same way.

Only files at and below the root count (and the root's own `.git/info/exclude`). In each language
the deepest file that has a say decides, and in it the last pattern; `.rootleafignore` has its say
first, so it can take back in what `.gitignore` keeps out. Below a directory that is kept out
nothing is looked at.
"""

from __future__ import annotations

import os
import re

from rootleaf.documents.ignore_patterns import IgnorePattern, parse_pattern
from rootleaf.documents.reading import read_regular_file, reason_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

GIT_IGNORE_NAME = ".gitignore"
OWN_IGNORE_NAME = ".rootleafignore"
_GIT_EXCLUDE = ".git/info/exclude"


class IgnoreFile:
    """One ignore file, compiled.

    Args:
        shown_path: Its path from the root, as it is shown.
        base: The directory its patterns are relative to: path from the root with `/` at its end, or
            empty.
        patterns: Its patterns with their 1-based line numbers.
    """

    __slots__ = ("_any_name", "_any_path", "_base_length", "_patterns", "_shown_path")

    def __init__(
        self, shown_path: str, base: str, patterns: list[tuple[int, IgnorePattern]]
    ) -> None:
        self._shown_path = shown_path
        self._base_length = len(base)
        self._patterns = patterns[::-1]
        # Most paths match no pattern: one look at all of them together says so.
        self._any_name = _any_of([pattern for _number, pattern in patterns if pattern.names_only])
        self._any_path = _any_of(
            [pattern for _number, pattern in patterns if not pattern.names_only]
        )

    def verdict(self, relative_path: str) -> tuple[bool, str] | None:
        """Whether the file keeps `relative_path` out, and by which rule; None where it has no say.

        Args:
            relative_path: From the root, with `/`; a directory has one at its end.
        """
        is_directory = relative_path.endswith("/")
        path = relative_path[self._base_length :].removesuffix("/")
        name = path.rpartition("/")[2]
        if not self._any_name(name) and not self._any_path(path):
            return None
        for number, pattern in self._patterns:
            if pattern.directories_only and not is_directory:
                continue
            if pattern.matches(name if pattern.names_only else path):
                return pattern.keeps_out, f"{pattern.shown} ({self._shown_path}:{number})"
        return None


def _any_of(patterns: list[IgnorePattern]) -> Callable[[str], object]:
    if any("(?P<" in pattern.expression for pattern in patterns):
        # Groups of several patterns would share their names; these are rare, so ask each.
        return bool
    alternatives = "|".join(f"(?:{pattern.expression})" for pattern in patterns) or "(?!)"
    return re.compile(alternatives, re.DOTALL).fullmatch


class IgnoreFiles:
    """The ignore files that have a say in one directory, outermost first."""

    __slots__ = ("_git", "_own")

    def __init__(self, git: tuple[IgnoreFile, ...] = (), own: tuple[IgnoreFile, ...] = ()) -> None:
        self._git = git
        self._own = own

    def __bool__(self) -> bool:
        return bool(self._git or self._own)

    def ignored_by(self, relative_path: str, *, for_agents: bool) -> str | None:
        """The rule that keeps a path out, as `build/ (.gitignore:1)`, or None.

        Args:
            relative_path: From the root, with `/`; a directory has one at its end.
            for_agents: Whether it is, or lies below, what is meant for agents; git has no say
            there.
        """
        for files in (self._own,) if for_agents else (self._own, self._git):
            for ignore_file in reversed(files):
                verdict = ignore_file.verdict(relative_path)
                if verdict is not None:
                    return verdict[1] if verdict[0] else None
        return None

    def within(
        self, root: str, relative_directory: str, on_problem: Callable[[str, str], None]
    ) -> IgnoreFiles:
        """Those that have a say in `relative_directory`, when these have it in the directory above.

        Args:
            root: The root's real path.
            relative_directory: From the root, with `/` at its end; empty for the root.
            on_problem: Called with path and reason for an ignore file that cannot be read.
        """
        git = self._git
        if not relative_directory:
            git += _load(root, _GIT_EXCLUDE, "", on_problem)
        git += _load(root, relative_directory + GIT_IGNORE_NAME, relative_directory, on_problem)
        own = self._own
        own += _load(root, relative_directory + OWN_IGNORE_NAME, relative_directory, on_problem)
        return IgnoreFiles(git, own)


def _load(
    root: str, relative_path: str, base: str, on_problem: Callable[[str, str], None]
) -> tuple[IgnoreFile, ...]:
    path = os.path.join(root, relative_path)
    try:
        content, _status = read_regular_file(os.path.realpath(path))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        on_problem(path, f"ignore file cannot be read: {reason_of(error)}")
        return ()
    patterns = parse_patterns(content or b"")
    return (IgnoreFile(relative_path, base, patterns),) if patterns else ()


def parse_patterns(content: bytes) -> list[tuple[int, IgnorePattern]]:
    """The patterns of an ignore file with their 1-based line numbers."""
    # Names come from the system the same way, so that a pattern in any encoding meets its name.
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    numbered = []
    for number, line in enumerate(text.split("\n"), start=1):
        pattern = parse_pattern(line.removesuffix("\r"))
        if pattern is not None:
            numbered.append((number, pattern))
    return numbered

"""What ignore files keep out: `.gitignore` as git reads it, `.rootleafignore` in the same way.

Only files at and below the root count (and the root's own `.git/info/exclude`). In each language
the deepest file that has a say decides, and in it the last pattern; `.rootleafignore` has its say
first, so it can take back in what `.gitignore` keeps out. Below a directory that is kept out
nothing is looked at.
"""

from __future__ import annotations

import os

from rootleaf.documents.reading import read_regular_file, reason_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

GIT_IGNORE_NAME = ".gitignore"
OWN_IGNORE_NAME = ".rootleafignore"
_GIT_EXCLUDE = ".git/info/exclude"


class IgnoreFile:
    """One ignore file, compiled.

    Args:
        shown_path: Its path from the root, as it is shown.
        base: The directory its patterns are relative to: path from the root with `/` at its end, or
        empty. lines: Its patterns with their 1-based line numbers.
    """

    __slots__ = ("_base_length", "_lines", "_shown_path", "_spec")

    def __init__(self, shown_path: str, base: str, lines: list[tuple[int, str]]) -> None:
        self._shown_path = shown_path
        self._base_length = len(base)
        self._lines, self._spec = _compile(lines)

    def verdict(self, relative_path: str) -> tuple[bool, str] | None:
        """Whether the file keeps `relative_path` out, and by which rule; None where it has no say.

        Args:
            relative_path: From the root, with `/`; a directory has one at its end.
        """
        check = self._spec.check_file(relative_path[self._base_length :])
        if check.include is None or check.index is None:
            return None
        number, pattern = self._lines[check.index]
        return check.include, f"{pattern} ({self._shown_path}:{number})"


def _compile(lines: list[tuple[int, str]]) -> tuple[list[tuple[int, str]], GitIgnoreSpec]:
    # Here and not above: only a walk that meets an ignore file pays for the import.
    from pathspec import GitIgnoreSpec

    kept: list[tuple[int, str]] = []
    patterns: list[GitIgnoreSpecPattern] = []
    for number, line in lines:
        try:
            pattern = GitIgnoreSpec.from_lines([line]).patterns
        except ValueError:
            # As in git: a pattern that cannot be understood matches nothing.
            continue
        kept.append((number, line.strip()))
        patterns.extend(pattern)
    return kept, GitIgnoreSpec(patterns)


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
    lines = parse_lines(content or b"")
    return (IgnoreFile(relative_path, base, lines),) if lines else ()


def parse_lines(content: bytes) -> list[tuple[int, str]]:
    """The patterns of an ignore file with their 1-based line numbers."""
    # Names come from the system the same way, so that a pattern in any encoding meets its name.
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [
        (number, line.removesuffix("\r"))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.startswith("#")
    ]

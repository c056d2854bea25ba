"""Which files of a root are meant: its agent files, all its markdown, or what a glob names.

Also which directories belong to agents, and where a project begins.
"""

from __future__ import annotations

import os

from rootleaf.documents.globs import Glob, glob_problem
from rootleaf.documents.reading import printable
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdc")
"""What counts as markdown, in any case of letters."""

AGENT_DIRECTORIES = frozenset({".claude", ".cursor", ".agent", ".agents", "memory-bank"})
"""Directories, at any depth, whose markdown is meant for agents; `.github/copilot` is one more."""

AGENT_FILE_NAMES = frozenset({"AGENTS.md", "CLAUDE.md", "GEMINI.md"})
"""Files that are meant for agents at any depth."""

NEVER_WALKED = frozenset({".git", "node_modules"})

# What a directory is to the walk.
ORDINARY = 0
GITHUB = 1
"""`.github` and below: only `*instructions*.md` and the agent file names are meant."""
AGENT = 2

_AGENT_FILES = "agent files"
_ALL_MARKDOWN = "all markdown"
_GLOB_PREFIX = "glob: "


def is_markdown(name: str) -> bool:
    """Whether a file of this name is markdown by its suffix."""
    return name.lower().endswith(MARKDOWN_SUFFIXES)


def directory_role(parent_role: int, parent_name: str, name: str) -> int | None:
    """What the directory `name` is to the walk, or None where it is never walked.

    Args:
        parent_role: The role of the directory that holds it.
        parent_name: That directory's own name.
        name: The directory's name.
    """
    if name in NEVER_WALKED:
        return None
    if name in AGENT_DIRECTORIES:
        return AGENT
    if name == ".github":
        return GITHUB
    if name.startswith("."):
        return None
    if parent_role == GITHUB and parent_name == ".github" and name == "copilot":
        return AGENT
    return parent_role


def root_role(name: str) -> int:
    """What a root of this name is to the walk: an agent directory is one from inside, too."""
    return AGENT if directory_role(ORDINARY, "", name) == AGENT else ORDINARY


class Selection(Value):
    """What a run of a root reads: made by `agent_files`, `all_markdown`, `from_glob`.

    `spelling` is what is stored and shown: `agent files`, `all markdown`, or `glob: docs/**/*.md`.
    """

    spelling: str

    @classmethod
    def agent_files(cls) -> Selection:
        """Only files that are meant for agents."""
        return cls(spelling=_AGENT_FILES)

    @classmethod
    def all_markdown(cls) -> Selection:
        """Every markdown file."""
        return cls(spelling=_ALL_MARKDOWN)

    @classmethod
    def from_glob(cls, glob: str) -> Selection:
        """The files that `glob` names, whatever their suffix.

        Raises:
            InvalidInputError: The glob is absolute, leaves the root, or holds a backslash or drive
            letter.
        """
        problem = glob_problem(glob)
        if problem is None and printable(glob) != glob:
            problem = "is not UTF-8"
        if problem is not None:
            message = f"The glob {printable(glob)!r} {problem}"
            raise InvalidInputError(message, hint="Write it relative to the root: 'docs/**/*.md'")
        return cls(spelling=_GLOB_PREFIX + glob)

    @classmethod
    def from_spelling(cls, spelling: str) -> Selection:
        """The selection that `spelling` was stored for.

        Raises:
            InvalidInputError: It is not the spelling of a selection.
        """
        if spelling in (_AGENT_FILES, _ALL_MARKDOWN):
            return cls(spelling=spelling)
        if spelling.startswith(_GLOB_PREFIX):
            return cls.from_glob(spelling.removeprefix(_GLOB_PREFIX))
        message = f"{spelling!r} is not a selection."
        hint = "Known are 'agent files', 'all markdown' and 'glob: …'."
        raise InvalidInputError(message, hint=hint)

    @property
    def glob(self) -> str | None:
        """The glob as it was given, or None."""
        if self.spelling.startswith(_GLOB_PREFIX):
            return self.spelling.removeprefix(_GLOB_PREFIX)
        return None

    @property
    def is_agent_files(self) -> bool:
        """Whether only files that are meant for agents are read."""
        return self.spelling == _AGENT_FILES

    def matcher(self) -> Matcher:
        """The selection made ready to be asked about many files."""
        return Matcher(self)


class Matcher:
    """Answers for one selection which directories to enter and which files are meant."""

    __slots__ = ("_agent_files", "_glob")

    def __init__(self, selection: Selection) -> None:
        self._agent_files = selection.is_agent_files
        glob = selection.glob
        self._glob = None if glob is None else Glob(glob)

    def role(self, parent_role: int, parent_name: str, name: str) -> int | None:
        """Like `directory_role`; a glob that names a dot-directory in so many words opens it."""
        role = directory_role(parent_role, parent_name, name)
        glob = self._glob
        if glob is None or role in (AGENT, ORDINARY) or name in NEVER_WALKED:
            return role
        if name.startswith(".") and glob.names_dot_directory(name):
            return AGENT
        return role

    def may_enter(self, relative_directory: str) -> bool:
        """Whether a file below the directory could be meant."""
        return self._glob is None or self._glob.may_match_below(relative_directory)

    def selects(self, role: int, name: str, relative_path: str) -> bool:
        """Whether a file is meant.

        Args:
            role: The role of the directory that holds it.
            name: The file's name.
            relative_path: Its path from the root, with `/`.
        """
        glob = self._glob
        if name.startswith(".") and (glob is None or not glob.parts[-1].startswith(".")):
            return False
        if glob is not None:
            return glob.matches(relative_path) and (role != GITHUB or is_agent_file(role, name))
        if not is_markdown(name):
            return False
        if self._agent_files or role == GITHUB:
            return is_agent_file(role, name)
        return True

    def reaches(self, relative_path: str, *, root_name: str = "") -> bool:
        """Whether a walk would come to a file and mean it, as far as its path alone tells.

        What ignore files keep out, and what a link leads to, is not looked at.

        Args:
            relative_path: The file's path from the root, with `/`.
            root_name: The name of the root itself, which may be a directory that is meant for
                agents.
        """
        *directories, name = relative_path.split("/")
        parent, role, relative = root_name, root_role(root_name), ""
        for directory in directories:
            relative += directory
            inner = self.role(role, parent, directory)
            if inner is None or not self.may_enter(relative):
                return False
            parent, role, relative = directory, inner, f"{relative}/"
        return self.selects(role, name, relative_path)


def is_agent_file(role: int, name: str) -> bool:
    """Whether a markdown file of this name, in a directory of this role, is meant for agents."""
    if role == AGENT or name in AGENT_FILE_NAMES:
        return True
    lower = name.lower()
    return role == GITHUB and "instructions" in lower and lower.endswith(".md")


def project_root(directory: str) -> str:
    """The project around `directory`: the nearest one upward with `.git`, else itself.

    `.git` may be a directory or, in a work tree, a file. Returns a real path.
    """
    start = os.path.realpath(directory)
    current = start
    while True:
        if os.path.lexists(os.path.join(current, ".git")):
            return current
        parent = os.path.dirname(current)
        if parent == current:
            return start
        current = parent

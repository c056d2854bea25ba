"""Finding the files of a root.

Each file is found once, under its real path. Nothing outside the root is entered, nothing that
cannot be read stops the walk, and whatever was meant but not taken is named with its reason.
"""

from __future__ import annotations

import os
import stat

from rootleaf.documents.ignoring import GIT_IGNORE_NAME, OWN_IGNORE_NAME, IgnoreFiles
from rootleaf.documents.reading import file_kind, printable, reason_of
from rootleaf.documents.selection import (
    AGENT,
    AGENT_FILE_NAMES,
    GITHUB,
    NEVER_WALKED,
    ORDINARY,
    root_role,
)
from rootleaf.errors import InvalidInputError, RootNotFoundError
from rootleaf.types import IgnoredBy, Skipped, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.documents.selection import Selection

VIRTUAL_ENVIRONMENT_MARK = "pyvenv.cfg"
_VIRTUAL_ENVIRONMENT_RULE = "virtual environments (always)"
_DOT_DIRECTORY_RULE = "other dot-directories (always)"
# Never anyone's notes, and in nearly every root: counting them would say nothing.
_UNCOUNTED = frozenset({".git", ".rootleaf"})
_NOT_UTF8 = "its name is not UTF-8"


class FoundFile(Value):
    """A file that is to be indexed: its real path, its path from the root with `/`, its status."""

    path: str
    relative_path: str
    stat: os.stat_result


class Walk(Value):
    """What a walk found: files by path, what was skipped by path, what rules kept out by rule."""

    files: list[FoundFile]
    skipped: list[Skipped]
    ignored: list[IgnoredBy]


class _Directory:
    """A directory to be scanned; `relative` ends with `/` and is empty for the root."""

    __slots__ = ("ignore_files", "name", "path", "relative", "role")

    def __init__(
        self, path: str, relative: str, name: str, role: int, ignore_files: IgnoreFiles
    ) -> None:
        self.path = path
        self.relative = relative
        self.name = name
        self.role = role
        self.ignore_files = ignore_files


def walk(root: str, selection: Selection, *, ignore_files: bool = True) -> Walk:
    """Finds the files of `selection` below `root`.

    The root is walked whatever its own name is and whatever ignore files above it say. Below it:
    directories that are meant for agents, even if `.gitignore` lists them; never `.git`,
    `node_modules`, virtual environments and other dot-directories (a glob that names a
    dot-directory opens it); no dot-files. A link is followed if its target lies below the root.
    Directories that are kept out are counted, not entered.

    Args:
        root: The directory.
        selection: What is meant.
        ignore_files: Whether `.gitignore` and `.rootleafignore` count.

    Raises:
        RootNotFoundError: The root is absent (`root.missing`), unreadable, or no directory.
        InvalidInputError: The root's path is not UTF-8.
    """
    real_root = os.path.realpath(root)
    if not _is_utf8(real_root):
        message = f"The path of the root is not UTF-8: {printable(real_root)}."
        raise InvalidInputError(message, hint="Rename the directory.")
    return _Walker(real_root, selection, ignore_files=ignore_files).run()


class _Walker:
    def __init__(self, root: str, selection: Selection, *, ignore_files: bool) -> None:
        self._root = root
        self._prefix = root if root.endswith(os.sep) else root + os.sep
        self._matcher = selection.matcher()
        self._reads_ignore_files = ignore_files
        self._files: dict[str, FoundFile] = {}
        self._skipped: dict[str, str] = {}
        self._ignored: dict[str, tuple[str, bool]] = {}
        self._visited: set[tuple[str, int]] = set()
        self._pending: list[_Directory] = []

    def run(self) -> Walk:
        self._pending.append(self._root_directory())
        while self._pending:
            self._scan(self._pending.pop())
        counts: dict[str, list[int]] = {}
        for rule, is_directory in self._ignored.values():
            counts.setdefault(rule, [0, 0])[is_directory] += 1
        return Walk(
            files=[self._files[path] for path in sorted(self._files)],
            skipped=[
                Skipped(path=path, reason=self._skipped[path]) for path in sorted(self._skipped)
            ],
            ignored=[
                IgnoredBy(rule=printable(rule), files=files, directories=directories)
                for rule, (files, directories) in sorted(counts.items())
            ],
        )

    def _root_directory(self) -> _Directory:
        name = os.path.basename(self._root)
        return _Directory(self._root, "", name, root_role(name), IgnoreFiles())

    def _skip(self, path: str, reason: str) -> None:
        self._skipped.setdefault(printable(path), reason)

    def _scan(self, directory: _Directory) -> None:
        if (directory.path, directory.role) in self._visited:
            return
        self._visited.add((directory.path, directory.role))
        try:
            with os.scandir(directory.path) as entries:
                listed = list(entries)
        except OSError as error:
            if not directory.relative:
                raise _root_error(self._root, error) from None
            self._skip(directory.path, f"directory cannot be read: {reason_of(error)}")
            return
        names = {entry.name for entry in listed}
        if directory.relative and VIRTUAL_ENVIRONMENT_MARK in names:
            self._ignored[directory.relative] = (_VIRTUAL_ENVIRONMENT_RULE, True)
            return
        if self._reads_ignore_files and (
            GIT_IGNORE_NAME in names or OWN_IGNORE_NAME in names or not directory.relative
        ):
            directory.ignore_files = directory.ignore_files.within(
                self._root, directory.relative, self._skip
            )
        for entry in listed:
            self._visit(directory, entry)

    def _visit(self, directory: _Directory, entry: os.DirEntry[str]) -> None:
        name = entry.name
        relative = directory.relative + name
        try:
            if entry.is_symlink():
                self._follow(directory, entry, relative)
            elif entry.is_dir(follow_symlinks=False):
                self._enter(directory, entry, relative)
            elif self._matcher.selects(directory.role, name, relative):
                if self._is_kept_out(directory, name, relative):
                    return
                if not _is_utf8(name):
                    self._skip(entry.path, _NOT_UTF8)
                elif entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    self._files[entry.path] = FoundFile(
                        path=entry.path, relative_path=relative, stat=status
                    )
                else:
                    mode = entry.stat(follow_symlinks=False).st_mode
                    self._skip(entry.path, f"{file_kind(mode)}, not a regular file")
        except OSError as error:
            self._skip(entry.path, reason_of(error))

    def _enter(self, directory: _Directory, entry: os.DirEntry[str], relative: str) -> None:
        name = entry.name
        role = self._matcher.role(directory.role, directory.name, name)
        if role is None:
            self._count_never_walked(name, relative + "/")
            return
        if not self._matcher.may_enter(relative):
            return
        relative += "/"
        if directory.ignore_files:
            rule = directory.ignore_files.ignored_by(relative, for_agents=role != ORDINARY)
            if rule is not None:
                self._ignored[relative] = (rule, True)
                return
        if not _is_utf8(name):
            self._skip(entry.path, _NOT_UTF8)
            return
        self._pending.append(_Directory(entry.path, relative, name, role, directory.ignore_files))

    def _count_never_walked(self, name: str, relative: str) -> None:
        if name not in _UNCOUNTED:
            rule = f"{name}/ (always)" if name in NEVER_WALKED else _DOT_DIRECTORY_RULE
            self._ignored[relative] = (rule, True)

    def _is_kept_out(self, directory: _Directory, name: str, relative: str) -> bool:
        if not directory.ignore_files:
            return False
        for_agents = directory.role != ORDINARY or name in AGENT_FILE_NAMES
        rule = directory.ignore_files.ignored_by(relative, for_agents=for_agents)
        if rule is not None:
            self._ignored[relative] = (rule, False)
        return rule is not None

    def _follow(self, directory: _Directory, entry: os.DirEntry[str], relative: str) -> None:
        """Takes the target of a link if it lies below the root and would be walked there too."""
        name = entry.name
        role = self._matcher.role(directory.role, directory.name, name)
        selected = self._matcher.selects(directory.role, name, relative)
        if role is None and not selected:
            return
        for_agents = (
            directory.role != ORDINARY or name in AGENT_FILE_NAMES or role in (AGENT, GITHUB)
        )
        # As in git, a link is a file to ignore rules, whatever it points at.
        rule = directory.ignore_files.ignored_by(relative, for_agents=for_agents)
        if rule is not None:
            if selected:
                self._ignored[relative] = (rule, False)
            return
        try:
            status = os.stat(entry.path)
        except OSError as error:
            self._skip(entry.path, _broken_link_reason(entry.path, error))
            return
        is_directory = stat.S_ISDIR(status.st_mode)
        if role is None if is_directory else not selected:
            return
        if is_directory and not self._matcher.may_enter(relative):
            return
        target = os.path.realpath(entry.path)
        if not (target == self._root or target.startswith(self._prefix)):
            self._skip(entry.path, f"a link that leaves the root, to {printable(target)}")
        elif is_directory:
            self._follow_directory(directory, entry.path, target, role or ORDINARY)
        else:
            self._follow_file(entry.path, target, status)

    def _follow_directory(self, directory: _Directory, path: str, target: str, role: int) -> None:
        if (directory.path + os.sep).startswith(target.rstrip(os.sep) + os.sep):
            self._skip(path, f"a link in a loop, to {printable(target)}, which holds it")
            return
        located = self._locate(target)
        if isinstance(located, str):
            self._skip(path, f"a link to {printable(target)}, {located}")
            return
        located.role = max(located.role, role)
        self._pending.append(located)

    def _follow_file(self, path: str, target: str, status: os.stat_result) -> None:
        located = self._locate(os.path.dirname(target))
        if isinstance(located, str):
            self._skip(path, f"a link to {printable(target)}, {located}")
            return
        name = os.path.basename(target)
        relative = located.relative + name
        for_agents = located.role != ORDINARY or name in AGENT_FILE_NAMES
        rule = located.ignore_files.ignored_by(relative, for_agents=for_agents)
        if rule is not None:
            self._skip(path, f"a link to {printable(target)}, kept out by {printable(rule)}")
        elif not _is_utf8(name):
            self._skip(path, f"a link to {printable(target)}; {_NOT_UTF8}")
        elif not stat.S_ISREG(status.st_mode):
            self._skip(path, f"a link to {file_kind(status.st_mode)}, not a regular file")
        else:
            self._files[target] = FoundFile(path=target, relative_path=relative, stat=status)

    def _locate(self, path: str) -> _Directory | str:
        """A directory below the root as the walk would meet it, or why it would not."""
        found = self._root_directory()
        names = [name for name in path[len(self._prefix) :].split(os.sep) if name]
        for name in (None, *names):
            if name is not None:
                role = self._matcher.role(found.role, found.name, name)
                relative = f"{found.relative}{name}/"
                if role is None:
                    return f"below {printable(relative)}, which is never indexed"
                if not _is_utf8(name):
                    return f"below {printable(relative)}; {_NOT_UTF8}"
                rule = found.ignore_files.ignored_by(relative, for_agents=role != ORDINARY)
                if rule is not None:
                    return f"kept out by {printable(rule)}"
                child = os.path.join(found.path, name)
                if os.path.lexists(os.path.join(child, VIRTUAL_ENVIRONMENT_MARK)):
                    return f"below the virtual environment {printable(relative)}"
                found = _Directory(child, relative, name, role, found.ignore_files)
            if self._reads_ignore_files:
                found.ignore_files = found.ignore_files.within(
                    self._root, found.relative, self._skip
                )
        return found


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _broken_link_reason(path: str, error: OSError) -> str:
    import errno

    if error.errno == errno.ELOOP:
        return "a link in a loop"
    if error.errno == errno.ENOENT:
        return f"a link to nothing: {printable(os.readlink(path))}"
    return f"a link that cannot be followed: {reason_of(error)}"


def _root_error(root: str, error: OSError) -> RootNotFoundError:
    if isinstance(error, FileNotFoundError):
        message = f"There is no directory {root}."
        return RootNotFoundError(message, hint="Check the path, or mount what holds it.")
    if isinstance(error, NotADirectoryError):
        message = f"{root} is not a directory."
        hint = "Name the directory, or index one file with --file."
        return RootNotFoundError(message, hint=hint, code="root.not_a_directory")
    message = f"The directory {root} cannot be read: {reason_of(error)}."
    return RootNotFoundError(
        message, hint="Give this user the right to read it.", code="root.unreadable"
    )

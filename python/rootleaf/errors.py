"""One exception tree; every error has a stable `code` and, where one helps, a `hint` to act on.

    RootleafError
    ├── InvalidInputError        input.invalid, input.too_large
    │   └── QuestionsError       questions.invalid: lines that are no questions
    ├── NotIndexedError          index.missing: there is no database where one was expected
    ├── RootNotFoundError        root.missing, root.unreadable, root.not_a_directory
    ├── OutsideRootError         root.outside: a file that does not lie below its root
    ├── OverlappingRootsError    root.overlap
    ├── MetadataIncomplete       metadata.incomplete: a filter that cannot be answered truly
    │   ├── MetadataRulesError   metadata.rules: a rules file that cannot be read or understood
    │   ├── MetadataNotIndexed   metadata.not_indexed: files whose metadata was never looked for
    │   ├── MetadataUnreadable   metadata.unreadable: stored metadata that is none
    │   ├── MetadataStale        metadata.stale: metadata of rules that are not the current ones
    │   └── MetadataGhosts       metadata.ghosts: files of the answer that are gone from disk
    ├── EmbedderError            embedder.failed: a model failed, or gave what is no vector;
    │   │                        embedder.table_invalid: the built-in one lacks its table;
    │   │                        embedder.not_installed: it needs a package that is not there;
    │   │                        embedder.plugin: another distribution's cannot be made;
    │   │                        embedder.other_model: the index has vectors of another model
    │   └── EmbedderUnavailableError    embedder.unavailable: it may answer if asked again
    ├── StoreError               store.unreadable, store.damaged, store.foreign, store.newer,
    │                            store.busy, store.full, store.replaced, store.in_the_way
    ├── SnapshotError            snapshot.invalid, file.unreadable, file.unwritable
    └── InternalError            internal: a broken promise of ours

Surfaces switch on `code`, never on text.
"""

from __future__ import annotations


class RootleafError(Exception):
    """The base of all errors that Rootleaf raises.

    Args:
        message: One sentence that names what was wrong.
        hint: The exact next command or value that would be right, or None.
        code: A stable code; the class's own where not given.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class InvalidInputError(RootleafError):
    """An argument is outside what the function promises to take."""

    code = "input.invalid"


class QuestionsError(InvalidInputError):
    """Lines of a set of questions are no questions, or name what could be several things.

    Args:
        message: Names what they were read from, and each of the problems.
        hint: A line that would be right.
        problems: Each line that is wrong, by its number, and why.
    """

    code = "questions.invalid"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        problems: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint, code=code)
        self.problems = problems


class NotIndexedError(RootleafError):
    """There is no database where one was expected."""

    code = "index.missing"


class ClosedIndexError(RootleafError):
    """A handle was used after it was closed."""

    code = "index.closed"


class RootNotFoundError(RootleafError):
    """The directory to index is absent, unreadable, or no directory."""

    code = "root.missing"


class OutsideRootError(RootleafError):
    """A file does not lie below the root it was given with."""

    code = "root.outside"


class OverlappingRootsError(RootleafError):
    """One database would hold two roots, one inside the other."""

    code = "root.overlap"


class MetadataIncomplete(RootleafError):  # noqa: N818 - named by the specification
    """A filtered search would have to answer from metadata that it cannot vouch for.

    Args:
        message: Names the reason and the first of the files.
        hint: The commands, one on each line, where it is not given.
        code: As for every error.
        files: The paths of all files that it is about, absolute.
        commands: Complete lines for a shell. Run in this order they clear the refusal.
    """

    code = "metadata.incomplete"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str | None = None,
        files: tuple[str, ...] = (),
        commands: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint or "\n".join(commands) or None, code=code)
        self.files = files
        self.commands = commands


class MetadataRulesError(MetadataIncomplete):
    """A rules file cannot be read or understood.

    Nothing of its root is indexed, and no filter is answered while rows of that root are there.
    """

    code = "metadata.rules"


class MetadataNotIndexed(MetadataIncomplete):
    """The metadata of some documents was never looked for."""

    code = "metadata.not_indexed"


class MetadataUnreadable(MetadataIncomplete):
    """What is stored as the metadata of some documents is no metadata."""

    code = "metadata.unreadable"


class MetadataStale(MetadataIncomplete):
    """The metadata of some documents is of rules that are not the current ones of their root."""

    code = "metadata.stale"


class MetadataGhosts(MetadataIncomplete):
    """Files that the answer would show are gone from disk."""

    code = "metadata.ghosts"


class EmbedderError(RootleafError):
    """An embedder failed, or what it gave is no vector of its model; what was stored is kept."""

    code = "embedder.failed"


class EmbedderUnavailableError(EmbedderError):
    """An embedder cannot answer now and may if it is asked again, which index runs do a few times.

    What an embedder raises for a busy server, a limit of requests, or a lost connection.
    """

    code = "embedder.unavailable"


class StoreError(RootleafError):
    """The database cannot be opened, read or written."""

    code = "store.unreadable"


class SnapshotError(RootleafError):
    """The snapshot beside the database cannot be used, or cannot be written; it is only a cache."""

    code = "snapshot.invalid"


class InternalError(RootleafError):
    """A broken promise of Rootleaf's own; please report it."""

    code = "internal"


_FROM_CORE: dict[str, type[RootleafError]] = {
    "input.invalid": InvalidInputError,
    "input.too_large": InvalidInputError,
    "file.unreadable": SnapshotError,
    "file.unwritable": SnapshotError,
    "snapshot.invalid": SnapshotError,
    "embedder.table_invalid": EmbedderError,
    "internal": InternalError,
}


def from_core(code: str, message: str) -> RootleafError:
    """Builds the exception for an error of the core; the extension is its only caller."""
    return _FROM_CORE.get(code, InternalError)(message, code=code)

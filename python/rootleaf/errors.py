"""One exception tree; every error has a stable `code` and, where one helps, a `hint` to act on.

    RootleafError
    ├── InvalidInputError        input.invalid, input.too_large
    ├── NotIndexedError          index.missing: there is no database where one was expected
    ├── RootNotFoundError        root.missing, root.unreadable, root.not_a_directory
    ├── OutsideRootError         root.outside: a file that does not lie below its root
    ├── OverlappingRootsError    root.overlap
    ├── MetadataRulesError       metadata.rules
    ├── EmbedderError            embedder.failed: a model failed, or gave what is no vector
    │   └── EmbedderUnavailableError    embedder.unavailable: it may answer if asked again
    ├── StoreError               store.unreadable, store.foreign, store.newer, store.busy,
    │                            store.full
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


class NotIndexedError(RootleafError):
    """There is no database where one was expected."""

    code = "index.missing"


class RootNotFoundError(RootleafError):
    """The directory to index is absent, unreadable, or no directory."""

    code = "root.missing"


class OutsideRootError(RootleafError):
    """A file does not lie below the root it was given with."""

    code = "root.outside"


class OverlappingRootsError(RootleafError):
    """One database would hold two roots, one inside the other."""

    code = "root.overlap"


class MetadataRulesError(RootleafError):
    """A rules file cannot be read or understood; nothing of its root is indexed."""

    code = "metadata.rules"


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
    "internal": InternalError,
}


def from_core(code: str, message: str) -> RootleafError:
    """Builds the exception for an error of the core; the extension is its only caller."""
    return _FROM_CORE.get(code, InternalError)(message, code=code)

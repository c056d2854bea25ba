"""Opening the snapshot file, for callers that want to know why one cannot be used.

docs/format.md describes the file. It is a cache: whoever opens one has to be able to do without.
"""

from __future__ import annotations

import os

from rootleaf import _core
from rootleaf.engine.collection import Collection
from rootleaf.engine.view import SnapshotIdentity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.view import View


class Snapshot:
    """A snapshot file that was mapped and verified.

    Attributes:
        identity: What it was made of.
    """

    __slots__ = ("_core", "identity")

    def __init__(self, identity: SnapshotIdentity, core: _core.Collection) -> None:
        self.identity = identity
        self._core = core

    def view(self) -> View:
        """Its documents, read in place."""
        return self.collection().view()

    def collection(self) -> Collection:
        """The collection of its documents; what is changed in it does not change the file."""
        collection = Collection(self.identity.max_tokens)
        collection._core = self._core  # noqa: SLF001 - two files of one module
        return collection


def open_snapshot(path: str) -> Snapshot:
    """Maps a snapshot and verifies all that memory safety and order rest on.

    A file that another one is renamed over stays mapped. The GIL is released.

    Raises:
        SnapshotError: `snapshot.invalid` where it is damaged, cut short or of another version;
            `file.unreadable` where it is absent or cannot be read.
    """
    (database_id, generation, analyzer_id, chunker_id, max_tokens), core = _core.open_snapshot(
        os.fsencode(path)
    )
    identity = SnapshotIdentity(
        database_id=database_id,
        generation=generation,
        analyzer_id=analyzer_id.decode("utf-8", "replace"),
        chunker_id=chunker_id.decode("utf-8", "replace"),
        max_tokens=max_tokens,
    )
    return Snapshot(identity, core)

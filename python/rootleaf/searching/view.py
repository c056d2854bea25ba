"""What a search looks at: all documents of a database as of one moment."""

from __future__ import annotations

from rootleaf.indexing.snapshot import current_view, find_snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.view import View
    from rootleaf.store.protocol import Store


def open_view(store: Store) -> View:
    """The documents of a store, from the snapshot beside it as far as that can be used.

    Only reads. Texts are read of documents that the snapshot does not know as they are, and of all
    where there is none.

    Args:
        store: Opened for reading, so that what is read of it later is of the same moment.
    """
    return current_view(store, find_snapshot(store))

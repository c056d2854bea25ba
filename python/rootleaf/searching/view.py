"""What a search looks at: all documents of a database as of one moment."""

from __future__ import annotations

from rootleaf.indexing.snapshot import current_view, find_snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.engine.view import View
    from rootleaf.indexing.snapshot import FoundSnapshot
    from rootleaf.store.protocol import Store


def newest_snapshot(store: Store) -> FoundSnapshot:
    """The snapshot beside a store of which nothing was read yet.

    Where a run has written a newer one since the store was opened, the store moves on to it.
    """
    return find_snapshot(store, moves_on=True)


def open_view(store: Store, found: FoundSnapshot) -> View:
    """The documents of a store, from the snapshot beside it as far as that can be used.

    Only reads. Texts are read of documents that the snapshot does not know as they are, and of all
    where there is none.

    Args:
        store: Opened for reading, so that what is read of it later is of the same moment.
        found: What `newest_snapshot` gave before anything else was read of the store.
    """
    return current_view(store, found)

"""What a person should know of the place where an index lies."""

from __future__ import annotations

import os

from rootleaf.store.file_systems import find_network_file_system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.sqlite import SqliteStore


def place_notices(store: SqliteStore) -> list[str]:
    """Sentences on the file system and the journal; none where all is as it mostly is."""
    notices = [network_notice(store.db_path)]
    if not store.has_log():
        notices.append(no_log_notice(store.db_path))
    return [notice for notice in notices if notice]


def network_notice(db_path: str) -> str:
    """What is to be said of a network file system; empty where there is none."""
    kind = find_network_file_system(db_path)
    if kind is None:
        return ""
    return (
        f"{os.path.dirname(db_path)} lies on a network file system ({kind}), on which the locks of "
        "several machines may fail: write the index from one machine only, or keep it on a local "
        "disk with --db"
    )


def no_log_notice(db_path: str) -> str:
    """What it means that there is no log."""
    return (
        f"The file system of {os.path.dirname(db_path)} has no memory that processes can share, so "
        "the index has a rollback journal instead of a log: all works, but searches and an index "
        "run wait for each other"
    )

"""What is known to be behind in an index: rules that have changed, runs that did not end."""

from __future__ import annotations

import os

from rootleaf.documents.rules import load_rules
from rootleaf.errors import MetadataRulesError
from rootleaf.store.paths import quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.protocol import Store
    from rootleaf.store.records import StoredRoot


class Staleness(Value):
    """How many documents are of rules that are not the current ones, and what is behind, in words.

    Each sentence names the command that mends it.
    """

    files: int
    notices: tuple[str, ...]


def find_staleness(store: Store) -> Staleness:
    """Compares the rules of every document with those that its own root has now.

    Reads one rules file for each root and no document. An absent root has no rules to compare with.
    """
    count = 0
    notices = []
    for root in store.roots():
        if root.files_to_go:
            notices.append(
                f"Files of {root.path} that are not indexed yet: {root.files_to_go}; "
                f"`{_command(root, store)}` goes on"
            )
        if not os.path.isdir(root.path):
            continue
        try:
            identity = load_rules(root.path).identity
        except MetadataRulesError as error:
            notices.append(f"{error.message}; metadata is what the rules said before")
            continue
        stale = store.count_other_rules(root.root_id, identity)
        if stale:
            count += stale
            files = "1 file" if stale == 1 else f"{stale} files"
            notices.append(
                f"The metadata of {files} in {root.path} is of rules that have changed since; "
                f"`{_command(root, store)}` renews it"
            )
    return Staleness(files=count, notices=tuple(notices))


def _command(root: StoredRoot, store: Store) -> str:
    return f"rootleaf index {quoted(root.path)} --db {quoted(store.db_path)}"

"""How many documents carry metadata of rules that are not the current ones."""

from __future__ import annotations

import os

from rootleaf.documents.rules import load_rules
from rootleaf.errors import MetadataRulesError
from rootleaf.store.paths import quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.protocol import Store


class Staleness(Value):
    """How many rows are of rules that are not the current ones, and what mends it, in words."""

    files: int
    notices: tuple[str, ...]


def stale_rules(store: Store) -> Staleness:
    """Counts the rows whose rules are not those of their own root now, and says what mends it.

    Reads one rules file for each root and no document. An absent root has no rules to compare with.
    """
    count = 0
    notices = []
    for root in store.roots():
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
            command = f"rootleaf index {quoted(root.path)} --db {quoted(store.db_path)}"
            files = "1 file" if stale == 1 else f"{stale} files"
            notices.append(
                f"The metadata of {files} in {root.path} is of rules that have changed since; "
                f"`{command}` renews it"
            )
    return Staleness(files=count, notices=tuple(notices))

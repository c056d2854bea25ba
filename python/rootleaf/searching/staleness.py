"""What is known to be behind in an index: rules that have changed, runs that did not end."""

from __future__ import annotations

from rootleaf.searching.root_rules import RootRules, read_root_rules
from rootleaf.store.paths import quoted
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import StoredRoot


_MOST_ROWS = 100
"""Up to as many rows a search works out which commands come to them."""


class Staleness(Value):
    """How many documents are of rules that are not the current ones, and what is behind, in words.

    Each sentence names the command that mends it.
    """

    files: int
    notices: tuple[str, ...]


def find_staleness(
    store: Rows, roots: Sequence[RootRules] | None = None, *, is_vouched: bool = False
) -> Staleness:
    """Compares the rules of every document with those that its own root has now.

    Reads no document. Documents whose metadata was never looked for count as of other rules.

    Args:
        store: Whose documents.
        roots: What `read_root_rules` has read; it is asked where they are not given.
        is_vouched: That every document was found to be of the current rules already.
    """
    count = 0
    notices = []
    for found in read_root_rules(store) if roots is None else roots:
        root = found.root
        if root.files_to_go:
            notices.append(
                f"Files of {root.path} that are not indexed yet: {root.files_to_go}; "
                f"`{_index_command(root, store.db_path)}` goes on"
            )
        if is_vouched:
            continue
        if found.problem is not None or found.identity is None:
            why = found.problem.message if found.problem is not None else root.path
            notices.append(f"{why}; metadata is what the rules said before")
            continue
        stale = store.count_other_rules(root.root_id, found.identity)
        if stale:
            count += stale
            notices.append(_stale_notice(found, stale, store))
    return Staleness(files=count, notices=tuple(notices))


def _index_command(root: StoredRoot, db_path: str) -> str:
    return f"rootleaf index {quoted(root.path)} --db {quoted(db_path)}"


def _stale_notice(found: RootRules, stale: int, store: Rows) -> str:
    db_path = store.db_path
    path = found.root.path
    files = "1 file" if stale == 1 else f"{stale} files"
    if found.is_there:
        told = f"The metadata of {files} in {path} is of rules that have changed since; "
        if stale > _MOST_ROWS:
            return f"{told}`rootleaf status --db {quoted(db_path)}` prints what renews it"
        from rootleaf.indexing.remedies import resolve_anew

        # Not every row is within what a plain run of the root reads.
        rows = store.other_rules(found.root.root_id, found.identity or "")
        commands = resolve_anew(found.root, rows, db_path).commands
        renew = "renews" if len(commands) == 1 else "renew"
        return f"{told}{' and '.join(f'`{command}`' for command in commands)} {renew} it"
    return (
        f"{path} is gone, and the metadata of {files} is of rules that went with it; "
        f"`rootleaf forget {quoted(path)} --db {quoted(db_path)}` drops them. If its drive is not "
        "mounted, mount it instead"
    )

"""Whether a filter can be answered truly: is all metadata that there is what it should be?

One row that was never scanned, that cannot be read or that is of other rules than its root has now
is enough to refuse, for it might belong into the answer. What is wrong with the rows of a database
is the same for each reading of one generation, so that a long-lived reader looks at them once; the
rules files are looked at each time.

Kinds of refusal come in this order, one at a time: rules that cannot be used, rows never scanned,
rows that cannot be read, rows of other rules. The commands of one kind clear all of it; each kind
can count on those before it.
"""

from __future__ import annotations

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rootleaf.searching.root_rules import RootRules
    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import MetadataCheck


class Doubts(Value):
    """What stands against an answer: for each kind the relative paths of rows, by root id.

    `rules` holds the ids of roots whose rules cannot be used.
    """

    rules: tuple[int, ...]
    unscanned: Mapping[int, Sequence[str]]
    unreadable: Mapping[int, Sequence[str]]
    stale: Mapping[int, Sequence[str]]

    def __bool__(self) -> bool:
        return bool(self.rules or self.unscanned or self.unreadable or self.stale)


def find_doubts(store: Rows, check: MetadataCheck, roots: Sequence[RootRules]) -> Doubts:
    """Compares what is stored with the rules that there are now.

    Args:
        store: Read as of one moment.
        check: What `store.check_metadata()` has found at this generation.
        roots: The rules of every root as they are now.
    """
    rules = []
    stale = {}
    for found in roots:
        root_id = found.root.root_id
        if root_id not in check.identities:
            continue  # no row speaks of these rules
        if found.identity is None:
            rules.append(root_id)
        elif check.identities[root_id] - {found.identity}:
            others = store.other_rules(root_id, found.identity)
            known = {*check.unscanned.get(root_id, ()), *check.unreadable.get(root_id, ())}
            if others := [path for path in others if path not in known]:
                stale[root_id] = others
    return Doubts(
        rules=tuple(rules), unscanned=check.unscanned, unreadable=check.unreadable, stale=stale
    )


def vouch(store: Rows, check: MetadataCheck, roots: Sequence[RootRules]) -> None:
    """Lets a filtered search go on, or refuses it.

    Args:
        store: Read as of one moment, that of the answer.
        check: What `store.check_metadata()` has found at this generation.
        roots: The rules of every root as they are now.

    Raises:
        MetadataIncomplete: There is a row that cannot be vouched for; see the module.
    """
    doubts = find_doubts(store, check, roots)
    if doubts:
        from rootleaf.searching.refusals import refusal

        raise refusal(store, doubts, roots)

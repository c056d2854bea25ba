"""The rules of each root as they are on disk now."""

from __future__ import annotations

from rootleaf.documents.presence import may_root_be_there
from rootleaf.documents.rules import load_rules
from rootleaf.errors import MetadataRulesError
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import StoredRoot


class RootRules(Value):
    """A root and what its rules are now.

    `is_there` says whether the root may still be there. `identity` is that of its rules, empty
    where it has none (an absent root has none); None where `problem` says what is wrong with them.
    """

    root: StoredRoot
    is_there: bool
    identity: str | None
    problem: MetadataRulesError | None = None


def read_root_rules(store: Rows) -> list[RootRules]:
    """Reads the rules file of every root of a store, ordered by path; nothing else of a root."""
    return [rules_of(root) for root in store.roots()]


def rules_of(root: StoredRoot) -> RootRules:
    """Reads the rules file of one root."""
    if not may_root_be_there(root.path):
        return RootRules(root=root, is_there=False, identity="")
    try:
        identity = load_rules(root.path).identity
    except MetadataRulesError as error:
        return RootRules(root=root, is_there=True, identity=None, problem=error)
    return RootRules(root=root, is_there=True, identity=identity)

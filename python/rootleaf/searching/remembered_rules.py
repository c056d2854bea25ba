"""The rules of roots, remembered from one search to the next of a long-lived process."""

from __future__ import annotations

import os
import stat
import time

from rootleaf.documents.fingerprints import TIMESTAMP_TICK_NS, stat_signature
from rootleaf.documents.rules import RULES_NAME
from rootleaf.searching.root_rules import RootRules, rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import StoredRoot


class RememberedRules:
    """The rules of roots as they were read, for as long as their file says that it is the same.

    Threads may share it: each change is one operation on a dict.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, RootRules]] = {}

    def of(self, store: Rows) -> list[RootRules]:
        """The rules of every root of a store as they are on disk now, ordered by path."""
        return [self._rules_of(root) for root in store.roots()]

    def _rules_of(self, root: StoredRoot) -> RootRules:
        begun_ns = time.time_ns()
        mark = _mark(root.path)
        known = self._known.get(root.path)
        if mark is not None and known is not None and known[0] == mark:
            # The row may be another one by now, or be read by another connection.
            return _with_root(known[1], root)
        found = rules_of(root)
        # An edit within the same tick of the clock would leave the mark as it is.
        if mark is not None and mark[-1] < begun_ns - TIMESTAMP_TICK_NS:
            self._known[root.path] = (mark, found)
        else:
            self._known.pop(root.path, None)
        return found


def _with_root(found: RootRules, root: StoredRoot) -> RootRules:
    if found.root is root:
        return found
    return RootRules(
        root=root, is_there=found.is_there, identity=found.identity, problem=found.problem
    )


def _mark(root: str) -> tuple[str, str, int] | None:
    """What tells that a root and its rules file are the ones that were read.

    None where there is no telling. Ends with when the younger of the two was changed last.
    """
    try:
        directory = os.lstat(root)
        try:
            rules = os.lstat(os.path.join(root, RULES_NAME))
        except FileNotFoundError:
            # Made since, it would have changed the directory.
            rules = directory
    except OSError:
        return None
    if stat.S_ISLNK(directory.st_mode) or stat.S_ISLNK(rules.st_mode):
        return None  # what a link leads to may change under it
    place = f"{directory.st_dev}:{directory.st_ino}"
    return place, stat_signature(rules), rules.st_ctime_ns

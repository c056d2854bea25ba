"""The rules of roots, remembered from one search to the next of a long-lived process."""

from __future__ import annotations

import os
import stat
import time

from rootleaf.documents.fingerprints import TIMESTAMP_TICK_NS
from rootleaf.documents.rules import RULES_NAME
from rootleaf.engine.files import look_at
from rootleaf.searching.root_rules import RootRules, rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.engine.files import FileState
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
        roots = store.roots()
        begun_ns = time.time_ns()
        return [
            self._rules_of(root, mark, begun_ns)
            for root, mark in zip(roots, _marks(roots), strict=True)
        ]

    def _rules_of(self, root: StoredRoot, mark: FileState | None, begun_ns: int) -> RootRules:
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


def _marks(roots: Sequence[StoredRoot]) -> list[FileState | None]:
    """For each root what tells that it and its rules file are the ones that were read.

    None where there is no telling. Ends with when the younger of the two was changed last.
    """
    paths = []
    for root in roots:
        paths += [root.path, os.path.join(root.path, RULES_NAME)]
    try:
        states = look_at(paths)
    except UnicodeEncodeError:
        return [None] * len(roots)
    return [_mark(*states[at : at + 2]) for at in range(0, len(paths), 2)]


def _mark(directory: FileState | None, rules: FileState | None) -> FileState | None:
    if rules is None:
        # Made since, it would have changed the directory.
        rules = directory
    # What a link leads to may change under it.
    if not directory or not rules or stat.S_ISLNK(directory[0]) or stat.S_ISLNK(rules[0]):
        return None
    return directory[1:3] + rules

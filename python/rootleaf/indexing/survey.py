"""Looking at one recorded root as it is on disk now, beside what the index holds of it.

Whatever is wrong with a root is an outcome here and no error, so that one bad root hides no other.
"""

from __future__ import annotations

import os

from rootleaf.documents.presence import may_root_be_there
from rootleaf.documents.rules import load_rules
from rootleaf.errors import MetadataRulesError
from rootleaf.indexing.gone import Gone, find_gone
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.protocol import Store
    from rootleaf.store.records import MetadataCheck, StoredRoot

PRESENT = "present"
ABSENT = "absent"
UNREADABLE = "unreadable"


class Survey(Value):
    """A root, and what was found out about it. Paths are relative to it.

    `state` is `present`, `absent` or `unreadable`, with the system's `reason`. Where it is not
    present, nothing is said of its files: they may all be there once it can be reached again.
    """

    root: StoredRoot
    files: int
    state: str
    reason: str
    rules_problem: MetadataRulesError | None
    gone: Gone
    unscanned: tuple[str, ...]
    unreadable: tuple[str, ...]
    stale: tuple[str, ...]


def survey_root(root: StoredRoot, store: Store, check: MetadataCheck) -> Survey:
    """Looks at a root, its rules and the files of all its rows; reads no document."""
    state, reason = _state(root.path)
    unscanned = check.unscanned.get(root.root_id, ())
    unreadable = check.unreadable.get(root.root_id, ())
    gone = Gone(marks=[], reason=None)
    stale: tuple[str, ...] = ()
    problem = None
    if state == PRESENT:
        gone = find_gone(root.path, store.marks(root.root_id), db_path=store.db_path)
        try:
            identity = load_rules(root.path).identity
        except MetadataRulesError as error:
            problem = error
        else:
            known = {*unscanned, *unreadable}
            others = store.other_rules(root.root_id, identity)
            stale = tuple(path for path in others if path not in known)
    return Survey(
        root=root,
        files=store.counts(root.root_id).files,
        state=state,
        reason=reason,
        rules_problem=problem,
        gone=gone,
        unscanned=unscanned,
        unreadable=unreadable,
        stale=stale,
    )


def _state(root: str) -> tuple[str, str]:
    if not may_root_be_there(root):
        return ABSENT, "there is no such directory"
    try:
        os.scandir(root).close()
        # Names may be listed by one who may not look at what they name.
        os.stat(os.path.join(root, os.curdir))
    except OSError as error:
        return UNREADABLE, error.strerror or str(error)
    except UnicodeEncodeError:
        return UNREADABLE, "this locale cannot spell its name"
    return PRESENT, ""

"""The refusal of an answer that would show files which are gone from disk."""

from __future__ import annotations

from rootleaf.documents.presence import may_root_be_there
from rootleaf.errors import InternalError, MetadataGhosts, MetadataIncomplete
from rootleaf.indexing import remedies
from rootleaf.indexing.gone import find_gone
from rootleaf.indexing.remedies import Remedy
from rootleaf.searching.refusals import counted_files, refuse
from rootleaf.store.paths import join_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rootleaf.searching.rows import Rows
    from rootleaf.store.records import StoredRoot


def ghosts_refusal(
    store: Rows,
    ghosts: Sequence[str],
    ghosts_among: Callable[[set[int]], Sequence[str]],
    *,
    allowed: Iterable[int] | None = None,
) -> MetadataIncomplete:
    """The error for an answer with files that are gone, and the commands that leave it without any.

    Without these documents others would be in the answer, of other roots perhaps, and be gone too.
    So the question is asked again as if each command had been run, until nothing is gone.

    Args:
        store: Read as of the moment of the answer.
        ghosts: Paths of the answer that are gone.
        ghosts_among: Answers again, with only the documents of these ids allowed, and gives such
            paths.
        allowed: The ids that were allowed to begin with, where not all were.
    """
    roots = store.roots()
    left = {mark.document_id for root in roots for mark in store.marks(root.root_id).values()}
    if allowed is not None:
        left &= set(allowed)
    cured: dict[str, Remedy] = {}
    ahead = list(ghosts)
    while ahead:
        for root in {_root_of(path, roots).path: _root_of(path, roots) for path in ahead}.values():
            if root.path in cured:
                message = f"{root.path} would still hold files that are gone"
                raise InternalError(message)
            cured[root.path], removed = _remove_gone(root, store)
            left -= removed
        ahead = list(ghosts_among(left))
    reason = (
        f"A filter cannot be answered: {counted_files(len(ghosts))} of the answer "
        f"{'is' if len(ghosts) == 1 else 'are'} gone from disk"
    )
    return refuse(MetadataGhosts, reason, ghosts, (cured[path] for path in sorted(cured)))


def _root_of(path: str, roots: Iterable[StoredRoot]) -> StoredRoot:
    for root in roots:
        if path.startswith(join_root(root.path, "")):
            return root
    message = f"{path} is of no root"
    raise InternalError(message)


def _remove_gone(root: StoredRoot, store: Rows) -> tuple[Remedy, set[int]]:
    """What removes the rows of files of a root that are gone, and the ids of these."""
    marks = store.marks(root.root_id)
    opening = remedies.open_root(root)
    if not may_root_be_there(root.path) or opening is None:
        remedy = remedies.forget(root, store.db_path, closed=may_root_be_there(root.path))
        return remedy, {mark.document_id for mark in marks.values()}
    gone = find_gone(root.path, marks)
    ids = {mark.document_id for mark in gone.marks}
    if gone.reason is None:
        return Remedy(commands=(opening + remedies.run_of(root, store.db_path),)), ids
    command = opening + remedies.run_of(root, store.db_path, "--prune")
    advice = (
        f"If {root.path} or a part of it lies on a drive that failed to mount, mount it instead: "
        f"the command removes {counted_files(len(ids))} from the index."
    )
    return Remedy(commands=(command,), advice=(advice,)), ids

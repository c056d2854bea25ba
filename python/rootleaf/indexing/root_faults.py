"""What is wrong with the roots of a database: their paths, what is kept of them, overlaps."""

from __future__ import annotations

import os

from rootleaf.documents.selection import Selection
from rootleaf.errors import InvalidInputError
from rootleaf.indexing.faults import ROOTS, Fault
from rootleaf.indexing.roots import is_below, path_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rootleaf.indexing.faults import Mend
    from rootleaf.store.sqlite_examining import ExaminedRoot, SqliteExamination


def root_faults(examination: SqliteExamination) -> Iterator[Fault]:
    """What is wrong with single roots."""
    roots = examination.roots()
    unreadable = set(examination.unreadable_roots())
    taken = {root.path for root in roots}
    for root in roots:
        root_id = root.root_id
        path = _possible_path(root)
        # One whose proper path another root has overlaps with that one.
        if path != root.path and path not in taken:
            taken.add(path)
            yield Fault(
                check=ROOTS,
                what=f"{root.path!r}: no directory has such a path",
                mend=_set_path(root_id, path),
            )
        if root_id in unreadable:
            yield Fault(
                check=ROOTS,
                what=f"{root.path}: what its last run skipped cannot be read",
                mend=_clear_run(root_id),
            )
        if not _is_selection(root.selection):
            yield Fault(
                check=ROOTS,
                what=f"{root.path}: its selection cannot be read",
                mend=_read_all_markdown(root_id),
            )


def overlap_faults(examination: SqliteExamination) -> Iterator[Fault]:
    """Roots that hold others, so that two would own the same files.

    One without documents goes. Else the documents of the inner one become the outer one's, which
    owns their files; its next run reads them again.
    """
    sizes = examination.documents_by_root()
    roots = examination.roots()
    for root in list(roots):
        around = _overlapping(root, roots)
        if around and not sizes.get(root.root_id):
            roots.remove(root)
            yield Fault(
                check=ROOTS,
                what=f"{root.path}: overlaps with the root {around[0].path}, and has no document",
                mend=_remove_root(root.root_id),
            )
    kept: list[ExaminedRoot] = []
    for root in sorted(roots, key=lambda root: len(_possible_path(root))):
        outer = next(iter(_overlapping(root, kept)), None)
        if outer is None:
            kept.append(root)
            continue
        below = path_below(_possible_path(root), _possible_path(outer))
        yield Fault(
            check=ROOTS,
            what=f"{root.path}: lies within the root {outer.path}; both would own its files",
            mend=_join_roots(root.root_id, outer.root_id, below),
            discards_text=True,
        )


def _overlapping(root: ExaminedRoot, others: list[ExaminedRoot]) -> list[ExaminedRoot]:
    path = _possible_path(root)
    return [
        other
        for other in others
        if other is not root
        and (
            path == _possible_path(other)
            or is_below(path, _possible_path(other))
            or is_below(_possible_path(other), path)
        )
    ]


def _possible_path(root: ExaminedRoot) -> str:
    """The path of a root as a directory can have it."""
    path = os.path.normpath(os.path.join(os.sep, root.path.replace("\0", "")))
    # POSIX lets two slashes at the beginning stand.
    return os.sep + path.lstrip(os.sep) if os.name == "posix" else path


def _set_path(root_id: int, path: str) -> Mend:
    # Where nothing lies at that name, the next run of its directory gives it its own again.
    return lambda write: write.set_root_path(root_id, path)


def _clear_run(root_id: int) -> Mend:
    return lambda write: write.clear_run(root_id)


def _read_all_markdown(root_id: int) -> Mend:
    return lambda write: write.set_run(root_id, selection=Selection.all_markdown().spelling)


def _remove_root(root_id: int) -> Mend:
    return lambda write: write.remove_root(root_id)


def _join_roots(inner: int, outer: int, below: str) -> Mend:
    return lambda write: write.join_roots(inner, outer, below)


def _is_selection(spelling: str) -> bool:
    try:
        Selection.from_spelling(spelling)
    except InvalidInputError:
        return False
    return True

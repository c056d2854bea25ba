"""Why a walk did not find the files of some rows.

An ignore file keeps them out now, or no walk finds such files and they were named once.
"""

from __future__ import annotations

import os

from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import FoundFile, walk
from rootleaf.store.paths import join_root
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.records import FileMark

_EVERYTHING = "**/*"


class Missing(Value):
    """Rows that a walk did not find although their files may be there, told apart.

    `excluded`: an ignore file now keeps it out. `hidden`: no walk finds such a file, and it was
    named once (a dot-file, say), so it is looked at again; so is a file that is no markdown by its
    name, where all markdown was walked. Those that are neither keep their row.
    """

    excluded: list[FileMark]
    hidden: list[FoundFile]


def classify_missing(
    root: str, present: list[FileMark], selection: Selection, *, ignore_files: bool
) -> Missing:
    """Finds out why a walk of a selection did not find files that are not gone."""
    excluded: list[FileMark] = []
    hidden: list[FoundFile] = []
    if present:
        everything = Selection.from_glob(_EVERYTHING)
        walked = walk(root, everything, ignore_files=ignore_files)
        allowed = {found.relative_path: found for found in walked.files}
        if selection.spelling == Selection.all_markdown().spelling:
            # No wider run would come to them, and their text would stay behind unsaid.
            hidden = [allowed[mark.path] for mark in present if mark.path in allowed]
        present = [mark for mark in present if mark.path not in allowed]
        if present:
            unlimited = walk(root, everything, ignore_files=False)
            reachable = {found.relative_path for found in unlimited.files}
            closed = {entry.path for entry in unlimited.skipped}
            for mark in present:
                if mark.path in reachable:
                    excluded.append(mark)
                elif (status := _status(root, mark, closed)) is not None:
                    path = join_root(root, mark.path)
                    hidden.append(FoundFile(path=path, relative_path=mark.path, stat=status))
    return Missing(excluded=excluded, hidden=hidden)


def _status(root: str, mark: FileMark, closed: set[str]) -> os.stat_result | None:
    """The status of a file that no walk finds.

    None where that is because the way to it cannot be read: it or a directory above is `closed`.
    """
    path = place = join_root(root, mark.path)
    while len(place) > len(root):
        if place in closed:
            return None
        place = os.path.dirname(place)
    if place != root or ".." in mark.path.split("/"):
        # No run wrote such a row, and what lies outside the root is not to be read for it.
        return None
    try:
        return os.lstat(path)
    except (OSError, UnicodeEncodeError):
        return None

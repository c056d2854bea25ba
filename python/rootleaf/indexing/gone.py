"""What became of rows whose file a walk did not find.

"Gone" means that the system said so; a file that merely cannot be reached keeps its row.
"""

from __future__ import annotations

import os

from rootleaf.documents.presence import is_gone
from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import FoundFile, walk
from rootleaf.store.paths import join_root
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rootleaf.store.records import FileMark
    from rootleaf.types import Skipped

_EVERYTHING = "**/*"


class Missing(Value):
    """Rows that a walk did not find, told apart; those that are none of these just keep their row.

    `gone`: the file is no longer there. `excluded`: an ignore file now keeps it out. `hidden`: no
    walk finds such a file, and it was named once (a dot-file, say), so it is looked at again.
    """

    gone: list[FileMark]
    excluded: list[FileMark]
    hidden: list[FoundFile]


def classify_missing(root: str, marks: Iterable[FileMark], *, ignore_files: bool) -> Missing:
    """Finds out why a walk did not find the files of `marks`."""
    gone: list[FileMark] = []
    present: list[FileMark] = []
    real_directories: dict[str, bool] = {}
    for mark in marks:
        path = join_root(root, mark.path)
        (gone if is_gone(path, real_directories) else present).append(mark)
    excluded: list[FileMark] = []
    hidden: list[FoundFile] = []
    if present:
        everything = Selection.from_glob(_EVERYTHING)
        walked = walk(root, everything, ignore_files=ignore_files)
        allowed = {found.relative_path for found in walked.files}
        present = [mark for mark in present if mark.path not in allowed]
        if present:
            unlimited = walk(root, everything, ignore_files=False)
            reachable = {found.relative_path for found in unlimited.files}
            for mark in present:
                if mark.path in reachable:
                    excluded.append(mark)
                elif (status := _status(root, mark, unlimited.skipped)) is not None:
                    path = join_root(root, mark.path)
                    hidden.append(FoundFile(path=path, relative_path=mark.path, stat=status))
    return Missing(gone=gone, excluded=excluded, hidden=hidden)


def _status(root: str, mark: FileMark, skipped: Iterable[Skipped]) -> os.stat_result | None:
    """The status of a file that no walk finds.

    None where that is because the way to it cannot be read.
    """
    path = join_root(root, mark.path)
    for entry in skipped:
        if path == entry.path or path.startswith(os.path.join(entry.path, "")):
            return None
    try:
        return os.lstat(path)
    except (OSError, UnicodeEncodeError):
        return None

"""What the system tells of many paths at once, from the core: the GIL is released once for all."""

from __future__ import annotations

import os

from rootleaf import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    FileState = tuple[int, ...]
    """Mode, device, inode, size in bytes, and when the content and when anything of it was changed
    last, in nanoseconds since 1970; empty where the system does not tell, for lack of rights, say.
    """


def look_at(paths: Iterable[str]) -> list[FileState | None]:
    """The state of each path itself, not of what a link there leads to; None where nothing is.

    Raises:
        UnicodeEncodeError: The locale of this process cannot spell a path.
    """
    if os.name == "posix":
        return _core.look_at([os.fsencode(path) for path in paths])
    return [_state_of(path) for path in paths]


def spelled(paths: Iterable[str]) -> list[bytes] | None:
    """The paths as the core takes them.

    None where the system is not asked by the core, or the locale cannot spell a path.
    """
    if os.name != "posix":
        return None
    try:
        return [os.fsencode(path) for path in paths]
    except UnicodeEncodeError:
        return None


def _state_of(path: str) -> FileState | None:
    try:
        told = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return ()
    return (
        told.st_mode,
        told.st_dev,
        told.st_ino,
        told.st_size,
        told.st_mtime_ns,
        told.st_ctime_ns,
    )

"""Whether a file or root is still there; apart from walking, which a search need not load."""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.engine.files import FileState


def may_root_be_there(root: str) -> bool:
    """Whether there may be a directory by this very path; to be asked before it is called gone.

    False where the system says that there is none, that it is something else, or that the path now
    leads through a link, to a directory that goes by another name. True where it cannot be reached.
    """
    try:
        status = os.stat(root)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, UnicodeEncodeError):
        return True
    return stat.S_ISDIR(status.st_mode) and os.path.realpath(root) == root


def is_gone(path: str, real_directories: dict[str, bool] | None = None) -> bool:
    """Whether there is certainly no regular file under this real path any more.

    A path that now leads through a link is another file's second name. A file that merely cannot
    be reached, or whose name the locale of this process cannot spell, is not gone.

    Args:
        path: The path as it was stored.
        real_directories: Remembers, over many calls, which directories are no links.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, UnicodeEncodeError):
        return False
    if not stat.S_ISREG(status.st_mode):
        return True
    directory = os.path.dirname(path)
    if real_directories is None:
        return os.path.realpath(directory) != directory
    if directory not in real_directories:
        real_directories[directory] = os.path.realpath(directory) == directory
    return not real_directories[directory]


def places_of(paths: Sequence[str]) -> list[bytes]:
    """What `gone_by` has to know the state of: real paths and the directories above them.

    Empty where that would not tell.
    """
    # Whether a file is there can be asked without the core.
    from rootleaf.engine.files import spelled

    above: dict[str, None] = {}
    for path in paths:
        directory = os.path.dirname(path)
        while directory not in above:
            above[directory] = None
            directory = os.path.dirname(directory)
    return spelled([*paths, *above]) or []


def gone_by(paths: Sequence[str], states: Sequence[FileState | None]) -> list[str]:
    """Those of some real paths that are gone as `is_gone` says, in their order.

    Args:
        paths: The paths.
        states: Of what `places_of` gave for them.
    """
    if not states or any(state and stat.S_ISLNK(state[0]) for state in states[len(paths) :]):
        return [path for path in paths if is_gone(path)]
    # zip: the states of the directories are over.
    return [
        path
        for path, state in zip(paths, states)  # noqa: B905
        if state is None or (state and not stat.S_ISREG(state[0]))
    ]

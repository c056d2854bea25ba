"""Whether a file is still there; apart from walking, whose imports a search need not pay."""

from __future__ import annotations

import os
import stat


def is_gone(path: str) -> bool:
    """Whether there is certainly no regular file under this real path any more.

    A path that now leads through a link is another file's second name. A file that merely cannot
    be reached is not gone.
    """
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return not stat.S_ISREG(status.st_mode) or os.path.realpath(path) != path

"""What the name of a file tells of the document in it."""

from __future__ import annotations

import os

# These names say what part a file plays in its directory; what it is about, the directory says.
_NAMES_OF_A_PART = frozenset({"readme", "skill", "index"})


def telling_name(relative_path: str) -> str:
    """The words of a path that name the document: the file's stem, in most cases.

    A `README.md`, `SKILL.md` or `index.md`, in any case of letters, is told by the directory that
    it lies in as well, unless it lies in the root itself, whose name is no part of the path.

    Args:
        relative_path: The path below the document's root.

    Example:
        >>> telling_name("deploy.md"), telling_name("keps/3983-drop-in/README.md")
        ('deploy', '3983-drop-in README')
    """
    directory, file_name = os.path.split(relative_path)
    stem, _ = os.path.splitext(file_name)
    if stem.casefold() not in _NAMES_OF_A_PART or not directory:
        return stem
    return f"{os.path.basename(directory)} {stem}"

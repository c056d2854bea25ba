"""Names that a system may write in either of two Unicode forms, composed or decomposed.

To a file system that keeps names as given they are two names, to a person one. Both count as one
where only one of them is there.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def composed(text: str) -> str:
    """The text in normalization form C."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


def other_spelling(text: str, candidates: Iterable[str]) -> str | None:
    """The only candidate that is `text` in another Unicode form, or None."""
    if text.isascii():
        return None
    form = composed(text)
    same = [other for other in candidates if not other.isascii() and composed(other) == form]
    return same[0] if len(same) == 1 else None


def is_listed(
    root: str, relative_path: str, listings: dict[str, Collection[str] | None] | None = None
) -> bool:
    """Whether every part of a path below `root` stands in its directory in just this spelling.

    A file system that knows no case, or only one Unicode form, opens a file by other names too. A
    directory that cannot be listed is taken to hold the name.

    Args:
        root: The real path that the other is relative to.
        relative_path: The path, with `/`.
        listings: Remembers, over many calls, what each directory lists.
    """
    if listings is None:
        listings = {}
    directory = root
    for name in relative_path.split("/"):
        if directory not in listings:
            listings[directory] = _listing(directory)
        names = listings[directory]
        if names is None:
            return True
        if name not in names:
            return False
        directory = os.path.join(directory, name)
    return True


def _listing(directory: str) -> frozenset[str] | None:
    try:
        return frozenset(os.listdir(directory))
    except OSError:
        return None


def spelled_on_disk(root: str, relative_path: str) -> str:
    """The path below `root` as the disk spells it.

    A part that is there as given stays so, and so does one that is there in no form or in several.
    """
    if relative_path.isascii():
        return relative_path
    directory = root
    spelled = []
    for name in relative_path.split("/"):
        path = os.path.join(directory, name)
        if not name.isascii() and not os.path.lexists(path):
            try:
                listed = os.listdir(directory)
            except (OSError, UnicodeEncodeError):
                return relative_path
            other = other_spelling(name, listed)
            path = os.path.join(directory, other or name)
        spelled.append(os.path.basename(path))
        directory = path
    return "/".join(spelled)

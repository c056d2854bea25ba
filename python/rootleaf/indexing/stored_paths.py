"""Finding what an index holds by a path that a person typed, though its file may be gone."""

from __future__ import annotations

import os

from rootleaf.documents.reading import printable
from rootleaf.indexing.roots import is_below, path_below
from rootleaf.store.paths import join_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rootleaf.store.protocol import Store

_MOST_NEAR = 3


def find_stored(given: str, store: Store) -> str | None:
    """The path, spelled as it is stored, at or below which the store holds a root or a document.

    A link does not count where the store knows its own name: a directory that was replaced by a
    link is meant, not what the link leads to. Then each link on the way is followed, and last the
    other normal form of Unicode is tried, where no more than one stored path equals it.

    Returns:
        None where the store holds nothing by any of these.
    """
    spellings = [path for path in _spellings(given) if printable(path) == path]
    for path in spellings:
        if _holds(store, path):
            return path
    for path in spellings:
        equal = _equal_paths(path, store)
        if len(equal) == 1:
            return equal.pop()
    return None


def near_paths(given: str, store: Store) -> list[str]:
    """Stored paths that resemble a path, the most alike first.

    Documents where the path names a file by its suffix, else roots and directories.
    """
    import difflib

    path = os.path.abspath(given)
    wants_file = bool(os.path.splitext(path)[1])
    known: dict[str, set[str]] = {}
    for document in _document_paths(store):
        for place in (document,) if wants_file else _directories(document):
            known.setdefault(os.path.basename(place), set()).add(place)
    for root in store.roots():
        known.setdefault(os.path.basename(root.path), set()).add(root.path)
    # By name first: whole paths begin alike, and there may be many of them.
    names = difflib.get_close_matches(os.path.basename(path), known, n=_MOST_NEAR)
    places = [place for name in names for place in sorted(known[name])]
    return difflib.get_close_matches(path, places[:1000], n=_MOST_NEAR, cutoff=0.5)


def _spellings(given: str) -> list[str]:
    """The absolute path as given, and with the links among its first, second, … parts followed."""
    path = given if os.path.isabs(given) else os.path.join(os.getcwd(), given)
    # Where `..` stands behind a link, it leads out of what the link leads to.
    head, up, tail = os.path.join(path, "").rpartition(os.sep + os.pardir + os.sep)
    if up:
        path = os.path.join(os.path.realpath(head + os.sep + os.pardir), tail)
    path = os.path.abspath(path)
    heads = [path]
    while os.path.dirname(heads[-1]) != heads[-1]:
        heads.append(os.path.dirname(heads[-1]))
    found = []
    for beginning in reversed(heads):
        rest = path[len(beginning) :].lstrip(os.sep)
        real = os.path.realpath(beginning)
        found.append(os.path.join(real, rest) if rest else real)
    return list(dict.fromkeys(found))


def _holds(store: Store, path: str) -> bool:
    for root in store.roots():
        if root.path == path or is_below(root.path, path):
            return True
        if is_below(path, root.path):
            return bool(store.paths_below(root.root_id, path_below(path, root.path)))
    return False


def _equal_paths(path: str, store: Store) -> set[str]:
    """The beginnings of stored paths that equal a path in normal form C."""
    import unicodedata

    if path.isascii():
        return set()
    meant = unicodedata.normalize("NFC", path).split(os.sep)
    found = set()
    stored = [root.path for root in store.roots()]
    for known in (*stored, *_document_paths(store)):
        if not known.isascii():
            parts = known.split(os.sep)[: len(meant)]
            if [unicodedata.normalize("NFC", part) for part in parts] == meant:
                found.add(os.sep.join(parts))
    return found


def _document_paths(store: Store) -> Iterator[str]:
    for root in store.roots():
        for name in store.paths_below(root.root_id, ""):
            yield join_root(root.path, name)


def _directories(path: str) -> Iterator[str]:
    while (directory := os.path.dirname(path)) != path:
        yield directory
        path = directory

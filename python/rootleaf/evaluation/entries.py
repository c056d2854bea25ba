"""What an entry names: `path`, or `path#heading/heading`, of an index.

An entry that could be two things is refused; one that is nothing the index holds gets the nearest
that it does hold.
"""

from __future__ import annotations

import os
import posixpath

from rootleaf.evaluation.sections import composed, sections, slug
from rootleaf.store.paths import join_root
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rootleaf.evaluation.sections import Section
    from rootleaf.store.records import StoredDocument
    from rootleaf.types import IndexedFile, LineSpan

_MOST_NEAREST = 3
# To compare with every path of a large index takes long; a file that names that many things that
# are not there is of another index.
_MOST_LOOKED_FOR = 50


class AmbiguousEntryError(Exception):
    """An entry could be several things; the message names them."""


class Target(Value):
    """What an entry names in an index.

    `document` is what it lies in: the path of a document, or the words of the entry where the index
    holds none. `sections` are the sections that it names: none where it names the whole document.
    `missing` says what the index does not hold, with the nearest that it does.
    """

    entry: str
    document: str
    sections: tuple[Section, ...] = ()
    missing: str | None = None

    @property
    def identity(self) -> tuple[str, tuple[tuple[str, ...], ...], str | None]:
        """Equal for entries that name the same thing."""
        return self.document, tuple(section.path for section in self.sections), self.missing

    def is_shown(self, path: str, spans: tuple[LineSpan, ...]) -> bool:
        """Whether a hit of this document that shows these lines shows it."""
        if self.missing is not None or path != self.document:
            return False
        return not self.sections or any(one.is_shown_by(spans) for one in self.sections)


class Holdings:
    """What an index holds, as entries name it.

    Args:
        roots: The paths of its roots.
        documents: Its documents.
        read: Gives the text of a document by its id.
    """

    def __init__(
        self,
        roots: Sequence[str],
        documents: Iterable[IndexedFile],
        read: Callable[[int], StoredDocument | None],
    ) -> None:
        self._ids = {document.path: document.document_id for document in documents}
        self._roots = roots
        self._read = read
        self._by_name: dict[str, list[str]] = {}
        self._relative: dict[str, list[str]] = {}
        for path in self._ids:
            self._by_name.setdefault(composed(os.path.basename(path)), []).append(path)
            self._relative.setdefault(self._below_root(path), []).append(path)
        self._sections: dict[str, list[Section]] = {}
        self._nearest: dict[str, str] = {}

    def name_of(self, path: str) -> str:
        """The shortest entry for a document: relative to its root, where no other root has it."""
        relative = self._below_root(path)
        return relative if len(self._relative.get(relative, ())) == 1 else path

    def target(self, entry: str) -> Target:
        """What an entry names.

        Raises:
            AmbiguousEntryError: It could be several things.
        """
        path, sign, headings = entry, "", ""
        document = self._find(entry)
        # A path may hold the sign too.
        position = entry.find("#")
        while document is None and position > 0:
            path, sign, headings = entry[:position], "#", entry[position + 1 :]
            document = self._find(path)
            position = entry.find("#", position + 1)
        if document is None:
            path = entry.partition("#")[0]
            missing = f"no document {path}{self._near_path(path)}"
            return Target(entry=entry, document=path, missing=missing)
        if not sign:
            return Target(entry=entry, document=document)
        return self._section_target(entry, document, headings)

    def _find(self, path: str) -> str | None:
        """The document of a path: below a root, else the only one whose path ends so."""
        path = posixpath.normpath(path) if os.sep == "/" else os.path.normpath(path)
        if os.path.isabs(path):
            return path if path in self._ids else None
        found = [joined for root in self._roots if (joined := join_root(root, path)) in self._ids]
        if not found:
            end = composed(os.path.join(os.sep, path))
            named_so = self._by_name.get(os.path.basename(end), ())
            found = [one for one in named_so if composed(one).endswith(end)]
        if len(found) > 1:
            message = f"{path} could be {_listed(found)}; write enough of the path, or all of it"
            raise AmbiguousEntryError(message)
        return found[0] if found else None

    def _section_target(self, entry: str, document: str, headings: str) -> Target:
        wanted = tuple(slug(heading) for heading in headings.split("/"))
        here = self._sections_of(document)
        found = [section for section in here if section.path == wanted]
        if not found:
            found = [section for section in here if section.path[-len(wanted) :] == wanted]
        paths = sorted({section.path for section in found})
        if len(paths) > 1:
            message = f"{entry} could be {_listed('#' + '/'.join(path) for path in paths)}"
            raise AmbiguousEntryError(message)
        if found:
            return Target(entry=entry, document=document, sections=tuple(found))
        name = self.name_of(document)
        missing = f"no section {'/'.join(wanted)} in {name}{self._near_section(document, wanted)}"
        return Target(entry=entry, document=document, missing=missing)

    def _sections_of(self, path: str) -> list[Section]:
        if path not in self._sections:
            document = self._read(self._ids[path])
            self._sections[path] = [] if document is None else sections(document)
        return self._sections[path]

    def _below_root(self, path: str) -> str:
        for root in self._roots:
            prefix = os.path.join(root, "")
            if path.startswith(prefix):
                return path[len(prefix) :].replace(os.sep, "/")
        return path

    def _near_path(self, path: str) -> str:
        if path not in self._nearest and len(self._nearest) < _MOST_LOOKED_FOR:
            self._nearest[path] = self._nearest_path(path)
        return self._nearest.get(path, "")

    def _nearest_path(self, path: str) -> str:
        import difflib

        name = posixpath.basename(path).lower()
        same = [
            one for each in self._by_name if each.lower() == name for one in self._by_name[each]
        ]
        if not same:
            stem, suffix = posixpath.splitext(name)
            names = {each.lower(): each for each in self._by_name}
            near = difflib.get_close_matches(name, names, _MOST_NEAREST, 0.7)
            near = near or [each for each in names if stem and not suffix and each[:-3] == stem]
            same = [one for each in near for one in self._by_name[names[each]]]
        return _nearest(self.name_of(one) for one in same)

    def _near_section(self, document: str, wanted: tuple[str, ...]) -> str:
        import difflib

        paths = list(dict.fromkeys(section.path for section in self._sections_of(document)))
        near = [path for path in paths if path[-1] == wanted[-1]]
        if not near:
            names = {"/".join(path): path for path in paths}
            close = difflib.get_close_matches("/".join(wanted), names, _MOST_NEAREST, 0.4)
            near = [names[name] for name in close]
        return _nearest("/".join(path) for path in near)


def _nearest(names: Iterable[str]) -> str:
    nearest = list(names)[:_MOST_NEAREST]
    return f"; nearest: {', '.join(nearest)}" if nearest else ""


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    shown = " or ".join(names[:_MOST_NEAREST])
    return (
        f"{shown} (and {len(names) - _MOST_NEAREST} more)" if len(names) > _MOST_NEAREST else shown
    )

"""What a database must hold after runs over a changing tree: slow, obvious, from the promises.

A *version* is what a row was read from: the bytes of a file and the rules that its path was
resolved by. The model knows no signature, segment or snapshot; it looks at the bytes that lie on
the disk and says which rows a run leaves.
"""

from __future__ import annotations

import copy
import os

from life_cycle_vocabulary import (
    ALL_MARKDOWN,
    IGNORES,
    RULES,
    front_matter_of,
    is_reached,
    is_selected,
    metadata_by,
)
from rootleaf import chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from life_cycle_vocabulary import RuleList

HANDFUL = 5
SPOILED = {"unscanned": None, "unreadable": [1]}
"""What stands where metadata should: of a row that was never scanned, and what is no mapping."""


class Row:
    """One row: its version, and when each of its chunksets was first seen, in order."""

    def __init__(self, text: str, inode: int, rules: RuleList) -> None:
        self.text = text
        self.inode = inode
        self.rules = rules
        self.dates: list[tuple[bytes, int]] = []
        self.document_id: int | None = None
        self.spoiled = ""
        """`unscanned` or `unreadable` where the metadata that is stored is not what a run wrote."""

    def metadata(self, path: str) -> object:
        """Rules and front matter of the version, the latter before the former."""
        if self.spoiled:
            return SPOILED[self.spoiled]
        return {**metadata_by(self.rules, path), **front_matter_of(self.text)[1]}

    def is_behind(self, rules: RuleList) -> bool:
        """Whether its metadata has to be resolved anew."""
        return bool(self.spoiled) or self.rules != rules


class Root:
    """What a database holds of one root."""

    def __init__(self, selection: str) -> None:
        self.selection = selection
        self.rows: dict[str, Row] = {}


class Report:
    """What the report of a run must say, by relative path."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.indexed: set[str] = set()
        self.refreshed: set[str] = set()
        self.pruned: set[str] = set()
        self.held_back: set[str] = set()
        self.moved: set[tuple[str, str]] = set()
        self.stale: set[str] = set()
        self.unscanned: set[str] = set()
        self.excluded: set[str] = set()

    def leave(self, path: str, row: Row, rules: RuleList) -> None:
        """Takes a row that the run does not come to, where its metadata is behind."""
        if row.is_behind(rules):
            (self.unscanned if row.spoiled else self.stale).add(path)


class Disk:
    """The files below a root as they lie there now: text and inode by relative path."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.is_there = os.path.isdir(root)
        self.files: dict[str, tuple[str, int]] = {}
        self.directories: dict[str, bool] = {}
        """Whether each directory has anything in it."""
        for directory, names, files in os.walk(root):
            relative = os.path.relpath(directory, root)
            prefix = "" if relative == "." else f"{relative}/"
            self.directories[prefix] = bool(names or files)
            for name in files:
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as file:
                    self.files[prefix + name] = (file.read(), os.stat(path).st_ino)

    def rules(self) -> RuleList | None:
        """What the rules file says, None where it is not understood."""
        text = self._special(".rootleaf-metadata.json")
        return next(meaning for written, meaning in RULES if written == text)

    def current_rules(self) -> RuleList | None:
        """The rules that rows are held to: a root that is away has none."""
        return self.rules() if self.is_there else ()

    def is_ignored(self, path: str) -> bool:
        """Whether the ignore file keeps a path out; a file that was named once is exempt."""
        text = self._special(".rootleafignore")
        keeps_out = next(predicate for written, predicate in IGNORES if written == text)
        return keeps_out(path) and not path.rpartition("/")[2].startswith(".")

    def _special(self, name: str) -> str | None:
        return self.files[name][0] if name in self.files else None


class Run:
    """A run over one root as it goes: what it changes, and what it will report."""

    def __init__(self, root: Root, disk: Disk, now: int) -> None:
        rules = disk.rules()
        assert disk.is_there
        assert rules is not None
        self.root = root
        self.disk = disk
        self.rules = rules
        self.now = now
        self.report = Report()
        self.gone = {path for path in root.rows if path not in disk.files}
        self.inherited: dict[bytes, int] = {}

    def move(self, new: list[str]) -> None:
        """Rows whose file is gone follow files that have no row, with chunksets and dates."""
        for old, path in moves(self.root, self.gone, new, self.disk):
            row = self.root.rows.pop(old)
            row.inode = self.disk.files[path][1]
            row.rules, row.spoiled = self.rules, ""
            self.root.rows[path] = row
            self.gone.remove(old)
            self.report.moved.add((old, path))

    def read(self, path: str) -> None:
        """The row of a file that is there comes to be of its present bytes and rules."""
        text, inode = self.disk.files[path]
        row = self.root.rows.get(path)
        if row is None or row.text != text:
            new = Row(text, inode, self.rules)
            new.dates = dated(text, row.dates if row is not None else [], self.inherited, self.now)
            new.document_id = row.document_id if row is not None else None
            self.root.rows[path] = new
            self.report.indexed.add(path)
            return
        row.inode = inode
        self.resolve(path)

    def resolve(self, path: str) -> None:
        """The metadata of a row comes to be that of the present rules."""
        row = self.root.rows[path]
        if row.is_behind(self.rules):
            row.rules, row.spoiled = self.rules, ""
            self.report.refreshed.add(path)


class Model:
    """A database of several roots; `None` for `roots` of a name means that it is not recorded."""

    def __init__(self) -> None:
        self.exists = False
        self.roots: dict[str, Root] = {}
        self.embedded: set[bytes] = set()
        """The keys whose text was paid for and whose vector is kept."""

    def copy(self) -> Model:
        """Another model that holds the same."""
        return copy.deepcopy(self)

    def index(
        self,
        name: str,
        disk: Disk,
        now: int,
        *,
        selection: str | None = None,
        prune: bool | None = None,
        ignore_files: bool = True,
    ) -> Report:
        """A run over a root that is there and whose rules are understood."""
        is_new = name not in self.roots
        root = self.roots.get(name) or Root(selection or ALL_MARKDOWN)
        root.selection = selection or root.selection
        rows_before = len(root.rows)
        run = Run(root, disk, now)
        report = run.report
        here = set(root.rows) - run.gone
        kept_out = {path for path in disk.files if ignore_files and disk.is_ignored(path)}
        report.seen = {
            path
            for path in disk.files
            if (is_reached(root.selection, path, here) and path not in kept_out)
            or (path in here and path.rpartition("/")[2].startswith("."))
        }
        report.excluded = here & kept_out
        if prune is not False:
            run.move(sorted(report.seen - set(root.rows)))
        gone = run.gone
        fires = prune is None and holds_back(gone, rows_before, disk)
        report.held_back = set(gone) if fires or prune is False else set()
        report.pruned = gone - report.held_back
        if prune is False:
            report.held_back |= report.excluded
        else:
            report.pruned |= report.excluded
        run.inherited = earliest(root, gone)
        for path in report.seen:
            run.read(path)
        for path in report.pruned:
            del root.rows[path]
        for path, row in root.rows.items():
            if is_selected(root.selection, path):
                run.resolve(path)
            else:
                report.leave(path, row, run.rules)
        self._record(name, root, is_new=is_new, report=report)
        return report

    def index_file(
        self, name: str, path: str, disk: Disk, now: int, *, prune: bool | None = None
    ) -> Report | None:
        """A run over one file; None where it must be refused."""
        is_new = name not in self.roots
        root = self.roots.get(name) or Root(ALL_MARKDOWN)
        run = Run(root, disk, now)
        report = run.report
        if path in disk.files:
            report.seen.add(path)
            if path not in root.rows and prune is not False:
                run.move([path])
            run.read(path)
        elif path not in root.rows:
            return None
        elif prune is False or (prune is None and directory_is_missing({path}, run.gone, disk)):
            report.held_back.add(path)
            run.resolve(path)
        else:
            report.pruned.add(path)
            del root.rows[path]
        for other, row in root.rows.items():
            if other != path:
                report.leave(other, row, run.rules)
        self._record(name, root, is_new=is_new, report=report)
        return report

    def forget(self, name: str, below: str) -> set[str]:
        """Drops a root (`below` is empty), a directory of it, or one file; gives what went."""
        root = self.roots.get(name)
        if root is None:
            return set()
        gone = {
            path for path in root.rows if not below or path == below or path.startswith(f"{below}/")
        }
        dropped = {key for path in gone for key, _ in root.rows[path].dates}
        for path in gone:
            del root.rows[path]
        if not below:
            del self.roots[name]
        self.embedded -= dropped - {key for root in self.roots.values() for key in keys_in(root)}
        return gone

    def embed(self, name: str) -> int:
        """A run with an embedder, after its rows are written: how many texts it has to pay for."""
        lacking = keys_in(self.roots[name]) - self.embedded if name in self.roots else set()
        self.embedded |= lacking
        return len(lacking)

    def _record(self, name: str, root: Root, *, is_new: bool, report: Report) -> None:
        if not is_new or report.indexed:
            self.roots[name] = root
            self.exists = True


def dated(
    text: str, known: list[tuple[bytes, int]], inherited: dict[bytes, int], now: int
) -> list[tuple[bytes, int]]:
    """The chunksets of a text with their dates; those that the row had before keep theirs.

    So do those that stood in a row whose file is gone by now.
    """
    left = list(known)
    dates = []
    for key in keys_of(text):
        held = next((entry for entry in left if entry[0] == key), None)
        if held is not None:
            left.remove(held)
        dates.append(held or (key, inherited.get(key, now)))
    return dates


def keys_in(root: Root) -> set[bytes]:
    """All chunkset keys of the rows of a root."""
    return {key for row in root.rows.values() for key, _ in row.dates}


def earliest(root: Root, paths: set[str]) -> dict[bytes, int]:
    """When each chunkset of some rows was first seen."""
    dates: dict[bytes, int] = {}
    for path in paths:
        for key, date in root.rows[path].dates:
            dates[key] = min(date, dates.get(key, date))
    return dates


_KEYS: dict[str, list[bytes]] = {}


def keys_of(text: str) -> list[bytes]:
    """The chunkset keys of a text, which laws of their own are tested for elsewhere."""
    if text not in _KEYS:
        _KEYS[text] = [chunkset.key for chunkset in chunk(text).chunksets]
    return _KEYS[text]


def moves(root: Root, gone: set[str], new: list[str], disk: Disk) -> list[tuple[str, str]]:
    """Which gone row follows which file without a row: the same bytes; the inode decides first.

    Then the file name, then the order of paths; one row goes with one file.
    """
    pairs: list[tuple[str, str]] = []
    rows, files = sorted(gone), list(new)
    for agrees in (
        lambda old, path: root.rows[old].inode == disk.files[path][1],
        lambda old, path: old.rpartition("/")[2] == path.rpartition("/")[2],
        lambda old, path: True,
    ):
        for path in list(files):
            partner = next(
                (
                    old
                    for old in rows
                    if root.rows[old].text == disk.files[path][0] and agrees(old, path)
                ),
                None,
            )
            if partner is not None:
                rows.remove(partner)
                files.remove(path)
                pairs.append((partner, path))
    return pairs


def holds_back(removals: set[str], rows_before: int, disk: Disk) -> bool:
    """Whether removing these rows looks like something that failed to mount."""
    too_many = len(removals) > HANDFUL and 2 * len(removals) > rows_before
    return too_many or directory_is_missing(removals, removals, disk)


def directory_is_missing(removals: set[str], gone: set[str], disk: Disk) -> bool:
    """Whether a directory of these rows is gone, or empty with more than a handful of rows gone."""
    for path in removals:
        directory = path
        while directory:
            directory = directory.removesuffix("/").rpartition("/")[0]
            directory += "/" if directory else ""
            if directory not in disk.directories:
                return True
            missing = [other for other in gone if other.startswith(directory)]
            if not disk.directories[directory] and len(missing) > HANDFUL:
                return True
    return False

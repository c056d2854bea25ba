"""Runs of the life-cycle tests: each is made for real and by the model, and both are compared."""

from __future__ import annotations

import os
import shlex

import rootleaf
from life_cycle_model import Model, Row, holds_back
from life_cycle_place import run_and_kill
from life_cycle_refusals import KINDS, check_search, refusal_of
from life_cycle_rows import (
    QUESTIONS,
    FreshIndexes,
    expected_row,
    expected_rows,
    plain,
    spoil_row,
    stored_rows,
)
from life_cycle_vocabulary import ALL_MARKDOWN
from rootleaf.documents.fingerprints import stat_signature
from rootleaf.errors import (
    InvalidInputError,
    MetadataRulesError,
    NotIndexedError,
    RootNotFoundError,
)
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from life_cycle_model import Disk, Report
    from life_cycle_place import Place
    from life_cycle_rows import Rows
    from rootleaf.types import IndexReport

_FRESH = FreshIndexes()
_NONE: list[Any] = []


class Checks:
    """A place, and the model of its database."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.model = Model()
        self.identities: dict[Any, str] = {(): ""}
        self.last_id = 0
        self.answered: Any = None
        self.turn = 0

    def index(
        self,
        name: str,
        *,
        selection: str | None = None,
        prune: bool | None = None,
        ignore_files: bool = True,
        embeds: bool = False,
    ) -> None:
        """A run of a root, and then a second one, which has nothing to do."""
        disk = self._begin(name)
        before = stored_rows(self.place.db_path)

        def run(chosen: str | None) -> IndexReport:
            return rootleaf.index(
                self.place.root(name),
                self.place.db_path,
                glob=None if chosen == ALL_MARKDOWN else chosen,
                all_markdown=chosen == ALL_MARKDOWN,
                prune=prune,
                ignore_files=ignore_files,
                embedder=self.place.embedder if embeds else None,
            )

        if self._is_refused(disk, lambda: run(selection)):
            assert stored_rows(self.place.db_path) == before
            return
        expected = self.model.index(
            name,
            disk,
            self.place.clock.now,
            selection=selection,
            prune=prune,
            ignore_files=ignore_files,
        )
        to_embed = self.model.embed(name) if embeds else 0
        report = run(selection)
        self._compare_reports(name, report, expected)
        assert report.embedded == to_embed
        self._check_others(name, before, texts_alone=embeds)
        self.rows()
        self._check_status()
        stored = stored_rows(self.place.db_path)
        for path in expected.seen:
            # The signature of each file that was looked at is that of the file, so the next run
            # need not read it.
            signature = stat_signature(os.stat(os.path.join(self.place.root(name), path)))
            assert stored[name, path]["signature"] == signature, path
        contents = self.place.contents()
        # A root of which nothing was found is not recorded, nor is what was to be read of it.
        again = run(None if name in self.model.roots else selection)
        assert self.place.contents() == contents
        done = (again.files_indexed, again.metadata_refreshed, again.pruned, again.embedded)
        assert done == (0, 0, (), 0)
        self.place.await_tick()

    def index_file(self, name: str, path: str, *, prune: bool | None) -> None:
        """A run over one file."""
        disk = self._begin(name)
        before = stored_rows(self.place.db_path)

        def run() -> IndexReport:
            root = self.place.root(name)
            file = os.path.join(root, path)
            if prune is None:
                return rootleaf.index_file(file, root, self.place.db_path)
            return rootleaf.index(root, self.place.db_path, file=file, prune=prune)

        if self._is_refused(disk, run):
            assert stored_rows(self.place.db_path) == before
            return
        expected = self.model.index_file(name, path, disk, self.place.clock.now, prune=prune)
        if expected is None:
            _raises(InvalidInputError, run)
            return
        self._compare_reports(name, run(), expected)
        self._check_others(name, before)
        self.place.await_tick()

    def forget(self, name: str, below: str) -> None:
        """All below a directory is dropped, whether it is there or not."""
        self._begin(name)
        before = stored_rows(self.place.db_path)
        target = os.path.join(self.place.root(name), below) if below else self.place.root(name)
        if not self.model.exists:
            _raises(NotIndexedError, lambda: rootleaf.forget(target, self.place.db_path))
            return
        gone = self.model.forget(name, below)
        report = rootleaf.forget(target, self.place.db_path)
        assert {self._relative(name, path) for path in report.forgotten} == gone
        self._check_others(name, before)
        self.place.await_tick()

    def spoil(self, number: int, how: str) -> None:
        """The metadata of one row is no longer what a run wrote."""
        rows = [row for _, root in sorted(self.model.roots.items()) for row in root.rows.values()]
        rows = [row for row in rows if not row.spoiled]
        if rows:
            row = rows[number % len(rows)]
            row.spoiled = how
            spoil_row(self.place.db_path, row.document_id or 0, how)

    def obey(self, number: int) -> None:
        """Where a filter is refused, the commands of the error clear what it is about."""
        question = [question for question in QUESTIONS if question[1]][number % 8]
        refusal = refusal_of(self.place.db_path, question)
        kind = type(refusal).__name__
        # What is wrong in a rules file is for a person to mend.
        if refusal is None or kind == KINDS[0]:
            return
        assert refusal.commands
        for command in refusal.commands:
            self._follow(shlex.split(command))
        later = type(refusal_of(self.place.db_path, question)).__name__
        assert later == "NoneType" or KINDS.index(later) > KINDS.index(kind)

    def _follow(self, command: list[str]) -> None:
        """Runs one command of those that an error names."""
        program, verb, place, *options = command
        name = os.path.relpath(place, self.place.base)
        assert (program, name.partition("/")[0] in self.model.roots) == ("rootleaf", True)
        given = dict(zip(options, [*options[1:], ""], strict=True))
        assert given["--db"] == self.place.db_path
        if verb == "forget":
            self.forget(*name.split("/", 1)) if "/" in name else self.forget(name, "")
        elif "--file" in given:
            path = os.path.relpath(given["--file"], place)
            self.index_file(name, path, prune=True if "--prune" in given else None)
        else:
            self.index(
                name,
                selection=ALL_MARKDOWN if "--all" in given else given.get("--glob"),
                prune=True if "--prune" in given else None,
                ignore_files="--no-ignore" not in given,
            )

    def kill(self, name: str, *, at: str, count: int, prune: bool | None) -> None:
        """A run that dies; each row is that of before or that of after, and the model takes it."""
        disk = self._begin(name)
        if not disk.is_there or disk.rules() is None:
            return
        before = stored_rows(self.place.db_path)
        after = self.model.copy()
        after.index(name, disk, self.place.clock.now, prune=prune)
        run_and_kill(
            lambda step: rootleaf.index(
                self.place.root(name), self.place.db_path, prune=prune, on_progress=step
            ),
            at=at,
            count=count,
        )
        self._check_others(name, before)
        self._take(name, after, disk)
        self.place.await_tick()

    def rows(self) -> None:
        """The rows are those of the model: text, metadata, chunksets with dates, rules, ids."""
        stored = stored_rows(self.place.db_path)
        found = {key: plain(row) for key, row in stored.items()}
        expected = expected_rows(self.model)
        for key in {*found, *expected}:
            assert found.get(key) == expected.get(key), key
        for name, root in self.model.roots.items():
            for path, row in root.rows.items():
                self._check_identity(row, stored[name, path])

    def answers(self) -> None:
        """Searches answer as a fresh index does, or refuse as they must, and create nothing."""
        expected = _FRESH.answers(self.model, self.place.fresh) if self.model.exists else _NONE
        disks = {name: self.place.disk(name) for name in self.model.roots}
        before = self.place.listing()
        numbers = range(len(QUESTIONS))
        if self.answered is expected:
            # Only the files may have changed: two of the questions in turn are enough.
            self.turn += 1
            numbers = range(self.turn % len(QUESTIONS), len(QUESTIONS), len(QUESTIONS) // 2)
        for number in numbers:
            answer = expected[number] if expected else "not indexed"
            check_search(self.place, self.model, disks, QUESTIONS[number], answer)
        self.answered = expected
        assert self.place.listing() == before

    def _check_status(self) -> None:
        """Status names what is gone and what is behind; after a run nothing is to be done."""
        if not self.model.exists:
            return
        disks = {name: self.place.disk(name) for name in self.model.roots}
        status = rootleaf.status(db_path=self.place.db_path)
        named: dict[str, set[str]] = {}
        for name, root in self.model.roots.items():
            rules = disks[name].rules()
            missing = set(root.rows) - set(disks[name].files)
            is_held = holds_back(missing, len(root.rows), disks[name])
            for path, row in root.rows.items():
                where = os.path.join(self.place.root(name), path)
                is_stale = row.rules != rules and rules is not None and not row.spoiled
                # Of a root that is away neither files nor rules are known.
                for kind, holds in (
                    (row.spoiled, row.spoiled),
                    ("held" if is_held else "gone", disks[name].is_there and path in missing),
                    ("stale", disks[name].is_there and is_stale),
                ):
                    if holds:
                        named.setdefault(kind, set()).add(where)
        rows = sum(len(root.rows) for root in self.model.roots.values())
        assert (status.files, status.snapshot) == (rows, "current")
        for kind, told in (
            ("unscanned", status.unscanned),
            ("unreadable", status.unreadable_metadata),
            ("gone", status.gone),
            ("held", status.held_back),
            ("stale", status.stale_rules),
        ):
            assert set(told) == named.get(kind, set()), kind

    def _begin(self, name: str) -> Disk:
        self.place.clock.now += 10
        return self.place.disk(name)

    def _is_refused(self, disk: Disk, run: Any) -> bool:
        """Whether a run must refuse, which it then does."""
        if not disk.is_there:
            return _raises(RootNotFoundError, run)
        return disk.rules() is None and _raises(MetadataRulesError, run)

    def _relative(self, name: str, path: str) -> str:
        return os.path.relpath(path, self.place.root(name))

    def _compare_reports(self, name: str, report: IndexReport, expected: Report) -> None:
        def relative(paths: tuple[str, ...]) -> set[str]:
            return {self._relative(name, path) for path in paths}

        assert report.files_seen == len(expected.seen)
        assert report.files_indexed == len(expected.indexed)
        assert report.files_unchanged == len(expected.seen) - len(expected.indexed)
        assert report.metadata_refreshed == len(expected.refreshed)
        assert relative(report.pruned) == expected.pruned
        assert relative(report.held_back) == expected.held_back
        assert relative(report.stale_rules) == expected.stale
        assert relative(report.unscanned) == expected.unscanned
        moved = {
            (self._relative(name, move.old_path), self._relative(name, move.new_path))
            for move in getattr(report, "moved", ())
        }
        assert moved == expected.moved
        named = {self._relative(name, entry.path) for entry in report.skipped}
        assert named == expected.excluded

    def _check_others(self, name: str, before: Rows, *, texts_alone: bool = False) -> None:
        """No row of another root was touched; a new vector of a shared text counts as a change."""
        after = stored_rows(self.place.db_path)
        if texts_alone:
            before, after = ({k: plain(row) for k, row in rows.items()} for rows in (before, after))
        for rows, others in ((before, after), (after, before)):
            for key, row in rows.items():
                assert key[0] == name or others.get(key) == row

    def _check_identity(self, row: Row, stored: dict[str, Any]) -> None:
        """Equal rules have one identity; a document keeps its id, and none is given twice."""
        if row.spoiled != "unscanned":
            assert self.identities.setdefault(row.rules, stored["rules"]) == stored["rules"]
        assert len(set(self.identities.values())) == len(self.identities)
        if row.document_id is None:
            assert stored["document_id"] > self.last_id
            row.document_id = stored["document_id"]
        assert stored["document_id"] == row.document_id

    def _take(self, name: str, after: Model, disk: Disk) -> None:
        """The model takes what a killed run left: the row of before or of after, path by path."""
        stored = stored_rows(self.place.db_path)
        before = self.model.roots.get(name)
        complete = after.roots.get(name)
        recorded = self._recorded(name)
        if recorded is None:
            assert before is None
            return
        assert recorded in {root.selection for root in (before, complete) if root is not None}
        self.model.exists = True
        old_rows = dict(before.rows) if before is not None else {}
        new_rows = complete.rows if complete is not None else {}
        kept = {}
        for path in {*old_rows, *new_rows, *(key[1] for key in stored if key[0] == name)}:
            found = stored.get((name, path))
            candidates = [rows[path] for rows in (old_rows, new_rows) if path in rows]
            if path in old_rows and path not in new_rows:
                candidates.append(_with_rules(old_rows[path], disk.rules()))
            if found is None:
                assert path not in old_rows or path not in new_rows
                continue
            kept[path] = next(
                row
                for row in candidates
                if expected_row(path, row) == plain(found)
                and found["rules"] in (None, self.identities.setdefault(row.rules, found["rules"]))
            )
            kept[path].inode = int(found["signature"].split(":")[3])
        left = {id(row) for row in kept.values()}
        assert all(
            row.document_id in {other.document_id for other in kept.values()}
            for row in old_rows.values()
            if id(row) not in left and row.document_id in _ids(new_rows)
        )
        root = self.model.roots.setdefault(name, complete or before)  # type: ignore[arg-type]
        root.rows = kept
        root.selection = recorded

    def _recorded(self, name: str) -> str | None:
        """The selection that the database has for a root."""
        try:
            with open_for_reading(self.place.db_path) as store:
                self.model.exists = True
                for root in store.roots():
                    if os.path.basename(root.path) == name:
                        return root.selection.removeprefix("glob: ")
        except NotIndexedError:
            assert not self.model.exists
        return None


def _ids(rows: dict[str, Row]) -> set[int | None]:
    return {row.document_id for row in rows.values()}


def _with_rules(row: Row, rules: Any) -> Row:
    other = Row(row.text, row.inode, rules)
    other.dates = row.dates
    other.document_id = row.document_id
    return other


def _raises(kind: type[Exception], run: Any) -> bool:
    try:
        run()
    except kind:
        return True
    message = f"{kind.__name__} was not raised"
    raise AssertionError(message)

"""One look at a database: every check, as of one moment, writing nothing."""

from __future__ import annotations

import os

from rootleaf.embed.builtin import builtin_table
from rootleaf.embed.choosing import BUILTIN
from rootleaf.engine.analyzer import ANALYZER_ID
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.errors import EmbedderError, StoreError
from rootleaf.indexing.faults import (
    CHUNKSETS,
    COUNTERS,
    METADATA,
    ROOTS,
    STRAYS,
    TEXTS,
    VECTORS,
)
from rootleaf.indexing.health import ERROR, NOTICE, WARNING, finding, sound
from rootleaf.indexing.place import network_notice, no_log_notice
from rootleaf.indexing.row_faults import Rows
from rootleaf.indexing.snapshot import ABSENT, describe_snapshot, find_snapshot
from rootleaf.indexing.snapshot_check import find_difference
from rootleaf.store.left_behind import left_behind
from rootleaf.store.paths import quoted
from rootleaf.store.sqlite_errors import repair_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.indexing.faults import Fault
    from rootleaf.indexing.health import Check
    from rootleaf.store.sqlite import SqliteStore

_ROW_CHECKS = (COUNTERS, ROOTS, STRAYS, TEXTS, CHUNKSETS, METADATA, VECTORS)


class Checkup:
    """What a look at a database found.

    Args:
        store: Opened for reading.
        on_progress: As for `rootleaf.doctor`.

    Attributes:
        checks: In order.
        faults: What is wrong with rows.
        roots: The paths of the roots.
        is_readable: Whether it could be opened.
        is_damaged: Whether pages or tables are, so that only a new file can hold what there is.
        has_bad_snapshot: Whether the snapshot is absent or of no use.
        has_wrong_snapshot: Whether it is there and not of these texts, or was none; who has it open
            goes on with it.
        can_mend: Whether a repair could do anything.
    """

    def __init__(
        self, store: SqliteStore | None, on_progress: Callable[[int, int], None] | None = None
    ) -> None:
        self.checks: list[Check] = []
        self.faults: list[Fault] = []
        self.roots: list[str] = []
        self.is_readable = store is not None
        self.is_damaged = False
        self.has_bad_snapshot = False
        self.has_wrong_snapshot = False
        self.can_mend = True
        self._on_progress = on_progress
        if store is not None:
            self._look(store)

    @property
    def is_healthy(self) -> bool:
        """Whether it can be read, and nothing has to be done."""
        return self.is_readable and all(check.ok for check in self.checks)

    def _look(self, store: SqliteStore) -> None:
        self._repair = repair_command(store.db_path)
        self._look_at_pages(store)
        if not self.is_damaged:
            try:
                self._look_at_rows(store)
            except StoreError as error:
                self._add_damage("rows", error.message, ())
        if not self.is_damaged:
            self._look_at_identities(store)
            self._look_at_snapshot(store)
        if not (self.is_damaged or self.faults):
            self._look_at_embedder(store)
        self._look_at_place(store)

    def _look_at_pages(self, store: SqliteStore) -> None:
        examination = store.examination()
        complaints = examination.complaints()
        if complaints:
            self._add_damage("pages", "the file is damaged", tuple(complaints))
            return
        altered = examination.altered_schema()
        if altered:
            self.checks.append(sound("pages"))
            self._add_damage("schema", "it is not as this version makes it", tuple(altered))
            return
        misplaced = examination.misplaced_values()
        if misplaced:
            self._add_damage("pages", "there are values of the wrong kind", tuple(misplaced))
            return
        self.checks.append(sound("pages"))
        self.checks.append(sound("schema", f"version {store.schema_version()}"))

    def _look_at_rows(self, store: SqliteStore) -> None:
        examination = store.examination()
        self.roots = [root.path for root in examination.roots()]
        self.faults = Rows(examination, on_progress=self._on_progress).faults()
        for name in _ROW_CHECKS:
            faults = [fault.what for fault in self.faults if fault.check == name]
            if faults:
                found = f"{len(faults):,} fault{'' if len(faults) == 1 else 's'}"
                self.checks.append(
                    finding(name, ERROR, found, items=tuple(faults), command=self._repair)
                )
            else:
                self.checks.append(_note(name, store) or sound(name, _size(name, store)))

    def _look_at_identities(self, store: SqliteStore) -> None:
        if any(fault.check in {ROOTS, COUNTERS} for fault in self.faults):
            return
        old = [
            root.path
            for root in store.roots()
            if root.chunker != CHUNKER_ID or store.analyzer() != ANALYZER_ID
        ]
        if not old:
            self.checks.append(sound("version"))
            return
        self.checks.append(
            finding(
                "version",
                WARNING,
                "cut or analysed by another version of Rootleaf; the next run brings it up to date",
                items=tuple(old),
                command=f"rootleaf index {quoted(old[0])} --db {quoted(store.db_path)}",
            )
        )

    def _look_at_snapshot(self, store: SqliteStore) -> None:
        if self.faults:
            # What it is held to is wrong itself; a repair makes it anew.
            self.has_bad_snapshot = True
            self.checks.append(
                finding("snapshot", NOTICE, "not looked at before the rows are mended")
            )
            return
        found = find_snapshot(store)
        if found.snapshot is None:
            is_empty = not store.counts().files
            reason = "there is none" if found.reason == ABSENT else f"not usable: {found.reason}"
            self.has_bad_snapshot = not (is_empty and found.reason == ABSENT)
            if not self.has_bad_snapshot:
                self.checks.append(sound("snapshot", reason))
                return
            self.has_wrong_snapshot = found.reason != ABSENT
            self._add_snapshot(WARNING, f"{reason}; searches read all texts instead")
            return
        try:
            difference = find_difference(store, found)
        except StoreError as error:
            self._add_damage("rows", error.message, ())
            return
        if difference is not None:
            self.has_wrong_snapshot = True
            self._add_snapshot(ERROR, difference)
        elif not found.is_of(store.generation()):
            self._add_snapshot(WARNING, describe_snapshot(store))
        else:
            self.checks.append(sound("snapshot", "current, and answers as the texts do"))

    def _look_at_embedder(self, store: SqliteStore) -> None:
        model = store.model()
        if model is None or model.name != BUILTIN:
            return
        try:
            # Opening it leaves the rows out, so that a cold search need not read them all.
            builtin_table().verify()
        except EmbedderError as error:
            found = f"{error.message}; what it embeds is wrong"
            command = "pip install --force-reinstall rootleaf"
            self.checks.append(finding("embedder", ERROR, found, command=command))
        else:
            self.checks.append(sound("embedder", "its table is whole"))

    def _look_at_place(self, store: SqliteStore) -> None:
        if store.has_log():
            self.checks.append(sound("journal", "log"))
        else:
            self.checks.append(finding("journal", NOTICE, no_log_notice(store.db_path)))
        left = left_behind(store.db_path)
        if left:
            found = "a repair that was killed left files beside it"
            self.checks.append(
                finding("leftovers", WARNING, found, items=tuple(left), command=self._repair)
            )
        network = network_notice(store.db_path)
        self.checks.append(finding("place", WARNING, network) if network else sound("place"))

    def _add_damage(self, name: str, found: str, items: tuple[str, ...]) -> None:
        self.is_damaged = True
        self.has_bad_snapshot = True
        self.checks.append(finding(name, ERROR, found, items=items, command=self._repair))

    def _add_snapshot(self, severity: str, found: str) -> None:
        self.has_bad_snapshot = True
        self.checks.append(finding("snapshot", severity, found, command=self._repair))


def unreadable(db_path: str, reason: str, *, can_mend: bool = True) -> Checkup:
    """What is to be said of a database that cannot be opened."""
    checkup = Checkup(None)
    checkup.is_damaged = True
    checkup.can_mend = can_mend
    command = repair_command(db_path) if can_mend else None
    checkup.checks.append(finding("file", ERROR, reason, command=command))
    return checkup


def _note(name: str, store: SqliteStore) -> Check | None:
    """What is no fault, and may still surprise."""
    if name == ROOTS and any(root.path == os.path.abspath(os.sep) for root in store.roots()):
        everything = os.path.abspath(os.sep)
        return finding(
            name,
            NOTICE,
            f"{everything} is a root, and so all files of this machine are its own",
            command=f"rootleaf forget {everything} --db {quoted(store.db_path)}",
        )
    model = store.model() if name == VECTORS else None
    missing = store.count_without_vector() if model is not None else 0
    if model is None or not missing:
        return None
    return finding(
        name,
        NOTICE,
        f"{missing:,} of {store.counts().chunksets:,} chunksets have no vector of {model.name} yet",
    )


def _size(name: str, store: SqliteStore) -> str:
    counts = store.counts()
    return {
        TEXTS: f"{counts.files:,}",
        CHUNKSETS: f"{counts.chunksets:,}",
    }.get(name, "")

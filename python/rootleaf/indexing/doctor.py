"""Finding out what is wrong with a database, and putting it right: the public `doctor`.

What is derived is made again from the texts. A text is never discarded: where pages of the file are
damaged, all that lies there is saved before a new file takes its place.
"""

from __future__ import annotations

import os
import time

from rootleaf.documents.fingerprints import content_hash
from rootleaf.documents.selection import Selection
from rootleaf.errors import NotIndexedError, StoreError
from rootleaf.indexing.checkup import Checkup, unreadable
from rootleaf.indexing.faults import COUNTERS
from rootleaf.indexing.health import DoctorReport
from rootleaf.indexing.row_faults import Rows
from rootleaf.indexing.snapshot import remove_snapshot, renew_snapshot
from rootleaf.store.left_behind import remove_left_behind
from rootleaf.store.locating import locate
from rootleaf.store.paths import is_default_db_path, quoted
from rootleaf.store.schema import LARGEST_NUMBER
from rootleaf.store.sqlite import open_for_reading, open_for_writing
from rootleaf.store.sqlite_errors import directory_in_the_way
from rootleaf.store.sqlite_mending import next_sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.indexing.faults import Fault
    from rootleaf.store.sqlite_mending import SqliteMending

    Progress = Callable[[int, int], None]

_DAMAGED = "store.damaged"


def doctor(
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    repair: bool = False,
    *,
    on_progress: Progress | None = None,
) -> DoctorReport:
    """Looks a database over, row by row, and mends what can be mended where that is asked for.

    Without `repair` nothing is written, and it works where nothing may be written. With it other
    programs may go on reading; writers are waited for.

    Args:
        path: A directory; the nearest database from it upward is meant. None stands for the current
            directory.
        db_path: The database itself, where it is not the nearest one.
        repair: Also mend what was found. Before a damaged file is replaced, all of it is saved
            beside it.
        on_progress: Called after each document with how many were looked at, and how many there
            are; more than once through where something is mended.

    Returns:
        What was found. After a repair, how it is now, what was mended, and what was lost.

    Raises:
        NotIndexedError: There is no database.
        StoreError: It is of another program or a newer version, another program keeps it locked, or
            the repair may not write here; nothing was changed then.
    """
    started = time.perf_counter()
    database = locate(path, db_path)
    if not os.path.lexists(database):
        # Says so in the words of every other command.
        open_for_reading(database).close()
    in_the_way = directory_in_the_way(database)
    if in_the_way is not None:
        raise in_the_way
    treatment = Treatment(database, on_progress)
    checkup = _checkup(database, on_progress)
    if repair and not checkup.is_healthy:
        treatment.mend(checkup)
        checkup = _checkup(database, on_progress)
    return DoctorReport(
        db_path=database,
        ok=checkup.is_healthy,
        is_readable=checkup.is_readable,
        checks=tuple(checkup.checks),
        repaired=tuple(treatment.repaired),
        lost=tuple(treatment.lost),
        saved=treatment.saved,
        commands=_commands(database, checkup, treatment),
        took_ms=(time.perf_counter() - started) * 1000,
    )


def _checkup(database: str, on_progress: Progress | None) -> Checkup:
    try:
        store = open_for_reading(database)
    except NotIndexedError:
        return unreadable(
            database, "nothing was ever written to it, or it was emptied", can_mend=False
        )
    except StoreError as error:
        if error.code != _DAMAGED:
            raise
        return unreadable(database, error.message)
    with store:
        return Checkup(store, on_progress)


class Treatment:
    """What a repair does.

    Attributes:
        repaired: What was mended, in sentences.
        lost: Documents whose text could not be read any more.
        saved: The file that all was saved to.
    """

    def __init__(self, database: str, on_progress: Progress | None) -> None:
        self.repaired: list[str] = []
        self.lost: list[str] = []
        self.saved: str | None = None
        self._database = database
        self._on_progress = on_progress

    def mend(self, checkup: Checkup) -> None:
        """Mends what a checkup found, as far as it can be."""
        if not checkup.is_readable and not checkup.can_mend:
            return
        if checkup.is_damaged:
            self._salvage()
        elif checkup.faults:
            if self.saved is None and any(fault.discards_text for fault in checkup.faults):
                from rootleaf.store.sqlite_replacing import save_copy

                self.saved = save_copy(self._database)
            with open_for_writing(self._database) as store, store.mending() as write:
                self._mend_rows(write, 0)
        elif checkup.has_wrong_snapshot:
            with open_for_writing(self._database) as store, store.mending() as write:
                write.begin_new_state(store.generation())
        with open_for_writing(self._database) as store, store.reading():
            if checkup.has_bad_snapshot or self.repaired:
                remove_snapshot(store)
                problem = renew_snapshot(store)
                self.repaired.append("the snapshot was made anew" if problem is None else problem)
        removed = remove_left_behind(self._database)
        if removed:
            self.repaired.append(f"removed what a killed repair left: {', '.join(removed)}")

    def _salvage(self) -> None:
        from rootleaf.store.sqlite_replacing import replace_with_readable

        salvage, self.saved = replace_with_readable(
            self._database,
            self._mend_salvaged,
            default_selection=Selection.all_markdown().spelling,
            hash_of=content_hash,
        )
        documents = f"{salvage.documents:,} document{'' if salvage.documents == 1 else 's'}"
        vectors = f"{salvage.vectors:,} vector{'' if salvage.vectors == 1 else 's'}"
        self.repaired.insert(
            0,
            f"the file was replaced by a new one of all that could be read: {documents}, {vectors}",
        )
        self.lost.extend(salvage.lost)

    def _mend_salvaged(self, write: SqliteMending, highest_known: int) -> None:
        self._mend_rows(write, highest_known, is_salvaged=True)
        write.begin_new_state(highest_known)

    def _mend_rows(
        self, write: SqliteMending, highest_known: int, *, is_salvaged: bool = False
    ) -> None:
        """Looks at all rows once more, under the write lock, and mends them."""
        examination = write.examination()
        counters = examination.counters()
        faults = Rows(examination, is_salvaged=is_salvaged, on_progress=self._on_progress).faults()
        if not faults:
            return
        write.restore_counters(next_sequence(counters.document_sequence, counters.highest_document))
        for fault in faults:
            fault.mend(write)
        self.lost.extend(fault.lost for fault in faults if fault.lost)
        seen = (counters.generation or 0, counters.highest_revision, counters.highest_state)
        write.begin_new_state(
            max(highest_known, *(number for number in seen if number < LARGEST_NUMBER))
        )
        # A new file begins without counters; that is no fault of what was read.
        self.repaired.extend(
            _told([fault for fault in faults if not (is_salvaged and fault.check == COUNTERS)])
        )


def _told(faults: list[Fault]) -> list[str]:
    counts: dict[str, int] = {}
    for fault in faults:
        counts[fault.check] = counts.get(fault.check, 0) + 1
    return [
        f"{check}: {count:,} fault{'' if count == 1 else 's'} mended"
        for check, count in counts.items()
    ]


def _commands(database: str, checkup: Checkup, treatment: Treatment) -> tuple[str, ...]:
    """What to run next: each command once, in the order of the checks."""
    commands = [check.command for check in checkup.checks if check.command is not None]
    if treatment.lost or treatment.saved is not None or treatment.repaired:
        commands += [
            f"rootleaf index {quoted(root)} --db {quoted(database)}" for root in checkup.roots
        ]
    knows_no_root = treatment.saved is not None and not checkup.roots
    if not checkup.can_mend or (checkup.is_readable and knows_no_root):
        commands.append(_index_command(database))
    return tuple(dict.fromkeys(commands))


def _index_command(database: str) -> str:
    if is_default_db_path(database):
        return f"rootleaf index {quoted(os.path.dirname(os.path.dirname(database)))}"
    return f"rootleaf index ROOT --db {quoted(database)}"

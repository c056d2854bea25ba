"""Counts and names what a run did, and makes its report."""

from __future__ import annotations

import time

from rootleaf.types import DecodedByFallback, IgnoredBy, IndexReport, Moved, Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.indexing.preparing import Change
    from rootleaf.store.records import FileMark


class Tally:
    """What a run has done so far; paths are absolute."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.files_seen = 0
        self.files_indexed = 0
        self.files_failed = 0
        self.metadata_refreshed = 0
        self.chunks = 0
        self.chunksets = 0
        self.embedded = 0
        self.without_vector = 0
        self.skipped: list[Skipped] = []
        self.excluded: list[Skipped] = []
        self.ignored: tuple[IgnoredBy, ...] = ()
        self.decoded_by_fallback: list[DecodedByFallback] = []
        self.unparsed_front_matter: list[Skipped] = []
        self.notices: list[str] = []
        self.warnings: list[str] = []
        self.pruned: list[str] = []
        self.moved: list[Moved] = []
        self.held_back: list[str] = []
        self.held_back_reason: str | None = None
        self.stale_rules: list[str] = []
        self.unscanned: list[str] = []

    def count(self, change: Change) -> None:
        """Counts what is to be written for a file, and what could not be read."""
        if change.skipped is not None:
            self.files_failed += 1
            self.skipped.append(change.skipped)
        if change.metadata is not None:
            self.metadata_refreshed += 1
        version = change.version
        if version is None:
            return
        self.files_indexed += 1
        self.chunks += version.chunk_count
        self.chunksets += change.chunkset_count
        if change.decoded_by_fallback is not None:
            self.decoded_by_fallback.append(change.decoded_by_fallback)
        problem = version.front_matter_problem
        if problem is not None:
            reason = f"line {problem.line}: {problem.reason}"
            self.unparsed_front_matter.append(Skipped(path=change.path, reason=reason))

    def note(self, notice: str | None) -> None:
        """Takes a sentence for the person who runs this, if there is one."""
        if notice is not None:
            self.notices.append(notice)

    def hold_back(self, paths: list[str], reason: str) -> None:
        """Takes files whose rows are kept although they are gone, and why."""
        self.held_back.extend(paths)
        self.held_back_reason = reason

    def leave_metadata(self, path: str, mark: FileMark) -> None:
        """Takes a row whose metadata is behind, and which this run does not come to."""
        (self.unscanned if mark.rules_identity is None else self.stale_rules).append(path)

    def all_skipped(self) -> tuple[Skipped, ...]:
        """What was found and could not be indexed, by path: what a run records, for `status`."""
        return tuple(sorted(self.skipped, key=lambda entry: (entry.path, entry.reason)))

    def report(self, root: str, db_path: str) -> IndexReport:
        """The report of the run."""
        skipped = sorted([*self.skipped, *self.excluded], key=lambda entry: entry.path)
        return IndexReport(
            root=root,
            db_path=db_path,
            files_seen=self.files_seen,
            files_indexed=self.files_indexed,
            files_unchanged=self.files_seen - self.files_indexed - self.files_failed,
            chunks=self.chunks,
            chunksets=self.chunksets,
            embedded=self.embedded,
            without_vector=self.without_vector,
            metadata_refreshed=self.metadata_refreshed,
            skipped=tuple(skipped),
            ignored=self.ignored,
            decoded_by_fallback=tuple(self.decoded_by_fallback),
            unparsed_front_matter=tuple(self.unparsed_front_matter),
            notices=tuple(self.notices),
            warnings=tuple(self.warnings),
            pruned=tuple(sorted(self.pruned)),
            moved=tuple(sorted(self.moved, key=lambda move: move.new_path)),
            held_back=tuple(sorted(self.held_back)),
            held_back_reason=self.held_back_reason if self.held_back else None,
            stale_rules=tuple(sorted(set(self.stale_rules))),
            unscanned=tuple(sorted(set(self.unscanned))),
            took_ms=(time.perf_counter() - self._started) * 1000,
        )

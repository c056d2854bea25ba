"""The refusal of a filtered search: what is wrong, which files, and the commands that clear it."""

from __future__ import annotations

from rootleaf.errors import (
    MetadataIncomplete,
    MetadataNotIndexed,
    MetadataRulesError,
    MetadataStale,
    MetadataUnreadable,
)
from rootleaf.indexing import remedies
from rootleaf.store.paths import join_root, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rootleaf.indexing.remedies import Remedy
    from rootleaf.searching.root_rules import RootRules
    from rootleaf.searching.rows import Rows
    from rootleaf.searching.vouching import Doubts

_NAMED_FILES = 5


def refusal(store: Rows, doubts: Doubts, roots: Sequence[RootRules]) -> MetadataIncomplete:
    """The error for the first kind of doubt that there is, with what clears all of that kind."""
    by_id = {found.root.root_id: found for found in roots}
    if doubts.rules:
        return _broken_rules(store, [by_id[root_id] for root_id in doubts.rules])
    kinds: tuple[tuple[type[MetadataIncomplete], Mapping[int, Sequence[str]], str], ...] = (
        (MetadataNotIndexed, doubts.unscanned, "was never looked for"),
        (MetadataUnreadable, doubts.unreadable, "cannot be read in the index"),
        (MetadataStale, doubts.stale, "is not what the current rules of their root say"),
    )
    for kind, rows_by_root, what in kinds:
        if rows_by_root:
            return _of_rows(kind, store, by_id, rows_by_root, what)
    raise ValueError


def refuse(
    kind: type[MetadataIncomplete], reason: str, files: Iterable[str], cure: Iterable[Remedy]
) -> MetadataIncomplete:
    """An error with a message that begins with the reason and names the first of the files."""
    files = tuple(sorted(files))
    advice: list[str] = []
    commands: list[str] = []
    for remedy in cure:
        advice.extend(sentence for sentence in remedy.advice if sentence not in advice)
        commands.extend(remedy.commands)
    message = " ".join([f"{reason}: {_named(files)}.", *advice])
    return kind(message, files=files, commands=tuple(commands))


def counted_files(count: int) -> str:
    """`1 file`, `1,200 files`."""
    return "1 file" if count == 1 else f"{count:,} files"


def _of_rows(
    kind: type[MetadataIncomplete],
    store: Rows,
    by_id: Mapping[int, RootRules],
    rows_by_root: Mapping[int, Sequence[str]],
    what: str,
) -> MetadataIncomplete:
    files = []
    cure = []
    for root_id in sorted(rows_by_root, key=lambda root_id: by_id[root_id].root.path):
        root = by_id[root_id].root
        files += [join_root(root.path, row) for row in rows_by_root[root_id]]
        cure.append(remedies.resolve_anew(root, rows_by_root[root_id], store.db_path))
    reason = f"A filter cannot be answered: the metadata of {counted_files(len(files))} {what}"
    return refuse(kind, reason, files, cure)


def _broken_rules(store: Rows, broken: Sequence[RootRules]) -> MetadataIncomplete:
    problems = [found.problem.message for found in broken if found.problem is not None]
    files = [path for found in broken if found.problem is not None for path in found.problem.files]
    cure = []
    for found in broken:
        marks = store.marks(found.root.root_id)
        # Set aside, they leave a root without rules; opened, they may say anything.
        is_closed = remedies.is_closed(found.root.path)
        rows = [path for path, mark in marks.items() if is_closed or mark.rules_identity != ""]
        cure.append(remedies.mend_rules(found.root, rows, store.db_path))
    reason = f"A filter cannot be answered: {'; '.join(problems)}"
    advice = [sentence for remedy in cure for sentence in remedy.advice]
    return MetadataRulesError(
        " ".join([f"{reason}.", *advice]),
        files=tuple(files),
        commands=tuple(command for remedy in cure for command in remedy.commands),
    )


def _named(files: Sequence[str]) -> str:
    named = ", ".join(quoted(path) for path in files[:_NAMED_FILES])
    more = len(files) - _NAMED_FILES
    return f"{named} and {more:,} more" if more > 0 else named

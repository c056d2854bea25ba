"""What an index holds and what is wrong with it: the public `status`."""

from __future__ import annotations

import os

from rootleaf.documents.presence import is_gone
from rootleaf.documents.rules import load_rules
from rootleaf.errors import MetadataRulesError, NotIndexedError
from rootleaf.indexing.snapshot import describe_snapshot
from rootleaf.store.locating import locate
from rootleaf.store.paths import join_root
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import IgnoredBy, RootStatus, Skipped, Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.store.records import StoredRoot
    from rootleaf.store.sqlite import SqliteStore

_NO_EMBEDDER = "none"


def status(
    path: str | os.PathLike[str] | None = None, db_path: str | os.PathLike[str] | None = None
) -> Status:
    """Says what an index holds; changes nothing, and works where nothing may be written.

    Which files are gone and which rows were resolved by rules that are no longer current is looked
    up now; what was skipped and what ignore files kept out is of the last run of each root.

    Args:
        path: A directory; the nearest database from it upward is meant. None stands for the current
            directory.
        db_path: The database itself, where it is not the nearest one.

    Raises:
        NotIndexedError: There is no database.
        StoreError: It is there and cannot be read.
    """
    try:
        located = locate(path, db_path)
    except NotIndexedError as error:
        from rootleaf.indexing.absence import explain_absence

        raise explain_absence(error, path, db_path) from None
    with open_for_reading(located) as store:
        return _status(store)


def _status(store: SqliteStore) -> Status:
    roots = store.roots()
    model = store.model()
    counts = store.counts()
    skipped: list[Skipped] = []
    stale: list[str] = []
    gone: list[str] = []
    for root in roots:
        skipped.extend(root.skipped)
        marks = store.marks(root.root_id)
        real_directories: dict[str, bool] = {}
        paths = (join_root(root.path, name) for name in marks)
        gone.extend(path for path in paths if is_gone(path, real_directories))
        identity = _rules_identity(root, skipped)
        if identity is not None:
            stale.extend(
                join_root(root.path, mark.path)
                for mark in marks.values()
                if mark.rules_identity != identity
            )
    return Status(
        db_path=store.db_path,
        journal="log" if store.has_log() else "rollback journal",
        size_bytes=store.size_bytes(),
        text_bytes=counts.text_bytes,
        generation=store.generation(),
        schema_version=store.schema_version(),
        snapshot=describe_snapshot(store),
        files=counts.files,
        chunks=counts.chunks,
        chunksets=counts.chunksets,
        roots=tuple(
            RootStatus(
                path=root.path,
                selection=root.selection,
                files=store.counts(root.root_id).files,
            )
            for root in roots
        ),
        embedder=_NO_EMBEDDER if model is None else str(model),
        dimension=None if model is None else model.dimension,
        without_vector=store.count_without_vector(),
        unparsed_front_matter=tuple(store.unparsed_front_matter()),
        stale_rules=tuple(sorted(stale)),
        skipped=tuple(sorted(skipped, key=lambda entry: entry.path)),
        ignored=_sum_by_rule(roots),
        held_back=tuple(sorted(gone)),
        incomplete_files=sum(root.files_to_go for root in roots),
    )


def _rules_identity(root: StoredRoot, skipped: list[Skipped]) -> str | None:
    """The current rules of a root.

    None where the root is away, or its rules cannot be read, which is named.
    """
    if not os.path.isdir(root.path):
        return None
    try:
        return load_rules(root.path).identity
    except MetadataRulesError as error:
        skipped.append(Skipped(path=root.path, reason=error.message))
        return None


def _sum_by_rule(roots: list[StoredRoot]) -> tuple[IgnoredBy, ...]:
    files: dict[str, int] = {}
    directories: dict[str, int] = {}
    for root in roots:
        for entry in root.ignored:
            files[entry.rule] = files.get(entry.rule, 0) + entry.files
            directories[entry.rule] = directories.get(entry.rule, 0) + entry.directories
    return tuple(
        IgnoredBy(rule=rule, files=files[rule], directories=directories[rule])
        for rule in sorted(files)
    )

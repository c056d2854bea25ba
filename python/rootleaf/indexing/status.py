"""What an index holds and what is wrong with it: the public `status`."""

from __future__ import annotations

from rootleaf.errors import NotIndexedError
from rootleaf.indexing.findings import list_findings
from rootleaf.indexing.snapshot import describe_snapshot
from rootleaf.indexing.survey import survey_root
from rootleaf.store.locating import locate
from rootleaf.store.paths import join_root
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import IgnoredBy, RootStatus, Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from rootleaf.indexing.survey import Survey
    from rootleaf.store.records import StoredRoot
    from rootleaf.store.sqlite import SqliteStore

_NO_EMBEDDER = "none"


def status(
    path: str | os.PathLike[str] | None = None, db_path: str | os.PathLike[str] | None = None
) -> Status:
    """Says what an index holds; changes nothing, and works where nothing may be written.

    Which files are gone and which rows were resolved by rules that are no longer current is looked
    up now; what was skipped and what ignore files kept out is of the last run of each root. Nothing
    that is wrong with a root or its files is an error: it is among the findings, each with the
    command that mends it.

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
    # First, for it may let the store move on.
    snapshot = describe_snapshot(store)
    counts = store.counts()
    check = store.check_metadata()
    roots = store.roots()
    surveys = [survey_root(root, store, check) for root in roots]
    unparsed = store.unparsed_front_matter()
    model = store.model()
    held_back = [survey for survey in surveys if survey.gone.reason is not None]
    gone = [survey for survey in surveys if survey.gone.reason is None]
    return Status(
        db_path=store.db_path,
        journal="log" if store.has_log() else "rollback journal",
        size_bytes=store.size_bytes(),
        text_bytes=counts.text_bytes,
        generation=store.generation(),
        schema_version=store.schema_version(),
        snapshot=snapshot,
        files=counts.files,
        chunks=counts.chunks,
        chunksets=counts.chunksets,
        roots=tuple(
            RootStatus(
                path=survey.root.path,
                selection=survey.root.selection,
                files=survey.files,
                state=survey.state,
            )
            for survey in surveys
        ),
        embedder=_NO_EMBEDDER if model is None else str(model),
        dimension=None if model is None else model.dimension,
        without_vector=store.count_without_vector(),
        unparsed_front_matter=tuple(unparsed),
        unscanned=_paths((survey.root, survey.unscanned) for survey in surveys),
        unreadable_metadata=_paths((survey.root, survey.unreadable) for survey in surveys),
        stale_rules=_paths((survey.root, survey.stale) for survey in surveys),
        skipped=tuple(
            sorted((one for root in roots for one in root.skipped), key=lambda one: one.path)
        ),
        ignored=_sum_by_rule(roots),
        gone=_paths((survey.root, _names(survey)) for survey in gone),
        held_back=_paths((survey.root, _names(survey)) for survey in held_back),
        incomplete_files=sum(root.files_to_go for root in roots),
        findings=tuple(list_findings(surveys, store, unparsed, snapshot)),
    )


def _names(survey: Survey) -> list[str]:
    return [mark.path for mark in survey.gone.marks]


def _paths(rows: Iterable[tuple[StoredRoot, Iterable[str]]]) -> tuple[str, ...]:
    return tuple(sorted(join_root(root.path, name) for root, names in rows for name in names))


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

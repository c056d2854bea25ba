"""Indexing a root: the public `index`."""

from __future__ import annotations

import os

from rootleaf.documents.rules import foreign_rules_notice, load_rules
from rootleaf.documents.selection import Selection, project_root
from rootleaf.engine.analyzer import ANALYZER_ID
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.errors import InvalidInputError
from rootleaf.indexing.batches import BatchWriter
from rootleaf.indexing.plan import plan_root
from rootleaf.indexing.roots import resolve_root
from rootleaf.indexing.single_file import index_one
from rootleaf.indexing.tally import Tally
from rootleaf.indexing.tasks import perform_tasks, remove_gone
from rootleaf.store.paths import check_path, default_db_path, join_root, quoted
from rootleaf.types import Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.indexing.plan import Plan
    from rootleaf.store.records import StoredRoot
    from rootleaf.types import IndexReport


def index(
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    glob: str | None = None,
    prune: bool | None = None,
    *,
    file: str | os.PathLike[str] | None = None,
    all_markdown: bool = False,
    ignore_files: bool = True,
    on_progress: Callable[[int, int, str], None] | None = None,
) -> IndexReport:
    """Brings the index of a directory up to date; a run with nothing to do writes nothing.

    At its end the snapshot beside the database is renewed, where it is absent or not current.

    Args:
        path: The root. None stands for the project around the current directory, of which then only
            the agent files are read; otherwise all markdown is, unless the root was recorded with
            another selection.
        db_path: The database; `ROOT/.rootleaf/index.db` where None. Several roots may share one.
        glob: Reads only the files of the root that match, whatever their suffix. The root remembers
            it.
        prune: True removes the rows of files that are gone; else these are kept and named as held
            back. Rows of files that an ignore file now excludes are removed unless it is False.
        file: Indexes this one file only. Without `path`, for the recorded root that contains it.
        all_markdown: Reads all markdown, whatever selection was recorded. The root remembers it.
        ignore_files: False turns `.gitignore` and `.rootleafignore` off.
        on_progress: Called after each file that has work with how many are done, how many there
            are, and its path. What it raises ends the run; what was written until then is whole.

    Returns:
        What was done, with whatever was skipped and why.

    Raises:
        RootNotFoundError: The root is absent, unreadable or no directory; nothing was changed.
        MetadataRulesError: The root's rules file is not understood; nothing was indexed.
        OverlappingRootsError: The database holds a root that lies within this one or around it.
        OutsideRootError: `file` does not lie below the root.
        NotIndexedError: `file` was given without `path` and lies in no recorded root.
        InvalidInputError: Arguments that contradict each other, a bad glob, or a `file` that is
            none.
        StoreError: The database cannot be used.
    """
    for name, value in (("path", path), ("db_path", db_path), ("file", file)):
        if value is not None:
            check_path(name, value)
    _check_glob(glob)
    if file is not None:
        if glob is not None or all_markdown:
            message = "file names one file; a glob or all_markdown beside it has no meaning"
            raise InvalidInputError(message, hint="rootleaf index --file FILE")
        return index_one(file, path, db_path, prune=bool(prune))
    if glob is not None and all_markdown:
        message = "glob and all_markdown contradict each other"
        raise InvalidInputError(message, hint="glob='**/*.md' reads what all_markdown would")
    tally = Tally()
    # The one place below the surfaces that reads the working directory: what `rootleaf.index()`
    # means.
    root = resolve_root(project_root(os.getcwd()) if path is None else os.fspath(path))
    given = Selection.from_glob(glob) if glob is not None else None
    if all_markdown:
        given = Selection.all_markdown()
    rules = load_rules(root)
    tally.note(foreign_rules_notice(root))
    database = default_db_path(root) if db_path is None else os.path.abspath(os.fspath(db_path))
    with BatchWriter(database, root) as writer:
        recorded = writer.recorded
        selection = given or _selection(recorded, path_given=path is not None)
        writer.selection = selection.spelling
        plan = plan_root(
            root,
            selection,
            writer.marks(),
            rules,
            ignore_files=ignore_files,
            rechunk=recorded is not None and recorded.chunker != CHUNKER_ID,
        )
        tally.files_seen = plan.files_seen
        tally.skipped.extend(plan.walk.skipped)
        tally.ignored = tuple(plan.walk.ignored)
        _note_selection(selection, root, tally, chosen=given is not None)
        if not plan.files_seen and recorded is None:
            tally.note(f"There is nothing to index below {root} ({selection.spelling})")
        perform_tasks(plan.tasks, rules, writer, tally, on_progress=on_progress)
        _finish(plan, writer, tally, prune=prune)
        tally.note(writer.renew_snapshot())
    return tally.report(root, database)


def _check_glob(glob: object) -> None:
    if glob is not None and not isinstance(glob, str):
        message = f"glob must be a str, not {type(glob).__name__}"
        raise InvalidInputError(message, hint="glob='docs/**/*.md'")


def _selection(recorded: StoredRoot | None, *, path_given: bool) -> Selection:
    if recorded is not None:
        return Selection.from_spelling(recorded.selection)
    return Selection.all_markdown() if path_given else Selection.agent_files()


def _note_selection(selection: Selection, root: str, tally: Tally, *, chosen: bool) -> None:
    if not chosen and selection.spelling != Selection.all_markdown().spelling:
        command = f"rootleaf index {quoted(root)} --all"
        tally.note(f"Only {selection.spelling} of {root} are read; for all markdown: {command}")


def _finish(plan: Plan, writer: BatchWriter, tally: Tally, *, prune: bool | None) -> None:
    """Removes rows, and records how the run ended, if that differs from what is recorded."""
    missing = plan.missing
    gone = missing.gone if prune else []
    excluded = [] if prune is False else missing.excluded
    skipped = tally.all_skipped()
    recorded = writer.recorded
    differs = recorded is not None and (
        (recorded.selection, recorded.skipped, recorded.ignored, recorded.chunker)
        != (writer.selection, skipped, tally.ignored, CHUNKER_ID)
        or writer.files_to_go != 0
        or writer.analyzer != ANALYZER_ID
    )
    is_first = recorded is None and writer.store is not None and tally.files_indexed > 0
    if gone or excluded or differs or is_first:
        with writer.writing() as (write, root_id):
            remove_gone(gone, writer.root, write, tally)
            for mark in excluded:
                write.remove(mark.document_id)
                tally.pruned.append(join_root(writer.root, mark.path))
            write.set_run(
                root_id,
                selection=writer.selection,
                chunker=CHUNKER_ID,
                files_to_go=0,
                skipped=skipped,
                ignored=tally.ignored,
            )
    for mark in missing.excluded:
        path = join_root(writer.root, mark.path)
        outcome = "its row was kept" if prune is False else "its row was removed"
        reason = f"excluded: an ignore file now keeps it out; {outcome}"
        tally.excluded.append(Skipped(path=path, reason=reason))
        if prune is False:
            tally.held_back.append(path)
    if not prune:
        tally.held_back.extend(join_root(writer.root, mark.path) for mark in missing.gone)
    removed = set(tally.pruned)
    stale = (join_root(writer.root, mark.path) for mark in plan.stale)
    tally.stale_rules.extend(path for path in stale if path not in removed)

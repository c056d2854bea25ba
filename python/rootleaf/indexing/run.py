"""Indexing a root: the public `index`."""

from __future__ import annotations

import os

from rootleaf.documents.rules import foreign_rules_notice, load_rules
from rootleaf.documents.selection import Selection, project_root
from rootleaf.engine.analyzer import ANALYZER_ID
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.errors import InvalidInputError
from rootleaf.indexing.batches import BatchWriter
from rootleaf.indexing.embedder_choice import embedder_choice
from rootleaf.indexing.embedding import embed_after_run
from rootleaf.indexing.gone import hold_back_reason, kept_as_asked, prune_command
from rootleaf.indexing.moves import perform_moves
from rootleaf.indexing.place import place_notices
from rootleaf.indexing.plan import file_task, plan_root
from rootleaf.indexing.roots import other_rules_problems, resolve_root
from rootleaf.indexing.single_file import index_one
from rootleaf.indexing.tally import Tally
from rootleaf.indexing.tasks import perform_tasks, remove_gone
from rootleaf.store.paths import check_path, default_db_path, index_files, join_root, quoted
from rootleaf.types import Skipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.embed.protocol import Embedder
    from rootleaf.indexing.plan import Plan
    from rootleaf.store.records import StoredRoot
    from rootleaf.types import IndexReport


def index(
    path: str | os.PathLike[str] | None = None,
    db_path: str | os.PathLike[str] | None = None,
    glob: str | None = None,
    prune: bool | None = None,
    embedder: Embedder | str | None = None,
    *,
    embed: bool = False,
    file: str | os.PathLike[str] | None = None,
    all_markdown: bool = False,
    ignore_files: bool = True,
    on_progress: Callable[[int, int, str], None] | None = None,
    on_embedded: Callable[[int, int], None] | None = None,
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
        prune: None removes the rows of files that are gone or that an ignore file now excludes;
            what looks like a directory that failed to mount is held back, and named. True removes
            that as well. False removes nothing, and lets no row follow a file that was moved.
        embedder: Gives chunksets of the root that have no vector one, each text once and whatever
            file it stands in; its name ("builtin", "minilm", or that of a plug-in) or an object as
            `rootleaf.embed.protocol.Embedder` says. Its model is recorded; another one than the
            recorded embeds nothing, and a notice says so. None stands for what `ROOTLEAF_EMBEDDER`
            names, else for the recorded one, else for "builtin"; "none" for none, which the
            database remembers: its documents have no vectors then, until another one is named.
        embed: Embeds all text of the database with `embedder`, whatever model is recorded, whose
            place it takes when all is done. Goes on where it was interrupted.
        file: Indexes this one file only. Without `path`, for the recorded root that contains it.
        all_markdown: Reads all markdown, whatever selection was recorded. The root remembers it.
        ignore_files: False turns `.gitignore` and `.rootleafignore` off.
        on_progress: Called after each file that has work with how many are done, how many there
            are, and its path. What it raises ends the run; what was written until then is whole.
        on_embedded: Called after each batch of texts with how many are embedded, and how many were
            to be. What it raises ends the run likewise.

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
        EmbedderError: The embedder failed, or gave what is no vector. All files are indexed, and
            all vectors before are kept; the same call goes on from there.
        StoreError: The database cannot be used.
    """
    for name, value in (("path", path), ("db_path", db_path), ("file", file)):
        if value is not None:
            check_path(name, value)
    _check_glob(glob)
    choice = embedder_choice(embedder, embed=embed, path=path, db_path=db_path)
    if file is not None:
        if glob is not None or all_markdown:
            message = "file names one file; a glob or all_markdown beside it has no meaning"
            raise InvalidInputError(message, hint="rootleaf index --file FILE")
        return index_one(
            file, path, db_path, prune=prune, choice=choice, embed=embed, on_embedded=on_embedded
        )
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
        tally.notices.extend(writer.notices())
        tally.warnings.extend(other_rules_problems(writer.roots, root))
        marks = writer.marks()
        command = prune_command(root, database, ignore_files=ignore_files)
        plan = plan_root(
            root,
            selection,
            marks,
            rules,
            ignore_files=ignore_files,
            rechunk=recorded is not None and recorded.chunker != CHUNKER_ID,
            prune=prune,
            command=command,
            own_files=index_files(database),
        )
        tally.files_seen = plan.files_seen
        tally.skipped.extend(plan.walk.skipped)
        tally.ignored = tuple(plan.walk.ignored)
        _note_selection(selection, writer, tally, chosen=given is not None)
        if not plan.files_seen and recorded is None:
            tally.note(f"There is nothing to index below {root} ({selection.spelling})")
        refused = perform_moves(plan.moves, rules, writer, tally, tasks_to_go=len(plan.tasks))
        tasks = sorted([*plan.tasks, *map(file_task, refused)], key=lambda task: task.relative_path)
        writer.inherit([*plan.gone, *(move.mark for move in refused)])
        perform_tasks(tasks, rules, writer, tally, on_progress=on_progress)
        _remove(plan, writer, tally, prune=prune, rows_before=len(marks), command=command)
        _record(writer, tally)
        embed_after_run(writer, tally, choice, replace_model=embed, on_progress=on_embedded)
        tally.note(writer.renew_snapshot())
        if recorded is None and writer.store is not None:
            tally.notices.extend(place_notices(writer.store))
    return tally.report(root, database)


def _check_glob(glob: object) -> None:
    if glob is not None and not isinstance(glob, str):
        message = f"glob must be a str, not {type(glob).__name__}"
        raise InvalidInputError(message, hint="glob='docs/**/*.md'")


def _selection(recorded: StoredRoot | None, *, path_given: bool) -> Selection:
    if recorded is not None:
        return Selection.from_spelling(recorded.selection)
    return Selection.all_markdown() if path_given else Selection.agent_files()


def _note_selection(
    selection: Selection, writer: BatchWriter, tally: Tally, *, chosen: bool
) -> None:
    if not chosen and selection.spelling != Selection.all_markdown().spelling:
        root = writer.root
        command = f"rootleaf index {quoted(root)} --all"
        if writer.db_path != default_db_path(root):
            command += f" --db {quoted(writer.db_path)}"
        tally.note(f"Only {selection.spelling} of {root} are read; for all markdown: {command}")


def _remove(
    plan: Plan,
    writer: BatchWriter,
    tally: Tally,
    *,
    prune: bool | None,
    rows_before: int,
    command: str,
) -> None:
    """Removes the rows of files that are gone or excluded, and names those that are kept."""
    root = writer.root
    gone = [join_root(root, mark.path) for mark in plan.gone]
    excluded = [join_root(root, mark.path) for mark in plan.excluded]
    outcome = "its row was kept" if prune is False else "its row was removed"
    reason = f"excluded: an ignore file now keeps it out; {outcome}"
    tally.excluded.extend(Skipped(path=path, reason=reason) for path in excluded)
    if prune is False:
        kept = gone + excluded
        tally.hold_back(kept, kept_as_asked(len(kept), command))
    else:
        removals = plan.gone
        if plan.hold_back is not None and not prune:
            tally.hold_back(gone, plan.hold_back)
            removals = []
        if removals or plan.excluded:
            with writer.writing() as (write, _):
                for mark in plan.excluded:
                    if write.holds(mark):
                        write.remove(mark.document_id)
                        tally.pruned.append(join_root(root, mark.path))
                remove_gone(
                    removals,
                    root,
                    write,
                    tally,
                    hold_back=None
                    if prune
                    else lambda left: hold_back_reason(root, left, rows_before, command=command),
                )
    removed = set(tally.pruned).union(move.old_path for move in tally.moved)
    for mark in plan.stale:
        path = join_root(root, mark.path)
        if path not in removed:
            tally.leave_metadata(path, mark)


def _record(writer: BatchWriter, tally: Tally) -> None:
    """Records how the run ended, if that differs from what is recorded."""
    skipped = tally.all_skipped()
    recorded = writer.recorded
    differs = recorded is not None and (
        (recorded.selection, recorded.skipped, recorded.ignored, recorded.chunker)
        != (writer.selection, skipped, tally.ignored, CHUNKER_ID)
        or writer.files_to_go != 0
        or writer.analyzer != ANALYZER_ID
    )
    is_first = recorded is None and writer.store is not None and tally.files_indexed > 0
    if differs or is_first:
        with writer.writing() as (write, root_id):
            write.set_run(
                root_id,
                selection=writer.selection,
                chunker=CHUNKER_ID,
                files_to_go=0,
                skipped=skipped,
                ignored=tally.ignored,
            )

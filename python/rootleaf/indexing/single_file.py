"""Indexing one file of a root: the public `index_file`, and `index` with `file`."""

from __future__ import annotations

import os

from rootleaf.documents.presence import is_gone
from rootleaf.documents.reading import file_kind, printable
from rootleaf.documents.rules import foreign_rules_notice, load_rules
from rootleaf.documents.selection import Selection
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.errors import InvalidInputError, NotIndexedError, OutsideRootError
from rootleaf.indexing.batches import BatchWriter
from rootleaf.indexing.plan import Task, rechunk_task
from rootleaf.indexing.roots import is_below, path_below, resolve_root
from rootleaf.indexing.tally import Tally
from rootleaf.indexing.tasks import perform_tasks, remove_gone
from rootleaf.store.paths import (
    check_path,
    default_db_path,
    find_db_path,
    join_root,
    quoted,
)
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.types import IndexReport


def index_file(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str],
    db_path: str | os.PathLike[str] | None = None,
) -> IndexReport:
    """Brings the row of one file up to date, whatever the file's name.

    Other rows are not looked at.

    A file that no run of its root would find, a dot-file say, is looked at by later runs once it
    was named here.

    Args:
        file: The file; by a link, it is the file that the link leads to.
        path: Its root, which it has to lie below.
        db_path: The database; `PATH/.rootleaf/index.db` where None.

    Raises:
        OutsideRootError: `file` does not lie below `path`.
        InvalidInputError: There is no such file, and none that was indexed.
        RootNotFoundError, MetadataRulesError, OverlappingRootsError, StoreError: As for `index`.
    """
    for name, value in (("file", file), ("path", path)):
        check_path(name, value)
    if db_path is not None:
        check_path("db_path", db_path)
    return index_one(file, path, db_path, prune=False)


def index_one(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str] | None,
    db_path: str | os.PathLike[str] | None,
    *,
    prune: bool,
) -> IndexReport:
    """Like `index_file`; without `path`, for the recorded root that contains the file.

    With `prune`, the row of a file that is gone is removed.

    Raises:
        NotIndexedError: No `path` was given, and no database or no root of it contains the file.
    """
    tally = Tally()
    real_path = os.path.realpath(os.fspath(file))
    database = None if db_path is None else os.path.abspath(os.fspath(db_path))
    if path is None:
        root, database = _recorded_root(real_path, database)
    else:
        root = os.fspath(path)
    root = resolve_root(root)
    _check_file(real_path, root)
    rules = load_rules(root)
    tally.note(foreign_rules_notice(root))
    if database is None:
        database = default_db_path(root)
    if is_gone(real_path) and not os.path.lexists(database):
        raise _no_file(real_path)
    relative_path = path_below(real_path, root)
    with BatchWriter(database, root) as writer:
        writer.selection = Selection.all_markdown().spelling
        marks = writer.marks()
        mark = marks.pop(relative_path, None)
        tally.stale_rules.extend(
            join_root(root, other.path)
            for other in marks.values()
            if other.rules_identity != rules.identity
        )
        if is_gone(real_path):
            if mark is None:
                raise _no_file(real_path)
            if prune:
                with writer.writing() as (write, _):
                    remove_gone([mark], root, write, tally)
                tally.note(writer.renew_snapshot())
            else:
                tally.held_back.append(real_path)
            return tally.report(root, database)
        rechunk = writer.recorded is not None and writer.recorded.chunker != CHUNKER_ID
        tasks = [
            Task(
                path=real_path,
                relative_path=relative_path,
                mark=mark,
                read=True,
                resolve=mark is None or mark.rules_identity != rules.identity,
                rechunk=rechunk,
            )
        ]
        if rechunk:
            tasks.extend(rechunk_task(root, other) for other in marks.values())
        tally.files_seen = 1
        perform_tasks(tasks, rules, writer, tally, record_progress=False)
        if rechunk:
            with writer.writing() as (write, root_id):
                write.set_run(root_id, chunker=CHUNKER_ID)
        tally.note(writer.renew_snapshot())
    return tally.report(root, database)


def _check_file(real_path: str, root: str) -> None:
    """Refuses what is no file below the root; whether it exists is not looked at before."""
    if not is_below(real_path, root):
        message = f"{printable(real_path)} does not lie below {root}"
        raise OutsideRootError(message, hint=f"Name a file below {root}, or the root of this one")
    if printable(real_path) != real_path:
        message = f"The name of {printable(real_path)} is not UTF-8"
        raise InvalidInputError(message, hint="Rename the file")
    if os.path.isdir(real_path):
        message = f"{real_path} is a directory, not a file"
        raise InvalidInputError(message, hint=f"rootleaf index {quoted(real_path)}")


def _recorded_root(real_path: str, db_path: str | None) -> tuple[str, str]:
    """The recorded root that contains a file, and the database that says so."""
    found = db_path or find_db_path(os.path.dirname(real_path))
    command = f"rootleaf index ROOT --file {quoted(printable(real_path))}"
    if found is None:
        message = f"No index was found from {printable(os.path.dirname(real_path))} upward"
        raise NotIndexedError(message, hint=command)
    with open_for_reading(found) as store:
        roots = store.roots()
    for root in roots:
        if is_below(real_path, root.path):
            return root.path, found
    message = f"No root of the index {found} contains {printable(real_path)}"
    raise NotIndexedError(message, hint=f"{command} --db {quoted(found)}")


def _no_file(path: str) -> InvalidInputError:
    try:
        kind = file_kind(os.lstat(path).st_mode)
    except OSError:
        kind = ""
    if kind and kind != "a special file":
        message = f"{path} is {kind}, not a regular file"
        return InvalidInputError(message, hint="Name a regular file")
    return InvalidInputError(f"There is no file {path}", hint="Check the path")

"""Indexing one file of a root: the public `index_file`, and `index` with `file`."""

from __future__ import annotations

import errno
import os

from rootleaf.documents.presence import is_gone
from rootleaf.documents.reading import file_kind, printable
from rootleaf.documents.rules import foreign_rules_notice, load_rules
from rootleaf.documents.selection import Selection
from rootleaf.documents.spelling import other_spelling, spelled_on_disk
from rootleaf.documents.walking import FoundFile
from rootleaf.engine.chunker import CHUNKER_ID
from rootleaf.errors import InvalidInputError, NotIndexedError, OutsideRootError
from rootleaf.indexing.batches import BatchWriter
from rootleaf.indexing.embedder_choice import embedder_choice
from rootleaf.indexing.embedding import embed_after_run
from rootleaf.indexing.gone import (
    directory_reason,
    held_back_sentence,
    kept_as_asked,
    prune_command,
)
from rootleaf.indexing.moves import find_moves, may_be_of, perform_moves
from rootleaf.indexing.plan import Task, stored_task
from rootleaf.indexing.roots import is_below, other_rules_problems, path_below, resolve_root
from rootleaf.indexing.tally import Tally
from rootleaf.indexing.tasks import perform_tasks, remove_gone
from rootleaf.store.paths import (
    check_path,
    default_db_path,
    find_db_path,
    index_files,
    join_root,
    quoted,
)
from rootleaf.store.sqlite import open_for_reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rootleaf.documents.rules import Rules
    from rootleaf.embed.protocol import Embedder
    from rootleaf.indexing.embedder_choice import EmbedderChoice
    from rootleaf.indexing.moves import Move
    from rootleaf.store.records import FileMark
    from rootleaf.types import IndexReport


_MOST_NEAR_NAMES = 3
_MOST_NAMES_COMPARED = 5000


def index_file(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str],
    db_path: str | os.PathLike[str] | None = None,
    *,
    embedder: Embedder | str | None = None,
) -> IndexReport:
    """Brings the row of one file up to date, whatever the file's name.

    The row of a file that is gone is removed, unless its directory looks as if it had failed to
    mount. A row whose file is gone follows a new file of the same bytes. Other rows stay.

    A file that no run of its root would find, a dot-file say, is looked at by later runs once it
    was named here.

    Args:
        file: The file; by a link, it is the file that the link leads to.
        path: Its root, which it has to lie below.
        db_path: The database; `PATH/.rootleaf/index.db` where None.
        embedder: As for `index`: embeds what lacks a vector below the root.

    Raises:
        OutsideRootError: `file` does not lie below `path`.
        InvalidInputError: There is no such file, and none that was indexed.
        RootNotFoundError, MetadataRulesError, OverlappingRootsError, EmbedderError, StoreError: As
            for `index`.
    """
    for name, value in (("file", file), ("path", path)):
        check_path(name, value)
    if db_path is not None:
        check_path("db_path", db_path)
    choice = embedder_choice(embedder, embed=False)
    return index_one(file, path, db_path, prune=None, choice=choice)


def index_one(
    file: str | os.PathLike[str],
    path: str | os.PathLike[str] | None,
    db_path: str | os.PathLike[str] | None,
    *,
    prune: bool | None,
    choice: EmbedderChoice,
    embed: bool = False,
    on_embedded: Callable[[int, int], None] | None = None,
) -> IndexReport:
    """Like `index_file`; without `path`, for the recorded root that contains the file.

    With `prune`, the row of a file that is gone is removed even where that looks like a directory
    that failed to mount; where it is False, nothing is removed or moved.

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
    given_path = path_below(real_path, root)
    relative_path = spelled_on_disk(root, given_path)
    is_missing = is_gone(join_root(root, relative_path))
    if join_root(root, relative_path) in index_files(database):
        message = f"{join_root(root, relative_path)} is a part of the index itself"
        raise InvalidInputError(message, hint="Name a file that somebody wrote")
    if is_missing and not os.path.lexists(database):
        raise _no_file(real_path, root, ())
    with BatchWriter(database, root) as writer:
        writer.selection = Selection.all_markdown().spelling
        tally.notices.extend(writer.notices())
        tally.warnings.extend(other_rules_problems(writer.roots, root))
        marks = writer.marks()
        if relative_path != given_path and {relative_path, given_path} <= marks.keys():
            # Both forms were files, and the one that was named is gone.
            relative_path, is_missing = given_path, True
        if is_missing and relative_path not in marks:
            relative_path = other_spelling(relative_path, marks) or relative_path
        real_path = join_root(root, relative_path)
        if is_missing and relative_path not in marks:
            raise _no_file(real_path, root, marks)
        if is_missing:
            _remove_one(marks[relative_path], marks, rules, writer, tally, prune=prune)
        else:
            _read_one(relative_path, marks, rules, writer, tally, may_move=prune is not False)
        for other in marks.values():
            if other.path != relative_path and other.rules_identity != rules.identity:
                tally.leave_metadata(join_root(root, other.path), other)
        embed_after_run(writer, tally, choice, replace_model=embed, on_progress=on_embedded)
        tally.note(writer.renew_snapshot())
    return tally.report(root, database)


def _read_one(
    relative_path: str,
    marks: dict[str, FileMark],
    rules: Rules,
    writer: BatchWriter,
    tally: Tally,
    *,
    may_move: bool,
) -> None:
    """Reads a file that is there; a row whose file is gone and had the same bytes follows it."""
    real_path = join_root(writer.root, relative_path)
    tally.files_seen = 1
    mark = marks.get(relative_path)
    if mark is None and may_move:
        move = _find_move(real_path, relative_path, marks, writer.root)
        if move is not None and not perform_moves([move], rules, writer, tally):
            del marks[move.mark.path]
            return
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
        tasks.extend(
            stored_task(writer.root, other, resolve=False, rechunk=True)
            for other in marks.values()
            if other.path != relative_path
        )
    perform_tasks(tasks, rules, writer, tally, record_progress=False)
    if rechunk:
        with writer.writing() as (write, root_id):
            write.set_run(root_id, chunker=CHUNKER_ID)


def _find_move(
    real_path: str, relative_path: str, marks: dict[str, FileMark], root: str
) -> Move | None:
    try:
        status = os.lstat(real_path)
    except OSError:
        return None
    gone = [
        mark
        for mark in marks.values()
        if may_be_of(mark, status) and is_gone(join_root(root, mark.path))
    ]
    moves = find_moves(gone, [FoundFile(path=real_path, relative_path=relative_path, stat=status)])
    return moves[0] if moves else None


def _remove_one(
    mark: FileMark,
    marks: dict[str, FileMark],
    rules: Rules,
    writer: BatchWriter,
    tally: Tally,
    *,
    prune: bool | None,
) -> None:
    """Removes the row of a file that is gone, unless its directory looks as if it had not mounted.

    Of a directory that is gone or empty all rows are gone, so that their files need no look.
    """
    root = writer.root
    path = join_root(root, mark.path)
    command = prune_command(root, writer.db_path, file=path)

    def hold_back(removals: list[FileMark]) -> str | None:
        why = directory_reason(root, removals, marks.values())
        return None if why is None else held_back_sentence(1, why, command)

    reason = None
    if prune is False:
        reason = kept_as_asked(1, command)
    elif not prune:
        reason = hold_back([mark])
    if reason is None:
        with writer.writing() as (write, _):
            remove_gone([mark], root, write, tally, hold_back=None if prune else hold_back)
    else:
        tally.hold_back([path], reason)
    if tally.held_back and mark.rules_identity != rules.identity:
        task = stored_task(root, mark, resolve=True, rechunk=False)
        perform_tasks([task], rules, writer, tally, record_progress=False)


def _check_file(real_path: str, root: str) -> None:
    """Refuses what is no file below the root; whether it exists is not looked at before."""
    if not is_below(real_path, root):
        message = f"{printable(real_path)} does not lie below {root}"
        raise OutsideRootError(message, hint=f"Name a file below {root}, or the root of this one")
    if printable(real_path) != real_path:
        message = f"The name of {printable(real_path)} is not UTF-8"
        raise InvalidInputError(message, hint="Rename the file")
    try:
        os.lstat(real_path)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            message = f"The path {real_path} is too long for this system, so there is no such file"
            raise InvalidInputError(message, hint="Check the path") from None
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


def _no_file(path: str, root: str, marks: Iterable[str]) -> InvalidInputError:
    try:
        kind = file_kind(os.lstat(path).st_mode)
    except OSError:
        kind = ""
    if kind and kind != "a special file":
        message = f"{path} is {kind}, not a regular file"
        return InvalidInputError(message, hint="Name a regular file")
    near = [quoted(join_root(root, name)) for name in _near_names(path_below(path, root), marks)]
    hint = f"Did you mean {' or '.join(near)}?" if near else "Check the path"
    return InvalidInputError(f"There is no file {path}, and no document of it", hint=hint)


def _near_names(relative_path: str, known: Iterable[str]) -> list[str]:
    """Paths that somebody may have meant: the same name elsewhere, else what is spelled alike."""
    import difflib

    name = os.path.basename(relative_path).casefold()
    known = list(known)
    same_name = [path for path in known if os.path.basename(path).casefold() == name]
    if same_name or len(known) > _MOST_NAMES_COMPARED:
        return sorted(same_name)[:_MOST_NEAR_NAMES]
    return difflib.get_close_matches(relative_path, known, n=_MOST_NEAR_NAMES)

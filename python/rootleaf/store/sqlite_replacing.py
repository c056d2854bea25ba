"""Putting a new database in the place of one that is damaged.

All that lies there is first saved beside it, byte for byte, under a name that was free. The new
file is made whole under a name of its own and takes the place by a rename, while the write lock of
the former is held if it can be had: a writer that waited for it finds that its file has moved.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time

from rootleaf.errors import StoreError
from rootleaf.store.left_behind import begin_repair, end_repair
from rootleaf.store.open_files import Unopened, connect
from rootleaf.store.paths import is_default_db_path, quoted
from rootleaf.store.schema import APPLICATION_ID, PAGE_BYTES
from rootleaf.store.sqlite_errors import SqliteErrors, store_error
from rootleaf.store.sqlite_mending import SqliteMending
from rootleaf.store.sqlite_opening import BUSY_SECONDS, connect_for_writing
from rootleaf.store.sqlite_salvage import SqliteSalvage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from rootleaf.store.sqlite_salvage import Salvage

_COMPANIONS = ("-wal", "-journal")
_COPIED_AT_ONCE_BYTES = 1 << 20
_ALL_COMPANIONS = ("-wal", "-journal", "-shm")
_PROBES = (
    "SELECT 1 FROM meta WHERE name = 'generation'",
    "SELECT 1 FROM texts WHERE typeof(text) = 'text' LIMIT 1",
    "SELECT 1 FROM documents WHERE typeof(content_hash) = 'blob' LIMIT 1",
)
_RESERVED_OFFSET = 20
_PAGE_COUNT_OFFSET = 28
_CHANGE_COUNTER_OFFSET = 24
_VALID_FOR_OFFSET = 92


def save_copy(db_path: str) -> str:
    """Copies a database with what its log holds to a file beside it, and gives its path.

    To be called where this process has no connection to it: closing a file gives up all locks that
    the process has on it.

    Raises:
        StoreError: It cannot be written there; nothing was changed.
    """
    opened: list[BinaryIO] = []
    try:
        return _save(os.path.realpath(db_path), opened)
    finally:
        for file in opened:
            file.close()


def replace_with_readable(
    db_path: str,
    mend: Callable[[SqliteMending, int], None],
    *,
    default_selection: str,
    hash_of: Callable[[bytes], bytes],
    on_progress: Callable[[int], None] | None = None,
) -> tuple[Salvage, str]:
    """Replaces a damaged database by one of all that can be read of it.

    Args:
        db_path: The database.
        mend: Brings the rows of the new database in order, in the transaction that fills it; gets
            the highest generation that may have been known.
        default_selection: What a root reads whose selection was lost.
        hash_of: Gives the hash that documents keep of the bytes of their file.
        on_progress: Called with how many rows have been copied.

    Returns:
        What came over, and the path of the file that all was saved to.

    Raises:
        StoreError: Another program is writing, or no file can be made here; all is as it was.
    """
    known_root = _known_root(db_path)
    # Where its name is a link, the file that it leads to is mended, and what is saved lies beside.
    db_path = os.path.realpath(db_path)
    held = _hold_write_lock(db_path)
    # Closed after the lock: the system gives up a process's locks on a file with any close of it.
    opened: list[BinaryIO] = []
    work_path, new_path = begin_repair(db_path)
    try:
        saved_path = _save(db_path, opened)
        try:
            _copy(saved_path, work_path, opened)
            source = _open_damaged(work_path)
            try:
                salvage = _fill(
                    new_path,
                    source,
                    work_path,
                    mend,
                    known_root=known_root,
                    default_selection=default_selection,
                    hash_of=hash_of,
                    on_progress=on_progress,
                )
            finally:
                source.close()
            _take_place(new_path, db_path)
        except OSError as error:
            raise _unwritable(new_path, error) from error
        return salvage, saved_path
    finally:
        for path in (work_path, new_path):
            _remove(path)
        end_repair(db_path)
        if held is not None:
            held.close()
        for file in opened:
            file.close()


def _save(db_path: str, opened: list[BinaryIO]) -> str:
    saved_path = _free_path(db_path)
    try:
        _copy(db_path, saved_path, opened)
    except OSError as error:
        _remove(saved_path)
        raise _unwritable(saved_path, error) from error
    return saved_path


def looks_like_ours(db_path: str) -> bool:
    """Whether a file that does not begin like one of ours was one, by what is left of it."""
    if not os.path.isfile(db_path):
        return False
    try:
        with Unopened(db_path) as is_unopened:
            if not is_unopened:
                return False  # who has it open could read it
            with open(db_path, "rb") as file:
                first = file.read(PAGE_BYTES)
    except OSError:
        return False
    return b"CREATE TABLE chunksets" in first or (
        int.from_bytes(first[68:72], "big") == APPLICATION_ID
    )


def _hold_write_lock(db_path: str) -> sqlite3.Connection | None:
    """Keeps writers away as long as the connection lives.

    None where the file is so damaged that nobody can write to it.
    """
    try:
        connection = connect(db_path, timeout=BUSY_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise store_error(error, db_path) from error
    try:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        connection.close()
        failure = store_error(error, db_path)
        if failure.code in {"store.busy", "store.full"} or not os.access(db_path, os.W_OK):
            raise failure from error
        return None
    return connection


def _open_damaged(work_path: str) -> sqlite3.Connection:
    """A connection to a copy of a damaged database, whose first page is mended where it has to be.

    With a schema that may be written SQLite also opens a file that is shorter than it says.
    """
    with open(work_path, "r+b") as file:
        if os.fstat(file.fileno()).st_size > _RESERVED_OFFSET:
            file.seek(_RESERVED_OFFSET)
            # None of ours keeps room at the end of its pages, and many rows are read all the same.
            file.write(b"\0")
    for mend in (None, _mend_header, _replace_first_page):
        if mend is not None:
            mend(work_path)
        connection = sqlite3.connect(work_path, isolation_level=None)
        try:
            connection.execute("PRAGMA writable_schema = ON")
            if connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'texts'"
            ).fetchone() and (mend is _replace_first_page or _shows_rows(connection)):
                return connection
        except sqlite3.Error:
            pass
        connection.close()
    return sqlite3.connect(":memory:", isolation_level=None)


def _shows_rows(connection: sqlite3.Connection) -> bool:
    """Whether any table has rows of its kind.

    None does where the header has a wrong size of pages: the first page can be read all the same.
    """
    for probe in _PROBES:
        try:
            if connection.execute(probe).fetchone():
                return True
        except sqlite3.Error:
            continue
    return False


def _mend_header(work_path: str) -> None:
    """Puts a header before the file that says what ours always say."""
    header = bytearray(_first_page(work_path)[:100])
    with open(work_path, "r+b") as file:
        file.write(header)


def _replace_first_page(work_path: str) -> None:
    """Puts the first page of a new database there: its tables begin on the same pages.

    Not so where the database was rewritten as a whole; what is read then is no row of ours and is
    passed over.
    """
    page = _first_page(work_path)
    with open(work_path, "r+b") as file:
        file.write(page)


def _first_page(work_path: str) -> bytes:
    """The first page of a new database, with the number of pages of this one."""
    model_path = f"{work_path}-page"
    try:
        connection = connect_for_writing(model_path)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
        with open(model_path, "rb") as file:
            page = bytearray(file.read(PAGE_BYTES))
    finally:
        _remove(model_path)
    pages = os.path.getsize(work_path) // PAGE_BYTES
    page[_PAGE_COUNT_OFFSET : _PAGE_COUNT_OFFSET + 4] = pages.to_bytes(4, "big")
    page[_VALID_FOR_OFFSET : _VALID_FOR_OFFSET + 4] = page[
        _CHANGE_COUNTER_OFFSET : _CHANGE_COUNTER_OFFSET + 4
    ]
    return bytes(page)


def _fill(
    new_path: str,
    source: sqlite3.Connection,
    source_path: str,
    mend: Callable[[SqliteMending, int], None],
    *,
    known_root: str | None,
    default_selection: str,
    hash_of: Callable[[bytes], bytes],
    on_progress: Callable[[int], None] | None,
) -> Salvage:
    _remove(new_path)
    with SqliteErrors(new_path):
        target = connect_for_writing(new_path)
        try:
            with SqliteMending(target, new_path) as write:
                salvage = SqliteSalvage(
                    source,
                    target,
                    source_path=source_path,
                    known_root=known_root,
                    default_selection=default_selection,
                    hash_of=hash_of,
                    on_progress=on_progress,
                )
                found = salvage.copy()
                write.restore_counters(salvage.document_sequence())
                mend(write, salvage.highest_generation())
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            target.close()
    return found


def _take_place(new_path: str, db_path: str) -> None:
    """Renames the new file over the former, without anything of that one's log beside it."""
    mode = os.stat(db_path).st_mode & 0o7777
    os.chmod(new_path, mode)
    descriptor = os.open(new_path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    # Before the rename: SQLite would read the log of the one as part of the other. It was saved.
    for companion in _ALL_COMPANIONS:
        if os.path.lexists(f"{db_path}{companion}"):
            os.unlink(f"{db_path}{companion}")
    os.replace(new_path, db_path)
    from rootleaf.store.creating import sync_directory

    sync_directory(os.path.dirname(os.path.abspath(db_path)))


def _known_root(db_path: str) -> str | None:
    if not is_default_db_path(db_path):
        return None
    return os.path.realpath(os.path.dirname(os.path.dirname(db_path)))


def _free_path(db_path: str) -> str:
    """A name of today that nothing has."""
    stem = f"{db_path}.saved-{time.strftime('%Y%m%d')}"
    number = 1
    path = stem
    while any(os.path.lexists(f"{path}{end}") for end in ("", *_COMPANIONS)):
        number += 1
        path = f"{stem}-{number}"
    return path


def _copy(path: str, copy_path: str, opened: list[BinaryIO]) -> None:
    """Copies a file and its companions; what it reads stays open, and is added to `opened`."""
    for companion in ("", *_COMPANIONS):
        if companion and not _holds_something(f"{path}{companion}"):
            continue
        file = open(f"{path}{companion}", "rb")  # noqa: SIM115 - the caller closes it
        opened.append(file)
        mode = os.fstat(file.fileno()).st_mode & 0o666
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(f"{copy_path}{companion}", flags, mode)
        with open(descriptor, "wb") as copy:
            shutil.copyfileobj(file, copy, _COPIED_AT_ONCE_BYTES)
            copy.flush()
            os.fsync(copy.fileno())


def _holds_something(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:
        return False


def _remove(path: str) -> None:
    for companion in ("", *_ALL_COMPANIONS):
        try:
            os.unlink(f"{path}{companion}")
        except OSError:
            continue


def _unwritable(path: str, error: OSError) -> StoreError:
    directory = os.path.dirname(path)
    message = (
        f"{path} cannot be written, which the repair needs: {error.strerror or error}; nothing was "
        "changed"
    )
    return StoreError(
        message,
        hint=f"Check room and permissions: df {quoted(directory)}; ls -ld {quoted(directory)}",
    )

"""Opening a database file: is it ours, can this version read it, and what may be created beside it.

A foreign, newer or damaged file is refused before SQLite opens it for writing, because the mere
opening of a database in WAL mode may fold a log into it. The header that is looked at is documented
at https://www.sqlite.org/fileformat.html, section 1.3.
"""

from __future__ import annotations

import os
import sqlite3

from rootleaf.errors import NotIndexedError, StoreError
from rootleaf.store.open_files import Unopened, connect
from rootleaf.store.paths import (
    DATABASE_NAME,
    companion_path,
    default_db_path,
    is_default_db_path,
    quoted,
)
from rootleaf.store.schema import APPLICATION_ID, PAGE_BYTES, SCHEMA_VERSION
from rootleaf.store.sqlite_errors import (
    SqliteErrors,
    damaged,
    directory_in_the_way,
    is_full,
    log_unreadable,
    read_only,
    rebuild_hint,
)

BUSY_SECONDS = 30.0
"""How long a writer waits for another one. A batch of an index run takes well below a second."""

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_NO_VERSION = 10_000
"""A number of a schema that there will not be."""

_READ_ONLY = "mode=ro"
# With the mode, for it alone would make a file where there is none.
_IMMUTABLE = "mode=ro&immutable=1"


def connect_for_reading(db_path: str) -> tuple[sqlite3.Connection, bool]:
    """A connection that can only read, within one transaction.

    The second value says whether the file is taken as immutable.

    Raises:
        NotIndexedError: There is no database, or nothing was ever written to it.
        StoreError: The file is foreign, newer, damaged or cannot be read.
    """
    if _header_state(db_path) != "ours" and _is_empty(db_path):
        raise _not_indexed(db_path)
    with SqliteErrors(db_path):
        try:
            # Beside a file that is read-only SQLite would leave shared memory that is read-only
            # too, and in the way of its owner later. Where there is none, nobody writes now.
            immutable = not os.access(db_path, os.W_OK) and not _has_companions(db_path)
            connection = _connect_read_only(db_path, _IMMUTABLE if immutable else _READ_ONLY)
        except sqlite3.OperationalError as error:
            connection, immutable = _connect_without_writing(db_path, error)
        try:
            check_version(connection, db_path)
        except BaseException:
            connection.close()
            raise
        return connection, immutable


def connect_for_writing(db_path: str) -> sqlite3.Connection:
    """A connection to a database of the current schema, which is created where there is none.

    Raises:
        StoreError: The file is foreign, newer, damaged or cannot be written; it is then left as it
            is.
    """
    new_place = None
    if not os.path.lexists(db_path):
        from rootleaf.store.creating import NewPlace

        new_place = NewPlace(db_path)
        new_place.make()
    elif not os.path.exists(db_path) and os.path.islink(db_path):
        message = f"{db_path} is a link to nothing, not an index"
        raise StoreError(message, hint=f"rm {quoted(db_path)}")
    elif _header_state(db_path) != "ours":
        _is_empty(db_path)
    # SQLite would open it all the same, and find out when the first batch is written.
    why = (read_only(db_path) or directory_in_the_way(db_path)) if new_place is None else None
    if why is not None:
        raise why
    try:
        with SqliteErrors(db_path):
            return _connect_for_writing(db_path)
    except BaseException:
        if new_place is not None:
            new_place.discard()
        raise


def _connect_for_writing(db_path: str) -> sqlite3.Connection:
    from rootleaf.store.sqlite_journal import give_up_log, lacks_shared_memory

    try:
        return _connect_once_for_writing(db_path, may_have_log=True)
    except sqlite3.OperationalError as error:
        if not lacks_shared_memory(error, db_path):
            raise
    give_up_log(db_path, BUSY_SECONDS)
    return _connect_once_for_writing(db_path, may_have_log=False)


def _connect_once_for_writing(db_path: str, *, may_have_log: bool) -> sqlite3.Connection:
    from rootleaf.store.migrations import migrate
    from rootleaf.store.sqlite_journal import use_journal

    connection = connect(db_path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        # In one transaction: another process may be creating the database at this moment.
        connection.execute("BEGIN")
        check_version(connection, db_path, may_be_empty=True)
        connection.execute("COMMIT")
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        use_journal(connection, BUSY_SECONDS, may_have_log=may_have_log)
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_without_writing(
    db_path: str, error: sqlite3.OperationalError
) -> tuple[sqlite3.Connection, bool]:
    """Opens a database beside which nothing can be written, after that has failed with `error`.

    In a directory that is not writable, or on a disk that is full, SQLite cannot make the shared
    memory that WAL wants. With no log beside it the file is complete in itself, and is read as
    immutable. Else SQLite can keep in its own memory what it would have shared, as long as the file
    for that is there, be it empty; a first attempt on a full disk makes it.
    """
    from rootleaf.store.sqlite_journal import roll_back
    from rootleaf.store.sqlite_log import has_journal, has_log

    if roll_back(db_path, BUSY_SECONDS):
        return _connect_read_only(db_path), False
    if has_journal(db_path):
        # The file itself is half written, and only who may write it can undo that.
        raise log_unreadable(db_path) if read_only(db_path) else error
    directory = os.path.dirname(db_path) or "."
    is_writable = os.access(directory, os.W_OK)
    if is_writable and "disk I/O error" not in str(error) and not is_full(directory):
        raise error
    if not has_log(db_path):
        return _connect_read_only(db_path, _IMMUTABLE), True
    if not os.path.exists(companion_path(db_path, "shm")):
        if is_writable:
            raise error
        raise log_unreadable(db_path) from error
    return _connect_read_only(db_path, "mode=ro&readonly_shm=1"), False


def _has_companions(db_path: str) -> bool:
    """Whether there is any of the files that SQLite has beside a database that is in use."""
    # With a rollback journal, which stays when it is empty, reading makes no file.
    return any(os.path.exists(companion_path(db_path, kind)) for kind in ("shm", "wal", "journal"))


def _connect_read_only(db_path: str, how: str = _READ_ONLY) -> sqlite3.Connection:
    location = os.path.abspath(db_path).replace(os.sep, "/")
    for special in "%?#":
        location = location.replace(special, f"%{ord(special):02x}")
    uri = f"file:///{location.lstrip('/')}?{how}"
    # One thread uses it at a time, and not always the same one.
    connection = connect(
        db_path, uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _header_state(db_path: str) -> str:
    """`ours` or `undecided` (no application named itself in the file); else an error is raised."""
    if os.path.isdir(db_path):
        message = f"{db_path} is a directory, not an index"
        own = default_db_path(db_path)
        instance = quoted(own if os.path.isfile(own) else os.path.join(db_path, DATABASE_NAME))
        raise StoreError(
            message,
            hint=rebuild_hint(db_path)
            if is_default_db_path(db_path)
            else f"Name a file, for instance --db {instance}",
        )
    if os.path.exists(db_path) and not os.path.isfile(db_path):
        # A pipe would be waited for without end, and a device is not ours to write to.
        raise _foreign(db_path, "it is no regular file")
    header = _read_header(db_path)
    if header is None:
        # It was looked at when the connection that is open was made; what it is now, SQLite says.
        return "ours"
    if not header:
        return "undecided"
    if not header.startswith(_MAGIC):
        if is_default_db_path(db_path):
            raise damaged(db_path, "it does not begin like a database")
        raise _foreign(db_path, "it is no SQLite database")
    if len(header) < _HEADER_BYTES:
        raise damaged(db_path, "it is cut off within its header")
    application = int.from_bytes(header[68:72], "big")
    version = int.from_bytes(header[60:64], "big")
    if application == APPLICATION_ID:
        if version > SCHEMA_VERSION:
            raise _newer(db_path, version)
        return "ours"
    if application:
        raise _foreign(db_path, f"it belongs to another application ({application:#010x})")
    return "undecided"


def _read_header(db_path: str) -> bytes | None:
    """The first bytes of a file; None where a connection of this process has it open."""
    try:
        with Unopened(db_path) as is_unopened:
            if not is_unopened:
                os.stat(db_path)
                return None
            with open(db_path, "rb") as file:
                return file.read(_HEADER_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        raise _not_indexed(db_path) from None
    except OSError as error:
        message = f"The index {db_path} cannot be read: {error.strerror}"
        raise StoreError(message, hint=f"Check the permissions of {db_path}") from error


def _is_empty(db_path: str) -> bool:
    """Whether a file that no application has put its name into holds no table.

    A file that holds one is foreign.

    Its header may still lie in the log, so what SQLite reads decides.
    """
    if os.path.getsize(db_path) == 0:
        return True
    from rootleaf.store.sqlite_log import has_log

    with SqliteErrors(db_path):
        connection = _connect_read_only(db_path, _READ_ONLY if has_log(db_path) else _IMMUTABLE)
        try:
            if _pragma(connection, "application_id") == APPLICATION_ID:
                return False
            table_count = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        finally:
            connection.close()
    if table_count:
        raise _foreign(db_path, "it holds tables of another program")
    return True


def check_version(
    connection: sqlite3.Connection, db_path: str, *, may_be_empty: bool = False
) -> None:
    """Looks whether an open database is ours and of the schema that is read here.

    Raises:
        StoreError: It is foreign, newer, older or damaged.
    """
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION_ID:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            if may_be_empty:
                return
            # Emptied while this process has it open, so that its header could not be looked at.
            raise _not_indexed(db_path)
        raise _foreign(db_path, "it belongs to another application")
    if version > SCHEMA_VERSION:
        raise _newer(db_path, version)
    if version < 1:
        # The first schema is 1, and comes with its number in one transaction.
        raise damaged(db_path, f"it says that its schema is {version}")
    if version < SCHEMA_VERSION and not may_be_empty:
        message = f"The index {db_path} has the older schema {version}"
        raise StoreError(message, hint="Run `rootleaf index` once to bring it up to date")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _not_indexed(db_path: str) -> NotIndexedError:
    if is_default_db_path(db_path):
        command = f"rootleaf index {quoted(os.path.dirname(os.path.dirname(db_path)))}"
    else:
        command = f"rootleaf index ROOT --db {quoted(db_path)}"
    return NotIndexedError(f"There is no index at {db_path}", hint=command)


def _foreign(db_path: str, reason: str) -> StoreError:
    from rootleaf.store.sqlite_replacing import looks_like_ours

    if looks_like_ours(db_path):
        return damaged(db_path, f"{reason}, by its first bytes")
    message = f"{db_path} is not an index of Rootleaf: {reason}; it was left as it is"
    return StoreError(message, hint="Name another file with --db", code="store.foreign")


def _newer(db_path: str, version: int) -> StoreError:
    if version > _NO_VERSION:
        return damaged(db_path, f"it says that its schema is {version}")
    message = (
        f"The index {db_path} was written by a newer Rootleaf (schema {version}; this one reads "
        f"{SCHEMA_VERSION}); it was left as it is"
    )
    rebuild = rebuild_hint(db_path)
    hint = f"pip install --upgrade rootleaf, or: {rebuild[:1].lower()}{rebuild[1:]}"
    return StoreError(message, hint=hint, code="store.newer")

"""Making the place of a new database, and leaving nothing of it where that fails.

A database that could not be made whole is no database: what lies there afterwards would look like
an index that somebody made, and take the room that a full disk does not have.
"""

from __future__ import annotations

import os
import sys

from rootleaf.errors import StoreError
from rootleaf.store.open_files import Unopened
from rootleaf.store.paths import is_default_db_path, quoted
from rootleaf.store.schema import APPLICATION_ID, PAGE_BYTES

_COMPANIONS = ("-journal", "-wal", "-shm")
# SQLite's locks on a file are on these bytes (https://www.sqlite.org/fileformat.html, section 1.6).
_FIRST_LOCK_BYTE = 0x40000000
_LOCK_BYTES = 512


class NewPlace:
    """The place of a database that is not there yet.

    `.rootleaf/`, which git ignores as a whole, is made where the path names it; no other directory
    ever is.
    """

    def __init__(self, db_path: str) -> None:
        self._db_path = db_path
        self._directory = os.path.dirname(os.path.abspath(db_path))
        self._made_directory = False
        self._ignore_path: str | None = None

    def make(self) -> None:
        """Makes the directory.

        Raises:
            StoreError: It cannot be made, or is absent and not ours to make.
        """
        try:
            if is_default_db_path(os.path.abspath(self._db_path)):
                self._make_own_directory()
                return
        except OSError as error:
            self.discard()
            message = (
                f"The directory {self._directory} for the index cannot be made: {error.strerror}"
            )
            command = f"rootleaf index {quoted(os.path.dirname(self._directory))} --db FILE"
            raise StoreError(message, hint=f"Keep the index elsewhere: {command}") from error
        if not os.path.isdir(self._directory):
            message = f"The directory {self._directory} of the index does not exist"
            raise StoreError(message, hint=f"mkdir -p {quoted(self._directory)}")

    def discard(self) -> None:
        """Removes what was made here and holds nothing, and nothing that another process uses."""
        try:
            _discard_database(self._db_path)
            if self._ignore_path is not None and os.listdir(self._directory) == [".gitignore"]:
                os.unlink(self._ignore_path)
            if self._made_directory:
                os.rmdir(self._directory)
        except OSError:
            # What is left is an empty file or a directory with others' files: no harm but clutter.
            return

    def _make_own_directory(self) -> None:
        self._made_directory = not os.path.isdir(self._directory)
        os.makedirs(self._directory, exist_ok=True)
        ignore_path = os.path.join(self._directory, ".gitignore")
        if os.path.lexists(ignore_path):
            return
        self._ignore_path = ignore_path
        # Under its name it is whole: an empty one would show the index to git for ever.
        written_path = f"{ignore_path}.{os.getpid()}"
        try:
            with open(written_path, "w", encoding="ascii") as file:
                file.write("*\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(written_path, ignore_path)
        except OSError:
            if os.path.exists(written_path):
                os.unlink(written_path)
            raise
        sync_directory(os.path.dirname(self._directory))


def sync_directory(directory: str) -> None:
    """Makes the names in a directory durable, where the system lets a directory be synced."""
    if sys.platform == "win32":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)


def _discard_database(db_path: str) -> None:
    if sys.platform == "win32":
        # No file that is open can be removed there, and a lock needs one that is.
        return
    with Unopened(db_path) as is_unopened:
        if is_unopened:
            _discard_unopened(db_path)


def _discard_unopened(db_path: str) -> None:
    import fcntl

    try:
        descriptor = os.open(db_path, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        # Refused while another process has the database open.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCK_BYTES, _FIRST_LOCK_BYTE)
        if not _holds_nothing(descriptor, db_path):
            return
        for companion in _COMPANIONS:
            if os.path.lexists(f"{db_path}{companion}"):
                os.unlink(f"{db_path}{companion}")
        os.unlink(db_path)
    finally:
        os.close(descriptor)


def _holds_nothing(descriptor: int, db_path: str) -> bool:
    """Whether no table was ever committed: one page at most, nobody's name in it, and no log."""
    header = os.read(descriptor, 100)
    try:
        log_bytes = os.path.getsize(f"{db_path}-wal")
    except OSError:
        log_bytes = 0
    return (
        os.fstat(descriptor).st_size <= PAGE_BYTES
        and int.from_bytes(header[68:72], "big") != APPLICATION_ID
        and log_bytes == 0
    )

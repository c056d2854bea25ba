"""Reading one file so that its bytes and its signature belong together.

A file that cannot be read costs that file alone: it comes back as `Skipped` with the reason.
"""

from __future__ import annotations

import os
import stat
import time

from rootleaf.documents.decoding import Decoded, decode
from rootleaf.documents.fingerprints import TIMESTAMP_TICK_NS, content_hash, stat_signature
from rootleaf.types import Skipped, Value

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Larger files are skipped and named. Any smaller one's text is below the core's 4 GiB."""


class ReadDocument(Value):
    """A file as it was read: `content` its bytes, `decoded` its text.

    `signature` was taken before the bytes were read, so a write during the read makes the next run
    look again.
    """

    path: str
    content: bytes
    decoded: Decoded
    content_hash: bytes
    signature: str


def read_document(path: str) -> ReadDocument | Skipped:
    """Reads and decodes the file at `path`, a real path; what is no regular file is not read.

    A file that changes while it is read is read once more. Returns `Skipped` with the reason for a
    file that cannot be read or is larger than `MAX_FILE_BYTES`.
    """
    try:
        content, status = read_regular_file(path)
    except OSError as error:
        return Skipped(path=printable(path), reason=reason_of(error))
    if content is None:
        limit_mib = MAX_FILE_BYTES // (1024 * 1024)
        reason = f"too large: {status.st_size:,} bytes, the limit is {limit_mib} MiB"
        return Skipped(path=printable(path), reason=reason)
    return ReadDocument(
        path=path,
        content=content,
        decoded=decode(content),
        content_hash=content_hash(content),
        signature=stat_signature(status),
    )


def read_regular_file(path: str) -> tuple[bytes | None, os.stat_result]:
    """The bytes of a regular file, None beyond `MAX_FILE_BYTES`, and its status before the read.

    Raises:
        OSError: The file cannot be opened or read, or is no regular file.
    """
    # Not blocking: a FIFO that took the place of a file since the walk must not stop the run.
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    content = b""
    descriptor = os.open(path, flags)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            message = f"{file_kind(status.st_mode)}, not a regular file"
            raise OSError(message)
        for is_last in (False, True):
            if status.st_size > MAX_FILE_BYTES:
                return None, status
            content = _read_all(descriptor, status.st_size)
            if 0 <= time.time_ns() - status.st_ctime_ns < TIMESTAMP_TICK_NS:
                time.sleep(TIMESTAMP_TICK_NS / 1e9)
            after = os.fstat(descriptor)
            if is_last or stat_signature(after) == stat_signature(status):
                break
            status = after
            os.lseek(descriptor, 0, os.SEEK_SET)
        return (None if len(content) > MAX_FILE_BYTES else content), status
    finally:
        os.close(descriptor)


def _read_all(descriptor: int, size_bytes: int) -> bytes:
    first = os.read(descriptor, size_bytes + 1)
    if len(first) == size_bytes:
        return first
    pieces = [first]
    length = len(first)
    while length <= MAX_FILE_BYTES:
        piece = os.read(descriptor, 1 << 20)
        if not piece:
            break
        pieces.append(piece)
        length += len(piece)
    return b"".join(pieces)


def reason_of(error: OSError) -> str:
    """Why the system refused, in its words, beginning in lower case: `permission denied`."""
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]


def file_kind(mode: int) -> str:
    """What a file that is no regular file is, by the mode of its status."""
    kinds = (
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
        (stat.S_ISLNK, "a link"),
    )
    for matches, name in kinds:
        if matches(mode):
            return name
    return "a special file"


def printable(path: str) -> str:
    r"""The path as text to store and print: bytes of a name that are not UTF-8 become `\xNN`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

"""What tells whether a file has changed: first its stat signature, then the hash of its bytes."""

from __future__ import annotations

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

CONTENT_HASH_BYTES = 16

TIMESTAMP_TICK_NS = 20_000_000
"""Kernels stamp files by a clock that ticks every 1 to 10 ms: writes in one tick look like one."""


def stat_signature(status: os.stat_result) -> str:
    """Modification and change time in nanoseconds, size, inode: one text that is compared whole.

    The change time is what makes an edit visible that put its modification time back.
    """
    return f"{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_size}:{status.st_ino}"


def content_hash(content: bytes) -> bytes:
    """The hash (BLAKE2b, `CONTENT_HASH_BYTES` long) of a file's bytes, as they lie on disk."""
    return hashlib.blake2b(content, digest_size=CONTENT_HASH_BYTES).digest()

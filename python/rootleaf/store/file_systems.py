"""On which kind of file system a file lies, as far as that decides how safe a database is there."""

from __future__ import annotations

import os

MOUNTS_PATH = "/proc/mounts"
"""Where Linux lists what is mounted; other systems have no such file."""

_NETWORK_KINDS = frozenset({
    "9p", "afs", "beegfs", "ceph", "cifs", "fuse.ceph", "fuse.davfs", "fuse.glusterfs",
    "fuse.juicefs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs",
    "nfs4", "orangefs", "smb2", "smb3", "smbfs", "fuse.smbnetfs", "vboxsf",
})  # fmt: skip


def find_network_file_system(path: str, mounts_path: str | None = None) -> str | None:
    """The kind of network file system that a path lies on; None where it lies on no such one.

    Args:
        path: Need not exist.
        mounts_path: The table of mounts; the system's own where None. Without one nothing is known.
    """
    kind = _kind_of(os.path.realpath(path), MOUNTS_PATH if mounts_path is None else mounts_path)
    return kind if kind in _NETWORK_KINDS else None


def _kind_of(path: str, mounts_path: str) -> str | None:
    try:
        with open(mounts_path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.readlines()
    except OSError:
        return None
    found = None
    longest = -1
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004 - device, place, kind
            continue
        place = _unescaped(fields[1])
        is_above = path == place or path.startswith(os.path.join(place, ""))
        # The last of two mounts on one place hides the first.
        if is_above and len(place) >= longest:
            found, longest = fields[2], len(place)
    return found


def _unescaped(place: str) -> str:
    for octal, character in ((r"\040", " "), (r"\011", "\t"), (r"\012", "\n"), (r"\134", "\\")):
        place = place.replace(octal, character)
    return place

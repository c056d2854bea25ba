"""Checks that objects compiled for some CPUs alone bring nothing into code that runs on all.

A weak symbol of such an object (an inline function, a template) may be the copy that the linker
keeps for the whole extension, which then stops with an illegal instruction where the CPU lacks it.

Usage: `python wheels/check_kernels.py BUILD_DIRECTORY`
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

WEAK = set("VWuvw")


def weak_symbols(listing: str) -> list[str]:
    """The names that `nm --format=posix` marks as weak or unique."""
    rows = [line.split() for line in listing.splitlines()]
    return [row[0] for row in rows if len(row) > 1 and row[1] in WEAK]


def main() -> int:
    """Checks the kernels below the directory named; ends with 1 if there is a complaint."""
    objects = sorted(Path(sys.argv[1]).rglob("kernel_*.o"))
    complaints = [] if len(objects) > 1 else ["no kernels of several instruction sets were found"]
    for path in objects:
        listing = subprocess.run(
            ["nm", "--format=posix", str(path)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        complaints += [f"{path.name}: weak symbol {name}" for name in weak_symbols(listing)]
        if "Kernel" not in listing:
            complaints.append(f"{path.name}: holds no kernel")
    for complaint in complaints:
        sys.stdout.write(complaint + "\n")
    sys.stdout.write(f"{len(objects)} kernels, {len(complaints)} complaints\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    raise SystemExit(main())

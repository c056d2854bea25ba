"""Checks that wheels hold the package alone, and source distributions all that a build needs.

Usage: `python wheels/check_contents.py FILE.whl FILE.tar.gz ...`
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

# The engine with its libraries is about 1 MB compressed, and the table of the built-in embedder a
# little less than its 8.5 MB; much more means that something crept in.
MAX_WHEEL_BYTES = 14_000_000
MAX_SDIST_BYTES = 10_000_000

REQUIRED_IN_WHEEL = (
    r"rootleaf/__init__\.py",
    r"rootleaf/_core\.[^/]*(so|pyd)",
    r"rootleaf/_core\.pyi",
    r"rootleaf/_version\.py",
    r"rootleaf/py\.typed",
    r"rootleaf/embed/tables/all_minilm_l6_v2\.table",
    r"rootleaf/embed/tables/LICENSE-APACHE",
    r"rootleaf/embed/tables/PROVENANCE\.md",
    r"rootleaf-[^/]*\.dist-info/(licenses/)?LICENSE",
    r"rootleaf-[^/]*\.dist-info/entry_points\.txt",
)
ALLOWED_IN_WHEEL = (
    r"rootleaf/([a-z_]+/)*[a-z_0-9]+\.pyi?",
    r"rootleaf/py\.typed",
    r"rootleaf/embed/tables/(all_minilm_l6_v2\.table|LICENSE-APACHE|PROVENANCE\.md)",
    r"rootleaf/_core\.[^/]*(so|pyd)",
    r"rootleaf-[^/]*\.dist-info/.*",
    r"rootleaf\.libs/.*\.so[.0-9a-z]*",  # grafted by auditwheel
    r"rootleaf/\.dylibs/.*\.dylib",  # grafted by delocate
)
REQUIRED_IN_SDIST = (
    r"CMakeLists\.txt",
    r"LICENSE",
    r"PKG-INFO",
    r"README\.md",
    r"cpp/CMakeLists\.txt",
    r"cpp/bindings/module\.cpp",
    r"cpp/cmake/Dependencies\.cmake",
    r"pyproject\.toml",
    r"python/rootleaf/__init__\.py",
    r"python/rootleaf/_version\.py",
    r"python/rootleaf/py\.typed",
    r"python/rootleaf/embed/tables/all_minilm_l6_v2\.table",
    r"python/rootleaf/embed/tables/LICENSE-APACHE",
)
ALLOWED_IN_SDIST = (
    r"(CMakeLists\.txt|LICENSE|PKG-INFO|README\.md|CHANGELOG\.md|pyproject\.toml)",
    r"cpp/([a-z]+/)*([A-Za-z0-9_]+\.(cpp|hpp|cmake)|CMakeLists\.txt)",
    r"python/rootleaf/([a-z_]+/)*([a-z_0-9]+\.pyi?|py\.typed)",
    r"python/rootleaf/embed/tables/(all_minilm_l6_v2\.table|LICENSE-APACHE|PROVENANCE\.md)",
)


def complaints_about(
    names: list[str], required: tuple[str, ...], allowed: tuple[str, ...]
) -> list[str]:
    """What is missing from `names`, and what should not be among them."""
    missing = [
        f"missing: {pattern}"
        for pattern in required
        if not any(re.fullmatch(pattern, name) for name in names)
    ]
    surplus = [
        f"should not be there: {name}"
        for name in names
        if not any(re.fullmatch(pattern, name) for pattern in allowed)
    ]
    return missing + surplus


def names_in_sdist(path: Path) -> list[str]:
    """The files of a source distribution, without its top directory."""
    with tarfile.open(path) as archive:
        return [
            member.name.partition("/")[2] for member in archive.getmembers() if not member.isdir()
        ]


def names_in_wheel(path: Path) -> list[str]:
    """The files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return [name for name in archive.namelist() if not name.endswith("/")]


def check(path: Path) -> list[str]:
    """All complaints about one file."""
    if path.suffix == ".whl":
        limit_bytes = MAX_WHEEL_BYTES
        complaints = complaints_about(names_in_wheel(path), REQUIRED_IN_WHEEL, ALLOWED_IN_WHEEL)
    else:
        limit_bytes = MAX_SDIST_BYTES
        complaints = complaints_about(names_in_sdist(path), REQUIRED_IN_SDIST, ALLOWED_IN_SDIST)
    size_bytes = path.stat().st_size
    if size_bytes > limit_bytes:
        complaints.append(f"{size_bytes:,} bytes; at most {limit_bytes:,} are expected")
    return [f"{path.name}: {complaint}" for complaint in complaints]


def main() -> int:
    """Checks the files named on the command line; ends with 1 if there is a complaint."""
    paths = [Path(argument) for argument in sys.argv[1:]]
    complaints = [complaint for path in paths for complaint in check(path)]
    for path in paths:
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    for complaint in complaints:
        sys.stdout.write(complaint + "\n")
    return 1 if complaints or not paths else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The shape of the source: lengths, names, one version, one importer of the extension."""

from __future__ import annotations

import ast
import re
import subprocess
from typing import TYPE_CHECKING

import rootleaf
from rootleaf import _core

if TYPE_CHECKING:
    from pathlib import Path

MAX_LINES = 400
SOURCE_SUFFIXES = {".py", ".pyi", ".cpp", ".hpp", ".cmake", ".js"}
NAMES_THAT_SAY_NOTHING = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "manager",
    "stuff",
}


def project_files(repository: Path) -> list[Path]:
    """The files of the project, relative: what git keeps, and what it would keep."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=repository,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = [name for name in listed.split("\0") if name]
    assert names
    return [repository / name for name in names if (repository / name).is_file()]


def test_no_source_file_is_longer_than_400_lines(repository: Path) -> None:
    """A file that long holds a second noun."""
    lengths = {
        str(path.relative_to(repository)): len(path.read_bytes().splitlines())
        for path in project_files(repository)
        if path.suffix in SOURCE_SUFFIXES
    }
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_every_file_is_named_by_what_it_holds(repository: Path) -> None:
    """No file and no folder has a name that would fit anywhere."""
    nameless = [
        str(path.relative_to(repository))
        for path in project_files(repository)
        for part in path.relative_to(repository).with_suffix("").parts
        if part.lower() in NAMES_THAT_SAY_NOTHING
    ]
    assert nameless == []


def test_one_version_number_stands_in_one_file(repository: Path) -> None:
    """Package, core and changelog agree, and no other build file states a version of Rootleaf."""
    version = rootleaf.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert _core.__version__ == version
    headings = re.findall(
        r"^## (\d\S*)", (repository / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert headings[0] == version
    for name in ("pyproject.toml", "CMakeLists.txt", "cpp/CMakeLists.txt"):
        assert f'"{version}"' not in (repository / name).read_text(encoding="utf-8"), name


def imports_of(path: Path) -> set[str]:
    """Every module and `module.name` that a Python file imports, at any depth."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def test_the_engine_is_the_one_importer_of_the_extension(repository: Path) -> None:
    """Whoever needs the core goes through `rootleaf.engine`, where arguments are checked."""
    package = repository / "python" / "rootleaf"
    importers = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if "rootleaf._core" in imports_of(path)
    }
    assert importers == {"engine"}


def test_the_environment_is_read_in_one_place(repository: Path) -> None:
    """Library code behaves the same in every environment: settings come from `config.py`."""
    package = repository / "python" / "rootleaf"
    readers = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"\b(environ|getenv)\b", path.read_text(encoding="utf-8"))
    }
    assert readers <= {"config.py"}

"""What a wheel and a source distribution may hold: the check that releases go through."""

from __future__ import annotations

import importlib.util
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

GOOD_WHEEL = [
    "rootleaf/__init__.py",
    "rootleaf/_core.cpython-311-x86_64-linux-gnu.so",
    "rootleaf/_core.pyi",
    "rootleaf/_version.py",
    "rootleaf/py.typed",
    "rootleaf/embed/tables/LICENSE-APACHE",
    "rootleaf/embed/tables/PROVENANCE.md",
    "rootleaf/embed/tables/all_minilm_l6_v2.table",
    "rootleaf/surfaces/cli/main.py",
    "rootleaf-0.1.0.dist-info/METADATA",
    "rootleaf-0.1.0.dist-info/entry_points.txt",
    "rootleaf-0.1.0.dist-info/licenses/LICENSE",
    "rootleaf-0.1.0.dist-info/licenses/python/rootleaf/embed/tables/LICENSE-APACHE",
    "rootleaf.libs/libroaring-02f8fce0.so.0.2.66",
]


@pytest.fixture(scope="module")
def check_contents(repository: Path) -> ModuleType:
    """The program that `make wheel` runs, as a module."""
    spec = importlib.util.spec_from_file_location(
        "check_contents", repository / "wheels" / "check_contents.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def wheel_of(directory: Path, names: list[str]) -> Path:
    """A wheel with these names and no content."""
    path = directory / "rootleaf-0.1.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


def test_a_wheel_with_package_and_libraries_is_accepted(
    check_contents: ModuleType, tmp_path: Path
) -> None:
    """The package, its metadata and grafted libraries give no complaint."""
    assert check_contents.check(wheel_of(tmp_path, GOOD_WHEEL)) == []


@pytest.mark.parametrize(
    "surplus",
    [
        "tests/test_a.py",
        "rootleaf/a.cpp",
        "lib/libroaring.a",
        "include/roaring/roaring.h",
        "build/x",
    ],
)
def test_a_wheel_with_anything_else_is_refused(
    check_contents: ModuleType, tmp_path: Path, surplus: str
) -> None:
    """Tests, sources, and what a library would install for itself have no place in a wheel."""
    complaints = check_contents.check(wheel_of(tmp_path, [*GOOD_WHEEL, surplus]))
    assert [surplus in complaint for complaint in complaints] == [True]


@pytest.mark.parametrize("absent", ["rootleaf/py.typed", "rootleaf/_core.pyi"])
def test_a_wheel_without_its_types_is_refused(
    check_contents: ModuleType, tmp_path: Path, absent: str
) -> None:
    """`py.typed` and the stub of the extension travel with the package."""
    names = [name for name in GOOD_WHEEL if name != absent]
    assert len(check_contents.check(wheel_of(tmp_path, names))) == 1

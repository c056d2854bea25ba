"""Code for instruction sets that not every CPU has stays in its own functions."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.fixture(scope="module")
def check_kernels(repository: Path) -> ModuleType:
    """The program that `make wheel` runs, as a module."""
    spec = importlib.util.spec_from_file_location(
        "check_kernels", repository / "wheels" / "check_kernels.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run_on_object_of(
    check_kernels: ModuleType, source: str, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> int:
    """What the check says of two objects compiled from this source."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None or shutil.which("nm") is None:
        pytest.skip("needs a C++ compiler and nm")
    path = directory / "kernel_a.cpp"
    path.write_text(source)
    for name in ("kernel_a.o", "kernel_b.o"):
        command = [compiler, "-O0", "-c", str(path), "-o", str(directory / name)]
        subprocess.run(command, check=True, timeout=60)
    monkeypatch.setattr(sys, "argv", ["check_kernels.py", str(directory)])
    return int(check_kernels.main())


def test_an_object_with_an_inline_function_is_refused(
    check_kernels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The linker could take that copy for everybody."""
    source = "inline int twice(int x) { return x + x; }\nint Kernel(int x) { return twice(x); }\n"
    assert run_on_object_of(check_kernels, source, tmp_path, monkeypatch) == 1


def test_an_object_with_functions_of_its_own_is_accepted(
    check_kernels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions without linkage, and the one name that is looked for."""
    source = "static int twice(int x) { return x + x; }\nint Kernel(int x) { return twice(x); }\n"
    assert run_on_object_of(check_kernels, source, tmp_path, monkeypatch) == 0


def test_a_directory_without_kernels_is_refused(
    check_kernels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check that finds nothing to check has not passed."""
    monkeypatch.setattr(sys, "argv", ["check_kernels.py", str(tmp_path)])
    assert check_kernels.main() == 1


def test_kernels_include_nothing_that_could_be_inlined(repository: Path) -> None:
    """Intrinsics, the sizes of integers, and the header that declares the kernels."""
    allowed = re.compile(
        r"<(cstddef|cstdint|\w*mmintrin\.h|arm_neon\.h)>|\"rootleaf/vector/kernels\.hpp\""
    )
    directory = repository / "cpp" / "rootleaf" / "vector"
    files = [*directory.glob("kernel_*.cpp"), directory / "kernels.hpp"]
    assert len(files) == 6
    included = {
        (path.name, name)
        for path in files
        for name in re.findall(r"^#\s*include\s+(\S+)", path.read_text(), re.MULTILINE)
    }
    assert included
    assert {pair for pair in included if not allowed.fullmatch(pair[1])} == set()

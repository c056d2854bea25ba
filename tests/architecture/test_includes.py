"""The layers of the core: which includes are allowed, and that the core keeps to it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def check_includes(repository: Path) -> ModuleType:
    """The program that `make lint-quick` runs, as a module."""
    spec = importlib.util.spec_from_file_location(
        "check_includes", repository / "tools" / "check_includes.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("path", "include", "is_allowed"),
    [
        ("cpp/rootleaf/index/builder.cpp", "rootleaf/lexical/postings.hpp", True),
        ("cpp/rootleaf/index/builder.cpp", "rootleaf/base/error.hpp", True),
        ("cpp/rootleaf/index/builder.cpp", "roaring/roaring.h", True),
        ("cpp/bindings/bind_index.cpp", "pybind11/pybind11.h", True),
        ("cpp/rootleaf/base/error.cpp", "rootleaf/text/words.hpp", False),
        ("cpp/rootleaf/lexical/postings.cpp", "rootleaf/index/segment.hpp", False),
        ("cpp/rootleaf/lexical/postings.cpp", "rootleaf/markdown/block.hpp", False),
        ("cpp/rootleaf/filter/filter.cpp", "rootleaf/rank/top_k.hpp", False),
        ("cpp/rootleaf/text/words.cpp", "pybind11/pybind11.h", False),
        ("cpp/rootleaf/text/words.cpp", "Python.h", False),
        ("cpp/rootleaf/text/words.cpp", "rootleaf/elsewhere/words.hpp", False),
        ("cpp/rootleaf/elsewhere/words.cpp", "rootleaf/base/error.hpp", False),
    ],
)
def test_an_include_goes_down_the_layers_only(
    check_includes: ModuleType, path: str, include: str, is_allowed: bool
) -> None:
    """A layer includes from layers below it, never from above, from beside it, or from Python."""
    complaints = check_includes.complaints_about(Path(path), f'#include "{include}"\n')
    assert (complaints == []) is is_allowed, complaints


def test_the_core_keeps_to_its_layers(
    check_includes: ModuleType, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file below cpp/ breaks the rule."""
    monkeypatch.chdir(repository)
    assert check_includes.main() == 0

#!/usr/bin/env python3
"""Checks that each layer of the core includes only from layers below it.

The order is the one of ARCHITECTURE.md; layers on one line never include each other. pybind11 and
Python.h are for cpp/bindings alone. Prints each `#include` that breaks the rule, and ends with 1.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LAYERS = [
    {"bindings"},
    {"index", "render"},
    {"lexical", "vector", "markdown"},
    {"filter", "rank"},
    {"text"},
    {"base"},
]
LEVELS = {layer: level for level, layers in enumerate(LAYERS) for layer in layers}
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]', re.MULTILINE)
PYTHON_HEADER = re.compile(r"pybind11/|Python\.h$|numpy/")


def layer_of(path: Path) -> str:
    """The layer that a file of cpp/ belongs to."""
    return path.parts[2] if path.parts[1] == "rootleaf" else path.parts[1]


def complaints_about(path: Path, text: str) -> list[str]:
    """One line for every include of `text` that a file at `path` (cpp/...) may not have."""
    layer = layer_of(path)
    if layer not in LEVELS:
        return [f"{path}: no layer is called {layer!r}; the layers are {sorted(LEVELS)}"]
    found = []
    for included in INCLUDE.findall(text):
        if PYTHON_HEADER.match(included) and layer != "bindings":
            found.append(f"{path}: {included} is for cpp/bindings alone")
        if not included.startswith("rootleaf/"):
            continue
        other = included.split("/")[1]
        if other not in LEVELS:
            found.append(f"{path}: {included} is in no layer that is known")
        elif other != layer and LEVELS[other] <= LEVELS[layer]:
            found.append(f"{path}: {layer} may not include {included}: {other} is not below it")
    return found


def main() -> int:
    """Checks every file below cpp/."""
    sources = sorted(path for path in Path("cpp").rglob("*") if path.suffix in {".cpp", ".hpp"})
    complaints = [line for path in sources for line in complaints_about(path, path.read_text())]
    for line in complaints:
        sys.stdout.write(line + "\n")
    return 1 if complaints or not sources else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What the package needs at run time is what it declares, and no more."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def run_time_nodes(path: Path) -> list[ast.AST]:
    """All nodes of a Python file but those under `if TYPE_CHECKING:`."""
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    nodes = []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending.extend(node.orelse)
            continue
        nodes.append(node)
        pending.extend(ast.iter_child_nodes(node))
    return nodes


def imported_roots(path: Path) -> set[str]:
    """The top-level modules that a Python file imports at run time, at any depth."""
    names: set[str] = set()
    for node in run_time_nodes(path):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names.update(str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
    return {name.partition(".")[0] for name in names}


def test_every_third_party_import_is_a_declared_dependency(repository: Path) -> None:
    """The package imports the standard library, itself, and what its metadata requires.

    What belongs to an extra is imported by the embedder that the extra is for, and nowhere else.
    """
    package = repository / "python" / "rootleaf"
    own = {*sys.stdlib_module_names, "rootleaf"}
    adapter = package / "embed" / "minilm.py"
    others = [path for path in package.rglob("*.py") if path != adapter]
    assert set().union(*map(imported_roots, others)) - own == declared(None)
    # The runtime brings numpy, and answers in it.
    assert imported_roots(adapter) - own == {"numpy", *declared("semantic")}


def declared(extra: str | None) -> set[str]:
    """The modules that the metadata requires for an extra, or without one."""
    return {
        re.split(r"[^A-Za-z0-9_-]", line)[0].replace("-", "_")
        for line in importlib.metadata.requires("rootleaf") or []
        if ("extra ==" in line) == (extra is not None)
        and (extra is None or f"'{extra}'" in line.replace('"', "'"))
    }

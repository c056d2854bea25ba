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
    """The package imports the standard library, itself, and what its metadata requires."""
    package = repository / "python" / "rootleaf"
    imported = set().union(*map(imported_roots, package.rglob("*.py")))
    foreign = imported - set(sys.stdlib_module_names) - {"rootleaf"}
    declared = {
        re.split(r"[^A-Za-z0-9_-]", line)[0].replace("-", "_")
        for line in importlib.metadata.requires("rootleaf") or []
        if "extra ==" not in line
    }
    assert foreign == declared

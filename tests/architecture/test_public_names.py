"""The public names of the package: exactly those that are announced."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import rootleaf

if TYPE_CHECKING:
    from pathlib import Path


def test_all_is_sorted_and_every_name_in_it_is_there() -> None:
    """`__all__` is sorted, has nothing twice, and each name can be read."""
    assert list(rootleaf.__all__) == sorted(set(rootleaf.__all__))
    for name in rootleaf.__all__:
        assert getattr(rootleaf, name) is not None


def test_dir_shows_the_public_names_alone() -> None:
    """`dir(rootleaf)` lists what is announced, loaded or not."""
    assert dir(rootleaf) == sorted(rootleaf.__all__)


def test_type_checkers_see_the_names_that_run_time_offers(repository: Path) -> None:
    """The imports for type checkers and the lazy names are the same set, from the same modules."""
    tree = ast.parse((repository / "python/rootleaf/__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.asname or alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == rootleaf._HOME
    assert set(rootleaf.__all__) == {*typed, "__version__"}

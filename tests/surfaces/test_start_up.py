"""What a bare import, a search and `--version` load, and that nothing heavy is among it."""

from __future__ import annotations

import subprocess
import sys

import rootleaf
from rootleaf.embed.builtin import BuiltinEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes

# The finder of an editable installation loads these before our first line.
BASELINE = "import json, sqlite3, contextlib, importlib.machinery, importlib.util, warnings"

BARE_IMPORT = {"rootleaf", "rootleaf._version"}

SEARCH = BARE_IMPORT | {
    "rootleaf._core",
    "rootleaf.config",
    "rootleaf.documents",
    "rootleaf.documents.chunking",
    "rootleaf.documents.naming",
    "rootleaf.documents.presence",
    "rootleaf.documents.rules",
    "rootleaf.embed",
    "rootleaf.embed.calibration",
    "rootleaf.embed.choosing",
    "rootleaf.embed.protocol",
    "rootleaf.engine",
    "rootleaf.engine.analyzer",
    "rootleaf.engine.arguments",
    "rootleaf.engine.cheatsheet",
    "rootleaf.engine.chunker",
    "rootleaf.engine.collection",
    "rootleaf.engine.files",
    "rootleaf.engine.snapshot",
    "rootleaf.engine.view",
    "rootleaf.errors",
    "rootleaf.indexing",
    "rootleaf.indexing.snapshot",
    "rootleaf.render",
    "rootleaf.render.cheatsheet",
    "rootleaf.searching",
    "rootleaf.searching.answering",
    "rootleaf.searching.filters",
    "rootleaf.searching.gate",
    "rootleaf.searching.query_embedder",
    "rootleaf.searching.ranking",
    "rootleaf.searching.root_rules",
    "rootleaf.searching.request",
    "rootleaf.searching.search",
    "rootleaf.searching.sources",
    "rootleaf.searching.staleness",
    "rootleaf.searching.view",
    "rootleaf.searching.vouching",
    "rootleaf.store",
    "rootleaf.store.file_identity",
    "rootleaf.store.locating",
    "rootleaf.store.metadata_text",
    "rootleaf.store.open_files",
    "rootleaf.store.paths",
    "rootleaf.store.records",
    "rootleaf.store.schema",
    "rootleaf.store.sqlite",
    "rootleaf.store.sqlite_errors",
    "rootleaf.store.sqlite_moments",
    "rootleaf.store.sqlite_opening",
    "rootleaf.store.sqlite_reading",
    "rootleaf.store.sqlite_vectors",
    "rootleaf.types",
    "rootleaf.types.answers",
    "rootleaf.types.documents",
    "rootleaf.types.reports",
    "rootleaf.types.status",
    "rootleaf.types.value",
}

# What makes the vector of a question, and compares it.
MEANING = {
    "rootleaf.embed.builtin",
    "rootleaf.engine.kernels",
    "rootleaf.engine.static_table",
    "rootleaf.engine.vectors",
}

# From the standard library, beside what json and sqlite3 bring: the hash that identifies rules.
SEARCH_STANDARD = {"hashlib", "_hashlib", "_blake2"}
MEANING_STANDARD = {"array"}

VERSION = BARE_IMPORT | {
    "rootleaf.surfaces",
    "rootleaf.surfaces.cli",
    "rootleaf.surfaces.cli.main",
}

HEAVY = {"numpy", "dataclasses", "pathlib", "typing", "argparse", "inspect", "asyncio", "logging"}


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter loads for some code, beyond the baseline."""
    program = f"import sys\n{BASELINE}\nbefore = set(sys.modules)\n{code}\n"
    program += "sys.stderr.write(' '.join(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return {name for name in done.stderr.split() if not name.startswith("encodings")}


def test_a_bare_import_loads_the_package_and_its_version() -> None:
    """`import rootleaf` costs almost nothing: the names load when they are used."""
    assert loaded_by("import rootleaf") == BARE_IMPORT


def test_a_search_loads_what_it_needs_and_no_more(notes: WriteNotes) -> None:
    """The lists are kept by hand, so that a dearer start is seen where it is made."""
    root = notes({"a.md": "---\nkind: x\n---\n# A\n\napple\n"})
    rootleaf.index(root, embedder=BuiltinEmbedder())
    for embedder, needed, standard in (
        ("none", SEARCH, SEARCH_STANDARD),
        (None, SEARCH | MEANING, SEARCH_STANDARD | MEANING_STANDARD),
    ):
        search = f"rootleaf.search('apple', {str(root)!r}, embedder={embedder!r})"
        loaded = loaded_by(f"import rootleaf; assert {search}")
        ours = {name for name in loaded if name.partition(".")[0] == "rootleaf"}
        assert ours == needed
        assert loaded - ours <= standard
        assert not loaded & HEAVY


def test_the_version_is_answered_before_anything_else_is_loaded() -> None:
    """`rootleaf --version` loads neither the parser nor the engine."""
    loaded = loaded_by("from rootleaf.surfaces.cli.main import main; main(['--version'])")
    assert loaded == VERSION


def test_importing_creates_nothing(tmp_path: Path) -> None:
    """No directory, no file, no log."""
    code = "import rootleaf; from rootleaf.surfaces.cli.main import main; main(['--version'])"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    assert list(tmp_path.iterdir()) == []

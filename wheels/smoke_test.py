"""Tries an installed Rootleaf away from its source tree: the package, one search, the command.

Run by the Python that it is installed for, isolated from this folder:
`python -I wheels/smoke_test.py`.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

NOTES = """\
# Harbour

## Cranes

The blue crane lifts forty tonnes and is greased every Tuesday.

## Ferries

Ferries leave at noon.
"""


def installed_command() -> str:
    """The `rootleaf` command of this Python, not of another on PATH."""
    name = "rootleaf.exe" if os.name == "nt" else "rootleaf"
    return str(Path(sysconfig.get_path("scripts")) / name)


def check_where_it_comes_from() -> None:
    """The package is the installed one, with one version everywhere, and loads no numpy."""
    import rootleaf

    home = Path(rootleaf.__file__).resolve()
    site = Path(sysconfig.get_path("platlib")).resolve()
    assert site in home.parents, f"{home} is not installed in {site}"
    for entry in sys.path:
        assert not (Path(entry or ".") / "CMakeLists.txt").exists(), (
            f"source tree on sys.path: {entry}"
        )
    from rootleaf import _core

    versions = {rootleaf.__version__, _core.__version__, importlib.metadata.version("rootleaf")}
    assert len(versions) == 1, f"more than one version: {sorted(versions)}"
    assert "numpy" not in sys.modules, "importing rootleaf loaded numpy"


def check_library(root: Path, db_path: Path) -> None:
    """A note is indexed, and a question answered with the passage under its headings."""
    import rootleaf

    report = rootleaf.index(str(root), db_path=str(db_path), all_markdown=True)
    assert report.files_indexed == 1, report
    assert report.embedded == report.chunksets > 0, report
    question = "How often is the crane greased?"
    # By words alone, so that what shares none of them is left out.
    answer = rootleaf.search(question, db_path=str(db_path), embedder="none")
    assert len(answer) == 1, answer
    lines = answer[0].context.splitlines()
    for line in ("# Harbour", "## Cranes", NOTES.splitlines()[4]):
        assert line in lines, f"{line!r} is not in the cheatsheet {lines}"
    assert "Ferries leave at noon." not in lines
    assert "numpy" not in sys.modules, "a search loaded numpy"


def check_embedder() -> None:
    """The table of the built-in embedder came along, and gives a vector without any package."""
    from rootleaf.embed.builtin import BuiltinEmbedder, builtin_table

    builtin_table().verify()
    vector = memoryview(BuiltinEmbedder().embed_query("greasing the crane")).cast("f")
    assert len(vector) == BuiltinEmbedder().identity.dimension, len(vector)
    assert "numpy" not in sys.modules, "a vector loaded numpy"


def check_command(root: Path, db_path: Path) -> None:
    """The command states its version, and finds what the library found."""
    import rootleaf

    command = installed_command()
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True)
    assert rootleaf.__version__ in version.stdout, version.stdout
    searched = subprocess.run(
        [command, "search", "blue crane", "--db", str(db_path), "--json"],
        check=True,
        capture_output=True,
        text=True,
        cwd=root,
    )
    hits = json.loads(searched.stdout)["hits"]
    assert [Path(hit["file_path"]).name for hit in hits] == ["harbour.md"], hits


def check_meaning(root: Path, db_path: Path) -> None:
    """A process that has loaded nothing answers a question that shares no word with the note."""
    command = [installed_command(), "search", "ferryboats departing midday", "--db", str(db_path)]
    searched = subprocess.run(
        [*command, "--json"], check=True, capture_output=True, text=True, cwd=root
    )
    answer = json.loads(searched.stdout)
    assert (answer["verdict"], answer["mode"]) == ("answered", "hybrid"), answer
    assert answer["best_coverage"] == 0, answer
    assert "Ferries leave at noon." in answer["hits"][0]["context"], answer


def main() -> None:
    """Runs every check; the first that fails raises."""
    check_where_it_comes_from()
    check_embedder()
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "notes"
        root.mkdir()
        (root / "harbour.md").write_text(NOTES, encoding="utf-8")
        db_path = Path(directory).resolve() / "notes.db"
        check_library(root, db_path)
        check_command(root, db_path)
        check_meaning(root, db_path)
    python = ".".join(map(str, sys.version_info[:3]))
    sys.stdout.write(f"smoke test passed: {python} on {sysconfig.get_platform()}\n")


if __name__ == "__main__":
    main()

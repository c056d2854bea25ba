"""What finding and reading files may load."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import __future__, hashlib, json, os, sqlite3
before = set(sys.modules)
from rootleaf.documents import decoding, front_matter, metadata, reading, rules, selection, walking
walking.walk(sys.argv[1] + "/rootleaf/documents", selection.Selection.all_markdown())
print(*sorted(set(sys.modules) - before))
"""


def test_a_walk_loads_nothing_that_start_up_cannot_afford(repository: Path) -> None:
    """Only our own modules beside what `json`, `sqlite3` and `hashlib` load."""
    run = subprocess.run(
        # Without site, whose hooks for editable installations load modules of their own.
        [sys.executable, "-S", "-c", PROGRAM, str(repository / "python")],
        check=True,
        capture_output=True,
        text=True,
    )
    loaded = run.stdout.split()
    assert [name for name in loaded if not name.startswith("rootleaf")] == []
    assert "rootleaf._core" not in loaded

"""Many processes write and read one database at once; nobody sees an error or half a state.

Each writer keeps a tree of its own, or shares one with another, in which every edit raises the
version that all sections of a file tell. `ROOTLEAF_SECONDS` says for how long they go on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from crashing_runs import environment
from rootleaf import MemoryIndex, index, search
from writers_and_readers import QUERIES, asked, plain, settled

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.usefixtures("without_vectors")

SECONDS = float(os.environ.get("ROOTLEAF_SECONDS", "6"))
WRITERS = ("one", "two", "shared", "shared")
READERS = ("handle", "handle", "handle", "search")
LONGEST_BLOCK_SECONDS = 20.0
"""No search comes near the time after which a lock would be given up (30 s), on a busy machine."""

PROGRAM = Path(__file__).with_name("writers_and_readers.py")


def start(*arguments: str) -> subprocess.Popen[str]:
    """A writer or a reader."""
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip


def ended(processes: Iterable[subprocess.Popen[str]]) -> list[dict[str, Any]]:
    """What each of them reports, which it does only where nothing went wrong."""
    reports = []
    for process in processes:
        told, said = process.communicate(timeout=SECONDS + 240)
        assert (process.returncode, said) == (0, ""), said[-3000:]
        reports.append(json.loads(told))
    return reports


@pytest.mark.timeout(900)
def test_four_writers_and_four_readers_share_a_database(tmp_path: Path) -> None:
    """Each answer is of one state, no version is older than one seen before, and none is lost."""
    place = tmp_path.resolve()
    db_path = str(place / "x.db")
    for name in dict.fromkeys(WRITERS):
        (place / name).mkdir()
        (place / name / "still.md").write_text(f"---\nkind: still\n---\n# Still {name}\n\nlever\n")
        index(place / name, db_path)
    with MemoryIndex(db_path) as memory:
        memory.search("queue")
        # Readers go on until the writers have ended.
        stop = place / "stop"
        readers = [start("read", kind, db_path, str(stop)) for kind in READERS]
        writers = [
            start("write", str(place / name), db_path, str(number), str(SECONDS))
            for number, name in enumerate(WRITERS)
        ]
        try:
            written = ended(writers)
        finally:
            stop.touch()
        read = ended(readers)
        sys.stdout.write(json.dumps({"written": written, "read": read}))
        assert all(report["answers"] > 10 for report in read)
        assert max(report["longest_seconds"] for report in read) < LONGEST_BLOCK_SECONDS
        for name in dict.fromkeys(WRITERS):
            index(place / name, db_path, prune=True)
        fresh = str(place / "fresh.db")
        for name in dict.fromkeys(WRITERS):
            index(place / name, fresh)
        for query, where in QUERIES:
            cold = plain(search(query, db_path=db_path, where=where, top_k=20))
            assert plain(memory.search(query, where=where, top_k=20)) == cold
            anew = search(query, db_path=fresh, where=where, top_k=20)
            assert settled(cold) == settled(plain(anew))
            assert asked(cold)
    log = place / "x.db-wal"
    assert not log.exists() or log.stat().st_size == 0

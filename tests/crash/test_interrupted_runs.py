"""Ctrl-C and SIGTERM at any moment end a run calmly and leave whole rows."""

from __future__ import annotations

import random
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from crashing_runs import KILLS, SEED, end_after, undisturbed_seconds
from whole_rows import Trees

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.usefixtures("without_vectors"),
    pytest.mark.skipif(sys.platform == "win32", reason="other signals there"),
]


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("sent", "codes"),
    [(signal.SIGINT, {130, -signal.SIGINT}), (signal.SIGTERM, {143, -signal.SIGTERM})],
)
def test_an_interrupt_ends_a_run_calmly_and_costs_no_row(
    sent: signal.Signals, codes: set[int], tmp_path: Path, shared_data: Path
) -> None:
    """One line at most; the exit code says what it was.

    A shell shows 130 and 143 for either form; an interpreter that is about to end, all done, dies
    of the signal itself.
    """
    chance = random.Random(SEED + sent)
    trees = Trees(tmp_path.resolve(), shared_data, is_first=False, files=100)
    given = ("index", str(trees.root), "--prune", "--quiet", "--db")
    trees.start(str(tmp_path / "undisturbed.db"))
    length = undisturbed_seconds(*given, str(tmp_path / "undisturbed.db"))
    db_path = str(tmp_path / "x.db")
    trees.start(db_path)
    for _ in range(max(3, KILLS // 6)):
        done = trees.check_whole(db_path)
        code, said = end_after(chance.uniform(0.002, length * 0.7), *given, db_path, sent=sent)
        assert code in {0, 3, *codes}
        assert "Traceback" not in said
        assert code in {0, 3} or len(said.splitlines()) <= 1, said
        assert trees.check_whole(db_path) >= done
    trees.complete(db_path)

"""Opening a database twice in one process leaves the locks of the first connection in place."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, search, status
from rootleaf.store.sqlite import open_for_reading, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_WRITE_ELSEWHERE = (
    "import sys, rootleaf; open(sys.argv[1] + '/b.md', 'w').write('# B\\n\\nnew\\n');"
    "rootleaf.index(sys.argv[1])"
)


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda root: open_for_reading(f"{root}/.rootleaf/index.db").close(),
        lambda root: open_for_writing(f"{root}/.rootleaf/index.db").close(),
        lambda root: search("alpha", root),
        status,
        index,
    ],
)
def test_a_reader_sees_what_another_process_writes_whatever_else_was_opened(
    tmp_path: Path, meanwhile: Callable[[Path], object]
) -> None:
    """The log that it reads is not removed under it."""
    root = tmp_path.resolve()
    (root / "a.md").write_text("# A\n\nalpha\n")
    index(root)
    with open_for_reading(str(root / ".rootleaf/index.db")) as store:
        meanwhile(root)
        subprocess.run([sys.executable, "-c", _WRITE_ELSEWHERE, str(root)], check=True)
        store.move_on()
        assert len(list(store.documents())) == 2
        assert os.path.exists(root / ".rootleaf/index.db-shm")

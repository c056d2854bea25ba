"""What a user without the right to look is told, and what such a run leaves alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import index, status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Root's own interpreters may lie where a user without rights cannot reach them. The engine may not
# load in the system's interpreter, so the run itself is planned, which needs none.
SYSTEM_PYTHON = "/usr/bin/python3"

PROGRAM = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from rootleaf.indexing.gone import find_gone
from rootleaf.indexing.roots import resolve_root
from rootleaf.errors import RootleafError
from rootleaf.store.records import FileMark
root, names = sys.argv[2], sys.argv[3:]
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
marks = {
    name: FileMark(document_id=1, path=name, stat_signature="", content_hash=b"", rules_identity="")
    for name in names
}
found = find_gone(root, marks)
answer = {"gone": [mark.path for mark in found.marks], "reason": found.reason}
try:
    resolve_root(os.path.join(root, "closed"))
except RootleafError as error:
    answer["root"] = error.code
print(json.dumps(answer))
"""


@pytest.fixture
def open_directory() -> Iterator[str]:
    """A directory that every user may enter, unlike those of pytest."""
    directory = os.path.realpath(tempfile.mkdtemp())
    os.chmod(directory, 0o755)
    yield directory
    for name in ("closed", "unlisted"):
        os.chmod(os.path.join(directory, name), 0o755)
    shutil.rmtree(directory)


def as_nobody(repository: Path, root: str, names: list[str]) -> dict[str, Any]:
    """What a user without rights is told of these rows."""
    if os.getuid() == 0 and not os.access(SYSTEM_PYTHON, os.X_OK):
        pytest.skip("needs the system's own python3 to drop root's rights")
    run = subprocess.run(
        [SYSTEM_PYTHON, "-c", PROGRAM, str(repository / "python"), root, *names],
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def test_what_may_not_be_looked_at_is_not_gone(repository: Path, open_directory: str) -> None:
    """Below a closed directory neither present nor deleted files are gone; elsewhere they are.

    In a directory that can be entered and not listed the system still says which file is not there,
    but nothing vouches for a sixth.
    """
    for name in ("closed", "unlisted", "open"):
        os.mkdir(os.path.join(open_directory, name))
    for name in ("closed/a.md", "open/a.md"):
        with open(os.path.join(open_directory, name), "w") as file:
            file.write("# Title\n")
    os.chmod(os.path.join(open_directory, "closed"), 0)
    os.chmod(os.path.join(open_directory, "unlisted"), 0o311)
    names = ["closed/a.md", "closed/gone.md", "open/a.md", "open/gone.md", "unlisted/gone.md"]
    answer = as_nobody(repository, open_directory, names)
    assert answer == {
        "gone": ["open/gone.md", "unlisted/gone.md"],
        "reason": None,
        "root": "root.unreadable",
    }
    many = [f"unlisted/{number}.md" for number in range(6)] + [f"open/{n}.md" for n in range(9)]
    with_many = as_nobody(repository, open_directory, many)
    assert "unlisted is empty" in with_many["reason"]


def test_an_unreadable_subdirectory_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the flag: the run names it, goes on, and removes what is gone elsewhere."""
    root = tmp_path.resolve()
    (root / "sub").mkdir()
    for name in ("a.md", "b.md", "sub/c.md", "sub/d.md"):
        (root / name).write_text(f"# {name}\n")
    index(root)
    (root / "a.md").unlink()
    (root / "sub" / "c.md").unlink()
    lstat, scandir = os.lstat, os.scandir
    closed = str(root / "sub")

    def no_lstat(path: str) -> os.stat_result:
        if os.fspath(path).startswith(closed + os.sep):
            raise PermissionError(13, "Permission denied")
        return lstat(path)

    def no_scandir(path: str) -> Any:
        if os.fspath(path) == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "lstat", no_lstat)
        patched.setattr(os, "scandir", no_scandir)
        report = index(root, prune=True)
    assert (report.pruned, report.held_back) == ((str(root / "a.md"),), ())
    assert [skipped.path for skipped in report.skipped] == [closed]
    assert status(root).files == 3
    assert index(root).pruned == (str(root / "sub" / "c.md"),)

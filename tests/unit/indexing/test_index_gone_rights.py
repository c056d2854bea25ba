"""What a user without the right to look is told, and what such a run leaves alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import index, status

if TYPE_CHECKING:
    from collections.abc import Iterator

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

# The first run loads what a run needs, while the interpreter's own files can still be read.
RUN = """
import os, sys
from rootleaf import index
from rootleaf.surfaces.cli.main import main
warm, root, db_path = sys.argv[1:]
index(warm)
os.remove(os.path.join(warm, "a.md"))
stdout, sys.stdout = sys.stdout, open(os.devnull, "w")
main(["index", warm, "--json"])
sys.stdout = stdout
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main(["index", root, "--db", db_path, "--prune", "--json"]))
"""


@pytest.fixture
def open_directory() -> Iterator[str]:
    """A directory that every user may enter, unlike those of pytest."""
    directory = os.path.realpath(tempfile.mkdtemp())
    os.chmod(directory, 0o755)
    yield directory
    for name in ("closed", "unlisted", "root/closed"):
        if os.path.exists(os.path.join(directory, name)):
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
    assert "unlisted, which held 6 documents, is empty" in with_many["reason"]


def test_an_unreadable_subdirectory_keeps_its_rows(open_directory: str) -> None:
    """Whatever the flag: the run names it, goes on, and removes what is gone elsewhere."""
    root, work = Path(open_directory) / "root", Path(open_directory) / "work"
    names = ("a.md", "b.md", "closed/c.md", "closed/d.md")
    for directory in (root, work / "warm"):
        (directory / "closed").mkdir(parents=True)
        for name in names:
            (directory / name).write_text(f"# {name}\n")
    index(root, work / "index.db")
    (root / "a.md").unlink()
    (root / "closed" / "c.md").unlink()
    for writable in (work, *work.iterdir()):
        writable.chmod(0o777)
    (root / "closed").chmod(0o000)
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(work / "warm"), str(root), str(work / "index.db")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (root / "closed").chmod(0o755)
    assert run.returncode == 3, run.stderr
    report = json.loads(run.stdout)
    assert (report["pruned"], report["held_back"]) == ([str(root / "a.md")], [])
    assert report["skipped"] == [
        {"path": str(root / "closed"), "reason": "directory cannot be read: permission denied"}
    ]
    assert status(db_path=work / "index.db").files == 3
    assert index(root, work / "index.db").pruned == (str(root / "closed" / "c.md"),)

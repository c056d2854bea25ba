"""What a user without the right to read sees; the directories are closed for real."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Root's own interpreters may lie where a user without rights cannot reach them.
SYSTEM_PYTHON = "/usr/bin/python3"

PROGRAM = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from rootleaf.documents.reading import read_document
from rootleaf.documents.rules import load_rules
from rootleaf.documents.selection import Selection
from rootleaf.documents.walking import walk
from rootleaf.errors import RootleafError
root = sys.argv[2]
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
answer = {}
found = walk(root, Selection.all_markdown())
answer["files"] = [file.relative_path for file in found.files]
answer["skipped"] = {os.path.relpath(skip.path, root): skip.reason for skip in found.skipped}
answer["read"] = {
    file.relative_path: getattr(read_document(file.path), "reason", None) for file in found.files
}
for name, call in (
    ("rules", lambda: load_rules(root)),
    ("root", lambda: walk(os.path.join(root, "closed"), Selection.all_markdown())),
):
    try:
        call()
    except RootleafError as error:
        answer[name] = error.code
print(json.dumps(answer))
"""


@pytest.fixture
def open_directory() -> Iterator[str]:
    """A directory that every user may enter, unlike those of pytest."""
    directory = tempfile.mkdtemp()
    os.chmod(directory, 0o755)
    yield directory
    for name in ("closed", "searchable_only"):
        os.chmod(os.path.join(directory, name), 0o755)
    shutil.rmtree(directory)


def as_nobody(repository: Path, root: str) -> dict[str, Any]:
    """What a user without rights answers; rights are dropped after the imports."""
    if os.getuid() == 0 and not os.access(SYSTEM_PYTHON, os.X_OK):
        pytest.skip("needs the system's own python3 to drop root's rights")
    run = subprocess.run(
        [SYSTEM_PYTHON, "-c", PROGRAM, str(repository / "python"), root],
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def test_what_cannot_be_read_is_named_and_the_run_goes_on(
    repository: Path, open_directory: str
) -> None:
    """A closed directory, a closed file, closed rules, a closed root: each named by its reason."""
    for path in ("closed/a.md", "open/b.md", "open/c.md", "searchable_only/d.md"):
        os.makedirs(os.path.dirname(os.path.join(open_directory, path)), exist_ok=True)
        with open(os.path.join(open_directory, path), "w") as file:
            file.write("# Title\n")
    with open(os.path.join(open_directory, ".rootleaf-metadata.json"), "w") as file:
        file.write('{"rules": []}')
    os.chmod(os.path.join(open_directory, ".rootleaf-metadata.json"), 0)
    os.chmod(os.path.join(open_directory, "open/c.md"), 0)
    os.chmod(os.path.join(open_directory, "closed"), 0)
    os.chmod(os.path.join(open_directory, "searchable_only"), 0o444)
    assert as_nobody(repository, open_directory) == {
        "files": ["open/b.md", "open/c.md"],
        "skipped": {
            "closed": "directory cannot be read: permission denied",
            "searchable_only/d.md": "permission denied",
        },
        "read": {"open/b.md": None, "open/c.md": "permission denied"},
        "rules": "metadata.rules",
        "root": "root.unreadable",
    }

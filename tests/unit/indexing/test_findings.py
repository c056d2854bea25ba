"""Status finds what needs a look, each with a command that mends it when it is run as printed."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from rootleaf import index, status
from rootleaf.store.sqlite import open_for_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rootleaf.types import Finding, Status


def write(root: Path, names: Iterable[str]) -> None:
    """Writes files below a directory."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n\nzanzibar\n")


def run_as_printed(finding: Finding) -> None:
    """Runs the commands of a finding in a shell of their own, with this interpreter's rootleaf."""
    for command in finding.commands:
        words = shlex.split(command)
        assert words[0] == "rootleaf"
        done = subprocess.run(
            [sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd="/"
        )
        assert done.returncode in {0, 3}, done.stderr


def only(found: Status, code: str) -> Finding:
    """The one finding there is."""
    assert [finding.code for finding in found.findings] == [code]
    return found.findings[0]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root of ten files with its own database; its name has a blank."""
    root = tmp_path.resolve() / "my notes"
    write(root, [f"{number}.md" for number in range(10)])
    index(root)
    return root


@pytest.fixture
def db_path(root: Path) -> Path:
    """A database that holds the root and another one, `other`."""
    db_path = root.with_name("shared.db")
    write(root.with_name("other"), ["x.md"])
    for directory in (root, root.with_name("other")):
        index(directory, db_path)
    return db_path


def test_an_index_that_is_as_it_should_be_has_no_findings(root: Path, db_path: Path) -> None:
    """Roots are present, and every list is empty."""
    for found in (status(root), status(db_path=db_path)):
        assert found.findings == ()
        assert {one.state for one in found.roots} == {"present"}
        assert (found.gone, found.held_back, found.stale_rules, found.skipped) == ((), (), (), ())
        assert (found.unscanned, found.unreadable_metadata, found.without_vector) == ((), (), 0)


def test_an_absent_root_is_one_finding_with_the_command_that_forgets_it(
    root: Path, db_path: Path
) -> None:
    """No file of it is named, and the drive that may have to be mounted is."""
    root.rename(root.with_name("elsewhere"))
    found = status(db_path=db_path)
    finding = only(found, "root.absent")
    assert (finding.root, finding.files) == (str(root), ())
    assert "10 documents" in finding.title
    assert "mount it" in finding.advice
    assert finding.commands == (f"rootleaf forget '{root}' --db {db_path}",)
    assert (found.gone, found.held_back) == ((), ())
    assert [one.state for one in found.roots] == ["absent", "present"]
    run_as_printed(finding)
    assert [one.files for one in status(db_path=db_path).roots] == [1]


def test_a_renamed_root_is_found_to_be_what_it_is_now(root: Path) -> None:
    """The command keeps its documents under the new name."""
    now = root.with_name("new")
    root.rename(now)
    finding = only(status(now), "root.moved")
    assert str(now) in finding.advice
    run_as_printed(finding)
    found = status(now)
    assert ([one.path for one in found.roots], found.files, found.findings) == ([str(now)], 10, ())


def test_files_that_are_gone_are_named_and_the_next_run_removes_them(root: Path) -> None:
    """Few of them are nobody's lost drive."""
    (root / "3.md").unlink()
    found = status(root)
    finding = only(found, "files.gone")
    assert finding.files == found.gone == (f"{root}/3.md",)
    run_as_printed(finding)
    assert status(root).files == 9


def test_files_that_are_held_back_come_with_the_reason(root: Path) -> None:
    """As a run would give it; the command removes them."""
    for number in range(7):
        (root / f"{number}.md").unlink()
    found = status(root)
    finding = only(found, "files.held_back")
    assert finding.files == found.held_back
    assert len(found.held_back) == 7
    assert found.gone == ()
    assert finding.advice == index(root).held_back_reason
    assert finding.commands[0].endswith(" --prune")
    run_as_printed(finding)
    assert (status(root).files, status(root).findings) == (3, ())


def test_metadata_of_other_rules_is_named_by_file(root: Path) -> None:
    """And rules that are not understood, which hide nothing else."""
    rules = root / ".rootleaf-metadata.json"
    rules.write_text('{"rules": [{"glob": "*.md", "metadata": {"kind": "note"}}]}')
    finding = only(status(root), "metadata.stale")
    assert len(finding.files) == 10
    run_as_printed(finding)
    assert status(root).findings == ()
    rules.write_text("{")
    (root / "1.md").unlink()
    found = status(root)
    assert [one.code for one in found.findings] == ["files.gone", "metadata.rules"]
    assert str(rules) in found.findings[1].title
    rules.unlink()
    assert [one.code for one in status(root).findings] == ["files.gone", "metadata.stale"]


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("metadata = NULL, rules_identity = NULL", "metadata.unscanned"),
        ("metadata = '[1]'", "metadata.unreadable"),
        ("metadata = 'no json'", "metadata.unreadable"),
    ],
)
def test_metadata_that_is_missing_or_unreadable_is_named_and_breaks_nothing(
    root: Path, statement: str, code: str
) -> None:
    """Each file once, under what is wrong with it."""
    connection = sqlite3.connect(root / ".rootleaf" / "index.db")
    connection.execute(f"UPDATE documents SET {statement} WHERE path = '4.md'")
    connection.commit()
    connection.close()
    found = status(root)
    finding = only(found, code)
    assert finding.files == found.unscanned + found.unreadable_metadata == (f"{root}/4.md",)
    run_as_printed(finding)
    assert status(root).findings == ()


def test_an_interrupted_run_says_how_many_files_are_to_go(root: Path) -> None:
    """By root; the command goes on."""
    with open_for_writing(str(root / ".rootleaf" / "index.db")) as store:
        (recorded,) = store.roots()
        with store.writing() as transaction:
            transaction.set_run(recorded.root_id, files_to_go=3)
    finding = only(status(root), "run.incomplete")
    assert finding.title.startswith("incomplete: 3 files to go")
    run_as_printed(finding)
    assert status(root).findings == ()


def test_skipped_files_and_front_matter_are_named_by_root(root: Path, db_path: Path) -> None:
    """Those of one root are not listed under another."""
    (root / "dead.md").symlink_to("nothing")
    (root / "odd.md").write_text("---\nkind: |\n  x\n---\n# Odd\n")
    index(root, db_path)
    found = status(db_path=db_path)
    assert [(one.code, one.files) for one in found.findings] == [
        ("files.skipped", (f"{root}/dead.md",)),
        ("front_matter.unparsed", (f"{root}/odd.md",)),
    ]
    assert {one.root for one in found.findings} == {str(root)}


def test_a_snapshot_that_is_not_current_is_found(root: Path) -> None:
    """A run with nothing else to do renews it."""
    (root / ".rootleaf" / "index.snapshot").unlink()
    finding = only(status(root), "snapshot.behind")
    assert "absent" in finding.title
    run_as_printed(finding)
    assert status(root).findings == ()


UNREADABLE = """
import json, os, shlex, sys
import rootleaf
rootleaf.status(db_path=sys.argv[1])
if os.geteuid() == 0:
    # All is loaded: what follows may not be allowed to read the interpreter's own files.
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps(rootleaf.status(db_path=sys.argv[1]).to_json()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="directories have no such permission there")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_root_that_cannot_be_read_hides_no_other_and_is_not_gone(
    root: Path, db_path: Path, tmp_path: Path, mode: int
) -> None:
    """Whatever of it is closed; the file of the database is read-only, and stays as it is."""
    (root.with_name("other") / "x.md").unlink()
    for suffix in ("-wal", "-shm"):
        Path(f"{db_path}{suffix}").unlink(missing_ok=True)
    opened = [path for path in tmp_path.parents if path.stat().st_uid == os.geteuid()]
    modes = {path: path.stat().st_mode for path in [*opened, tmp_path]}
    before = db_path.read_bytes()
    db_path.chmod(0o444)
    try:
        for directory, old in modes.items():
            directory.chmod(old & ~0o022 | 0o055)
        root.chmod(mode)
        done = subprocess.run(
            [sys.executable, "-c", UNREADABLE, str(db_path)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        root.chmod(0o755)
        for directory, old in modes.items():
            directory.chmod(old)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {one["path"]: one["state"] for one in found["roots"]} == {
        str(root): "unreadable",
        str(root.with_name("other")): "present",
    }
    assert {one["code"] for one in found["findings"]} >= {"root.unreadable", "files.gone"}
    assert found["gone"] == [str(root.with_name("other") / "x.md")]
    assert found["stale_rules"] == []
    assert db_path.read_bytes() == before

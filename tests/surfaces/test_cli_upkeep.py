"""What the command line says of an index that needs a look, and of what is forgotten."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from conftest import Cli, WriteNotes


def shown(done: subprocess.CompletedProcess[str]) -> str:
    """Standard output of a call that went well."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_status_prints_under_each_finding_the_command_that_mends_it(
    cli: Cli, notes: WriteNotes, tmp_path: Path
) -> None:
    """An absent root, a file that is gone, and the same as one object in JSON."""
    root = notes({"a.md": "# A\n", "b.md": "# B\n"})
    cli("index", str(root), "--db", "x.db")
    (root / "a.md").unlink()
    printed = shown(cli("status", "--db", "x.db"))
    db_path = tmp_path.resolve() / "x.db"
    assert "gone from disk since the last run (1)\n  notes/a.md\n" in printed
    assert f"  try: rootleaf index {root.resolve()} --db {db_path}\n" in printed
    root.rename(tmp_path / "away")
    printed = shown(cli("status", "--db", "x.db"))
    assert "notes: all markdown, 2 files, absent\n" in printed
    assert "a.md" not in printed
    assert f"  try: rootleaf forget {root.resolve()} --db {db_path}\n" in printed
    (finding,) = json.loads(shown(cli("status", "--db", "x.db", "--json")))["findings"]
    assert finding["code"] == "root.absent"
    assert finding["commands"] == [f"rootleaf forget {root.resolve()} --db {db_path}"]


def test_forget_says_what_was_dropped(cli: Cli, notes: WriteNotes) -> None:
    """Counts on standard output, notices on standard error; all of it as one object in JSON."""
    root = notes({"a/1.md": "# A\n", "a/2.md": "# B\n", "b.md": "# C\n"})
    cli("index", str(root))
    done = cli("forget", str(root / "a" / "1.md"))
    assert re.fullmatch(r"\S+/a/1\.md: 1 document forgotten in \d\.\d s\n", done.stdout)
    assert "comes back with the next run" in done.stderr
    done = cli("forget", str(root / "a"), "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = cli("forget", str(root / "a"), "--quiet")
    assert (done.returncode, done.stdout) == (0, "")
    assert "holds nothing of" in done.stderr
    report = json.loads(shown(cli("forget", str(root), "--json")))
    assert report["roots"] == [str(root.resolve())]
    assert report["forgotten"] == [str(root.resolve() / "b.md")]
    failed = cli("forget", "nowhere", "--json")
    assert failed.returncode == 1
    error = json.loads(failed.stdout)["error"]
    assert error["code"] == "index.missing"
    assert "rootleaf forget nowhere --db" in error["hint"]
    assert cli("forget").returncode == 2

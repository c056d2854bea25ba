"""When a run writes the snapshot beside the database, when it leaves it, and when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import rootleaf
from rootleaf.engine import view as views
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.errors import SnapshotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

NOTES: dict[str, str | bytes] = {
    f"n{number}.md": f"# Note {number}\n\nword{number} and all\n" for number in range(6)
}


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Six notes, indexed."""
    root = notes(NOTES)
    rootleaf.index(root)
    return root


def snapshot_of(root: Path) -> Path:
    """Where the snapshot of a root lies."""
    return root / ".rootleaf" / "index.snapshot"


def stamp(path: Path) -> tuple[int, int, bytes]:
    """What tells whether a file was written."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, path.read_bytes()


def test_a_run_with_nothing_to_do_writes_neither_file(root: Path) -> None:
    """Database and snapshot stay as they are, inode and all."""
    database = root / ".rootleaf" / "index.db"
    before = stamp(database), stamp(snapshot_of(root))
    rootleaf.index(root)
    assert (stamp(database), stamp(snapshot_of(root))) == before


def test_a_run_with_nothing_to_do_writes_a_snapshot_that_is_missing(root: Path) -> None:
    """The same bytes as before; the database is not touched."""
    database = root / ".rootleaf" / "index.db"
    content = snapshot_of(root).read_bytes()
    before = stamp(database)
    snapshot_of(root).unlink()
    assert rootleaf.index(root).notices == ()
    assert snapshot_of(root).read_bytes() == content
    assert stamp(database) == before


def test_every_change_is_in_the_snapshot_after_its_run(root: Path) -> None:
    """An edit, a file of its own, removed files, and other metadata."""
    (root / "n0.md").write_text("# Other\n\nwalnut\n")
    rootleaf.index(root)
    assert rootleaf.status(root).snapshot == "current"
    (root / "n1.md").write_text("# Single\n\nhazelnut\n")
    rootleaf.index_file(root / "n1.md", root)
    assert rootleaf.status(root).snapshot == "current"
    (root / "n2.md").unlink()
    (root / "n3.md").unlink()
    rootleaf.index(root, prune=True, file=root / "n2.md")
    rootleaf.index(root, prune=True)
    assert rootleaf.status(root).snapshot == "current"
    view = open_snapshot(str(snapshot_of(root))).view()
    assert view.document_count == 4
    for query, count in {"walnut": 1, "hazelnut": 1, "word2": 0, "word0": 0, "word5": 1}.items():
        assert len(set(view.search(query).document_ids)) == count


def test_a_run_that_ends_early_leaves_a_snapshot_that_is_behind(root: Path) -> None:
    """What it committed is found, and the next run brings the snapshot up to date."""
    for number in range(4):
        (root / f"n{number}.md").write_text("# Changed\n\nwalnut\n")

    def stop(done: int, _total: int, _path: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rootleaf.index(root, on_progress=stop)
    committed = len(rootleaf.search("walnut", root))
    assert committed in {1, 2, 3}
    assert rootleaf.status(root).snapshot.startswith(f"behind by {committed} document")
    rootleaf.index(root)
    assert rootleaf.status(root).snapshot == "current"
    assert len(rootleaf.search("walnut", root)) == 4


@pytest.mark.skipif(os.name == "nt", reason="file modes do not keep a directory from being written")
def test_a_snapshot_that_cannot_be_written_costs_a_notice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is done all the same, and searches find what it wrote."""

    def refuse(*_: object, **__: object) -> None:
        message = "No space left on device"
        raise SnapshotError(message, code="file.unwritable")

    monkeypatch.setattr(views.View, "write_snapshot", refuse)
    (root / "n0.md").write_text("# Other\n\nwalnut\n")
    report = rootleaf.index(root)
    assert report.files_indexed == 1
    assert report.notices == ("No space left on device; searches work without it, and take longer",)
    assert rootleaf.status(root).snapshot == "behind by 1 document"
    assert len(rootleaf.search("walnut", root)) == 1


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_who_may_not_read_the_database_may_not_read_the_snapshot(root: Path, mode: int) -> None:
    """Neither of them, whatever a run that was killed left behind, and whatever the mask."""
    (root / ".rootleaf" / "index.db").chmod(mode)
    (root / ".rootleaf" / "index.snapshot.tmp").write_bytes(b"half")
    (root / "n0.md").write_text("# Other\n\nwalnut\n")
    rootleaf.index(root)
    assert rootleaf.status(root).snapshot == "current"
    assert snapshot_of(root).stat().st_mode & 0o777 == mode


def test_something_in_the_way_of_the_snapshot_costs_a_notice(root: Path) -> None:
    """A directory of its name, say."""
    snapshot_of(root).unlink()
    snapshot_of(root).mkdir()
    (notice,) = rootleaf.index(root).notices
    assert str(snapshot_of(root)) in notice
    assert list(snapshot_of(root).iterdir()) == []
    names = {path.name for path in (root / ".rootleaf").iterdir()}
    assert names == {".gitignore", "index.db", "index.snapshot"}
    assert len(rootleaf.search("word3", root)) == 1


def test_runs_at_once_leave_a_snapshot_of_a_state_that_was(root: Path) -> None:
    """Processes that index the same root together: searches find all, the next run sees to rest."""
    for number in range(40):
        (root / f"m{number}.md").write_text(f"# More\n\nwalnut {number}\n")
    program = "import rootleaf, sys; rootleaf.index(sys.argv[1])"
    command = [sys.executable, "-c", program, str(root)]
    runs = [subprocess.Popen(command) for _ in range(3)]
    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0]
    assert len(rootleaf.search("walnut", root, top_k=100)) == 40
    assert not rootleaf.status(root).snapshot.startswith("not usable")
    rootleaf.index(root)
    assert rootleaf.status(root).snapshot == "current"
    assert not list((root / ".rootleaf").glob("*.tmp"))


def test_an_index_of_nothing_has_no_snapshot(notes: WriteNotes) -> None:
    """Where no database is made, nothing lies beside it."""
    root = notes({})
    rootleaf.index(root)
    assert list(root.iterdir()) == []

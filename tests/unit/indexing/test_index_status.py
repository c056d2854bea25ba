"""`status` names what an index holds and what is wrong with it, and changes nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, status
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.errors import NotIndexedError

if TYPE_CHECKING:
    from pathlib import Path


def test_status_names_what_an_index_holds(tmp_path: Path) -> None:
    """Files, chunks, chunksets, roots with their selection, text, size, schema and generation."""
    (tmp_path / "a.md").write_text("# A\n\nTürkis\n")
    report = index(tmp_path)
    found = status(tmp_path)
    assert (found.files, found.chunks, found.chunksets) == (1, report.chunks, report.chunksets)
    assert found.db_path == report.db_path
    assert found.text_bytes == len("# A\n\nTürkis\n".encode())
    assert found.size_bytes == os.path.getsize(found.db_path)
    assert (found.generation, found.schema_version) == (2, 1)
    (root,) = found.roots
    assert (root.path, root.selection, root.files) == (report.root, "all markdown", 1)
    assert (found.incomplete_files, found.held_back, found.stale_rules) == (0, (), ())


def test_status_takes_the_nearest_index_upward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a directory below the root, by argument or by the current directory."""
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "a.md").write_text("# A\n")
    monkeypatch.chdir(below)
    for path in (below, None):
        with pytest.raises(NotIndexedError) as caught:
            status(path)
        assert caught.value.hint
        assert caught.value.hint.startswith("rootleaf index ")
    report = index(tmp_path)
    assert status(below).db_path == status().db_path == report.db_path


def test_status_changes_nothing(tmp_path: Path) -> None:
    """No byte of the database, and no file but SQLite's own beside it."""
    (tmp_path / "a.md").write_text("# A\n")
    db_path = tmp_path / "x.db"
    index(tmp_path, db_path)
    before = db_path.read_bytes()
    (tmp_path / "a.md").unlink()
    assert status(db_path=db_path).gone == (str(tmp_path.resolve() / "a.md"),)
    assert db_path.read_bytes() == before
    assert set(os.listdir(tmp_path)) <= {"x.db", "x.db-snapshot", "x.db-wal", "x.db-shm"}
    with pytest.raises(NotIndexedError):
        status(db_path=tmp_path / "absent.db")
    assert not (tmp_path / "absent.db").exists()


def test_status_names_the_embedder_and_what_lacks_a_vector(tmp_path: Path) -> None:
    """Its name and dimension; none of it where none is wanted."""
    (tmp_path / "a.md").write_text("# A\n\nfig\n\n## B\n\nplum\n")
    index(tmp_path, embedder="none")
    found = status(tmp_path)
    assert (found.embedder, found.dimension, found.without_vector) == ("none", None, 0)
    fake = FakeEmbedder()
    index(tmp_path, embedder=fake)
    (tmp_path / "b.md").write_text("# C\n\npear\n")
    index(tmp_path)
    found = status(tmp_path)
    assert found.embedder.startswith(fake.identity.name)
    assert (found.dimension, found.without_vector) == (fake.identity.dimension, 1)
    (finding,) = found.findings
    assert (finding.code, finding.commands) == ("vectors.missing", ())


def test_what_lacks_a_vector_is_named_with_the_run_that_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an embedder that has a name; the command needs no other."""
    (tmp_path / "a.md").write_text("# A\n\nfig\n")
    index(tmp_path)
    (tmp_path / "b.md").write_text("# B\n\nplum\n")
    with monkeypatch.context() as patch:
        patch.setenv("ROOTLEAF_EMBEDDER", "none")
        index(tmp_path)
    (finding,) = status(tmp_path).findings
    command = f"rootleaf index {tmp_path.resolve()}"
    assert (finding.code, finding.commands) == ("vectors.missing", (command,))
    index(tmp_path)
    assert status(tmp_path).findings == ()

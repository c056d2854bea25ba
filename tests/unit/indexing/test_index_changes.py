"""What changes cost: a run reads what changed and writes what differs."""

from __future__ import annotations

import os
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, search, status
from rootleaf.documents.reading import read_document
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

    from rootleaf.store.records import StoredDocument


def write(root: Path, files: dict[str, str]) -> None:
    """Writes files below a root."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def stored(root: Path) -> dict[str, StoredDocument]:
    """The stored documents by their path below the root."""
    with open_for_reading(default_db_path(str(root))) as store:
        return {os.path.relpath(found.path, root): found for found in store.documents()}


def database_bytes(root: Path) -> bytes:
    """The database file as it lies on disk."""
    return (root / ".rootleaf" / "index.db").read_bytes()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with three notes, indexed once."""
    directory = tmp_path.resolve() / "notes"
    write(
        directory,
        {
            "a.md": "# Fruit\n\nThe apple is red.\n",
            "deep/b.md": "---\nkind: log\n---\n# Log\n\nfirst entry\n\n## Next\n\nsecond entry\n",
            "deep/c.markdown": "# Other\n\ntext\n",
        },
    )
    report = index(directory)
    assert (report.files_seen, report.files_indexed, report.files_unchanged) == (3, 3, 0)
    assert (report.skipped, report.held_back, report.notices) == ((), (), ())
    assert report.chunks >= report.chunksets >= 3
    return directory


def test_a_run_with_nothing_to_do_leaves_the_database_as_it_was(root: Path) -> None:
    """Not a byte changes, the generation stays, and no file is read."""
    before = database_bytes(root)
    os.chmod(root / "a.md", 0o644)  # The change time moves only where the mode does.
    index(root)
    before = database_bytes(root)
    for _ in range(2):
        report = index(root)
        assert (report.files_seen, report.files_indexed, report.files_unchanged) == (3, 0, 3)
        assert (report.chunks, report.chunksets, report.embedded) == (0, 0, 0)
    assert database_bytes(root) == before
    assert sorted(os.listdir(root / ".rootleaf")) == [".gitignore", "index.db", "index.snapshot"]


def test_an_edit_that_restores_its_timestamp_is_seen(root: Path) -> None:
    """Same size, same modification time: the change time tells."""
    file = root / "a.md"
    status_before = file.stat()
    with open(file, "r+", encoding="utf-8") as opened:
        opened.write("# Fruit\n\nThe grape is red.\n")
    os.utime(file, ns=(status_before.st_atime_ns, status_before.st_mtime_ns))
    assert file.stat().st_mtime_ns == status_before.st_mtime_ns
    assert index(root).files_indexed == 1
    assert "grape" in stored(root)["a.md"].text
    assert "apple" not in stored(root)["a.md"].text


def test_a_touch_costs_one_read_and_updates_the_signature_only(root: Path) -> None:
    """The file counts as unchanged, the generation stays, and the next run does not read it."""
    generation = status(root).generation
    os.utime(root / "a.md", (1, 1))
    report = index(root)
    assert (report.files_indexed, report.files_unchanged, report.chunks) == (0, 3, 0)
    assert status(root).generation == generation
    before = database_bytes(root)
    index(root)
    assert database_bytes(root) == before


def test_an_appended_entry_keeps_the_dates_of_the_others(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the chunkset with new text is dated now."""
    document_id = stored(root)["deep/b.md"].document_id
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    with open(root / "deep" / "b.md", "a", encoding="utf-8") as file:
        file.write("\n## Third\n\nthird entry\n")
    assert index(root).files_indexed == 1
    assert stored(root)["deep/b.md"].document_id == document_id
    with open_for_reading(default_db_path(str(root))) as store:
        dates = store.first_seen(document_id)
    assert len(dates) == 3
    assert dates[0] == dates[1] < dates[2]


def test_a_changed_document_raises_the_generation_once(root: Path) -> None:
    """An edit is one transaction and one generation; with vectors, these are another."""
    index(root, embedder="none")
    generation = status(root).generation
    write(root, {"a.md": "# Fruit\n\nThe pear is green.\n"})
    index(root)
    assert status(root).generation == generation + 1
    index(root, embedder="builtin")
    generation = status(root).generation
    write(root, {"a.md": "# Fruit\n\nThe pear is ripe.\n"})
    assert index(root).embedded == 1
    assert status(root).generation == generation + 2


def test_edited_rules_are_applied_in_place_with_no_chunking(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Metadata is merged anew from rules and stored front matter.

    Files are neither read nor cut.
    """

    def fail(*_arguments: object, **_options: object) -> None:
        pytest.fail("a file was read or cut")

    rules = '{"rules": [{"glob": "deep/**", "metadata": {"kind": "rule", "team": ["x", "y"]}}]}'
    write(root, {".rootleaf-metadata.json": rules})
    assert set(status(root).stale_rules) == {
        str(root / "a.md"),
        str(root / "deep" / "b.md"),
        str(root / "deep" / "c.markdown"),
    }
    with monkeypatch.context() as patched:
        patched.setattr("rootleaf.indexing.preparing.read_document", fail)
        patched.setattr("rootleaf.indexing.preparing.chunk_columns", fail)
        report = index(root)
    assert (report.metadata_refreshed, report.files_indexed, report.files_unchanged) == (3, 0, 3)
    documents = stored(root)
    assert documents["deep/b.md"].metadata == {"kind": "log", "team": ["x", "y"]}
    assert documents["deep/c.markdown"].metadata == {"kind": "rule", "team": ["x", "y"]}
    assert documents["a.md"].metadata == {}
    assert status(root).stale_rules == ()
    assert index(root).metadata_refreshed == 0


def test_another_chunker_makes_the_chunksets_anew_from_stored_text(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of files that cannot be reached; dates are kept, and it is done once."""
    with open_for_reading(default_db_path(str(root))) as store:
        expected = store.counts()
    with sqlite3.connect(default_db_path(str(root))) as connection:
        connection.execute("UPDATE roots SET chunker = 'an earlier one'")
        connection.execute("UPDATE chunksets SET key = zeroblob(16), first_seen = 86400")
        connection.execute("DELETE FROM chunksets WHERE ordinal > 0")
    connection.close()
    (root / "deep" / "c.markdown").unlink()
    report = index(root, prune=False)
    assert (report.files_indexed, report.files_unchanged) == (0, 2)
    assert report.held_back == (str(root / "deep" / "c.markdown"),)
    with open_for_reading(default_db_path(str(root))) as store:
        assert store.counts() == expected
        for document in store.documents():
            assert set(store.first_seen(document.document_id)) == {"1970-01-02T00:00:00Z"}
    before = database_bytes(root)
    index(root, prune=False)
    assert database_bytes(root) == before


def test_progress_is_told_for_each_file_that_has_work(root: Path) -> None:
    """Done, in all, and the path; an unchanged file is no work."""
    told: list[tuple[int, int, str]] = []
    write(root, {"a.md": "# Changed\n", "z.md": "# Added\n"})
    index(root, on_progress=lambda done, total, path: told.append((done, total, path)))
    assert told == [(1, 2, str(root / "a.md")), (2, 2, str(root / "z.md"))]


def test_an_edit_that_the_clock_did_not_see_is_found(tmp_path: Path) -> None:
    """Same size, same time: one word for another. A touch then costs neither cut nor vector."""
    fake = FakeEmbedder()
    write(tmp_path, {"a.md": "apple"})
    index(tmp_path, embedder=fake)
    before = os.stat(tmp_path / "a.md")
    with open(tmp_path / "a.md", "r+", encoding="utf-8") as file:
        file.write("grape")
    os.utime(tmp_path / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    report = index(tmp_path, embedder=fake)
    assert (report.files_indexed, report.embedded) == (1, 1)
    assert [len(search(word, tmp_path)) for word in ("grape", "apple")] == [1, 0]
    os.utime(tmp_path / "a.md")
    report = index(tmp_path, embedder=fake)
    assert (report.files_indexed, report.files_unchanged, report.embedded) == (0, 1, 0)
    assert (report.chunks, len(fake.texts)) == (0, 2)


@pytest.mark.parametrize("part", [None, 0, 1, 2, 3])
def test_times_size_and_inode_must_all_agree_for_a_file_to_be_left_unread(
    root: Path, monkeypatch: pytest.MonkeyPatch, part: int | None
) -> None:
    """Where one differs the file is read, and its content decides."""
    if part is not None:
        with sqlite3.connect(default_db_path(str(root))) as connection:
            (signature,) = connection.execute(
                "SELECT stat_signature FROM documents WHERE path = 'a.md'"
            ).fetchone()
            parts = signature.split(":")
            assert len(parts) == 4
            parts[part] = str(int(parts[part]) + 1)
            connection.execute(
                "UPDATE documents SET stat_signature = ? WHERE path = 'a.md'", (":".join(parts),)
            )
        connection.close()
    read: list[str] = []

    def note_and_read(path: str) -> object:
        read.append(path)
        return read_document(path)

    monkeypatch.setattr("rootleaf.indexing.preparing.read_document", note_and_read)
    report = index(root)
    assert read == ([] if part is None else [str(root / "a.md")])
    assert (report.files_indexed, report.files_unchanged) == (0, 3)

"""A file that was renamed or moved keeps its document."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, index_file, search, status
from rootleaf.documents.metadata import merge
from rootleaf.indexing.moves import perform_moves
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import Moved

if TYPE_CHECKING:
    from pathlib import Path

    from rootleaf import IndexReport

YESTERDAY = "1970-01-02T00:00:00Z"
RULES = """{"rules": [
    {"glob": "a/**", "metadata": {"place": "a"}}, {"glob": "b/**", "metadata": {"place": "b"}}
]}"""


def write(root: Path, files: dict[str, str]) -> None:
    """Writes files by relative path."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed root of seven notes, six of them in `a`; all were first seen long ago."""
    directory = tmp_path.resolve() / "root"
    write(directory, {f"a/{number}.md": f"# Note {number}\n\nalpha\n" for number in range(6)})
    write(directory, {"top.md": "# Top\n", ".rootleaf-metadata.json": RULES})
    index(directory)
    with sqlite3.connect(default_db_path(str(directory))) as connection:
        connection.execute("UPDATE chunksets SET first_seen = 86400")
    connection.close()
    return directory


def ids(root: Path) -> dict[str, int]:
    """The document ids of a root by relative path."""
    with open_for_reading(default_db_path(str(root))) as store:
        return {os.path.relpath(row.path, root): row.document_id for row in store.documents()}


def dates(root: Path, name: str) -> list[str]:
    """When the chunksets of a document were first seen."""
    with open_for_reading(default_db_path(str(root))) as store:
        return store.first_seen(ids(root)[name])


def moved(report: IndexReport, root: Path) -> dict[str, str]:
    """The moves of a report, by relative paths."""
    return {
        os.path.relpath(move.old_path, root): os.path.relpath(move.new_path, root)
        for move in report.moved
    }


def test_a_moved_directory_keeps_its_documents(root: Path) -> None:
    """Ids, dates, no ghost, nothing held back; the metadata is that of the new place."""
    before = ids(root)
    (root / "a").rename(root / "b")
    report = index(root)
    assert moved(report, root) == {f"a/{number}.md": f"b/{number}.md" for number in range(6)}
    assert (report.pruned, report.held_back, report.held_back_reason) == ((), (), None)
    assert (report.files_seen, report.files_indexed, report.files_unchanged) == (7, 0, 7)
    assert not report.has_warnings
    assert ids(root) == {name.replace("a/", "b/"): number for name, number in before.items()}
    assert dates(root, "b/3.md") == [YESTERDAY]
    hits = search("note", path=root, where={"place": "b"}, top_k=10).hits
    assert {os.path.relpath(hit.file_path, root) for hit in hits} == {f"b/{n}.md" for n in range(6)}
    assert status(root).held_back == ()


def test_a_run_after_a_move_writes_nothing(root: Path) -> None:
    """The row has the signature of the file at its new place."""
    (root / "a" / "0.md").rename(root / "a" / "zero.md")
    index(root)
    content = (root / ".rootleaf" / "index.db").read_bytes()
    report = index(root)
    assert (report.files_unchanged, report.moved) == (7, ())
    assert (root / ".rootleaf" / "index.db").read_bytes() == content


@pytest.mark.parametrize("name", ["TOP.md", "Top.md", "a/top.md", "a/unlike.md"])
def test_a_renamed_file_is_one_document(root: Path, name: str) -> None:
    """Also when only the case of its name changed."""
    before = ids(root)["top.md"]
    (root / "top.md").rename(root / name)
    report = index(root)
    assert report.moved == (Moved(old_path=str(root / "top.md"), new_path=str(root / name)),)
    assert ids(root)[name] == before
    assert len(ids(root)) == 7


@pytest.mark.parametrize("text", [None, "# Other\n"])
def test_a_case_is_changed_where_the_system_knows_none(
    root: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    """The old name still opens the file there, and is not listed: it is one document all the same.

    With another text it is a new one, and the old one goes.
    """
    lstat = os.lstat

    def lstat_without_case(path: str) -> os.stat_result:
        try:
            return lstat(path)
        except FileNotFoundError:
            directory, name = os.path.split(path)
            for other in os.listdir(directory):
                if other.casefold() == name.casefold():
                    return lstat(os.path.join(directory, other))
            raise

    before = ids(root)["top.md"]
    (root / "top.md").rename(root / "TOP.md")
    if text is not None:
        (root / "TOP.md").write_text(text)
    with monkeypatch.context() as patched:
        patched.setattr(os, "lstat", lstat_without_case)
        report = index(root)
    assert (len(report.moved), len(report.pruned)) == ((1, 0) if text is None else (0, 1))
    assert len(ids(root)) == 7
    assert (ids(root)["TOP.md"] == before) == (text is None)
    content = (root / ".rootleaf" / "index.db").read_bytes()
    assert index(root).files_unchanged == 7
    assert (root / ".rootleaf" / "index.db").read_bytes() == content


def test_a_move_onto_a_file_that_has_a_row_replaces_its_text(root: Path) -> None:
    """The row of the target stays; that of the source goes, and its dates live on in the target."""
    target = ids(root)["a/1.md"]
    (root / "top.md").replace(root / "a" / "1.md")
    report = index(root)
    assert report.pruned == (str(root / "top.md"),)
    assert (report.moved, report.files_indexed) == ((), 1)
    assert ids(root)["a/1.md"] == target
    assert dates(root, "a/1.md") == [YESTERDAY]


def test_a_move_with_an_edit_keeps_the_dates_of_the_text_that_stayed(root: Path) -> None:
    """The rest is of today, and it is another document."""
    write(root, {"c/new.md": (root / "top.md").read_text() + "\n## Added\n\nbeta\n"})
    (root / "top.md").unlink()
    report = index(root)
    assert (report.moved, report.pruned) == ((), (str(root / "top.md"),))
    with open_for_reading(default_db_path(str(root))) as store:
        seen = store.first_seen(ids(root)["c/new.md"])
    assert seen[-1] > YESTERDAY
    write(root, {"c/newer.md": (root / "a" / "0.md").read_text() + "\n# Added\n\nbeta\n"})
    (root / "a" / "0.md").unlink()
    index(root)
    assert dates(root, "c/newer.md")[0] == YESTERDAY


def test_of_rows_with_equal_content_each_follows_its_own_file(root: Path) -> None:
    """The same inode first, then the same name, then by path; a row too many is removed."""
    write(root, {f"same/{name}.md": "# Same\n" for name in ("1", "2", "3", "4")})
    index(root)
    before = ids(root)
    (root / "same" / "2.md").rename(root / "x.md")
    (root / "same" / "1.md").unlink()
    write(root, {"y/3.md": "# Same\n", "y/9.md": "# Same\n"})
    (root / "same" / "3.md").unlink()
    (root / "same" / "4.md").unlink()
    write(root, {"same/keep.md": "# Keep\n"})
    report = index(root)
    assert moved(report, root) == {
        "same/2.md": "x.md",
        "same/3.md": "y/3.md",
        "same/1.md": "y/9.md",
    }
    assert report.pruned == (str(root / "same" / "4.md"),)
    after = ids(root)
    assert [after[name] for name in ("x.md", "y/3.md", "y/9.md")] == [
        before[f"same/{name}.md"] for name in ("2", "3", "1")
    ]


def test_moved_files_are_not_counted_by_the_rules(root: Path) -> None:
    """One note is gone beside six that moved: it alone is a removal, and its directory is gone."""
    (root / "a").rename(root / "b")
    (root / "top.md").unlink()
    report = index(root)
    assert (len(report.moved), report.pruned) == (6, (str(root / "top.md"),))
    (root / "b").rename(root / "c")
    (root / "c" / "5.md").unlink()
    report = index(root)
    assert (len(report.moved), report.held_back) == (5, (str(root / "b" / "5.md"),))


def test_no_prune_moves_nothing(root: Path) -> None:
    """The old row stays beside the new one; the next run without it makes them one."""
    (root / "top.md").rename(root / "new.md")
    report = index(root, prune=False)
    assert (report.moved, report.files_indexed) == ((), 1)
    assert report.held_back == (str(root / "top.md"),)
    assert index(root).pruned == (str(root / "top.md"),)


def test_a_file_that_comes_back_is_not_moved_away(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is checked again as it is made; the new file then gets a row of its own."""

    def restore(*arguments: object, **options: object) -> object:
        write(root, {"top.md": "# Top\n"})
        return perform_moves(*arguments, **options)  # type: ignore[arg-type]

    (root / "top.md").rename(root / "new.md")
    monkeypatch.setattr("rootleaf.indexing.run.perform_moves", restore)
    report = index(root)
    assert (report.moved, report.pruned, report.files_indexed) == ((), (), 1)
    assert {"new.md", "top.md"} <= set(ids(root))


def test_a_run_that_is_killed_among_moves_goes_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row is at its old place or at its new one, and the next run moves the rest."""
    calls = []

    def fail(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return merge(*arguments)  # type: ignore[arg-type]

    before = sorted(ids(root).values())
    (root / "a").rename(root / "b")
    monkeypatch.setattr("rootleaf.indexing.moves._MOVES_AT_ONCE", 2)
    monkeypatch.setattr("rootleaf.indexing.moves.merge", fail)
    with pytest.raises(KeyboardInterrupt):
        index(root)
    assert sorted(name[0] for name in ids(root)) == ["a"] * 4 + ["b"] * 2 + ["t"]
    assert status(root).incomplete_files == 4
    monkeypatch.undo()
    assert len(index(root).moved) == 4
    assert (sorted(ids(root).values()), status(root).incomplete_files) == (before, 0)


def test_one_file_takes_the_row_of_a_file_that_is_gone(root: Path) -> None:
    """Of the same bytes; `index_file` looks for no other."""
    before = ids(root)["top.md"]
    (root / "top.md").rename(root / "b.md")
    (root / "a" / "0.md").unlink()
    report = index_file(root / "b.md", root)
    assert moved(report, root) == {"top.md": "b.md"}
    assert (report.files_seen, report.files_indexed, report.files_unchanged) == (1, 0, 1)
    assert ids(root)["b.md"] == before
    assert "a/0.md" in ids(root)


def test_a_moved_row_is_cut_again_by_another_chunker(root: Path) -> None:
    """In the same run."""
    with open_for_reading(default_db_path(str(root))) as store:
        expected = store.counts()
    with sqlite3.connect(default_db_path(str(root))) as connection:
        connection.execute("UPDATE roots SET chunker = 'an earlier one'")
        connection.execute("UPDATE chunksets SET key = zeroblob(16)")
    connection.close()
    (root / "a").rename(root / "b")
    assert len(index(root).moved) == 6
    with sqlite3.connect(default_db_path(str(root))) as connection:
        query = "SELECT count(*) FROM chunksets WHERE key = zeroblob(16)"
        assert connection.execute(query).fetchone() == (0,)
    connection.close()
    with open_for_reading(default_db_path(str(root))) as store:
        assert store.counts() == expected

"""Forgetting drops what an index holds of a directory: that, and nothing else, for good."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rootleaf import forget, index, search, status
from rootleaf.errors import InvalidInputError, NotIndexedError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.records import DocumentVersion
from rootleaf.store.sqlite import open_for_reading, open_for_writing
from rootleaf.store.sqlite_writing import SqliteTransaction

if TYPE_CHECKING:
    from collections.abc import Iterable


def write(root: Path, names: Iterable[str]) -> None:
    """Writes files below a directory, each with a text of its own."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n\nThe text of {name}, zanzibar.\n", encoding="utf-8")


def version_of(name: str) -> DocumentVersion:
    """A version of a document whose file need not be there."""
    return DocumentVersion(
        path=name,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text=f"# {name}\n",
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata={},
        chunk_count=1,
        chunkset_keys=b"k" * 16,
    )


def stored(db_path: str | Path) -> set[str]:
    """The paths of all documents of a database."""
    with open_for_reading(str(db_path)) as store:
        return {document.path for document in store.documents()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a few directories, indexed by default; its real path."""
    root = tmp_path.resolve() / "root"
    write(root, ["a/b/1.md", "a/b/c/2.md", "a/bc/3.md", "a/b.md", "a/b-d/4.md", "a.md"])
    index(root)
    return root


def database(root: Path) -> Path:
    """Where the database of a root lies by default."""
    return root / ".rootleaf" / "index.db"


def test_all_below_a_directory_is_dropped_and_nothing_that_merely_begins_alike(root: Path) -> None:
    """`a/b` is not `a/bc`, `a/b.md` or `a/b-d`; the root stays, and says what comes back."""
    report = forget(root / "a" / "b")
    assert report.forgotten == (f"{root}/a/b/1.md", f"{root}/a/b/c/2.md")
    assert (report.path, report.roots) == (f"{root}/a/b", ())
    assert stored(database(root)) == {
        f"{root}/{name}" for name in ("a/bc/3.md", "a/b.md", "a/b-d/4.md", "a.md")
    }
    (notice,) = report.notices
    assert f"rootleaf index {root}" in notice
    assert ".rootleafignore" in notice
    assert index(root).files_indexed == 2


def test_a_directory_that_an_ignore_file_keeps_out_does_not_come_back(root: Path) -> None:
    """The way that the notice names."""
    forget(root / "a" / "b")
    (root / ".rootleafignore").write_text("a/b/\n")
    assert index(root).files_indexed == 0
    assert f"{root}/a/b/1.md" not in stored(database(root))


def test_a_single_document_is_dropped_by_its_path(root: Path) -> None:
    """And a directory of the same beginning stays."""
    (root / "a" / "b.md").unlink()
    report = forget(root / "a" / "b.md")
    assert report.forgotten == (f"{root}/a/b.md",)
    assert report.notices == ()


def test_roots_at_or_below_the_directory_are_dropped_as_a_whole(tmp_path: Path) -> None:
    """Also one that holds no documents; others in the same database stay as they are."""
    base = tmp_path.resolve()
    write(base, ["x/one/1.md", "x/two/2.md", "xy/3.md"])
    db_path = base / "shared.db"
    for name in ("x/one", "x/two", "xy"):
        index(base / name, db_path)
    forget(base / "x" / "two" / "2.md", db_path)
    (base / "x").rename(base / "moved")
    report = forget(base / "x", db_path)
    assert report.roots == (f"{base}/x/one", f"{base}/x/two")
    assert report.forgotten == (f"{base}/x/one/1.md",)
    assert [root.path for root in status(db_path=db_path).roots] == [f"{base}/xy"]
    assert stored(db_path) == {f"{base}/xy/3.md"}
    assert (base / "moved" / "one" / "1.md").exists()


@pytest.mark.parametrize(
    "spelling",
    ["{root}/a/b/", "{root}//a/./b", "{root}/a/bc/../b", "{link}/a/b", "{link}/a/b/.",
     "{inner}/../b", "root/a/b", "./root/a/b/"],
)  # fmt: skip
@pytest.mark.parametrize("exists", [True, False])
def test_a_directory_is_one_directory_however_it_is_named(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str, exists: bool
) -> None:
    """With dots and slashes, relative, by a link before or behind which `..` stands."""
    db_path = tmp_path / "x.db"
    index(root, db_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(root)
    (tmp_path / "inner").symlink_to(root / "a" / "bc")
    if not exists:
        for path in (root / "a" / "b" / "c" / "2.md", root / "a" / "b" / "1.md"):
            path.unlink()
        (root / "a" / "b" / "c").rmdir()
        (root / "a" / "b").rmdir()
    given = spelling.format(root=root, link=tmp_path / "link", inner=tmp_path / "inner")
    assert len(forget(given, db_path).forgotten) == 2


def test_a_link_whose_target_is_gone_is_followed(root: Path, tmp_path: Path) -> None:
    """What it led to is what the index knows."""
    db_path = tmp_path / "x.db"
    index(root, db_path)
    (tmp_path / "link").symlink_to(root)
    root.rename(tmp_path / "elsewhere")
    assert forget(tmp_path / "link", db_path).roots == (str(root),)


def test_a_directory_that_a_link_has_replaced_is_meant_itself(root: Path, tmp_path: Path) -> None:
    """Not the directory that the link leads to, whose documents are in the index too."""
    db_path = tmp_path / "x.db"
    index(root, db_path)
    now = root.with_name("now")
    root.rename(now)
    root.symlink_to(now)
    index(root, db_path)
    assert forget(root, db_path).roots == (str(root),)
    assert len(stored(db_path)) == 6
    assert all(path.startswith(f"{now}/") for path in stored(db_path))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_in_the_other_unicode_form_is_found_where_one_form_is_there(
    tmp_path: Path, form: str
) -> None:
    """Equal to the eye; with both there, only the one that was given."""
    names = {f: unicodedata.normalize(f, "café") for f in ("NFC", "NFD")}
    other = names["NFD" if form == "NFC" else "NFC"]
    write(tmp_path, [f"{other}/1.md", "cafe/2.md"])
    db_path = tmp_path / "x.db"
    index(tmp_path, db_path)
    report = forget(tmp_path / names[form], db_path)
    assert [os.path.basename(path) for path in report.forgotten] == ["1.md"]
    write(tmp_path, [f"{names[form]}/3.md"])
    if len(os.listdir(tmp_path)) < 4:
        return  # a file system that knows one form only
    index(tmp_path, db_path)
    assert len(stored(db_path)) == 3
    report = forget(tmp_path / names[form], db_path)
    assert [os.path.basename(path) for path in report.forgotten] == ["3.md"]


def test_without_a_database_the_error_says_how_to_name_one_and_nothing_is_made(
    tmp_path: Path,
) -> None:
    """Neither upward from the directory nor by name."""
    directory = tmp_path / "my notes"
    for db_path in (None, tmp_path / "none.db"):
        with pytest.raises(NotIndexedError) as caught:
            forget(directory, db_path)
        assert caught.value.hint
        assert f"rootleaf forget '{directory}' --db" in caught.value.hint
    assert os.listdir(tmp_path) == []
    with pytest.raises(InvalidInputError, match="dir"):
        forget("")


def test_where_nothing_lies_below_nothing_is_written_and_the_roots_are_named(root: Path) -> None:
    """With what may have been meant; the generation stays."""
    before, generation = database(root).read_bytes(), status(root).generation
    report = forget(root / "a" / "bd")
    assert (report.forgotten, report.roots, report.path) == ((), (), str(root / "a" / "bd"))
    (notice,) = report.notices
    assert f"its root is {root}" in notice
    assert f"{root}/a/b" in notice.partition("did you mean")[2]
    assert f"{root}/a/b.md" in forget(root / "a" / "c.md").notices[0]
    assert "did you mean" not in forget(root / "quite another").notices[0]
    assert database(root).read_bytes() == before
    assert status(root).generation == generation


def bytes_of(db_path: Path) -> dict[str, bytes]:
    """The database, its log and its snapshot, with their bytes."""
    paths = [str(db_path), f"{db_path}-wal", snapshot_path(str(db_path))]
    return {path: Path(path).read_bytes() for path in paths if os.path.exists(path)}


def test_forgotten_text_is_in_no_file_of_the_index(tmp_path: Path) -> None:
    """Nor is what the documents said before, nor their names: not in database, log or snapshot."""
    root = tmp_path.resolve() / "root"
    for number in range(100):
        path = root / ("kept" if number % 5 else "dropzone") / f"{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        words = "quagga kudu" if number % 5 else "quagga okapi"
        path.write_text(f"# Note {number}\n\nxylophone{number} {words}\n")
    index(root)
    db_path = database(root)
    leave_traces(db_path, root / "dropzone")
    assert b"wombat" in db_path.read_bytes()
    forget(root / "dropzone")
    found = bytes_of(db_path)
    assert len(found) >= 2
    for name, content in found.items():
        for word in (b"wombat", b"okapi", b"dropzone", b"xylophone10", b"xylophone55"):
            assert word not in content.lower(), name
        assert b"xylophone11" in content
    assert len(search("quagga", root, top_k=100)) == 80
    assert status(root).snapshot == "current"


def leave_traces(db_path: Path, directory: Path) -> None:
    """Rewrites texts as an SQLite does that overwrites nothing: copies stay in its pages."""
    connection = sqlite3.connect(db_path, isolation_level=None)
    connection.execute("PRAGMA secure_delete = OFF")
    ids = [
        row[0]
        for row in connection.execute(
            "SELECT document_id FROM documents WHERE path LIKE ?", (f"{directory.name}/%",)
        )
    ]
    for size in (9, 90, 900, 2, 40, 400, 4):
        for document_id in ids:
            text = f"xylophone okapi {'wombat ' * (size + document_id * 7 % 40)}"
            connection.execute(
                "UPDATE texts SET text = ? WHERE document_id = ?", (text, document_id)
            )
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def test_a_reader_that_is_busy_neither_breaks_it_nor_is_disturbed(root: Path) -> None:
    """What is read stays as of its moment; the report says that traces may be left."""
    with open_for_reading(str(database(root))) as reader:
        before = [document.path for document in reader.documents()]
        started = time.monotonic()
        report = forget(root / "a" / "b")
        assert time.monotonic() - started < 20
        assert [document.path for document in reader.documents()] == before
    assert len(report.forgotten) == 2
    assert any("until that program is done" in notice for notice in report.notices)
    assert len(stored(database(root))) == 4


def test_another_process_that_writes_is_waited_for(root: Path) -> None:
    """The write lock of another connection is no error; both writes are there in the end."""
    reports = []
    with open_for_writing(str(database(root))) as other:
        with other.writing() as transaction:
            thread = threading.Thread(target=lambda: reports.append(forget(root / "a" / "b")))
            thread.start()
            (recorded,) = transaction.roots()
            transaction.put_document(recorded.root_id, version_of("a/b/late.md"))
        thread.join(60)
    assert [len(report.forgotten) for report in reports] == [3]
    assert len(stored(database(root))) == 4


def test_a_failure_in_the_middle_drops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows go in one transaction."""
    write(tmp_path, ["x/one/1.md", "x/two/2.md"])
    db_path = tmp_path / "x.db"
    index(tmp_path / "x" / "one", db_path)
    index(tmp_path / "x" / "two", db_path)
    before = stored(db_path)

    def fail(_write: SqliteTransaction, _root_id: int) -> None:
        message = "broken"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(SqliteTransaction, "remove_root", fail)
    with pytest.raises(ZeroDivisionError):
        forget(tmp_path / "x", db_path)
    assert stored(db_path) == before
    assert len(status(db_path=db_path).roots) == 2
    assert len(search("zanzibar", db_path=db_path)) == 2


def test_the_last_root_leaves_a_whole_and_empty_index(root: Path) -> None:
    """A search says that it is empty, and the root can be indexed again."""
    assert forget(root).roots == (str(root),)
    found = status(root)
    assert (found.files, found.roots, found.snapshot) == (0, (), "current")
    assert search("zanzibar", root).verdict == "empty_index"
    assert "it is empty" in forget(root).notices[0]
    assert index(root).files_indexed == 6
    assert len(search("zanzibar", root, top_k=9)) == 6


def test_what_is_left_answers_as_an_index_of_it_alone(root: Path, tmp_path: Path) -> None:
    """Scores and verdict are those of a fresh index of the files that were not forgotten."""
    forget(root / "a" / "b")
    (root / ".rootleafignore").write_text("a/b/\n")
    fresh = tmp_path / "fresh.db"
    index(root, fresh)
    for query in ("zanzibar text", "bc 3", "walrus"):
        found = [
            [(hit.file_path, hit.score, hit.bm25, hit.context) for hit in answer]
            for answer in (search(query, root), search(query, db_path=fresh))
        ]
        assert found[0] == found[1]


def test_what_was_skipped_below_goes_too(tmp_path: Path) -> None:
    """Status does not name files of a directory that was forgotten."""
    root = tmp_path.resolve()
    write(root, ["a/1.md", "b/2.md"])
    for name in ("a", "b"):
        (root / name / "dead.md").symlink_to("nothing")
    index(root)
    assert len(status(root).skipped) == 2
    forget(root / "a")
    assert [entry.path for entry in status(root).skipped] == [f"{root}/b/dead.md"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_not_utf8_is_in_no_index(root: Path) -> None:
    """It gets the sentence that nothing lies there."""
    report = forget(os.fsdecode(os.fsencode(root) + b"/caf\xe9"))
    assert report.forgotten == ()
    assert report.notices

"""Metadata is resolved anew for every row that a run reaches, whatever became of its file."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, search, status
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading
from rootleaf.types import Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Shell


def write(root: Path, files: dict[str, str]) -> None:
    """Writes files by relative path."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def rules(kind: str) -> str:
    """Rules that give everything one kind."""
    return f'{{"rules": [{{"glob": "**", "metadata": {{"kind": "{kind}"}}}}]}}'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An indexed root with a directory and two notes, all of one kind."""
    directory = tmp_path.resolve() / "root"
    write(directory, {name: f"# {name}\n" for name in ("a.md", "b.md", "wiki/c.md", "wiki/d.md")})
    write(directory, {".rootleaf-metadata.json": rules("old")})
    index(directory)
    return directory


def kinds(root: Path) -> dict[str, object]:
    """The kind of each document by its name."""
    with open_for_reading(default_db_path(str(root))) as store:
        return {
            document.path.removeprefix(f"{root}/"): document.metadata["kind"]
            for document in store.documents()
        }


def test_held_back_rows_are_resolved_anew(root: Path) -> None:
    """From what is stored; a second run has nothing left to do."""
    (root / "wiki").rename(root.parent / "unmounted")
    write(root, {".rootleaf-metadata.json": rules("new")})
    report = index(root)
    assert (len(report.held_back), report.metadata_refreshed, report.stale_rules) == (2, 4, ())
    assert set(kinds(root).values()) == {"new"}
    assert len(search("md", path=root).hits) == 4
    content = (root / ".rootleaf" / "index.db").read_bytes()
    assert index(root).metadata_refreshed == 0
    assert (root / ".rootleaf" / "index.db").read_bytes() == content


def test_rows_of_files_that_cannot_be_read_are_resolved_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is named as skipped and is read by the next run that can."""
    write(root, {"a.md": "# changed\n", ".rootleaf-metadata.json": rules("new")})
    with monkeypatch.context() as patched:
        patched.setattr(
            "rootleaf.indexing.preparing.read_document",
            lambda path: Skipped(path=path, reason="input/output error"),
        )
        report = index(root)
    assert [skipped.path for skipped in report.skipped] == [str(root / "a.md")]
    assert (report.metadata_refreshed, report.files_unchanged, report.stale_rules) == (4, 3, ())
    assert set(kinds(root).values()) == {"new"}
    assert index(root).files_indexed == 1


def test_rows_beyond_a_narrower_glob_keep_theirs_and_are_named(root: Path) -> None:
    """Until a run reaches them; those that it removes are not named."""
    (root / "wiki" / "d.md").unlink()
    write(root, {".rootleaf-metadata.json": rules("new")})
    report = index(root, glob="a.md")
    assert report.stale_rules == (str(root / "b.md"), str(root / "wiki" / "c.md"))
    assert report.pruned == (str(root / "wiki" / "d.md"),)
    assert kinds(root) == {"a.md": "new", "b.md": "old", "wiki/c.md": "old"}
    assert status(root).stale_rules == report.stale_rules
    assert index(root, all_markdown=True).stale_rules == ()
    assert set(kinds(root).values()) == {"new"}


def test_a_removed_row_is_not_counted_as_resolved(root: Path) -> None:
    """Its metadata is no longer of interest."""
    (root / "wiki" / "d.md").unlink()
    write(root, {".rootleaf-metadata.json": rules("new")})
    report = index(root)
    assert (report.metadata_refreshed, len(report.pruned)) == (3, 1)


def test_excluded_rows_that_are_kept_are_resolved_anew(root: Path) -> None:
    """An ignore file keeps the file out, `prune=False` keeps the row."""
    write(root, {".gitignore": "b.md\n", ".rootleaf-metadata.json": rules("new")})
    report = index(root, prune=False)
    assert report.held_back == (str(root / "b.md"),)
    assert set(kinds(root).values()) == {"new"}


def test_broken_rules_of_another_root_are_named_and_stop_nothing(root: Path) -> None:
    """In a shared database; a run of that root itself is refused."""
    other, shared = root.parent / "other", root.parent / "shared.db"
    write(other, {"x.md": "# X\n"})
    index(other, shared)
    write(other, {".rootleaf-metadata.json": "{"})
    for report in (index(root, shared), index(root, shared, file=root / "a.md")):
        assert any("other" in notice and "JSON" in notice for notice in report.warnings)
    assert status(db_path=shared).files == 5


def test_rows_never_scanned_or_unreadable_are_not_said_to_be_of_other_rules(root: Path) -> None:
    """A run that does not come to them names them apart, as status does."""
    connection = sqlite3.connect(default_db_path(str(root)))
    connection.execute(
        "UPDATE documents SET metadata = NULL, rules_identity = NULL WHERE path = 'b.md'"
    )
    connection.execute("UPDATE documents SET metadata = '[1]' WHERE path = 'wiki/c.md'")
    connection.commit()
    connection.close()
    never, unreadable = str(root / "b.md"), str(root / "wiki" / "c.md")
    for report in (index(root, file=root / "a.md"), index(root, glob="a.md")):
        assert (report.stale_rules, report.unscanned) == ((), (never, unreadable))
        assert report.has_warnings
    found = status(root)
    assert (found.unscanned, found.unreadable_metadata) == ((never,), (unreadable,))
    assert found.stale_rules == ()


def test_the_commands_of_status_reach_rows_beyond_the_recorded_selection(
    root: Path, shell: Shell
) -> None:
    """A plain run of the root would leave them as they are; its selection stays."""
    index(root, glob="a.md")
    write(root, {".rootleaf-metadata.json": rules("new")})
    found = status(root)
    (finding,) = found.findings
    assert (finding.code, len(finding.files)) == ("metadata.stale", 4)
    shell(finding.commands)
    assert status(root).findings == ()
    assert set(kinds(root).values()) == {"new"}
    assert [one.selection for one in status(root).roots] == [one.selection for one in found.roots]


def test_the_commands_of_an_answer_reach_rows_beyond_the_recorded_selection(
    root: Path, shell: Shell
) -> None:
    """Those in the sentence that counts the stale files; of very many it names `status`."""
    index(root, glob="a.md")
    write(root, {".rootleaf-metadata.json": rules("new")})
    answer = search("md", path=root)
    (notice,) = answer.notices
    assert answer.stale_files == 4
    shell(notice.split("`")[1::2])
    renewed = search("md", path=root)
    assert (renewed.stale_files, renewed.notices) == (0, ())
    write(root, {f"many/{number}.md": "# N\n" for number in range(200)})
    index(root, all_markdown=True)
    write(root, {".rootleaf-metadata.json": rules("other")})
    (notice,) = search("md", path=root).notices
    database = default_db_path(str(root))
    assert "204 files" in notice
    assert f"`rootleaf status --db {database}`" in notice

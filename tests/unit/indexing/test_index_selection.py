"""Which files a run reads and remembers, and what becomes of rows it does not reach."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from rootleaf import index, index_file, status
from rootleaf.errors import InvalidInputError, NotIndexedError, OutsideRootError
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Shell


def write(root: Path, files: dict[str, str]) -> None:
    """Writes files below a root."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def stored(root: Path) -> dict[str, str]:
    """The stored texts by path below the root."""
    with open_for_reading(default_db_path(str(root))) as store:
        return {os.path.relpath(found.path, root): found.text for found in store.documents()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty directory, by its real path."""
    directory = tmp_path.resolve() / "root"
    directory.mkdir()
    return directory


def test_without_a_path_the_agent_files_of_the_project_are_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a directory below it; the report says what was read and how to read more."""
    write(root, {"AGENTS.md": "# A\n", "docs/b.md": "# B\n", ".claude/c.md": "# C\n"})
    (root / ".git").mkdir()
    monkeypatch.chdir(root / "docs")
    report = index()
    assert report.root == str(root)
    assert set(stored(root)) == {"AGENTS.md", ".claude/c.md"}
    assert "agent files" in report.notices[0]
    assert "--all" in report.notices[0]


@pytest.mark.parametrize("place", ["elsewhere/index.db", "root/own.db", "root/.rootleaf/index.db"])
def test_the_command_for_all_markdown_reads_it_into_the_same_database(
    root: Path, shell: Shell, place: str
) -> None:
    """Wherever that lies."""
    write(root, {"CLAUDE.md": "# A\n", "docs/b.md": "# B\n"})
    db_path = root.parent / place
    db_path.parent.mkdir(exist_ok=True)
    index(root, db_path, glob="CLAUDE.md")
    shell([index(root, db_path).notices[0].partition("for all markdown: ")[2]])
    assert status(db_path=db_path).files == 2


@pytest.mark.parametrize("name", ["notes.txt", ".dot.md", "a/.hidden/x.md", "Makefile"])
def test_a_file_that_was_named_once_is_read_again_by_a_run_of_all_markdown(
    root: Path, name: str
) -> None:
    """Though it discovers none like it; a run of a glob leaves other files as they are."""
    write(root, {"a.md": "# A\n", "other.txt": "never named\n", name: "before\n"})
    index(root)
    index_file(root / name, root)
    write(root, {name: "after\n"})
    if name in ("notes.txt", "Makefile"):
        index(root, glob="a.md")
        assert stored(root)[name] == "before\n"
    assert index(root, all_markdown=True).files_indexed == 1
    assert stored(root) == {"a.md": "# A\n", name: "after\n"}
    generation = status(root).generation
    assert index(root).files_unchanged == 2
    assert status(root).generation == generation


@pytest.mark.parametrize("place", ["own.db", ".rootleaf/index.db", "alias.db"])
def test_an_index_never_indexes_itself(root: Path, place: str) -> None:
    """Whatever glob names its files, and by a link too; else each run would find them changed."""
    write(root, {"a.md": "# A\n"})
    db_path = root / place
    db_path.parent.mkdir(exist_ok=True)
    (root / "link.md").symlink_to(db_path)
    if place == "alias.db":
        index(root, root / "real.db")
        db_path.symlink_to("real.db")
    for glob in ("**", f"{place}*", ".rootleaf/*"):
        index(root, db_path, glob="**")
        index(root, db_path, glob=glob)
    before = status(db_path=db_path).generation
    assert index(root, db_path, glob=glob).files_indexed == 0
    assert (status(db_path=db_path).files, status(db_path=db_path).generation) == (1, before)
    with pytest.raises(InvalidInputError, match="part of the index"):
        index_file(db_path, root, db_path)


def test_a_root_remembers_its_selection_until_told_otherwise(root: Path) -> None:
    """A glob and the agent files stay; all markdown and another glob replace them."""
    write(root, {"a.md": "# A\n", "docs/b.md": "# B\n", "docs/c.txt": "c\n"})
    index(root, glob="docs/*.txt")
    assert set(stored(root)) == {"docs/c.txt"}
    report = index(root)
    assert "glob: docs/*.txt" in report.notices[0]
    assert (report.files_seen, set(stored(root))) == (1, {"docs/c.txt"})
    index(root, all_markdown=True)
    assert index(root).files_seen == 3
    assert set(stored(root)) == {"a.md", "docs/b.md", "docs/c.txt"}
    assert status(root).roots[0].selection == "all markdown"


def test_a_narrower_glob_limits_what_is_read_and_nothing_else(root: Path) -> None:
    """Other rows keep text and metadata.

    Those on other rules are listed until a run reaches them.
    """
    write(root, {"a.md": "# A\n", "docs/b.md": "# B\n"})
    index(root)
    write(
        root,
        {
            "a.md": "# A changed\n",
            ".rootleaf-metadata.json": '{"rules": [{"glob": "**", "metadata": {"k": "v"}}]}',
        },
    )
    report = index(root, glob="docs/**/*.md")
    assert (report.files_seen, report.metadata_refreshed) == (1, 1)
    assert report.stale_rules == (str(root / "a.md"),)
    assert status(root).stale_rules == (str(root / "a.md"),)
    assert stored(root)["a.md"] == "# A\n"
    report = index(root, all_markdown=True)
    assert report.stale_rules == status(root).stale_rules == ()
    assert stored(root)["a.md"] == "# A changed\n"


def test_the_directories_that_matter_are_the_hidden_ones(root: Path) -> None:
    """Agent directories are read though an ignore file lists them; others are not.

    Counts say how many.
    """
    names = (".claude/memory/a.md", ".cursor/rules/b.md", ".github/copilot/c.md", "AGENTS.md",
             ".git/d.md", "node_modules/p/e.md", ".venv/f.md", "build/g.md")  # fmt: skip
    write(root, {**dict.fromkeys(names, "# T\n"), ".gitignore": "build/\n.claude/\n"})
    index(root)
    assert set(stored(root)) == set(names[:4])
    (build,) = [by for by in status(root).ignored if "build/" in by.rule]
    assert build.files + build.directories == 1
    index(root, ignore_files=False)
    assert set(stored(root)) == {*names[:4], "build/g.md"}


def test_a_file_that_an_ignore_file_now_excludes_is_removed_and_reported(root: Path) -> None:
    """Once; its row is gone, and later runs say nothing."""
    write(root, {"a.md": "# A\n", "drafts/b.md": "# B\n"})
    index(root)
    write(root, {".rootleafignore": "drafts/\n"})
    report = index(root)
    (entry,) = report.skipped
    assert entry.path == str(root / "drafts" / "b.md")
    assert entry.reason.startswith("excluded")
    assert report.pruned == (entry.path,)
    assert set(stored(root)) == {"a.md"}
    report = index(root)
    assert (report.skipped, report.pruned, status(root).skipped) == ((), (), ())


def test_nothing_is_ever_removed_where_that_was_asked_for(root: Path) -> None:
    """Neither what is gone nor what is now excluded; both are named."""
    write(root, {"a.md": "# A\n", "drafts/b.md": "# B\n", "c.md": "# C\n"})
    index(root)
    write(root, {".rootleafignore": "drafts/\n"})
    (root / "c.md").unlink()
    report = index(root, prune=False)
    assert report.pruned == ()
    assert report.held_back == (str(root / "c.md"), str(root / "drafts" / "b.md"))
    assert set(stored(root)) == {"a.md", "drafts/b.md", "c.md"}


def test_a_dot_file_named_once_is_looked_at_from_then_on(root: Path) -> None:
    """It is not discovered, but its edits are seen, under any selection.

    It is not taken for gone.
    """
    write(root, {"a.md": "# A\n", ".secret.md": "# S\n"})
    index(root)
    assert set(stored(root)) == {"a.md"}
    index_file(root / ".secret.md", root)
    write(root, {".secret.md": "# S changed\n"})
    report = index(root)
    assert (report.files_seen, report.files_indexed, report.held_back) == (2, 1, ())
    assert stored(root)[".secret.md"] == "# S changed\n"
    (root / ".secret.md").unlink()
    assert index(root).pruned == (str(root / ".secret.md"),)


def test_links_in_circles_end_and_each_file_is_indexed_once(root: Path) -> None:
    """Links to the directory above, to themselves, to each other, to nothing: named, no more."""
    write(root, {"a.md": "# A\n", "notes/b.md": "# B\n"})
    for name, target in (
        ("loop", ".."), ("notes/up", ".."), ("self", "self"), ("dead", "nothing"),
        ("one", "two"), ("two", "one"), ("again.md", "notes/b.md"),
    ):  # fmt: skip
        (root / name).symlink_to(target)
    report = index(root)
    assert (report.files_seen, report.files_indexed) == (2, 2)
    named = {os.path.relpath(skipped.path, root) for skipped in report.skipped}
    assert named == {"loop", "notes/up", "self", "dead", "one", "two"}
    assert set(stored(root)) == {"a.md", "notes/b.md"}


def test_one_file_is_indexed_and_no_other_is_looked_at(root: Path) -> None:
    """By itself it makes the index; other files wait for a run of the root."""
    write(root, {"a.md": "# A\n", "b.md": "# B\n"})
    report = index_file(root / "a.md", root)
    assert (report.files_seen, report.files_indexed, report.held_back) == (1, 1, ())
    assert set(stored(root)) == {"a.md"}
    assert index_file(root / "a.md", root).files_unchanged == 1
    assert index(root).files_indexed == 1


def test_without_a_path_one_file_belongs_to_the_recorded_root_that_contains_it(
    root: Path, tmp_path: Path
) -> None:
    """Found from the file upward, or in the database that is named."""
    db_path = tmp_path / "x.db"
    write(root, {"deep/a.md": "# A\n"})
    with pytest.raises(NotIndexedError) as caught:
        index(file=root / "deep" / "a.md")
    assert caught.value.hint
    assert "--file" in caught.value.hint
    index(root)
    index(root, db_path)
    write(root, {"deep/a.md": "# A changed\n"})
    assert index(file=root / "deep" / "a.md").root == str(root)
    assert stored(root)["deep/a.md"] == "# A changed\n"
    assert index(file=root / "deep" / "a.md", db_path=db_path).files_indexed == 1
    with pytest.raises(NotIndexedError):
        index(file=tmp_path / "b.md", db_path=db_path)


def test_a_file_outside_its_root_is_refused(root: Path, tmp_path: Path) -> None:
    """Also through a link or dots, and whether it exists or not; nothing is created."""
    outside = tmp_path / "outside.md"
    outside.write_text("# O\n")
    (root / "link.md").symlink_to(outside)
    for file in (
        outside,
        root / "link.md",
        root / ".." / "outside.md",
        tmp_path / "absent.md",
        root,
    ):
        with pytest.raises(OutsideRootError):
            index_file(file, root)
    assert os.listdir(root) == ["link.md"]


def test_one_file_that_is_not_there_is_an_error_unless_it_has_a_row(root: Path) -> None:
    """With a row it is removed, unless nothing is to be."""
    for absent in (root / "absent.md", root / "absent" / "b.md"):
        with pytest.raises(InvalidInputError, match="no file"):
            index_file(absent, root)
    write(root, {"a.md": "# A\n", "b.md": "# B\n"})
    with pytest.raises(InvalidInputError, match="directory"):
        index_file(root / ".", root.parent)
    index(root)
    (root / "a.md").unlink()
    kept = index(root, file=root / "a.md", prune=False)
    assert kept.held_back == (str(root / "a.md"),)
    assert index_file(root / "a.md", root).pruned == (str(root / "a.md"),)
    assert set(stored(root)) == {"b.md"}


def test_a_link_within_the_root_is_the_file_it_leads_to(root: Path) -> None:
    """One file, one row, by whichever name."""
    write(root, {"a.md": "# A\n"})
    (root / "b.md").symlink_to("a.md")
    index_file(root / "b.md", root)
    assert index(root).files_seen == 1
    assert set(stored(root)) == {"a.md"}

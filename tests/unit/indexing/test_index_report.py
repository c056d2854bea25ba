"""What a run is called with, where its database lies, and what its report carries."""

from __future__ import annotations

import inspect
import json
import os
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.types import Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

FIELDS = [
    "files_seen", "files_indexed", "files_unchanged", "chunks", "chunksets", "embedded",
    "metadata_refreshed", "skipped", "pruned", "held_back", "stale_rules", "took_ms",
]  # fmt: skip


def test_arguments_come_in_the_order_that_is_promised() -> None:
    """Callers may give them by position; what was added since is by name alone."""
    for function, names in (
        (rootleaf.index, ["path", "db_path", "glob", "prune", "embedder"]),
        (rootleaf.index_file, ["file", "path", "db_path"]),
        (rootleaf.forget, ["dir", "db_path"]),
    ):
        parameters = inspect.signature(function).parameters.values()
        positional = [one for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        assert [one.name for one in positional] == names
        needed = {one.name for one in positional if one.default is one.empty}
        assert needed == {"file", "path", "dir"} & set(names) - (
            {"path"} if function is rootleaf.index else set()
        )


def test_the_report_and_json_carry_the_same_fields(notes: WriteNotes, cli: Cli) -> None:
    """Each that is promised, with the numbers and paths of the run."""
    root = notes({"a.md": "# A\n\napple\n\n## B\n\npear\n", "b.md": "# B\n"})
    (root / "dead.md").symlink_to("nothing")
    report = rootleaf.index(root, embedder=FakeEmbedder())
    assert set(FIELDS) <= set(report.to_json())
    assert (report.files_seen, report.files_indexed, report.files_unchanged) == (2, 2, 0)
    assert (report.chunks, report.chunksets, report.embedded) == (5, 3, 3)
    assert report.skipped == (
        Skipped(path=f"{root.resolve()}/dead.md", reason="a link to nothing: nothing"),
    )
    assert report.took_ms > 0
    printed = json.loads(cli("index", str(root), "--json").stdout)
    assert set(printed) == set(report.to_json())
    assert (printed["files_seen"], printed["files_unchanged"]) == (2, 2)
    assert printed["skipped"] == [one.to_json() for one in report.skipped]


def test_the_database_lies_below_the_root_unless_one_is_named(notes: WriteNotes) -> None:
    """`.rootleaf/` keeps itself out of git; a named database has its snapshot beside it."""
    root = notes({"a.md": "# A\n"})
    named = root.parent / "x.db"
    assert rootleaf.index(root, named).db_path == str(named.resolve())
    assert sorted(os.listdir(root)) == ["a.md"]
    assert {"x.db", "x.db-snapshot"} <= set(os.listdir(root.parent))
    assert rootleaf.index(root).db_path == f"{root.resolve()}/.rootleaf/index.db"
    assert set(os.listdir(root / ".rootleaf")) == {".gitignore", "index.db", "index.snapshot"}
    assert (root / ".rootleaf" / ".gitignore").read_text() == "*\n"


def test_with_a_path_all_markdown_below_it_is_read(notes: WriteNotes) -> None:
    """By suffix, in any case of letters, at any depth."""
    names = ["a.md", "b/c.markdown", "b/d/e.mdc", "F.MD"]
    root = notes(dict.fromkeys([*names, "g.txt", "h.mdx", "md", "b/i.rst"], "# T\n\nfig\n"))
    rootleaf.index(root)
    found = {os.path.relpath(one.file_path, root.resolve()) for one in rootleaf.search("fig", root)}
    assert found == set(names)


@pytest.mark.parametrize("name", ["node_modules", ".hidden", "build", ".git", ".venv"])
def test_a_root_that_is_named_is_walked_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    """And whatever ignore files above it say."""
    root = tmp_path / name
    root.mkdir()
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / ".rootleafignore").write_text("*\n")
    (root / "a.md").write_text("# A\n\nfig\n")
    assert rootleaf.index(root).files_indexed == 1
    assert len(rootleaf.search("fig", root)) == 1


def test_a_link_that_leaves_the_root_is_named_in_the_report(notes: WriteNotes) -> None:
    """Whether it is a file or a directory; what it leads to is not indexed."""
    root = notes({"a.md": "# A\n"})
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "b.md").write_text("# B\n\nfig\n")
    (root / "directory").symlink_to(outside)
    (root / "file.md").symlink_to(outside / "b.md")
    report = rootleaf.index(root)
    assert [os.path.basename(one.path) for one in report.skipped] == ["directory", "file.md"]
    assert all("leaves the root" in one.reason for one in report.skipped)
    assert rootleaf.status(root).skipped == report.skipped
    assert rootleaf.search("fig", root).verdict == "no_match"


def test_a_tree_is_had_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk with index, kind, depth, parent, spans and text; chunksets name chunks and key."""
    monkeypatch.chdir(tmp_path)
    text = "# Garten\n\nGrüne Beete.\n\n- Erde\n  - Lehm\n"
    document = rootleaf.chunk(text)
    assert [(one.index, one.kind, one.depth, one.parent) for one in document.chunks] == [
        (0, "heading", 0, None),
        (1, "paragraph", 1, 0),
        (2, "list_item", 1, 0),
        (3, "list_item", 2, 2),
    ]
    for one in document.chunks:
        assert text.encode()[one.start_byte : one.end_byte].decode().strip() == one.text.strip()
        lines = text.split("\n")[one.start_line - 1 : one.end_line]
        assert "\n".join(lines).strip() == one.text.strip()
    indices = {one.index for one in document.chunks}
    for chunkset in document.chunksets:
        assert set(chunkset.chunks) <= indices
        assert len(chunkset.key) == 16
    assert {one for chunkset in document.chunksets for one in chunkset.chunks} == indices
    assert os.listdir(tmp_path) == []

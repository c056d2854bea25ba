"""A filtered search refuses doubtful metadata; its commands, run as they are printed, clear it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf import errors
from rootleaf.errors import (
    MetadataGhosts,
    MetadataIncomplete,
    MetadataNotIndexed,
    MetadataRulesError,
    MetadataStale,
    MetadataUnreadable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from conftest import Shell

RULES = ".rootleaf-metadata.json"
WHERE = {"kind": "fruit"}
ODD_NAMES = [
    "plain",
    'it\'s a "root" $HOME `x`',
    "-n --all",
    "line\nend",
    "ümlaut [a]*?",
    "a;b&c|d",
]


def make(root: Path, files: Iterable[str], *, rules: bool = True) -> Path:
    """Writes files that hold the word `apple`; by the rules all of them are fruit."""
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n\napple\n")
    if rules:
        write_rules(root, "fruit")
    return root


def write_rules(root: Path, kind: str) -> None:
    """Says of everything that it is of this kind and a fruit."""
    metadata = {"kind": ["fruit", kind]}
    (root / RULES).write_text(json.dumps({"rules": [{"glob": "**", "metadata": metadata}]}))


def change(db_path: Path, assignments: str, where: str = "1") -> None:
    """Changes rows behind the back of the program."""
    connection = sqlite3.connect(db_path)
    with connection:
        connection.execute(f"UPDATE documents SET {assignments} WHERE {where}")
    connection.close()


def ask(db_path: Path, **options: object) -> rootleaf.Answer:
    """The filtered search that is refused."""
    where = options.pop("where", WHERE)
    return rootleaf.search("apple", db_path=db_path, where=where, **options)  # type: ignore[arg-type]


def refused(db_path: Path, kind: type[MetadataIncomplete], **options: object) -> MetadataIncomplete:
    """The refusal of the filtered search, which an unfiltered one does not share."""
    with pytest.raises(kind) as caught:
        ask(db_path, **options)
    assert type(caught.value) is kind
    assert rootleaf.search("apple", db_path=db_path).verdict == "answered"
    error = caught.value
    assert error.commands
    assert error.hint == "\n".join(error.commands)
    assert all(os.path.isabs(path) for path in error.files)
    return error


def absolute(root: Path, *names: str) -> tuple[str, ...]:
    """Real paths below a root, ordered."""
    return tuple(sorted(os.path.join(os.path.realpath(root), name) for name in names))


def test_every_refusal_is_one_kind_with_a_code_of_its_own() -> None:
    """All derive from `MetadataIncomplete`, and it from the base of all errors."""
    codes = {
        MetadataNotIndexed: "metadata.not_indexed",
        MetadataStale: "metadata.stale",
        MetadataRulesError: "metadata.rules",
        MetadataUnreadable: "metadata.unreadable",
        MetadataGhosts: "metadata.ghosts",
    }
    for kind, code in codes.items():
        assert kind.code == code
        assert issubclass(kind, MetadataIncomplete)
    assert issubclass(MetadataIncomplete, errors.RootleafError)


BREAKS: dict[str, tuple[type[MetadataIncomplete], Callable[[Path, Path], None]]] = {
    "never scanned": (
        MetadataNotIndexed,
        lambda _root, db_path: change(
            db_path, "metadata = NULL, rules_identity = NULL", "path = 'a.md'"
        ),
    ),
    "never resolved": (
        MetadataNotIndexed,
        lambda _root, db_path: change(db_path, "rules_identity = NULL", "path = 'a.md'"),
    ),
    "no mapping": (
        MetadataUnreadable,
        lambda _root, db_path: change(db_path, "metadata = '[1]'", "path = 'a.md'"),
    ),
    "a number": (
        MetadataUnreadable,
        lambda _root, db_path: change(db_path, """metadata = '{"kind":1}'""", "path = 'a.md'"),
    ),
    "bytes": (
        MetadataUnreadable,
        lambda _root, db_path: change(db_path, "metadata = CAST(x'ff' AS TEXT)", "path = 'a.md'"),
    ),
    "other rules": (MetadataStale, lambda root, _db_path: write_rules(root, "stone")),
    "no rules": (MetadataStale, lambda root, _db_path: (root / RULES).unlink()),
    "broken rules": (MetadataRulesError, lambda root, _db_path: broken(root, b"{")),
    "rules in no encoding": (MetadataRulesError, lambda root, _db_path: broken(root, b"\xff")),
    "rules of rubbish": (
        MetadataRulesError,
        lambda root, _db_path: broken(root, b'{"rules": [], "x": 1}'),
    ),
    "a directory of rules": (MetadataRulesError, lambda root, _db_path: directory(root)),
    "rules that lead nowhere": (MetadataRulesError, lambda root, _db_path: dead_link(root)),
    "a file that is gone": (MetadataGhosts, lambda root, _db_path: (root / "a.md").unlink()),
}


def broken(root: Path, content: bytes) -> None:
    """Rules that cannot be understood, beside what an earlier command may have set aside."""
    (root / f"{RULES}.broken").write_text("kept")
    (root / RULES).write_bytes(content)


def directory(root: Path) -> None:
    """A directory in place of the rules."""
    (root / RULES).unlink()
    (root / RULES).mkdir()
    (root / f"{RULES}.broken").mkdir()


def dead_link(root: Path) -> None:
    """A link to nothing in place of the rules."""
    (root / RULES).unlink()
    (root / RULES).symlink_to("nowhere")


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("is_shared", [False, True])
def test_the_commands_clear_the_refusal(
    tmp_path: Path, shell: Shell, name: str, *, is_shared: bool
) -> None:
    """One bad row is enough, in whichever root; afterwards the same search is answered."""
    kind, spoil = BREAKS[name]
    db_path = tmp_path / "index.db"
    root = make(tmp_path / "one", ["a.md", "b.md", "c/d.md"])
    rootleaf.index(root, db_path)
    if is_shared:
        rootleaf.index(make(tmp_path / "two", ["z.md"]), db_path)
    assert len(ask(db_path, top_k=9)) == (4 if is_shared else 3)
    spoil(root, db_path)
    error = refused(db_path, kind, top_k=9)
    assert error.files[0] in {*absolute(root, "a.md"), *absolute(root, RULES)}
    assert error.files[0] in error.message
    shell(error.commands)
    left = ask(db_path, where={"kind": ["fruit", "other"]}, top_k=9)
    if kind is MetadataRulesError or name == "no rules":
        # Without rules no file of that root is a fruit.
        assert len(left) == int(is_shared)
        assert not (root / RULES).exists()
    else:
        assert len(left) == (4 if is_shared else 3) - (kind is MetadataGhosts)
    kept = root / f"{RULES}.broken"
    assert not kept.is_file() or kept.read_text() == "kept"
    assert not kept.is_dir() or not list(kept.iterdir())


@pytest.mark.parametrize("name", BREAKS)
def test_one_row_spoils_the_filtered_search_that_it_could_not_be_in(
    tmp_path: Path, name: str
) -> None:
    """Whether the row would match is what cannot be known; only ghosts are of the answer alone."""
    kind, spoil = BREAKS[name]
    db_path = tmp_path / "index.db"
    one = make(tmp_path / "one", ["a.md"])
    two = tmp_path / "two"
    two.mkdir()
    (two / "z.md").write_text("---\nkind: stone\n---\npear\n")
    rootleaf.index(one, db_path)
    rootleaf.index(two, db_path)
    spoil(one, db_path)
    for query, where in (("pear", {"kind": "stone"}), ("nothing", {"kind": "stone"}), ("", WHERE)):
        if kind is MetadataGhosts:
            rootleaf.search(query, db_path=db_path, where=where)
        else:
            with pytest.raises(kind):
                rootleaf.search(query, db_path=db_path, where=where)
    assert rootleaf.search("pear", db_path=db_path, where={}).verdict == "answered"
    assert rootleaf.search("pear", db_path=db_path).verdict == "answered"


@pytest.mark.parametrize("name", ["never scanned", "other rules", "broken rules", "gone"])
def test_commands_hold_for_odd_names(tmp_path: Path, shell: Shell, name: str) -> None:
    """Blanks, quotes, line ends, leading dashes and wildcards are nothing but names."""
    place = tmp_path.joinpath(*ODD_NAMES)
    db_path = place / "-x 'y'.db"
    names = [f"{odd}{suffix}" for odd in ODD_NAMES for suffix in (".md", "/a.txt")]
    names += [f".{ODD_NAMES[1]}.md", f"x.{ODD_NAMES[4]}"]
    root = make(place / "-r", names)
    for row in names:
        rootleaf.index_file(root / row, root, db_path)
    rootleaf.index(root, db_path, glob="**/[*]")
    assert len(ask(db_path, top_k=99)) == len(names)
    if name == "never scanned":
        change(db_path, "metadata = NULL")
        error = refused(db_path, MetadataNotIndexed)
        assert error.files == absolute(root, *names)
    elif name == "other rules":
        write_rules(root, "stone")
        error = refused(db_path, MetadataStale)
    elif name == "broken rules":
        (root / RULES).write_text("{")
        error = refused(db_path, MetadataRulesError)
    else:
        (root / names[0]).unlink()
        error = refused(db_path, MetadataGhosts, top_k=99)
    shell(error.commands)
    left = {"broken rules": 0, "gone": len(names) - 1}.get(name, len(names))
    assert len(ask(db_path, top_k=99)) == left


SELECTIONS: dict[str, dict[str, object]] = {
    "glob": {"glob": "docs/*.md"},
    "none": {"glob": "nothing/*.md"},
    "dash": {"glob": "--docs/*.md"},
    "all": {"all_markdown": True},
}
ROWS = {
    "few": ["docs/1.md", "b/c.txt", ".dot.md"],
    "many": ["docs/1.md", *(f"n/{n}.md" for n in range(3)), *(f"{n}.txt" for n in range(2)),
             "Makefile", "x/.dot.md", "x.TXT", "[a]?.t*t", ".hidden/h.md", "node_modules/m.md",
             ".github/other.md", "CLAUDE.md", "back\\slash.q\\s"],
}  # fmt: skip


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("name", ["never scanned", "broken rules"])
def test_commands_reach_rows_beyond_the_recorded_selection(
    tmp_path: Path, shell: Shell, rows: str, selection: str, name: str
) -> None:
    """Whatever a narrower run remembered; and it is remembered afterwards too."""
    db_path = tmp_path / "index.db"
    root = make(tmp_path / "one", ROWS[rows])
    for row in ROWS[rows]:
        rootleaf.index_file(root / row, root, db_path)
    rootleaf.index(root, db_path, **SELECTIONS[selection])  # type: ignore[arg-type]
    recorded = rootleaf.status(db_path=db_path).roots[0].selection
    if name == "never scanned":
        change(db_path, "metadata = NULL")
        error = refused(db_path, MetadataNotIndexed)
    else:
        broken(root, b"{")
        error = refused(db_path, MetadataRulesError)
    if rows == "few":
        assert len(error.commands) <= len(ROWS[rows])
        assert "--all" not in str(error.hint)
    shell(error.commands)
    answer = ask(db_path, top_k=99)
    assert len(answer) == (0 if name == "broken rules" else len(ROWS[rows]))
    assert rootleaf.status(db_path=db_path).roots[0].selection == recorded


@pytest.mark.parametrize("name", ["never scanned", "other rules", "broken rules"])
@pytest.mark.parametrize("loss", ["one file", "all files", "a directory", "emptied directory"])
def test_rows_of_gone_files_are_cleared_too(
    tmp_path: Path, shell: Shell, loss: str, name: str
) -> None:
    """Removed or held back by the run that is printed, reached by the selection or not."""
    db_path = tmp_path / "index.db"
    names = ["docs/1.md", "keep.md", ".dot.md", *(f"d/{n}.txt" for n in range(8))]
    root = make(tmp_path / "one", names)
    for row in names:
        rootleaf.index_file(root / row, root, db_path)
    rootleaf.index(root, db_path, glob="docs/*")
    if loss == "one file":
        (root / "d" / "1.txt").unlink()
    elif loss == "all files":
        for row in names:
            (root / row).unlink()
    elif loss == "a directory":
        shutil.rmtree(root / "d")
        (root / ".dot.md").unlink()
    else:
        for path in (root / "d").iterdir():
            path.unlink()
    if name == "never scanned":
        change(db_path, "metadata = NULL")
        error = refused(db_path, MetadataNotIndexed)
    elif name == "other rules":
        write_rules(root, "stone")
        error = refused(db_path, MetadataStale)
    else:
        broken(root, b"{")
        error = refused(db_path, MetadataRulesError)
    shell(error.commands)
    answer = ask(db_path, top_k=1, where={"kind": "none"})
    assert answer.verdict in {"filter_matched_nothing", "empty_index"}


def test_a_root_that_is_gone_is_forgotten_and_a_drive_is_remembered(
    tmp_path: Path, shell: Shell
) -> None:
    """Its rows that rules have resolved are stale; the other root is not touched."""
    db_path = tmp_path / "index.db"
    one = make(tmp_path / "one's", ["a.md", "b.md"])
    two = make(tmp_path / "two", ["z.md"])
    rootleaf.index(one, db_path)
    rootleaf.index(two, db_path)
    shutil.rmtree(one)
    answer = rootleaf.search("apple", db_path=db_path)
    assert answer.stale_files == 2
    assert any("rootleaf forget" in notice for notice in answer.notices)
    error = refused(db_path, MetadataStale)
    assert error.files == absolute(one, "a.md", "b.md")
    assert "mount it instead" in error.message
    (command,) = error.commands
    assert command.startswith("rootleaf forget ")
    shell(error.commands)
    assert [hit.file_path for hit in ask(db_path)] == list(absolute(two, "z.md"))


@pytest.mark.parametrize("place", ["absent", "a file", "a link", "a link elsewhere"])
@pytest.mark.parametrize(
    "name", ["never scanned", "unreadable", "other rules", "broken rules", "gone"]
)
def test_every_refusal_of_a_root_that_is_gone_is_cleared_by_forgetting(
    tmp_path: Path, shell: Shell, place: str, name: str
) -> None:
    """Also where something else goes by its name now."""
    db_path = tmp_path / "index.db"
    root = make(tmp_path / "one", ["a.md", "b.md"], rules=name in {"other rules", "broken rules"})
    two = make(tmp_path / "two", ["z.md"])
    if name in {"never scanned", "unreadable", "gone"}:
        for path in root.iterdir():
            path.write_text("---\nkind: fruit\n---\napple\n")
    rootleaf.index(root, db_path)
    rootleaf.index(two, db_path)
    if name == "broken rules":
        (root / RULES).write_text("{")
    root.rename(tmp_path / "moved")
    if place == "a file":
        root.write_text("apple\n")
    elif place.startswith("a link"):
        root.symlink_to(tmp_path / ("moved" if place == "a link" else "two"))
    if name in {"never scanned", "unreadable"}:
        change(db_path, "metadata = " + ("NULL" if name == "never scanned" else "'{'"))
    kinds = {
        "never scanned": MetadataNotIndexed,
        "unreadable": MetadataUnreadable,
        "gone": MetadataGhosts,
    }
    error = refused(db_path, kinds.get(name, MetadataStale), top_k=9)
    shell(error.commands)
    assert [hit.file_path for hit in ask(db_path)] == list(absolute(two, "z.md"))

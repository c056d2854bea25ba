"""What a refusal says and where it is said, when it is looked for, and that it is of one moment."""

from __future__ import annotations

import json
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.errors import MetadataGhosts, MetadataIncomplete, MetadataRulesError, MetadataStale
from rootleaf.searching import view
from rootleaf.searching.root_rules import read_root_rules
from rootleaf.searching.vouching import find_doubts, vouch
from rootleaf.store.sqlite import open_for_reading
from rootleaf.store.sqlite_reading import SqliteReading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, Shell
    from rootleaf.indexing.snapshot import FoundSnapshot
    from rootleaf.store.protocol import Store

pytestmark = pytest.mark.usefixtures("without_vectors")

RULES = ".rootleaf-metadata.json"
ALL_FRUIT = '{"rules": [{"glob": "**", "metadata": {"kind": "fruit"}}]}'
WHERE = {"kind": "fruit"}


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A database of two roots, and these; by the rules of both all files are fruit."""
    db_path = tmp_path / "index.db"
    roots = [tmp_path.resolve() / name for name in ("one", "two")]
    for root in roots:
        root.mkdir()
        for number in range(8):
            (root / f"{number}.md").write_text(f"# N{number}\n\napple\n")
        (root / RULES).write_text(ALL_FRUIT)
        rootleaf.index(root, db_path)
    return db_path, roots[0], roots[1]


def refused(db_path: Path, top_k: int = 99) -> MetadataIncomplete:
    """The refusal of the filtered search."""
    with pytest.raises(MetadataIncomplete) as caught:
        rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=top_k)
    return caught.value


def test_the_command_line_refuses_with_a_code_of_its_own(
    two: tuple[Path, Path, Path], cli: Cli
) -> None:
    """Exit code 4, words with the command on standard error, or one object with all files."""
    db_path, one, _ = two
    (one / RULES).unlink()
    asked = ("search", "apple", "--db", str(db_path), "--where", "kind=fruit")
    done = cli(*asked)
    assert (done.returncode, done.stdout) == (4, "")
    assert "8 files" in done.stderr
    assert f"{one}/4.md and 3 more" in done.stderr
    assert f"{one}/5.md" not in done.stderr
    command = f"rootleaf index {one} --db {db_path}"
    assert f"try: {command}" in done.stderr
    done = cli(*asked, "--json")
    assert done.returncode == 4
    error = json.loads(done.stdout)["error"]
    assert set(error) == {"code", "message", "hint", "files", "commands"}
    assert error["code"] == "metadata.stale"
    assert error["files"] == [f"{one}/{number}.md" for number in range(8)]
    assert error["commands"] == [command]
    assert cli("search", "apple", "--db", str(db_path)).returncode == 0


def test_kinds_are_told_one_at_a_time_and_each_is_cleared_whole(
    two: tuple[Path, Path, Path], shell: Shell
) -> None:
    """Broken rules, rows never scanned, rows that cannot be read, rows of other rules, ghosts."""
    db_path, one, other = two
    connection = sqlite3.connect(db_path)
    with connection:
        connection.execute("UPDATE documents SET metadata = NULL WHERE path = '0.md'")
        connection.execute("UPDATE documents SET metadata = '7' WHERE path = '1.md'")
    connection.close()
    (one / RULES).write_text("{")
    (other / RULES).write_text('{"rules": [{"glob": "**", "metadata": {"kind": ["fruit"]}}]}')
    (other / "7.md").unlink()
    kinds = []
    for _ in range(9):
        try:
            rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=99)
            break
        except MetadataIncomplete as error:
            kinds.append(error.code)
            shell(error.commands)
    # A run of a root clears all of its kinds but vanished files that were not of the answer.
    assert kinds == ["metadata.rules", "metadata.not_indexed"]


def test_ghosts_of_several_roots_are_cleared_at_once(
    two: tuple[Path, Path, Path], shell: Shell
) -> None:
    """Also of a root whose files would only then come into the answer; a drive is thought of."""
    db_path, one, other = two
    for number in range(7):
        (one / f"{number}.md").unlink()
    (other / "0.md").unlink()
    error = refused(db_path, top_k=2)
    assert isinstance(error, MetadataGhosts)
    assert error.files == (f"{one}/0.md", f"{one}/1.md")
    first, second = error.commands
    assert first == f"rootleaf index {one} --prune --db {db_path}"
    assert second == f"rootleaf index {other} --db {db_path}"
    assert "mount it instead" in error.message
    assert "7 files" in error.message
    shell(error.commands)
    answer = rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=99)
    assert len(answer) == 8


def test_only_files_of_the_answer_are_looked_for(two: tuple[Path, Path, Path]) -> None:
    """A vanished file that a limit or the query leaves out does not matter."""
    db_path, _, other = two
    (other / "7.md").unlink()
    assert len(rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=15)) == 15
    with pytest.raises(MetadataGhosts):
        rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=16)
    with pytest.raises(MetadataGhosts):
        rootleaf.search("n7", db_path=db_path, where=WHERE, allowed=iter(range(1, 99)))
    ids = [hit.document_id for hit in rootleaf.search("apple", db_path=db_path, top_k=15)]
    kept = rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=16, allowed=iter(ids))
    assert len(kept) == 15


def test_rules_of_a_root_without_rows_do_not_matter(two: tuple[Path, Path, Path]) -> None:
    """No row speaks of them."""
    db_path, one, _ = two
    connection = sqlite3.connect(db_path)
    with connection:
        connection.execute(
            "DELETE FROM documents WHERE root_id IN (SELECT root_id FROM roots WHERE path = ?)",
            (str(one),),
        )
    connection.close()
    (one / RULES).write_text("{")
    assert rootleaf.search("nothing", db_path=db_path, where=WHERE).verdict == "no_match"


def test_what_was_stored_is_checked_once_and_rules_each_time(
    two: tuple[Path, Path, Path],
) -> None:
    """A long-lived reader keeps the check of a generation, and sees an edited rules file."""
    db_path, one, other = two
    with open_for_reading(str(db_path)) as store:
        check = store.check_metadata()
    with open_for_reading(str(db_path)) as store:
        vouch(store, check, read_root_rules(store))
        (other / RULES).write_text("[")
        with pytest.raises(MetadataRulesError):
            vouch(store, check, read_root_rules(store))
        (other / RULES).write_text(json.dumps(json.loads(ALL_FRUIT), indent=4))
        vouch(store, check, read_root_rules(store))
        (one / RULES).write_text('{"rules": []}')
        doubts = find_doubts(store, check, read_root_rules(store))
        assert list(doubts.stale.values()) == [[f"{number}.md" for number in range(8)]]
        with pytest.raises(MetadataStale):
            vouch(store, check, read_root_rules(store))


def test_check_and_answer_are_of_one_moment(
    two: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process commits in between is in neither."""
    db_path, one, _ = two

    def commit_and_open(store: Store, found: FoundSnapshot) -> object:
        (one / "late.md").write_text("# Late\n\napple\n")
        rootleaf.index(one, db_path)
        connection = sqlite3.connect(db_path)
        with connection:
            connection.execute("UPDATE documents SET metadata = NULL")
        connection.close()
        return view.open_view(store, found)

    with monkeypatch.context() as patch:
        patch.setattr("rootleaf.searching.search.open_view", commit_and_open)
        answer = rootleaf.search("apple", db_path=db_path, where=WHERE, top_k=99)
    assert len(answer) == 16
    assert all(hit.metadata == {"kind": "fruit"} for hit in answer)
    assert refused(db_path).code == "metadata.not_indexed"


def test_an_unfiltered_search_does_not_look_at_metadata(
    two: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs nothing that is not asked for; an empty filter is no filter."""
    db_path, one, _ = two
    (one / RULES).write_text("{")

    def check_metadata(_store: SqliteReading) -> None:
        pytest.fail("it was looked at")

    monkeypatch.setattr(SqliteReading, "check_metadata", check_metadata)
    nothing: dict[str, str] = {}
    for where in (None, nothing):
        answer = rootleaf.search("apple", db_path=db_path, where=where)
        assert answer
        assert any(RULES in notice for notice in answer.notices)


def test_the_check_of_ten_thousand_rows_is_cheap(tmp_path: Path) -> None:
    """In processor time, with room for a slow machine."""
    db_path = tmp_path / "index.db"
    root = tmp_path / "one"
    root.mkdir()
    (root / "a.md").write_text("apple\n")
    rootleaf.index(root, db_path)
    connection = sqlite3.connect(db_path)
    with connection:
        connection.executemany(
            "INSERT INTO documents SELECT ?, root_id, ?, revision, stat_signature, content_hash,"
            " text_bytes, chunk_count, front_matter, problem_line, problem_reason, rules_identity,"
            " ? FROM documents WHERE document_id = 1",
            (
                (number, f"{number}.md", json.dumps({"n": str(number), "tags": ["a", "b"]}))
                for number in range(2, 10_002)
            ),
        )
    connection.close()
    with open_for_reading(str(db_path)) as store:
        spent = []
        for _ in range(5):
            started = time.process_time()
            assert not store.check_metadata().unreadable
            spent.append(time.process_time() - started)
    assert min(spent) < 0.1

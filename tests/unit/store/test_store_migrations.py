"""A database of every schema that was ever released can be opened, read and written.

`tests/data/version_N.db` is one as the release that introduced schema N leaves it, written once by
`tools/sample_database.py`: three documents of the root `/notes`, one that was removed, vectors.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rootleaf import doctor, search, status
from rootleaf.errors import StoreError
from rootleaf.store import migrations, sqlite_opening
from rootleaf.store.migrations import MIGRATIONS, migrate
from rootleaf.store.schema import SCHEMA_VERSION
from rootleaf.store.sqlite import open_for_reading, open_for_writing

SAMPLES = Path(__file__).resolve().parents[2] / "data"

TO_VERSION_2 = (
    "ALTER TABLE documents ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'",
    "CREATE TABLE fruits (name TEXT PRIMARY KEY)",
    "INSERT INTO fruits SELECT path FROM documents",
)
STEPS_2 = (*MIGRATIONS[:1], TO_VERSION_2)


@pytest.fixture
def sample(tmp_path: Path) -> str:
    """A copy of the first released schema's database."""
    return str(shutil.copy(SAMPLES / "version_1.db", tmp_path / "copy.db"))


def content(db_path: str) -> dict[str, list[Any]]:
    """All rows of all tables, but for the counters that a migration moves on."""
    connection = sqlite3.connect(db_path)
    found = {
        name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if name not in {"meta", "states"}
    }
    connection.close()
    return found


def version(db_path: str) -> int:
    """The version in the header."""
    connection = sqlite3.connect(db_path)
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return int(found)


@pytest.mark.parametrize("schema", range(1, SCHEMA_VERSION + 1))
def test_a_database_of_an_earlier_release_is_brought_up_to_date(
    tmp_path: Path, schema: int
) -> None:
    """Nothing it held is lost, and ids go on where they stopped."""
    db_path = str(shutil.copy(SAMPLES / f"version_{schema}.db", tmp_path / "copy.db"))
    with open_for_writing(db_path) as store:
        assert store.schema_version() == SCHEMA_VERSION
    with open_for_reading(db_path) as store:
        documents = list(store.documents())
        assert [(found.path, found.front_matter) for found in documents] == [
            ("/notes/log.md", "absent"),
            ("/notes/odd.md", "unparsed"),
            ("/notes/plan/ä.md", "parsed"),
        ]
        assert documents[0].text.startswith("# Log\n\n## Monday\n")
        assert documents[2].metadata == {"kind": "plan", "place": "garden", "tags": ["a", "b"]}
        assert store.first_seen(documents[0].document_id)[0] == "2026-05-28T20:26:40Z"
        (root,) = store.roots()
        assert (root.path, root.selection, root.files_to_go) == ("/notes", "all markdown", 0)
        model = store.model()
        assert model is not None
        assert (model.name, model.dimension, store.count_without_vector()) == ("fake", 4, 0)
        highest = store._connection.execute("SELECT seq FROM sqlite_sequence").fetchall()
        assert (4,) in highest
    assert [hit.file_path for hit in search("quinces", db_path=db_path)] == ["/notes/plan/ä.md"]
    assert status(db_path=db_path).unparsed_front_matter[0].path == "/notes/odd.md"
    faults = [check for check in doctor(db_path=db_path).checks if check.severity == "error"]
    assert faults == []


def test_each_schema_has_its_step_and_its_sample() -> None:
    """As many steps as there are schemas."""
    assert len(MIGRATIONS) == SCHEMA_VERSION
    assert {path.name for path in SAMPLES.glob("version_*.db")} == {
        f"version_{number}.db" for number in range(1, SCHEMA_VERSION + 1)
    }


def test_a_step_keeps_every_row_and_leads_to_a_state_of_which_there_is_no_snapshot(
    sample: str,
) -> None:
    """Also where the snapshot beside it was made a moment before."""
    with open_for_writing(sample) as store:
        generation = store.generation()
    before = content(sample)
    connection = sqlite3.connect(sample, isolation_level=None)
    migrate(connection, STEPS_2)
    connection.close()
    after = content(sample)
    assert after.pop("fruits") == [("log.md",), ("odd.md",), ("plan/ä.md",)]
    after["documents"] = [row[:-1] for row in after["documents"] if row[-1] == "green"]
    assert after == before
    assert version(sample) == 2
    connection = sqlite3.connect(sample)
    meta = dict(connection.execute("SELECT name, value FROM meta"))
    states = connection.execute("SELECT generation, state_id FROM states").fetchall()
    connection.close()
    assert (meta["schema_version"], meta["generation"]) == (2, generation + 1)
    assert [state[0] for state in states] == [generation + 1]
    assert states[0][1] != bytes([generation] * 16)


def test_a_step_that_fails_leaves_the_version_before(sample: str) -> None:
    """Whatever its first statements did is undone."""
    before = content(sample)
    connection = sqlite3.connect(sample, isolation_level=None)
    with pytest.raises(sqlite3.Error):
        migrate(connection, (*STEPS_2[:1], (*TO_VERSION_2, "CREATE TABLE fruits (x)")))
    assert not connection.in_transaction
    connection.close()
    assert (version(sample), content(sample)) == (1, before)


RUN = """
import os, sqlite3, sys
sys.path.insert(0, sys.argv[3])
from rootleaf.store.migrations import migrate
from test_store_migrations import STEPS_2
kill_at = int(sys.argv[2])
done = 0
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
def count(statement):
    global done
    done += 1
    if done == kill_at:
        os.kill(os.getpid(), 9)
connection.set_trace_callback(count)
print("ready", flush=True)
sys.stdin.readline()
migrate(connection, STEPS_2)
"""


def start(db_path: str, kill_at: int) -> subprocess.Popen[str]:
    """A process that waits to migrate, and is killed at its k-th statement."""
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, db_path, str(kill_at), os.path.dirname(__file__)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    return run


@pytest.mark.parametrize("kill_at", [2, 4, 6, 8, 10, 12])
def test_killed_in_the_middle_a_database_is_of_one_version_or_of_the_next(
    sample: str, kill_at: int
) -> None:
    """Never between, and the next attempt ends well."""
    before = content(sample)
    run = start(sample, kill_at)
    _, said = run.communicate("go\n", timeout=60)
    if run.returncode == 0:
        assert version(sample) == 2
        return
    assert run.returncode == -signal.SIGKILL, said
    if version(sample) == 1:
        assert content(sample) == before
    else:
        assert "fruits" in content(sample)
    connection = sqlite3.connect(sample, isolation_level=None)
    migrate(connection, STEPS_2)
    connection.close()
    assert (version(sample), len(content(sample)["fruits"])) == (2, 3)


def test_two_processes_that_migrate_at_once_do_it_once(sample: str) -> None:
    """The second waits, and finds that nothing is left to do."""
    runs = [start(sample, 0) for _ in range(2)]
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go\n")
        run.stdin.flush()
    assert [(run.communicate(timeout=60)[1], run.returncode) for run in runs] == [("", 0)] * 2
    assert version(sample) == 2
    connection = sqlite3.connect(sample)
    assert len(connection.execute("SELECT * FROM states").fetchall()) == 1
    connection.close()


def test_a_newer_schema_is_refused_with_both_versions_and_what_to_do(sample: str) -> None:
    """Nothing is written to it."""
    connection = sqlite3.connect(sample, isolation_level=None)
    migrate(connection, STEPS_2)
    connection.close()
    before = Path(sample).read_bytes()
    for opener in (open_for_reading, open_for_writing):
        with pytest.raises(StoreError) as caught:
            opener(sample)
        assert caught.value.code == "store.newer"
        assert "schema 2; this one reads 1" in caught.value.message
        assert "pip install --upgrade rootleaf" in (caught.value.hint or "")
    assert Path(sample).read_bytes() == before


def test_a_reader_of_an_older_schema_says_which_command_brings_it_up_to_date(
    sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search only reads; a run migrates, in what a later version of this program would be."""
    monkeypatch.setattr(sqlite_opening, "SCHEMA_VERSION", 2)
    monkeypatch.setattr(migrations, "MIGRATIONS", STEPS_2)
    with pytest.raises(StoreError) as caught:
        open_for_reading(sample)
    assert "older schema 1" in caught.value.message
    assert "rootleaf index" in (caught.value.hint or "")
    assert version(sample) == 1
    with open_for_writing(sample) as store:
        assert store.schema_version() == 2
    with open_for_reading(sample) as store:
        assert len(list(store.documents())) == 3

"""A repair while other programs read and write."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from damaged_indexes import DamagedIndex
from rootleaf import doctor, search
from rootleaf.errors import StoreError
from rootleaf.store.sqlite import open_for_reading, open_for_writing

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import sys
from rootleaf.store.sqlite import open_for_writing
with open_for_writing(sys.argv[1]) as store, store.writing() as write:
    write.touch(1, "held")
    print("holding", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def damaged(tmp_path: Path) -> DamagedIndex:
    """An index with wrong keys."""
    found = DamagedIndex(tmp_path)
    found.execute("UPDATE chunksets SET key = randomblob(16) WHERE ordinal = 0")
    return found


def damage_a_page(damaged: DamagedIndex) -> None:
    """Puts zeros in the place of a page that leads to others; in place, as a disk does."""
    root = damaged.column("SELECT rootpage FROM sqlite_master WHERE name = 'chunksets_by_key'")[0]
    with open(damaged.db_path, "r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(bytes(4096))


def repair_in_thread(damaged: DamagedIndex, results: list[Any]) -> threading.Thread:
    """A repair that is under way."""
    thread = threading.Thread(target=lambda: results.append(doctor(damaged.root, repair=True)))
    thread.start()
    return thread


@pytest.mark.parametrize("is_page", [False, True], ids=["rows", "pages"])
def test_a_repair_waits_for_a_writer(damaged: DamagedIndex, is_page: bool) -> None:
    """What that one writes is there afterwards."""
    if is_page:
        damage_a_page(damaged)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, damaged.db_path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as writer:  # fmt: skip
        assert writer.stdout is not None
        assert writer.stdout.readline() == "holding\n"
        results: list[Any] = []
        thread = repair_in_thread(damaged, results)
        thread.join(0.3)
        assert thread.is_alive()
        writer.communicate("go\n")
        assert writer.returncode == 0
    thread.join()
    assert results[0].ok
    assert "held" in damaged.column("SELECT stat_signature FROM documents WHERE document_id = 1")


@pytest.mark.parametrize("is_page", [False, True], ids=["rows", "pages"])
def test_readers_go_on_while_an_index_is_repaired(damaged: DamagedIndex, is_page: bool) -> None:
    """One that is open keeps its moment; the next search answers from what was mended."""
    if is_page:
        damage_a_page(damaged)
    with open_for_reading(damaged.db_path) as store:
        before = [document.text for document in store.documents()]
        report = doctor(damaged.root, repair=True)
        assert report.ok
        assert [document.text for document in store.documents()] == before
        assert len(search("quince", damaged.root)) > 0
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()


def test_a_writer_whose_file_was_replaced_writes_nothing_and_says_so(damaged: DamagedIndex) -> None:
    """It would write a log that belongs to the new file."""
    damage_a_page(damaged)
    with open_for_writing(damaged.db_path) as store:
        assert doctor(damaged.root, repair=True).saved is not None
        with pytest.raises(StoreError) as caught, store.writing() as write:
            write.touch(1, "lost")
        assert caught.value.code == "store.replaced"
    assert doctor(damaged.root).ok
    assert "lost" not in damaged.column("SELECT stat_signature FROM documents")
    damaged.run()
    assert damaged.answers() == damaged.answers_of_fresh()


def test_a_repair_that_cannot_save_changes_nothing(
    damaged: DamagedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is replaced of which there is no copy."""
    damage_a_page(damaged)
    before = damaged.read()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfileobj", fail)
        with pytest.raises(StoreError, match="nothing was changed"):
            doctor(damaged.root, repair=True)
    assert damaged.read() == before
    assert damaged.saved() == []
    assert damaged.left_over() == set()
    assert os.path.exists(damaged.snapshot)

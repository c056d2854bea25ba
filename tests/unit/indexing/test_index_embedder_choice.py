"""Which embedder a run uses: named, from the environment, recorded, or the built-in one."""

from __future__ import annotations

import os
import sqlite3
import sys
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed import builtin
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.errors import EmbedderError, InvalidInputError
from rootleaf.indexing import embedder_choice, embedding

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, Shell, WriteNotes


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests speak for themselves."""
    monkeypatch.delenv("ROOTLEAF_EMBEDDER", raising=False)


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Two notes of three chunksets, not yet indexed."""
    return notes(
        {"plan.md": "# Plan\n\nBuy seeds.\n\n## Beds\n\nDig.\n", "tools.md": "# Tools\n\nspade\n"}
    )


def without_vector(root: Path) -> tuple[int, int]:
    """How many chunksets of the snapshot have no vector, and of how many."""
    view = open_snapshot(str(root / ".rootleaf" / "index.snapshot")).view()
    return view.without_vector, view.chunkset_count


def test_a_new_index_is_embedded_by_the_built_in_one(root: Path, cli: Cli) -> None:
    """By Python, for one file, and by the command: nobody has to ask for it."""
    report = rootleaf.index_file(root / "plan.md", root)
    assert (report.embedded, report.without_vector) == (2, 0)
    done = cli("index", str(root))
    assert "1 text embedded" in done.stdout
    assert rootleaf.index(root).embedded == 0
    status = rootleaf.status(root)
    assert (status.embedder.split()[0], status.dimension) == ("builtin", 256)
    assert without_vector(root) == (0, 3)


def test_none_is_remembered_until_another_one_is_named(root: Path, cli: Cli) -> None:
    """Later runs, of one file too, embed nothing; the database is sound, and says what it is."""
    assert cli("index", str(root), "--embedder", "none").returncode == 0
    (root / "plan.md").write_text("# Plan\n\nBuy more seeds.\n")
    for report in (rootleaf.index(root), rootleaf.index_file(root / "plan.md", root)):
        assert (report.embedded, report.without_vector, report.warnings) == (0, 0, ())
    assert rootleaf.status(root).embedder == "none"
    assert rootleaf.doctor(root).ok
    assert without_vector(root) == (2, 2)
    assert "2 texts embedded" in cli("index", str(root), "--embedder", "builtin").stdout
    assert rootleaf.status(root).embedder.startswith("builtin ")
    assert without_vector(root) == (0, 2)


def test_vectors_that_are_put_aside_come_back_for_nothing(root: Path) -> None:
    """None after a model leaves its vectors where they are, and no search sees them."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    assert rootleaf.index(root, embedder="none").embedded == 0
    assert without_vector(root) == (3, 3)
    assert rootleaf.index(root).embedded == 0
    report = rootleaf.index(root, embedder=fake)
    assert (report.embedded, report.without_vector, len(fake.texts)) == (0, 0, 3)
    assert without_vector(root) == (0, 3)
    again = rootleaf.status(root).generation
    rootleaf.index(root, embedder=fake)
    assert rootleaf.status(root).generation == again


def test_the_variable_counts_for_its_run_and_is_not_recorded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives way to what a call names; a name that is none is refused with its name."""
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "none")
    assert rootleaf.index(root).embedded == 0
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "nonesuch")
    assert rootleaf.index(root, embedder="none").embedded == 0
    with pytest.raises(InvalidInputError, match="ROOTLEAF_EMBEDDER is 'nonesuch'; allowed: bui"):
        rootleaf.index(root)
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "builtin")
    assert rootleaf.index(root).embedded == 3


def test_a_recorded_embedder_that_is_gone_stops_no_run(root: Path, cli: Cli, shell: Shell) -> None:
    """Files are indexed; the warning says how many lack a vector, and its command gives them."""
    rootleaf.index(root, embedder=FakeEmbedder(name="gone"))
    done = cli("index", str(root))
    assert (done.returncode, done.stderr) == (0, ""), "nothing lacks a vector"
    (root / "more.md").write_text("# More\n\none\n")
    done = cli("index", str(root))
    assert done.returncode == 3
    assert "1 file indexed" in done.stdout
    command = f"rootleaf index {root} --embedder builtin --embed"
    assert done.stderr == (
        "The recorded model gone (1) is of no embedder that is installed. Nothing was embedded; "
        "1 chunkset without a vector can be found by keyword alone. To embed all text anew with "
        f"another one: {command}\n"
    )
    assert rootleaf.status(root).embedder == "gone (1)"
    shell([command])
    status = rootleaf.status(root)
    assert (status.embedder.split()[0], status.without_vector) == ("builtin", 0)
    assert cli("index", str(root)).returncode == 0


def test_asked_to_embed_by_an_embedder_that_is_gone_a_run_fails(root: Path, cli: Cli) -> None:
    """After its files are indexed; what was there stays."""
    rootleaf.index(root, embedder=FakeEmbedder(name="gone"))
    (root / "more.md").write_text("# More\n\none\n")
    done = cli("index", str(root), "--embed")
    assert done.returncode == 1
    assert "The recorded model gone (1) is of no embedder that is installed" in done.stderr
    status = rootleaf.status(root)
    assert (status.files, status.snapshot, status.without_vector) == (3, "current", 1)
    rootleaf.index(root, embedder="none")
    done = cli("index", str(root), "--embed")
    assert done.returncode == 2
    assert f"try: rootleaf index {root} --embedder builtin --embed" in done.stderr


def test_a_missing_package_is_named_with_its_command(
    root: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named by the call, it ends the run before anything is made; recorded, it does not."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    done = cli("index", str(root), "--embedder", "minilm")
    assert done.returncode == 1
    assert 'try: pip install "rootleaf[semantic]"' in done.stderr
    assert not (root / ".rootleaf").exists()
    rootleaf.index(root, embedder=FakeEmbedder(name="minilm"))
    (root / "more.md").write_text("# More\n\none\n")
    done = cli("index", str(root))
    assert done.returncode == 3
    assert 'To bring it back: pip install "rootleaf[semantic]". To embed' in done.stderr


def test_without_the_table_of_the_built_in_one_files_are_indexed_all_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged installation finds by keyword, and says what mends it."""
    rootleaf.index(root)
    (root / "more.md").write_text("# More\n\none\n")
    monkeypatch.setattr(builtin, "TABLE_PATH", "/nowhere/at/all.table")
    monkeypatch.setattr(builtin, "_table", None)
    report = rootleaf.index(root)
    assert (report.files_indexed, report.embedded, report.without_vector) == (1, 0, 1)
    assert "pip install --force-reinstall rootleaf" in report.warnings[0]
    with pytest.raises(EmbedderError, match=r"all\.table"):
        rootleaf.index(root, embedder="builtin")


def test_another_revision_of_the_recorded_model_embeds_nothing_until_asked(
    root: Path, shell: Shell
) -> None:
    """As after an update that brought another table; the command of the notice does it."""
    rootleaf.index(root)
    connection = sqlite3.connect(root / ".rootleaf" / "index.db")
    with connection:
        connection.execute("UPDATE models SET revision = 'of last year'")
    connection.close()
    (root / "more.md").write_text("# More\n\none\n")
    report = rootleaf.index(root)
    assert (report.embedded, report.without_vector) == (0, 1)
    command = f"rootleaf index {root} --embed"
    assert any(
        notice.startswith("The index has vectors of builtin (of last year), which builtin (")
        and notice.endswith(f"nothing was embedded. To embed all text anew: {command}")
        for notice in report.notices
    )
    shell([command])
    status = rootleaf.status(root)
    assert status.embedder == f"builtin ({BuiltinEmbedder().identity.revision})"
    assert status.without_vector == 0


def test_a_model_that_was_named_is_named_in_the_command_that_changes_to_it(
    root: Path, tmp_path: Path
) -> None:
    """With the database, where that is not the root's own; an object has no name to give."""
    database = tmp_path / "other.db"
    rootleaf.index(root, database, embedder=FakeEmbedder())
    command = f"rootleaf index {root} --db {database} --embedder builtin --embed"
    assert rootleaf.index(root, database, embedder="builtin").notices[-1].endswith(command)
    report = rootleaf.index(root, database, embedder=FakeEmbedder(name="another"))
    assert report.notices[-1].endswith("index(..., embedder=..., embed=True)")


def test_an_interrupted_command_says_what_is_kept(
    root: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many texts have their vectors; the same command goes on from there."""
    fake = FakeEmbedder(name="builtin")
    fake.fail_at(2, KeyboardInterrupt())
    monkeypatch.setattr(embedding, "MOST_TEXTS", 2)
    monkeypatch.setattr(embedder_choice, "embedder_named", lambda name: fake)
    done = cli("index", str(root))
    assert done.returncode == 130
    assert done.stderr == (
        "Interrupted. All files are indexed, and 2 of 3 texts embedded, and kept; the same "
        "command goes on from there\n"
    )
    assert "1 text embedded" in cli("index", str(root)).stdout
    assert len(fake.texts) == len(set(fake.texts)) == 3


@pytest.mark.parametrize("count", [0, -1, 2.5, True, "many"])
def test_an_embedder_with_a_wrong_size_of_batches_is_refused(root: Path, count: object) -> None:
    """Instead of a run that never ends."""
    fake = FakeEmbedder()
    fake.batch_texts = count  # type: ignore[attr-defined]
    with pytest.raises(InvalidInputError, match="batch_texts of an embedder must be an int of 1"):
        rootleaf.index(root, embedder=fake)


def test_an_embedder_gets_as_many_texts_at_once_as_it_states(root: Path) -> None:
    """The built-in one gets many, since a batch of it takes no time to speak of."""

    class Small(FakeEmbedder):
        batch_texts = 1

    small = Small()
    rootleaf.index(root, embedder=small)
    assert small.calls == 3
    assert BuiltinEmbedder.batch_texts > embedding.MOST_TEXTS
    assert os.path.exists(root / ".rootleaf" / "index.snapshot")


def test_a_first_index_without_the_table_says_that_nothing_was_embedded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No model is recorded yet whose vectors could be counted."""
    monkeypatch.setattr(builtin, "TABLE_PATH", "/nowhere/at/all.table")
    monkeypatch.setattr(builtin, "_table", None)
    report = rootleaf.index(root)
    (warning,) = report.warnings
    assert f"{report.chunksets} chunksets without a vector" in warning
    assert "pip install --force-reinstall rootleaf" in warning


def test_the_command_in_place_of_embedding_by_none_is_of_the_same_index(
    root: Path, tmp_path: Path, cli: Cli, shell: Shell
) -> None:
    """It can be run as it is printed."""
    db_path = tmp_path.resolve() / "else where.db"
    done = cli("index", str(root), "--db", str(db_path), "--embedder", "none", "--embed")
    assert done.returncode == 2
    command = f"rootleaf index {root} --db '{db_path}' --embedder builtin --embed"
    assert f"try: {command}\n" in done.stderr
    shell([command])
    assert rootleaf.status(root, db_path).embedder.startswith("builtin ")

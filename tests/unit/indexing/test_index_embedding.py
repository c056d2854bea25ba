"""What embedding costs: each text once, whatever becomes of the file it stands in."""

from __future__ import annotations

import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.indexing.embedding import embed_missing
from rootleaf.indexing.snapshot import FoundSnapshot, current_view, find_snapshot
from rootleaf.store.sqlite import open_for_reading, open_for_writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cli, WriteNotes

NOTES: dict[str, str | bytes] = {
    "plan.md": "# Plan\n\nBuy seeds.\n\n## Beds\n\nDig them.\n\n## Water\n\nDaily.\n",
    "sub/tools.md": "# Tools\n\n- spade\n- rake\n",
    "sub/deep/empty.md": "",
}
TEXTS = ["# Plan\nBuy seeds.", "# Plan\n## Beds\nDig them.", "# Plan\n## Water\nDaily."]
ALL_TEXTS = [*TEXTS, "# Tools\n- spade\n- rake"]


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Three notes, not yet indexed."""
    return notes(NOTES)


def database(root: Path) -> str:
    """Where the database of a root lies."""
    return str(root / ".rootleaf" / "index.db")


def vectors_by_path(root: Path) -> dict[str, list[bytes | None]]:
    """The vectors of each document, by its path below the root."""
    with open_for_reading(database(root)) as store:
        return {
            os.path.relpath(found.path, root): store.vectors(found.document_id)
            for found in store.documents()
        }


def test_each_text_is_embedded_once_with_its_headings(root: Path) -> None:
    """The texts that the model sees, and the vectors that chunksets get."""
    fake = FakeEmbedder()
    report = rootleaf.index(root, embedder=fake)
    assert sorted(fake.texts) == sorted(ALL_TEXTS)
    assert (report.embedded, report.without_vector, report.chunksets) == (4, 0, 4)
    assert vectors_by_path(root) == {
        "plan.md": [fake.vector(text) for text in TEXTS],
        "sub/tools.md": [fake.vector(ALL_TEXTS[3])],
        "sub/deep/empty.md": [],
    }


def test_a_run_with_nothing_to_do_asks_nothing_and_writes_nothing(root: Path) -> None:
    """Neither database nor snapshot."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    files = [root / ".rootleaf" / name for name in ("index.db", "index.snapshot")]
    before = [(file.stat().st_ino, file.read_bytes()) for file in files]
    calls = fake.calls
    assert rootleaf.index(root, embedder=fake).embedded == 0
    assert fake.calls == calls
    assert [(file.stat().st_ino, file.read_bytes()) for file in files] == before


def rename(root: Path) -> None:
    """One file has another name."""
    (root / "plan.md").rename(root / "project.md")


def move_directory(root: Path) -> None:
    """A directory is elsewhere."""
    (root / "other").mkdir()
    (root / "sub").rename(root / "other" / "sub")


def reorder(root: Path) -> None:
    """The sections of a file stand in another order."""
    (root / "plan.md").write_text(
        "# Plan\n\nBuy seeds.\n\n## Water\n\nDaily.\n\n## Beds\n\nDig them.\n"
    )


def lay_out(root: Path) -> None:
    """White space is another."""
    (root / "plan.md").write_text(
        "#   Plan\n\n\nBuy\nseeds.\n\n## Beds\n\nDig them.\n\n\n## Water\n\nDaily."
    )


def copy(root: Path) -> None:
    """A text stands in two files."""
    shutil.copy(root / "plan.md", root / "sub" / "copy.md")


def touch(root: Path) -> None:
    """A file has another time and the same bytes."""
    os.utime(root / "plan.md")


def edit_rules(root: Path) -> None:
    """All metadata is another."""
    (root / ".rootleaf-metadata.json").write_text(
        '{"rules": [{"glob": "**", "metadata": {"kind": "x"}}]}'
    )


def edit_front_matter(root: Path) -> None:
    """A file has front matter, which is no text of a chunkset."""
    (root / "plan.md").write_text("---\nkind: x\n---\n" + str(NOTES["plan.md"]))


def delete(root: Path) -> None:
    """A file is gone."""
    (root / "plan.md").unlink()


@pytest.mark.parametrize(
    "change",
    [
        rename,
        move_directory,
        reorder,
        lay_out,
        copy,
        touch,
        edit_rules,
        edit_front_matter,
        delete,
    ],
)
def test_no_change_but_one_of_text_embeds_anything(
    root: Path, change: Callable[[Path], None]
) -> None:
    """And the vectors are then those of an index made afresh."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    calls = fake.calls
    change(root)
    report = rootleaf.index(root, prune=True, embedder=fake)
    assert (fake.calls, report.embedded, report.without_vector) == (calls, 0, 0)
    after = vectors_by_path(root)
    shutil.rmtree(root / ".rootleaf")
    rootleaf.index(root, embedder=FakeEmbedder())
    assert vectors_by_path(root) == after


def test_a_text_that_comes_back_has_its_vector_still(root: Path) -> None:
    """A file that was deleted, its row removed, and that is restored later under another name."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    delete(root)
    rootleaf.index(root, prune=True, embedder=fake)
    assert "plan.md" not in vectors_by_path(root)
    (root / "restored.md").write_bytes(str(NOTES["plan.md"]).encode())
    assert rootleaf.index(root, embedder=fake).embedded == 0
    assert vectors_by_path(root)["restored.md"] == [fake.vector(text) for text in TEXTS]


def test_an_edit_embeds_the_chunksets_with_new_text(root: Path) -> None:
    """One section; and a heading changes the text of what stands below it."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    plan = root / "plan.md"
    plan.write_text(plan.read_text().replace("Dig", "Turn"))
    assert rootleaf.index(root, embedder=fake).embedded == 1
    assert fake.texts[-1] == "# Plan\n## Beds\nTurn them."
    plan.write_text(plan.read_text().replace("## Water", "## Rain"))
    assert rootleaf.index(root, embedder=fake).embedded == 1


ENTRIES = 10_000


def log_of_sections(count: int) -> str:
    """A log whose entries are sections."""
    return "# Log\n\n" + "".join(f"## Entry {n}\n\nDone: {n} of them.\n\n" for n in range(count))


def log_of_bullets(count: int) -> str:
    """A log whose entries are items of one list."""
    return "# Log\n\n" + "".join(f"- entry {n}: done, all of it\n" for n in range(count))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("log", [log_of_sections, log_of_bullets])
def test_appending_to_a_log_of_ten_thousand_entries_costs_one(
    notes: WriteNotes, log: Callable[[int], str]
) -> None:
    """One row of chunksets and one text are written; the others keep the date they were seen."""
    root = notes({"log.md": log(ENTRIES)})
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    paid = len(fake.texts)
    connection = sqlite3.connect(database(root))
    connection.execute("UPDATE chunksets SET first_seen = 1000 + ordinal")
    connection.execute("CREATE TABLE written (name TEXT)")
    for table in ("chunksets", "vectors"):
        for event in ("INSERT", "UPDATE", "DELETE"):
            connection.execute(
                f"CREATE TRIGGER {table}_{event} AFTER {event} ON {table}"
                f" BEGIN INSERT INTO written VALUES ('{table}'); END"
            )
    connection.commit()
    (root / "log.md").write_text(log(ENTRIES + 1))
    report = rootleaf.index(root, embedder=fake)
    written = [name for (name,) in connection.execute("SELECT name FROM written ORDER BY name")]
    dates = [row[0] for row in connection.execute("SELECT first_seen FROM chunksets ORDER BY 1")]
    connection.close()
    assert written == ["chunksets", "vectors"]
    assert (report.embedded, len(fake.texts) - paid, report.without_vector) == (1, 1, 0)
    assert dates[:-1] == [1000 + ordinal for ordinal in range(len(dates) - 1)]
    assert dates[-1] > 10**9
    assert f"{ENTRIES}" in fake.texts[-1]


def test_without_an_embedder_vectors_lack_and_are_counted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorded model stays, what it gave stays, and the next run with it pays the rest."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    (root / "more.md").write_text("# More\n\none\n\n# Again\n\ntwo\n")
    assert rootleaf.index(root).without_vector == 2, "nobody can make the recorded one"
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "none")
    assert rootleaf.index(root).without_vector == 2, "none for this run"
    status = rootleaf.status(root)
    assert (status.embedder, status.dimension, status.without_vector) == ("fake (1)", 8, 2)
    assert vectors_by_path(root)["more.md"] == [None, None]
    report = rootleaf.index(root, embedder=fake)
    assert (report.embedded, report.without_vector) == (2, 0)


def test_a_single_file_is_embedded_too(root: Path) -> None:
    """With what else of its root lacks vectors."""
    fake = FakeEmbedder()
    assert rootleaf.index(root, file=root / "plan.md", embedder=fake).embedded == 3
    assert sorted(fake.texts) == sorted(TEXTS)


def test_another_root_of_the_database_is_left_alone(notes: WriteNotes, tmp_path: Path) -> None:
    """Its texts are paid for by its own runs; a text that both have is paid once for both."""
    first, second = (
        notes({"a/1.md": "shared\n"}) / "a",
        notes({"b/2.md": "own\n\n# S\n\nx\n"}) / "b",
    )
    (second / "3.md").write_text("shared\n")
    database = tmp_path / "both.db"
    fake = FakeEmbedder()
    rootleaf.index(second, database, embedder="none")
    rootleaf.index(first, database, embedder=fake)
    assert fake.texts == ["shared"]
    assert rootleaf.status(db_path=database).without_vector == 2
    assert rootleaf.index(second, database).without_vector == 2
    assert rootleaf.index(second, database, embedder=fake).embedded == 2


def test_a_view_of_the_store_has_the_vectors_of_its_documents(root: Path) -> None:
    """From the snapshot, from one that is behind, and from texts: the same answers."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder="none")
    behind = (root / ".rootleaf" / "index.snapshot").read_bytes()
    rootleaf.index(root, embedder=fake)
    snapshot = root / ".rootleaf" / "index.snapshot"
    assert rootleaf.status(root).snapshot == "current"
    view = open_snapshot(str(snapshot)).view()
    assert (view.dimension, view.without_vector, view.chunkset_count) == (8, 0, 4)
    with open_for_reading(database(root)) as store:
        views = [view, current_view(store, FoundSnapshot())]
        snapshot.unlink()  # what is mapped is never changed in place
        snapshot.write_bytes(behind)
        found = find_snapshot(store)
        assert found.snapshot is not None
        assert not found.is_of(store.generation())
        views.append(current_view(store, found))
    for text in ALL_TEXTS:
        for made in views:
            ranking = made.search("", query_vector=fake.embed_query(text))
            assert ranking.similarity is not None
            assert ranking.similarity[0] == pytest.approx(1, abs=1e-5)
            assert ranking.without_vector == 0


def test_chunksets_of_another_chunker_have_no_vectors_until_they_are_cut_anew(root: Path) -> None:
    """Their vectors might be those of other texts; what is the same text then costs nothing."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    with sqlite3.connect(database(root)) as connection:
        connection.execute("UPDATE roots SET chunker = 'another'")
        connection.execute("UPDATE chunksets SET key = randomblob(16) WHERE document_id = 1")
        connection.execute("DELETE FROM chunksets WHERE document_id = 1 AND ordinal > 0")
    connection.close()
    (root / ".rootleaf" / "index.snapshot").unlink()
    with open_for_reading(database(root)) as store:
        view = current_view(store, find_snapshot(store))
        assert (view.without_vector, view.chunkset_count) == (4, 4)
    with open_for_writing(database(root)) as writable:
        assert embed_missing(writable, fake).texts == 0
    report = rootleaf.index(root, embedder=fake)
    assert (report.embedded, report.without_vector) == (0, 0)
    with open_for_reading(database(root)) as store:
        assert current_view(store, find_snapshot(store)).without_vector == 0


def test_the_command_says_what_lacks_a_vector(root: Path, cli: Cli) -> None:
    """`index` and `status`, for a model that only Python can bring."""
    rootleaf.index(root, embedder=FakeEmbedder())
    assert "fake (1), 8 dimensions\n" in cli("status", str(root)).stdout
    (root / "more.md").write_text("# More\n\none\n")
    done = cli("index", str(root))
    assert done.returncode == 3
    assert "The recorded model fake (1) is of no embedder that is installed" in done.stderr
    assert "1 chunkset without a vector" in done.stdout
    assert "fake (1), 8 dimensions; 1 chunkset without a vector" in cli("status", str(root)).stdout


def test_chunksets_without_a_vector_can_be_counted_in_a_view(root: Path) -> None:
    """Some of a document, and documents that have none."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    plan = root / "plan.md"
    plan.write_text(plan.read_text() + "\n## Sow\n\nIn rows.\n")
    (root / "more.md").write_text("# More\n\none\n")
    rootleaf.index(root)
    with open_for_reading(database(root)) as store:
        view = current_view(store, find_snapshot(store))
        assert (view.without_vector, view.chunkset_count) == (2, 6)
        assert store.count_without_vector() == 2


def test_a_search_embeds_nothing_and_answers_by_keyword(root: Path) -> None:
    """Vectors of an index change no answer as long as no question is embedded."""
    fake = FakeEmbedder()
    rootleaf.index(root, embedder=fake)
    answer = rootleaf.search("dig beds", root)
    assert (answer.verdict, answer.mode, fake.queries) == ("answered", "keyword", [])

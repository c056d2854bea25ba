"""One bad file costs that file; an interrupted run costs nothing."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import index, status
from rootleaf.store.paths import default_db_path
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

FORTY_NOTES = 40


def stored(root: Path) -> dict[str, str]:
    """The stored texts by path below the root."""
    with open_for_reading(default_db_path(str(root))) as store:
        return {os.path.relpath(found.path, root): found.text for found in store.documents()}


def content(db_path: str) -> tuple[list[Any], list[Any]]:
    """All that matters of an index: paths, texts, metadata and chunkset keys."""
    with open_for_reading(db_path) as store:
        keys = store._connection.execute(
            "SELECT path, ordinal, key, chunk_count"
            " FROM chunksets JOIN documents USING (document_id) ORDER BY path, ordinal"
        ).fetchall()
        documents = [
            (found.path, found.text, found.metadata, found.front_matter)
            for found in store.documents()
        ]
    return documents, keys


def test_a_badly_encoded_file_is_decoded_by_the_fallback_and_named(tmp_path: Path) -> None:
    """The others are indexed, its text is found, and the report names the first bad byte."""
    root = tmp_path.resolve()
    (root / "a.md").write_text("# A\n")
    (root / "b.md").write_bytes(b"# Caf\xe9\n\nThe caf\xe9 printer jams on tray two.\n")
    (root / "c.md").write_text("# C\n")
    script = (
        "import sys; from rootleaf import index; report = index(sys.argv[1]);"
        "print([(entry.path, entry.byte_offset) for entry in report.decoded_by_fallback],"
        " report.files_indexed, report.has_warnings)"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"}
    result = subprocess.run(
        [sys.executable, "-c", script, str(root)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    assert result.stdout == f"[({str(root / 'b.md')!r}, 5)] 3 True\n"
    assert stored(root)["b.md"] == "# Café\n\nThe café printer jams on tray two.\n"
    assert index(root).files_unchanged == 3


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("# Größe\n\n梨\n".encode(), "# Größe\n\n梨\n"),
        ("# Größe\n\n梨\n".encode("utf-8-sig"), "# Größe\n\n梨\n"),
        (b"\xff\xfe" + "# Größe\n\n梨\n".encode("utf-16-le"), "# Größe\n\n梨\n"),
        (b"\xfe\xff" + "# Größe\n\n梨\n".encode("utf-16-be"), "# Größe\n\n梨\n"),
        (b"\xff\xfe" + "a\ud800b\n".encode("utf-16-le", "surrogatepass"), "a\ufffdb\n"),
        (b"# A\r\n\r\none\rtwo\n", "# A\n\none\ntwo\n"),
    ],
)
def test_text_is_read_in_each_encoding_that_is_promised(
    tmp_path: Path, content: bytes, text: str
) -> None:
    """With and without a mark; each line end is one, and none of this is a warning."""
    (tmp_path / "a.md").write_bytes(content)
    report = index(tmp_path)
    assert (report.files_indexed, report.has_warnings) == (1, False)
    assert stored(tmp_path) == {"a.md": text}


def test_a_nul_byte_costs_nothing_but_itself(tmp_path: Path) -> None:
    """What stands after it is stored, with one stated replacement.

    A second run finds all unchanged.
    """
    for number in range(20):
        (tmp_path / f"{number:02}.md").write_text(f"# Note {number}\n")
    (tmp_path / "dump.md").write_bytes(b"# Dump\n\nbefore\x00after quince\n")
    assert index(tmp_path).files_indexed == 21
    assert stored(tmp_path)["dump.md"] == "# Dump\n\nbefore\ufffdafter quince\n"
    assert index(tmp_path).files_unchanged == 21


def test_a_byte_order_mark_hides_no_front_matter(tmp_path: Path) -> None:
    """Metadata is there, the mark is nowhere."""
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf---\nkind: runbook\n---\n# Restart\n\nDrain.\n")
    (tmp_path / "b.md").write_bytes(b"\xef\xbb\xbf# Restart\n")
    index(tmp_path)
    with open_for_reading(default_db_path(str(tmp_path))) as store:
        first, second = store.documents()
    assert first.metadata == {"kind": "runbook"}
    assert first.front_matter == "parsed"
    assert second.text == "# Restart\n"
    assert "\ufeff" not in first.text


def test_front_matter_that_never_closes_is_named_and_its_text_kept(tmp_path: Path) -> None:
    """No metadata, and report and status name file and line."""
    (tmp_path / "a.md").write_text("---\nkind: note\n# Title\n\nlychee\n")
    report = index(tmp_path)
    (entry,) = report.unparsed_front_matter
    assert entry.path == str(tmp_path.resolve() / "a.md")
    assert entry.reason.startswith("line ")
    assert status(tmp_path).unparsed_front_matter == (entry,)
    with open_for_reading(default_db_path(str(tmp_path))) as store:
        (document,) = store.documents()
    assert (document.metadata, document.front_matter) == ({}, "unparsed")
    assert "lychee" in document.text


def test_a_file_that_cannot_be_read_is_named_and_keeps_its_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on; status names the file until it can be read again."""
    root = tmp_path.resolve()
    for name in ("a.md", "b.md", "c.md"):
        (root / name).write_text("# One\n")
    index(root)
    for name in ("a.md", "b.md", "c.md"):
        (root / name).write_text("# Two\n")
    real_open = os.open

    def deny(path: str, flags: int, *rest: int) -> int:
        if os.fspath(path).endswith("b.md"):
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *rest)

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", deny)
        report = index(root)
        assert [(entry.path, report.files_indexed) for entry in report.skipped] == [
            (str(root / "b.md"), 2)
        ]
        assert "permission denied" in report.skipped[0].reason.lower()
        assert status(root).skipped == report.skipped
        before = (root / ".rootleaf" / "index.db").read_bytes()
        assert index(root).skipped == report.skipped
        assert (root / ".rootleaf" / "index.db").read_bytes() == before
    assert stored(root) == {"a.md": "# Two\n", "b.md": "# One\n", "c.md": "# Two\n"}
    assert index(root).skipped == ()
    assert (stored(root)["b.md"], status(root).skipped) == ("# Two\n", ())


def write_notes(root: Path) -> None:
    """Writes a number of notes with headings, front matter and some length."""
    root.mkdir()
    for number in range(FORTY_NOTES):
        body = "".join(f"## Part {part}\n\nText {number} of {part}.\n\n" for part in range(20))
        (root / f"{number:03}.md").write_text(f"---\nkind: note\n---\n# Note {number}\n\n{body}")


def test_an_interrupted_run_keeps_what_is_whole_and_says_how_much_is_missing(
    tmp_path: Path,
) -> None:
    """The next run goes on where it stopped, and the mark is gone."""
    root = tmp_path / "root"
    write_notes(root)

    def interrupt(done: int, _total: int, _path: str) -> None:
        if done == FORTY_NOTES // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index(root, on_progress=interrupt)
    found = status(root)
    assert 0 < found.files <= FORTY_NOTES // 2
    assert found.incomplete_files == FORTY_NOTES - found.files
    assert index(root).files_unchanged == found.files
    assert status(root).incomplete_files == 0
    assert status(root).files == FORTY_NOTES


def test_killed_at_any_instant_the_next_run_completes_the_index(tmp_path: Path) -> None:
    """The result equals that of an undisturbed run, and what was there in between was whole."""
    root = tmp_path.resolve() / "root"
    write_notes(root)
    undisturbed = str(tmp_path / "undisturbed.db")
    index(root, undisturbed)
    expected = content(undisturbed)
    script = (
        "import sys, time; from rootleaf import index\n"
        "def tell(done, *_):\n"
        "    print(done, flush=True); time.sleep(0.001)\n"
        "index(sys.argv[1], sys.argv[2], on_progress=tell)"
    )
    chance = random.Random(20)
    for attempt in range(6):
        db_path = str(tmp_path / f"{attempt}.db")
        with subprocess.Popen(
            [sys.executable, "-c", script, str(root), db_path], stdout=subprocess.PIPE
        ) as run:
            assert run.stdout is not None
            for _ in range(chance.randrange(2, FORTY_NOTES - 10)):
                run.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.003))
            run.kill()
        documents, keys = content(db_path)
        paths = {document[0] for document in documents}
        assert 0 < len(paths) < FORTY_NOTES
        assert documents == [document for document in expected[0] if document[0] in paths]
        assert keys == [key for key in expected[1] if str(root / key[0]) in paths]
        assert status(db_path=db_path).incomplete_files == FORTY_NOTES - len(paths)
        index(root, db_path)
        assert content(db_path) == expected
        assert status(db_path=db_path).incomplete_files == 0


def test_runs_at_once_make_one_index_together(tmp_path: Path) -> None:
    """Two of the same root and one of another, into a database that is not there yet."""
    root, other = tmp_path.resolve() / "root", tmp_path.resolve() / "other"
    write_notes(root)
    write_notes(other)
    db_path = str(tmp_path / "shared.db")
    script = (
        "import sys; from rootleaf import index; print(flush=True); sys.stdin.readline();"
        "index(sys.argv[1], sys.argv[2])"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(directory), db_path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for directory in (root, other, root)
    ]  # fmt: skip
    for run in runs:
        assert run.stdout is not None
        run.stdout.readline()
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()
    assert [(run.communicate()[1], run.returncode) for run in runs] == [("", 0)] * 3
    found = status(db_path=db_path)
    assert (found.files, found.incomplete_files) == (2 * FORTY_NOTES, 0)
    assert index(root, db_path).files_unchanged == FORTY_NOTES

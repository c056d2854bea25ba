"""The snapshot is a cache: whatever lies in its place, or nothing, the answers are the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import rootleaf
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.engine.view import SnapshotIdentity
from rootleaf.store.paths import snapshot_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import WriteNotes
    from rootleaf.engine.snapshot import Snapshot

pytestmark = pytest.mark.usefixtures("without_vectors")

NOTES: dict[str, str | bytes] = {
    "apple.md": "---\nkind: pome\n---\n# Apple\n\nAn apple a day.\n\n## Storage\n\nKeep it cool.\n",
    "pear.md": "---\nkind: pome\n---\n# Pear\n\nA pear is no apple.\n",
    "plum.md": "---\nkind: stone\nripe: [july, august]\n---\n# Plum\n\nOnly the plum.\n",
    "odd.md": "---\nkind: |\n  block\n---\nAn apple in a block scalar.\n",
    "empty.md": "",
}
QUESTIONS: list[tuple[str, dict[str, object]]] = [
    ("apple", {}),
    ("apple plum storage", {"top_k": 100}),
    ("apple", {"where": {"kind": "pome"}, "cite": True}),
    ("apple", {"where": {"kind": "none"}}),
    ("keep the plum", {"budget_tokens": 12}),
    ("walnut", {}),
]


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """A root with five documents, indexed, with its snapshot."""
    root = notes(NOTES)
    rootleaf.index(root)
    assert snapshot_of(root).is_file()
    return root


def snapshot_of(root: Path) -> Path:
    """Where the snapshot of a root lies."""
    return root / ".rootleaf" / "index.snapshot"


def answers(root: Path, db_path: Path | None = None) -> list[dict[str, object]]:
    """The answers to all questions, without the time they took."""
    found = []
    for query, options in QUESTIONS:
        answer = rootleaf.search(query, root, db_path, **options).to_json()  # type: ignore[arg-type]
        del answer["took_ms"]
        found.append(answer)
    return found


def state(root: Path) -> str:
    """What status says of the snapshot."""
    return rootleaf.status(root).snapshot


def files_below(root: Path) -> dict[str, bytes]:
    """All files with their bytes."""
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def cut(share: float) -> Callable[[bytes], bytes]:
    """Keeps the beginning of a file."""
    return lambda content: content[: int(len(content) * share)]


def flip(place: float) -> Callable[[bytes], bytes]:
    """Changes one bit at a place between 0 and 1."""

    def flipped(content: bytes) -> bytes:
        at = min(int(len(content) * place), len(content) - 1)
        return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]

    return flipped


DAMAGE = {
    "empty": lambda _: b"",
    "text": lambda _: b"no snapshot at all\n" * 9,
    "longer": lambda content: content + b"\0" * 64,
    **{f"cut to {share}": cut(share) for share in (0.0001, 0.01, 0.3, 0.7, 0.999)},
    **{f"flipped at {place}": flip(place) for place in (0.0, 0.003, 0.05, 0.3, 0.6, 0.9, 1.0)},
}


def test_without_a_snapshot_the_answers_are_the_same(root: Path) -> None:
    """Deleting it loses nothing but time, and a search does not bring it back."""
    with_it = answers(root)
    snapshot_of(root).unlink()
    assert answers(root) == with_it
    assert not snapshot_of(root).exists()
    assert state(root) == "absent"


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_snapshot_is_ignored(root: Path, damage: Callable[[bytes], bytes]) -> None:
    """Cut short, overwritten or with a single wrong bit: the answers are those of the text."""
    sound = answers(root)
    content = snapshot_of(root).read_bytes()
    damaged = damage(content)
    assert damaged != content
    snapshot_of(root).write_bytes(damaged)
    before = files_below(root)
    assert answers(root) == sound
    assert state(root).startswith("not usable: ")
    assert "cannot be used" not in state(root)  # said once
    assert files_below(root) == before
    rootleaf.index(root)
    assert snapshot_of(root).read_bytes() == content
    assert state(root) == "current"


def test_something_else_in_the_place_of_the_snapshot_is_ignored(root: Path) -> None:
    """A directory, and a link that leads nowhere."""
    sound = answers(root)
    snapshot_of(root).unlink()
    snapshot_of(root).mkdir()
    assert answers(root) == sound
    snapshot_of(root).rmdir()
    snapshot_of(root).symlink_to("nowhere")
    assert answers(root) == sound


def test_the_snapshot_of_another_database_is_ignored(root: Path, tmp_path: Path) -> None:
    """Although generation, analyzer and chunker are the same."""
    sound = answers(root)
    other = tmp_path / "other"
    other.mkdir()
    for name in NOTES:
        (other / name).write_text("# Other\n\napple plum storage walnut\n")
    rootleaf.index(other)
    shutil.copy(snapshot_of(other), snapshot_of(root))
    assert answers(root) == sound
    assert state(root) == "not usable: it is of another database, or of a state that this one lost"


@pytest.mark.parametrize(
    ("made_by", "reason"),
    [
        ({"analyzer_id": "words by spaces"}, "it was made by another analyzer"),
        ({"chunker_id": "lines"}, "it was made by another chunker"),
        ({"max_tokens": 64}, "it was made by another chunker"),
        ({"generation": 0}, "it is of another database, or of a state that this one lost"),
        ({"generation": 2**64 - 1}, "it is of another database, or of a state that this one lost"),
    ],
)
def test_the_snapshot_of_another_program_is_ignored(
    root: Path, made_by: dict[str, object], reason: str
) -> None:
    """One whose analyzer, chunker, size of chunksets or generation is not that of the reader."""
    sound = answers(root)
    path = str(snapshot_of(root))
    snapshot = open_snapshot(path)
    identity = {name: getattr(snapshot.identity, name) for name in SnapshotIdentity._fields}
    snapshot.view().write_snapshot(path, SnapshotIdentity(**(identity | made_by)))
    assert answers(root) == sound
    assert state(root) == f"not usable: {reason}"


def test_a_snapshot_that_is_behind_is_completed_from_the_changed_documents(root: Path) -> None:
    """Edits, a new file, other metadata and a removal since; a search does not write it."""
    older = snapshot_of(root).read_bytes()
    (root / "apple.md").write_text("# Apple\n\nNo longer stored.\n")
    (root / "quince.md").write_text("# Quince\n\nA quince is an apple of sorts. Storage: years.\n")
    (root / "plum.md").unlink()
    rules = '{"rules": [{"glob": "pear.md", "metadata": {"kind": "other"}}]}'
    (root / ".rootleaf-metadata.json").write_text(rules)
    rootleaf.index(root, prune=True)
    current = snapshot_of(root).read_bytes()
    sound = answers(root)
    snapshot_of(root).write_bytes(older)
    # All documents were resolved by other rules, one was removed, one is new.
    assert state(root) == "behind by 6 documents"
    assert answers(root) == sound
    assert snapshot_of(root).read_bytes() == older
    snapshot_of(root).unlink()
    assert answers(root) == sound
    snapshot_of(root).write_bytes(current)
    assert answers(root) == sound


def test_a_database_brought_back_from_a_copy_does_not_take_a_later_snapshot(root: Path) -> None:
    """Nor one of the same number: after other writes the two are different states."""
    database = root / ".rootleaf" / "index.db"
    backup = database.read_bytes()
    (root / "apple.md").write_text("# Apple\n\nfirst future\n")
    rootleaf.index(root)
    future = snapshot_of(root).read_bytes()
    generation = rootleaf.status(root).generation
    database.write_bytes(backup)
    assert state(root).startswith("not usable: ")
    assert rootleaf.search("future", root).verdict == "no_match"
    (root / "apple.md").write_text("# Apple\n\nsecond time\n")
    rootleaf.index(root)
    snapshot_of(root).write_bytes(future)
    assert rootleaf.status(root).generation == generation
    assert rootleaf.search("future", root).verdict == "no_match"
    assert len(rootleaf.search("second", root)) == 1


def test_a_search_changes_no_byte_of_the_directory(root: Path) -> None:
    """With a current snapshot, without one, and with one that is behind."""
    for place in ("current", "absent", "behind"):
        if place == "absent":
            snapshot_of(root).unlink()
        elif place == "behind":
            rootleaf.index(root)
            older = snapshot_of(root).read_bytes()
            (root / "pear.md").write_text("# Pear\n\nChanged.\n")
            rootleaf.index(root)
            snapshot_of(root).write_bytes(older)
        assert state(root).startswith(place)
        before = files_below(root)
        answers(root)
        after = files_below(root)
        for path in (f"{root / '.rootleaf' / 'index.db'}{suffix}" for suffix in ("-wal", "-shm")):
            after.pop(path, None)
            before.pop(path, None)
        assert after == before


SEARCH_WITHOUT_RIGHTS = """
import json, os, sys
import rootleaf
rootleaf.search("apple plum storage", sys.argv[2])
rootleaf.status(sys.argv[2])
if os.geteuid() == 0:
    # All is loaded: what follows may not be allowed to read the interpreter's own files.
    os.setgid(65534)
    os.setuid(65534)
answer = rootleaf.search("apple plum storage", db_path=sys.argv[1])
state = rootleaf.status(db_path=sys.argv[1]).snapshot
hits = [[hit.file_path, hit.score, hit.context] for hit in answer]
print(json.dumps([state, hits, sorted(os.listdir(os.path.dirname(sys.argv[1])))]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="directories have no such permission there")
def test_an_index_that_cannot_be_written_is_answered_from_its_snapshot(
    root: Path, tmp_path: Path
) -> None:
    """In a directory where nothing can be made, the snapshot is mapped all the same."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    rootleaf.index(root, shelf / "x.db")
    sound = rootleaf.search("apple plum storage", db_path=shelf / "x.db")
    # Readers leave these; without them the file is complete in itself.
    for suffix in ("-wal", "-shm"):
        Path(f"{shelf / 'x.db'}{suffix}").unlink(missing_ok=True)
    opened = [
        directory for directory in tmp_path.parents if directory.stat().st_uid == os.geteuid()
    ]
    modes = {directory: directory.stat().st_mode for directory in [*opened, tmp_path]}
    try:
        for directory, mode in modes.items():
            directory.chmod(mode | 0o055)
        shelf.chmod(0o555)
        command = [sys.executable, "-c", SEARCH_WITHOUT_RIGHTS, str(shelf / "x.db"), str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        shelf.chmod(0o755)
        for directory, mode in modes.items():
            directory.chmod(mode)
    assert done.returncode == 0, done.stderr
    state, hits, names = json.loads(done.stdout)
    assert state == "current"
    assert hits == [[hit.file_path, hit.score, hit.context] for hit in sound]
    assert names == ["x.db", "x.db-snapshot"]


def test_the_snapshot_of_a_named_database_lies_beside_it(root: Path, tmp_path: Path) -> None:
    """`X-snapshot` beside `X`; the short name is for the default place alone."""
    db_path = tmp_path / "index.db"
    rootleaf.index(root, db_path)
    assert Path(snapshot_path(str(db_path))) == tmp_path / "index.db-snapshot"
    assert (tmp_path / "index.db-snapshot").is_file()
    assert rootleaf.status(db_path=db_path).snapshot == "current"
    by_name = answers(root, db_path)
    (tmp_path / "index.db-snapshot").unlink()
    assert answers(root, db_path) == by_name


def test_another_process_sees_what_was_indexed_meanwhile(root: Path) -> None:
    """Two processes in turn: each search is of the moment it began at."""
    program = (
        "import json, rootleaf, sys\n"
        "for _ in sys.stdin:\n"
        "    answer = rootleaf.search('apple', sys.argv[1])\n"
        "    print(json.dumps([hit.file_path for hit in answer]), flush=True)\n"
    )
    command = [sys.executable, "-c", program, str(root)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask() -> list[str]:
            print(file=process.stdin, flush=True)
            found: list[str] = json.loads(process.stdout.readline())  # type: ignore[union-attr]
            return [os.path.basename(path) for path in found]

        assert set(ask()) == {"apple.md", "pear.md", "odd.md"}
        (root / "pear.md").write_text("# Pear\n\nA pear.\n")
        rootleaf.index(root)
        assert set(ask()) == {"apple.md", "odd.md"}
        snapshot_of(root).unlink()
        assert set(ask()) == {"apple.md", "odd.md"}
        process.stdin.close()


def test_a_snapshot_that_is_newer_than_the_readers_moment_is_used_with_its_own_moment(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends between a reader's first look and its second is seen whole."""

    def index_meanwhile(path: str) -> Snapshot:
        monkeypatch.undo()
        (root / "pear.md").write_text("# Pear\n\nNow with a walnut.\n")
        rootleaf.index(root)
        return open_snapshot(path)

    monkeypatch.setattr("rootleaf.indexing.snapshot.open_snapshot", index_meanwhile)
    answer = rootleaf.search("walnut", root)
    assert [os.path.basename(hit.file_path) for hit in answer] == ["pear.md"]
    (root / "plum.md").unlink()
    monkeypatch.setattr("rootleaf.indexing.snapshot.open_snapshot", index_meanwhile)
    found = rootleaf.status(root)
    assert (found.snapshot, found.files) == ("current", len(NOTES) - 1)


def test_the_snapshot_holds_what_the_database_does(root: Path) -> None:
    """Verdicts count what the snapshot holds, and it is of the database's own state."""
    snapshot = open_snapshot(str(snapshot_of(root)))
    status = rootleaf.status(root)
    view = snapshot.view()
    assert (view.document_count, view.chunkset_count) == (status.files, status.chunksets)
    assert snapshot.identity.generation == status.generation

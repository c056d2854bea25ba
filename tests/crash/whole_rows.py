"""Trees of real markdown before and after many changes, and what the rows of an index may be."""

from __future__ import annotations

import json
import os
import random
import shutil
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from rootleaf import chunk, index, search, status
from rootleaf.errors import NotIndexedError
from rootleaf.store.paths import snapshot_path
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

FILES = 200
LARGEST_BYTES = 16_000
QUESTIONS = ("gas cost of a transaction", "upgrade of the agent", "ownership", "zyzzyva")
_SEED = 7


class Row(NamedTuple):
    """All that is stored of a file."""

    content_hash: bytes
    text: str
    front_matter: str
    metadata: str
    rules_identity: str
    chunk_count: int
    keys: tuple[bytes, ...]
    stat_signature: str


def copy_corpus(shared_data: Path, root: Path, files: int = FILES) -> None:
    """Copies a few hundred of the corpora's files, always the same ones."""
    chance = random.Random(_SEED)
    corpora = shared_data / "corpora"
    found = sorted(
        path for path in corpora.rglob("*.md") if 0 < path.stat().st_size <= LARGEST_BYTES
    )
    for path in sorted(chance.sample(found, files)):
        # Without dots, so that none lies in a hidden directory.
        target = root / str(path.relative_to(corpora)).replace("/.", "/dot-")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def change_tree(root: Path) -> dict[str, str]:
    """Edits, removes, moves and adds files; gives the moved ones, old name to new name."""
    chance = random.Random(_SEED + 1)
    paths = sorted(path for path in root.rglob("*.md"))
    chance.shuffle(paths)
    third = len(paths) // 3
    for path in paths[:third]:
        text = path.read_text(encoding="utf-8", errors="replace")
        kind = chance.randrange(3)
        if kind == 0:
            path.write_text(f"{text}\n## Later\n\nAppended about ownership.\n", encoding="utf-8")
        elif kind == 1:
            path.write_text(f"# Before\n\nzyzzyva\n\n{text}", encoding="utf-8")
        else:
            path.write_text(text.replace("the", "one"), encoding="utf-8")
    for path in paths[third : third + 9]:
        path.unlink()
    moved: dict[str, str] = {}
    for path in paths[third + 9 : third + 18]:
        target = root / "moved" / f"{len(moved)}-{path.name}"
        target.parent.mkdir(exist_ok=True)
        path.rename(target)
        moved[str(path.relative_to(root))] = str(target.relative_to(root))
    for number in range(12):
        (root / f"new-{number}.md").write_text(f"# New {number}\n\nzyzzyva {number}\n" * 3)
    return moved


def rows(db_path: str) -> dict[str, Row]:
    """The rows of an index with one root, by path."""
    with open_for_reading(db_path) as store:
        connection = store._connection
        keys: dict[int, list[bytes]] = {}
        for document_id, ordinal, key in connection.execute(
            "SELECT document_id, ordinal, key FROM chunksets ORDER BY document_id, ordinal"
        ):
            own = keys.setdefault(document_id, [])
            assert ordinal == len(own)
            own.append(key)
        found = {
            path: Row(digest, text, kind, metadata, rules, count, tuple(keys.pop(of, ())), mark)
            for of, path, digest, text, kind, metadata, rules, count, mark in connection.execute(
                "SELECT document_id, path, content_hash, text, front_matter, metadata,"
                " rules_identity, chunk_count, stat_signature"
                " FROM documents JOIN texts USING (document_id)"
            )
        }
        assert keys == {}, "chunksets of no document"
        (texts,) = connection.execute("SELECT count(*) FROM texts").fetchone()
        assert texts == len(found), "texts of no document"
        return found


def vectors(db_path: str) -> list[tuple[Any, ...]]:
    """All stored vectors, where the database has any."""
    with open_for_reading(db_path) as store:
        names = store._connection.execute("SELECT name FROM sqlite_master").fetchall()
        if ("vectors",) not in names:
            return []
        return sorted(store._connection.execute("SELECT * FROM vectors").fetchall())


def answers(db_path: str) -> list[str]:
    """What an index answers, without ids, times, and the name of the database."""
    told = []
    for question in QUESTIONS:
        found = search(question, db_path=db_path, top_k=6).to_json()
        del found["took_ms"]
        for hit in found["hits"]:
            del hit["document_id"], hit["updated"]
        told.append(json.dumps(found, sort_keys=True).replace(db_path, "DB"))
    return told


def check_against_files(root: Path, found: dict[str, Row]) -> None:
    """The rows are those of the files as they lie on disk, each by its own hash and keys."""
    on_disk = {str(path.relative_to(root)) for path in root.rglob("*.md")}
    assert set(found) == on_disk
    for name, row in found.items():
        path = root / name
        content = path.read_bytes()
        assert row.content_hash == blake2b(content, digest_size=16).digest()
        text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        assert row.text == text
        assert list(row.keys) == [one.key for one in chunk(row.text).chunksets]
        seen = path.stat()
        assert row.stat_signature == (
            f"{seen.st_mtime_ns}:{seen.st_ctime_ns}:{seen.st_size}:{seen.st_ino}"
        )


class Trees:
    """One root that was changed, the index of how it was, and fresh indexes of both states.

    `before` is the index that the next run has to bring to what `after` holds.
    """

    def __init__(
        self, directory: Path, shared_data: Path, *, is_first: bool, files: int = FILES
    ) -> None:
        self.root = directory / "root"
        self.root.mkdir()
        self.before = str(directory / "before.db")
        copy_corpus(shared_data, self.root, files)
        self.before_is_absent = is_first
        self.moved: dict[str, str] = {}
        self.old_rows: dict[str, Row] = {}
        if not is_first:
            index(self.root, self.before)
            self.old_rows = rows(self.before)
            check_against_files(self.root, self.old_rows)
            self.moved = change_tree(self.root)
        after = str(directory / "after.db")
        index(self.root, after)
        self.new_rows = rows(after)
        check_against_files(self.root, self.new_rows)
        self.vectors = vectors(after)
        self.answers = answers(after)

    def start(self, db_path: str) -> None:
        """Lays the index of the state before at `db_path`, where there is one."""
        for former, path in (
            (self.before, db_path),
            (snapshot_path(self.before), snapshot_path(db_path)),
        ):
            if os.path.exists(former):
                shutil.copyfile(former, path)

    def check_whole(self, db_path: str) -> int:
        """Every file's row is the old one or the new one; gives how many are as they shall be."""
        try:
            found = rows(db_path)
        except NotIndexedError:
            assert not self.old_rows
            return 0
        for path, row in found.items():
            assert row in (self.old_rows.get(path), self.new_rows.get(path)), path
        for path in self.old_rows:
            where = {path, self.moved.get(path, path)}
            may_be_gone = path not in self.new_rows and path not in self.moved
            assert where & set(found) or may_be_gone, path
        as_it_shall_be = [path for path, row in found.items() if row == self.new_rows.get(path)]
        gone = [path for path in self.old_rows if path not in self.new_rows and path not in found]
        return len(as_it_shall_be) + len(gone)

    def check_complete(self, db_path: str) -> None:
        """The index holds what a fresh one holds, answers as that does, and is not behind."""
        assert rows(db_path) == self.new_rows
        assert vectors(db_path) == self.vectors
        assert answers(db_path) == self.answers
        found = status(db_path=db_path)
        assert (found.incomplete_files, found.snapshot) == (0, "current")

    def complete(self, db_path: str) -> None:
        """The next run ends what was begun, and the one after it has nothing to do."""
        index(self.root, db_path, prune=True)
        self.check_complete(db_path)
        with open(db_path, "rb") as file:
            before = file.read()
        report = index(self.root, db_path, prune=True)
        assert (report.files_indexed, report.pruned) == (0, ())
        with open(db_path, "rb") as file:
            assert file.read() == before

"""An index to be damaged, and what an index of the same files answers that nothing happened to."""

from __future__ import annotations

import os
import random
import sqlite3
from typing import TYPE_CHECKING, Any

from rootleaf import index, search
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.store.paths import default_db_path, snapshot_path

if TYPE_CHECKING:
    from pathlib import Path

QUERIES = ("quince", "part three of note 7", "loquat medlar", "deploy", "note 23")
FILTERS: tuple[dict[str, Any] | None, ...] = (None, {"kind": "plan"}, {"tags": ["b"]})
NOTES = 30


def write_notes(root: Path, count: int = NOTES) -> None:
    """Writes notes with front matter, headings, and texts from short to several pages long."""
    chance = random.Random(5)
    words = ["quince", "loquat", "medlar", "deploy", "rollback", "ledger", "gate", "three", "part"]
    for number in range(count):
        parts = []
        for part in range(chance.randrange(1, 7)):
            body = " ".join(chance.choices(words, k=chance.randrange(3, 150)))
            parts.append(f"## Part {part} of note {number}\n\n{body} {number}\n\n")
        kind = ["plan", "log"][number % 2]
        front = f"---\nkind: {kind}\ntags: [a, {'bcd'[number % 3]}]\n---\n"
        path = root / f"dir{number % 4}" / f"note {number:02}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{front}# Note {number}\n\n{''.join(parts)}")
    (root / ".rootleaf-metadata.json").write_text(
        '{"rules": [{"glob": "dir1/**", "metadata": {"place": "one"}}]}'
    )


class DamagedIndex:
    """A root with an index, an untouched one of the same files, and what that answers.

    Args:
        home: An empty directory.
        with_vectors: Whether chunksets have vectors.
    """

    def __init__(self, home: Path, *, with_vectors: bool = False) -> None:
        self.root = home.resolve() / "notes"
        self.root.mkdir(parents=True)
        write_notes(self.root)
        self.embedder = FakeEmbedder() if with_vectors else None
        self.run()
        self.db_path = default_db_path(str(self.root))
        self.whole = self.read()
        with open(self.snapshot, "rb") as file:
            self._whole_snapshot = file.read()
        self._fresh: list[Any] | None = None
        self._fresh_path = str(home.resolve() / "fresh.db")

    def run(self) -> Any:
        """Brings the index up to date, as a person would."""
        return index(self.root, embedder=self.embedder)

    def read(self) -> bytes:
        """The bytes of the database."""
        with open(self.db_path, "rb") as file:
            return file.read()

    def write(self, content: bytes) -> None:
        """Puts other bytes in its place, with nothing of a log beside them."""
        for companion in ("-wal", "-shm", "-journal"):
            if os.path.exists(f"{self.db_path}{companion}"):
                os.unlink(f"{self.db_path}{companion}")
        with open(self.db_path, "wb") as file:
            file.write(content)

    def execute(self, *statements: str) -> None:
        """Does by hand what no program of ours does."""
        connection = sqlite3.connect(self.db_path, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    def column(self, statement: str) -> list[Any]:
        """The first column of what a statement finds."""
        connection = sqlite3.connect(f"file:{self.db_path}?mode=ro", uri=True)
        found = [row[0] for row in connection.execute(statement).fetchall()]
        connection.close()
        return found

    @property
    def snapshot(self) -> str:
        """The path of the snapshot."""
        return snapshot_path(self.db_path)

    def answers(self, db_path: str | None = None) -> list[Any]:
        """What an index answers: files, scores, passages and metadata, without dates and ids."""
        found = []
        for query in QUERIES:
            for where in FILTERS:
                answer = search(query, db_path=db_path or self.db_path, where=where, top_k=100)
                found.append([
                    (hit.file_path, hit.score, hit.bm25, hit.context, hit.metadata)
                    for hit in answer
                ])  # fmt: skip
        return found

    def restore(self) -> None:
        """Undoes all that was done to the index since it was made; the files are as they were."""
        for path in self.saved():
            for end in ("", "-wal", "-journal"):
                if os.path.exists(path + end):
                    os.unlink(path + end)
        self.write(self.whole)
        with open(self.snapshot, "wb") as file:
            file.write(self._whole_snapshot)

    def answers_of_fresh(self) -> list[Any]:
        """What an index of the same files answers that was never damaged."""
        if self._fresh is None:
            index(self.root, self._fresh_path, embedder=self.embedder)
            self._fresh = self.answers(self._fresh_path)
        return self._fresh

    def saved(self) -> list[str]:
        """The files that a repair saved beside the database."""
        home = os.path.dirname(self.db_path)
        return sorted(
            os.path.join(home, name)
            for name in os.listdir(home)
            if ".saved-" in name and not name.endswith(("-wal", "-journal"))
        )

    def left_over(self) -> set[str]:
        """Files beside the database that belong neither to it nor to what was saved."""
        known = {"index.db", "index.snapshot", ".gitignore", "index.db-wal", "index.db-shm"}
        names = set(os.listdir(os.path.dirname(self.db_path)))
        return {name for name in names - known if ".saved-" not in name}

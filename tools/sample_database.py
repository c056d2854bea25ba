"""Writes the database of the current schema that tests keep, as the release of it would leave one.

Equal bytes each time with one version of SQLite: what is drawn at random or from the clock is set.

    python tools/sample_database.py tests/data/version_1.db
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile

from rootleaf import index
from rootleaf.embed.fake import FakeEmbedder

FILES = {
    "log.md": "# Log\n\n## Monday\n\nThe gate was opened.\n\n## Tuesday\n\nThe gate was closed.\n",
    "odd.md": "---\nnote: |\n  a block\n---\n# Odd\n\nThe loquat is ripe.\n",
    "plan/ä.md": "---\nkind: plan\ntags: [a, b]\n---\n# Plan\n\nPick the quinces.\n",
}
RULES = '{"rules": [{"glob": "plan/**", "metadata": {"place": "garden"}}]}'
SECONDS = 1_780_000_000


def main() -> None:
    """Indexes the files above and takes out of the database what is of this moment and place."""
    target = sys.argv[1]
    with tempfile.TemporaryDirectory() as home:
        root = os.path.join(os.path.realpath(home), "notes")
        for name, text in {
            **FILES,
            ".rootleaf-metadata.json": RULES,
            "gone.md": "# Gone\n",
        }.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        made = os.path.join(home, "made.db")
        index(root, made, embedder=FakeEmbedder(dimension=4))
        os.unlink(os.path.join(root, "gone.md"))
        index(root, made, prune=True, embedder=FakeEmbedder(dimension=4))
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN")
        connection.execute("UPDATE roots SET path = '/notes'")
        connection.execute(
            "UPDATE documents SET stat_signature = '1:2:' || text_bytes || ':' || document_id"
        )
        connection.execute(f"UPDATE chunksets SET first_seen = {SECONDS} + ordinal")
        for (generation,) in connection.execute("SELECT generation FROM states").fetchall():
            connection.execute(
                "UPDATE states SET state_id = ? WHERE generation = ?",
                (bytes([generation] * 16), generation),
            )
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        with open(made, "rb") as file:
            content = bytearray(file.read())
    # Change counter, its twin, and the version of SQLite that wrote last: of no meaning to a reader.
    content[24:28] = content[92:96] = (1).to_bytes(4, "big")
    content[96:100] = (3_040_001).to_bytes(4, "big")
    with open(target, "wb") as file:
        file.write(content)


if __name__ == "__main__":
    main()

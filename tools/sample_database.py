"""Writes the database of the current schema that tests keep, as the release of it would leave one.

Equal bytes each time with one version of SQLite: what is drawn at random or from the clock is set.

    python tools/sample_database.py tests/data/version_1.db
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from pathlib import Path

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
    with tempfile.TemporaryDirectory() as home:
        root = Path(home).resolve() / "notes"
        gone = root / "gone.md"
        for name, text in {
            **FILES,
            ".rootleaf-metadata.json": RULES,
            gone.name: "# Gone\n",
        }.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        made = Path(home) / "made.db"
        index(root, made, embedder=FakeEmbedder(dimension=4))
        gone.unlink()
        index(root, made, prune=True, embedder=FakeEmbedder(dimension=4))
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN")
        connection.execute("UPDATE roots SET path = '/notes'")
        connection.execute(
            "UPDATE documents SET stat_signature = '1:2:' || text_bytes || ':' || document_id"
        )
        connection.execute("UPDATE chunksets SET first_seen = ? + ordinal", (SECONDS,))
        for (generation,) in connection.execute("SELECT generation FROM states").fetchall():
            connection.execute(
                "UPDATE states SET state_id = ? WHERE generation = ?",
                (bytes([generation] * 16), generation),
            )
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        content = bytearray(made.read_bytes())
    # Change counter, its twin, and the version of SQLite that wrote last tell a reader nothing.
    content[24:28] = content[92:96] = (1).to_bytes(4, "big")
    content[96:100] = (3_040_001).to_bytes(4, "big")
    Path(sys.argv[1]).write_bytes(content)


if __name__ == "__main__":
    main()

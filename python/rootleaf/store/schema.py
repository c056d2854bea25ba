"""The tables of the database, as its first released schema has them.

Text lies apart from the rest of a document, so that a touched file or other metadata does not
rewrite it and a run that compares marks does not read past it. Times are whole seconds since 1970
in UTC. Paths are relative to their root: shorter, and one form. A document's id comes from
AUTOINCREMENT, which never gives one twice.
"""

from __future__ import annotations

APPLICATION_ID = 0x526F6F74
"""`Root` in ASCII, in the header of each database, by which a foreign one is told apart."""

SCHEMA_VERSION = 1

PAGE_BYTES = 4096

CREATE_VERSION_1 = (
    """CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE roots (
        root_id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        selection TEXT NOT NULL,
        chunker TEXT NOT NULL,
        files_to_go INTEGER NOT NULL DEFAULT 0,
        skipped TEXT NOT NULL DEFAULT '[]',
        ignored TEXT NOT NULL DEFAULT '[]'
    )""",
    """CREATE TABLE documents (
        document_id INTEGER PRIMARY KEY AUTOINCREMENT,
        root_id INTEGER NOT NULL REFERENCES roots,
        path TEXT NOT NULL,
        revision INTEGER NOT NULL,
        stat_signature TEXT NOT NULL,
        content_hash BLOB NOT NULL,
        text_bytes INTEGER NOT NULL,
        chunk_count INTEGER NOT NULL,
        front_matter TEXT NOT NULL,
        problem_line INTEGER,
        problem_reason TEXT,
        rules_identity TEXT NOT NULL,
        metadata TEXT NOT NULL,
        UNIQUE (root_id, path)
    )""",
    """CREATE TABLE texts (
        document_id INTEGER PRIMARY KEY REFERENCES documents,
        text TEXT NOT NULL
    )""",
    """CREATE TABLE chunksets (
        document_id INTEGER NOT NULL REFERENCES documents,
        ordinal INTEGER NOT NULL,
        key BLOB NOT NULL,
        first_seen INTEGER NOT NULL,
        PRIMARY KEY (document_id, ordinal)
    ) WITHOUT ROWID""",
    """CREATE TABLE tombstones (
        document_id INTEGER PRIMARY KEY,
        revision INTEGER NOT NULL
    )""",
    "INSERT INTO meta VALUES ('generation', 0)",
)

"""The tables of the database, as its first released schema has them.

Text lies apart from the rest of a document, so that a touched file or other metadata does not
rewrite it and a run that compares marks does not read past it. Times are whole seconds since 1970
in UTC. Metadata, and the identity of its rules, is NULL where it was never looked for. Paths are
relative to their root: shorter, and one form. A document's id comes from AUTOINCREMENT, which never
gives one twice.

Vectors lie under the key of the text that was embedded and belong to no document, so that a text
that moves, or comes back, has its vector already. They have row ids, and so an index of their own
that tells which are there without reading floats; a larger id is a later one.

Each generation draws random bytes, its state id. A number alone would not do to recognise what was
made of a database: one that is brought back from a copy, or loses its last commits with the power,
comes to the same numbers again with other content.
"""

from __future__ import annotations

APPLICATION_ID = 0x526F6F74
"""`Root` in ASCII, in the header of each database, by which a foreign one is told apart."""

SCHEMA_VERSION = 1

PAGE_BYTES = 4096

STATE_ID_BYTES = 16

FLOAT_BYTES = 4

LARGEST_NUMBER = 1 << 53
"""Ids and generations lie below it; one above was never counted up to."""

LATEST_SECOND = 253_402_300_799
"""The end of the year 9999, after which a time cannot be written as a date."""

STATES_KEPT = 1000
"""How many generations back something that was made of the database is recognised."""

NO_MODEL_YET = 0
KEYWORD_ONLY = -1
"""What `model` of `meta` is where it is no id: none was recorded, or none is wanted."""

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
        rules_identity TEXT,
        metadata TEXT,
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
    "CREATE INDEX chunksets_by_key ON chunksets (key)",
    """CREATE TABLE models (
        model_id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        revision TEXT NOT NULL,
        dimension INTEGER NOT NULL,
        is_normalised INTEGER NOT NULL,
        preprocessing TEXT NOT NULL,
        text_form TEXT NOT NULL,
        UNIQUE (name, revision, dimension, is_normalised, preprocessing, text_form)
    )""",
    """CREATE TABLE vectors (
        vector_id INTEGER PRIMARY KEY,
        model_id INTEGER NOT NULL REFERENCES models,
        key BLOB NOT NULL,
        floats BLOB NOT NULL,
        UNIQUE (model_id, key)
    )""",
    """CREATE TABLE tombstones (
        document_id INTEGER PRIMARY KEY,
        revision INTEGER NOT NULL
    )""",
    """CREATE TABLE states (
        generation INTEGER PRIMARY KEY,
        state_id BLOB NOT NULL
    )""",
    "INSERT INTO meta VALUES ('generation', 0)",
    "INSERT INTO states VALUES (0, randomblob(16))",
    "INSERT INTO meta VALUES ('analyzer', '')",
    "INSERT INTO meta VALUES ('model', 0)",
)

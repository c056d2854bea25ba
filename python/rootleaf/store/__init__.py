"""What an index keeps: documents with their text, chunkset keys with dates, roots.

`protocol` says what a store offers, `sqlite` opens the one that there is, `paths` says where it
lies. Nothing outside this package sees SQL, a row number of SQLite's own, or an exception of
`sqlite3`.
"""

from __future__ import annotations

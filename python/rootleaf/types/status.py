"""What an index holds and what is wrong with it."""

from __future__ import annotations

from rootleaf.types.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.types.reports import IgnoredBy, Skipped


class RootStatus(Value):
    """One root of a database; `state` is `present`, `absent` or `unreadable`."""

    path: str
    selection: str
    files: int
    state: str


class Finding(Value):
    """Something that needs a look, with the commands that mend it; `code` is stable."""

    code: str
    root: str | None
    title: str
    advice: str
    files: tuple[str, ...]
    commands: tuple[str, ...]


class Status(Value):
    """What a database holds and what is wrong with it; reading it changes nothing.

    `journal` is `log`, or `rollback journal` where there is no memory to share for a log.

    `embedder` is the recorded model, or `none`; `dimension` how many floats its vectors have, and
    `without_vector` how many chunksets have none of it. `snapshot` is `current`, `behind by N
    documents`, `absent`, or `not usable: ` and why. Of roots that are not present no file counts as
    gone, held back or stale.
    """

    db_path: str
    journal: str
    size_bytes: int
    text_bytes: int
    generation: int
    schema_version: int
    snapshot: str
    files: int
    chunks: int
    chunksets: int
    roots: tuple[RootStatus, ...]
    embedder: str
    dimension: int | None
    without_vector: int
    unparsed_front_matter: tuple[Skipped, ...]
    unscanned: tuple[str, ...]
    unreadable_metadata: tuple[str, ...]
    stale_rules: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    ignored: tuple[IgnoredBy, ...]
    gone: tuple[str, ...]
    held_back: tuple[str, ...]
    incomplete_files: int
    findings: tuple[Finding, ...]

"""What runs report: what they did, and what they came upon."""

from __future__ import annotations

from rootleaf.types.value import Value


class Skipped(Value):
    """A path that was found and not indexed, and why."""

    path: str
    reason: str


class IgnoredBy(Value):
    """How many files and directories below a root one ignore rule kept out."""

    rule: str
    files: int
    directories: int


class DecodedByFallback(Value):
    """A file that was not UTF-8: how it was decoded, and the first byte that was not."""

    path: str
    encoding: str
    byte_offset: int


class Moved(Value):
    """A file that has another path now; its document is the same one."""

    old_path: str
    new_path: str


class IndexReport(Value):
    """What an index run did. Paths are absolute; every count is of this run.

    `files_unchanged` counts the files whose text is the same, moved ones among them. `pruned` are
    files whose documents were removed, `held_back` those whose documents were kept although they
    are gone or excluded; `held_back_reason` then says which rule held them back and what to do.
    `stale_rules` are files that this run did not come to and whose metadata is of other rules than
    the current ones, `unscanned` those whose metadata was never looked for or cannot be read.
    `notices` are sentences that are good to know, `warnings` those that say what should be mended.
    `embedded` counts texts that were given to the embedder; `without_vector` the chunksets of the
    root that have no vector of the recorded model afterwards, 0 where none is recorded.
    """

    root: str
    db_path: str
    files_seen: int
    files_indexed: int
    files_unchanged: int
    chunks: int
    chunksets: int
    embedded: int
    without_vector: int
    metadata_refreshed: int
    skipped: tuple[Skipped, ...]
    ignored: tuple[IgnoredBy, ...]
    decoded_by_fallback: tuple[DecodedByFallback, ...]
    unparsed_front_matter: tuple[Skipped, ...]
    notices: tuple[str, ...]
    warnings: tuple[str, ...]
    pruned: tuple[str, ...]
    moved: tuple[Moved, ...]
    held_back: tuple[str, ...]
    held_back_reason: str | None
    stale_rules: tuple[str, ...]
    unscanned: tuple[str, ...]
    took_ms: float

    @property
    def has_warnings(self) -> bool:
        """Whether a person should look.

        Something was skipped, held back, decoded by the fallback, has front matter that was not
        understood, is of rules that have changed, or has no metadata that can be read; or there is
        something else among the `warnings`.
        """
        return bool(
            self.skipped
            or self.held_back
            or self.decoded_by_fallback
            or self.unparsed_front_matter
            or self.stale_rules
            or self.unscanned
            or self.warnings
        )


class ForgetReport(Value):
    """What was dropped from an index.

    `path` is the directory as the index spells it; `forgotten` are the paths of the documents,
    `roots` those of the roots that were dropped as a whole. Both are empty where the index holds
    nothing there.
    """

    path: str
    db_path: str
    forgotten: tuple[str, ...]
    roots: tuple[str, ...]
    notices: tuple[str, ...]
    took_ms: float

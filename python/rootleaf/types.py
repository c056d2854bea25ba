"""The frozen values that Rootleaf takes and returns.

A hand-made base instead of `dataclasses`: importing that module costs 6 to 9 ms of a cold start of
25 to 50 ms.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, ClassVar

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options: object) -> object:
        """The marker for type checkers, which does nothing at run time."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Value:
    """Base of the frozen values: keyword arguments in, equality and a readable repr out."""

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        # Read as stored: `inspect`, which would evaluate them, costs more than a whole search.
        annotations = cls.__dict__.get("__annotations__", {})  # noqa: RUF063
        own = [name for name in annotations if not name.startswith("_")]
        cls._fields = cls._fields + tuple(own)

    def __init__(self, **given: Any) -> None:
        values = self.__dict__
        for name in self._fields:
            if name in given:
                values[name] = given.pop(name)
            elif not hasattr(type(self), name):
                message = f"{type(self).__name__}() lacks the argument {name!r}"
                raise TypeError(message)
            else:
                values[name] = getattr(type(self), name)
        if given:
            message = f"{type(self).__name__}() takes no argument {next(iter(given))!r}"
            raise TypeError(message)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be set"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> None:
        message = f"{type(self).__name__} is frozen: {name!r} cannot be deleted"
        raise AttributeError(message)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    def to_json(self) -> dict[str, Any]:
        """The value as plain dictionaries, lists, strings and numbers, by its field names."""
        return {name: _plain(getattr(self, name)) for name in self._fields}


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_json()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    return value


class Chunk(Value):
    """The smallest piece that is shown: a heading, paragraph, list item, code block, and so on.

    Lines are 1-based and inclusive; bytes are offsets into the UTF-8 form of the text, end
    exclusive. `parent` is the index of the parent chunk or None; `depth` the number of its
    ancestors; `level` 1 to 6 for headings, else 0. `head` and `tail` are what is shown around a
    piece of a table, code block or comment that was too long for one chunk (header rows, fences);
    empty for a whole one.
    """

    index: int
    kind: str
    level: int
    depth: int
    parent: int | None
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    text: str
    head: Lines | None = None
    tail: Lines | None = None


class Lines(Value):
    """Whole lines: their 1-based inclusive range, and their text without the last line end."""

    start_line: int
    end_line: int
    text: str


class Chunkset(Value):
    """A root-to-leaf path; `ancestors` and `leaves` are chunk indices in order, `key` 16 bytes."""

    ordinal: int
    ancestors: tuple[int, ...]
    leaves: tuple[int, ...]
    key: bytes

    @property
    def chunks(self) -> tuple[int, ...]:
        """All chunk indices of the path, ancestors first."""
        return self.ancestors + self.leaves


class Document(Value):
    """A chunked text: `text` as it was cut (decoded, line ends normalised), chunks, chunksets.

    `title` is the front matter's `title`, else the first heading of level 1, else the first
    heading, else None. `metadata` is what its front matter says; `front_matter` is `absent`,
    `parsed` or `unparsed`; `front_matter_problem` then says why.
    """

    text: str
    title: str | None
    chunks: tuple[Chunk, ...]
    chunksets: tuple[Chunkset, ...]
    metadata: Mapping[str, str | list[str]]
    front_matter: str
    front_matter_problem: Problem | None = None


class Problem(Value):
    """A line (1-based) and what is wrong with it."""

    line: int
    reason: str


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
    pruned: tuple[str, ...]
    moved: tuple[Moved, ...]
    held_back: tuple[str, ...]
    held_back_reason: str | None
    stale_rules: tuple[str, ...]
    took_ms: float

    @property
    def has_warnings(self) -> bool:
        """Whether a person should look.

        Something was skipped, held back, decoded by the fallback, has front matter that was not
        understood, or is of rules that have changed.
        """
        return bool(
            self.skipped
            or self.held_back
            or self.decoded_by_fallback
            or self.unparsed_front_matter
            or self.stale_rules
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


class LineSpan(Value):
    """A range of lines that a cheatsheet shows; 1-based, inclusive."""

    start_line: int
    end_line: int


class Hit(Value):
    """One document of an answer, with its ranked chunksets merged.

    `score` is in 0..1 and equal for equal matches; `context` is the cheatsheet. `parts` are the
    measures of its best chunkset by name, all that the score is made of and that stand beside it:
    an open list. Reads like a mapping too: `hit["file_path"]`.
    """

    file_path: str
    document_id: int
    source: str
    title: str | None
    score: float
    similarity: float | None
    coverage: float
    bm25: float
    parts: Mapping[str, float]
    context: str
    spans: tuple[LineSpan, ...]
    chunk_ids: tuple[int, ...]
    updated: str
    metadata: Mapping[str, str | list[str]]

    def __getitem__(self, name: str) -> Any:
        if name not in self._fields:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def keys(self) -> tuple[str, ...]:
        """The names a hit can be read by, so that `dict(hit)` works."""
        return self._fields

    def get(self, name: str, default: Any = None) -> Any:
        """What is read by the name, or the default."""
        return getattr(self, name) if name in self._fields else default


class Omitted(Value):
    """What limits left out of an answer: hits, and tokens of the hits that were cut."""

    hits: int
    tokens: int


class Answer(Value):
    """What a search returns: a sequence of hits, best first, and the state they were found in.

    `verdict` is `answered`, `empty_index`, `filter_matched_nothing`, `no_match`, `gate_closed`,
    `below_min_score` or `budget_too_small` (a notice then says which would do); `mode` is
    `keyword` or `hybrid`.
    """

    query: str
    verdict: str
    mode: str
    best_similarity: float | None
    best_coverage: float
    gate_measure: float | None
    gate: float | None
    without_vector: int
    stale_files: int
    omitted: Omitted
    notices: tuple[str, ...]
    took_ms: float
    hits: tuple[Hit, ...]

    def __len__(self) -> int:
        return len(self.hits)

    def __bool__(self) -> bool:
        return bool(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

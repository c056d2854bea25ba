"""What a document is made of, and what an index says of one."""

from __future__ import annotations

from rootleaf.types.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


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


class IndexedFile(Value):
    """A document of an index: its id, which no other one ever gets, its path, its metadata."""

    document_id: int
    path: str
    metadata: Mapping[str, str | list[str]]

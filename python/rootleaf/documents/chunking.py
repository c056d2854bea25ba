"""Chunks and chunksets of a text as values, without an index: `chunk` is all that other tools need.

The core cuts; this module adds what only Python knows (front matter's values) and turns byte spans
and 0-based lines into texts and 1-based ones.
"""

from __future__ import annotations

from rootleaf.engine.chunker import DEFAULT_MAX_TOKENS, KINDS, NO_PARENT, check_text, chunk_columns
from rootleaf.types import Chunk, Chunkset, Document, Lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rootleaf.engine.chunker import ChunkColumns

_BYTE_ORDER_MARK = "\ufeff"


def chunk(text: str, *, max_tokens: int = DEFAULT_MAX_TOKENS) -> Document:
    r"""Cuts a markdown text into chunks and chunksets.

    Args:
        text: Markdown, with its front matter if it has any. Line ends may be of any kind; they and
            a byte order mark are normalised first, and offsets count in `Document.text`.
        max_tokens: Limit of one leaf, and of the leaves of one chunkset together, in tokens of four
            bytes; 16 to 65536.

    Returns:
        The document; chunks in document order, parents before children, chunksets in the order of
        their leaves, each leaf in exactly one. Equal texts give equal documents.

    Raises:
        InvalidInputError: An argument is of another type or out of range, or `text` holds a lone
            surrogate.

    Example:
        >>> document = chunk("# Garden\n\nWater the beds.\n")
        >>> document.title, [leaf.text for leaf in document.chunks]
        ('Garden', ['# Garden', 'Water the beds.'])
    """
    check_text(text)
    text = normalise_line_ends(text.removeprefix(_BYTE_ORDER_MARK))
    # The core first: it refuses what is no text, with the argument's name.
    columns = chunk_columns(text, max_tokens=max_tokens)
    from rootleaf.documents.front_matter import parse_front_matter

    front_matter = parse_front_matter(text)
    if front_matter.state == "unparsed":
        columns = chunk_columns(text, front_matter_parsed=False, max_tokens=max_tokens)
    slice_text = _slicer(text)
    return Document(
        text=text,
        title=document_title(_title_heading(slice_text, columns), front_matter.values),
        chunks=_chunks(slice_text, columns),
        chunksets=_chunksets(columns),
        metadata=front_matter.values,
        front_matter=front_matter.state,
        front_matter_problem=front_matter.problem,
    )


def normalise_line_ends(text: str) -> str:
    """The text with one line feed for each line end of another kind."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def document_title(heading: str | None, values: Mapping[str, str | list[str]]) -> str | None:
    """The title of a document: front matter's, else its first heading of level 1, else its first.

    Args:
        heading: The text of that heading, marks and all; None without any.
        values: The values of its front matter; a `title` that is a list or empty does not count.
    """
    title = values.get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()
    return None if heading is None else heading_text(heading) or None


def heading_text(heading: str) -> str:
    """The text of a heading without its marks: `## Fig ##` and `Fig` over `---` are both `Fig`."""
    lines = heading.strip().split("\n")
    first = lines[0].strip()
    content = first.lstrip("#")
    is_atx = len(lines) == 1 and first.startswith("#") and content[:1] in ("", " ", "\t")
    if is_atx:
        content = content.strip()
        opened = content.rstrip("#")
        return opened.rstrip() if opened == "" or opened[-1] in " \t" else content
    if len(lines) > 1 and _is_underline(lines[-1].strip()):
        del lines[-1]
    return " ".join(line.strip() for line in lines)


def _title_heading(slice_text: Callable[[int, int], str], columns: ChunkColumns) -> str | None:
    if columns.title_chunk is None:
        return None
    return slice_text(columns.starts[columns.title_chunk], columns.ends[columns.title_chunk])


def _is_underline(line: str) -> bool:
    return line[:1] in ("=", "-") and not line.strip(line[0])


def _slicer(text: str) -> Callable[[int, int], str]:
    if text.isascii():
        return lambda start, end: text[start:end]
    utf8 = text.encode("utf-8")
    return lambda start, end: utf8[start:end].decode("utf-8")


def _chunks(slice_text: Callable[[int, int], str], columns: ChunkColumns) -> tuple[Chunk, ...]:
    lines_of = _LinesOfSpans(slice_text)
    chunks = []
    for index in range(columns.len_chunks()):
        start, end = columns.starts[index], columns.ends[index]
        parent = columns.parents[index]
        chunks.append(
            Chunk(
                index=index,
                kind=KINDS[columns.kinds[index]],
                level=columns.levels[index],
                depth=columns.depths[index],
                parent=None if parent == NO_PARENT else parent,
                start_byte=start,
                end_byte=end,
                start_line=columns.start_lines[index] + 1,
                end_line=columns.end_lines[index],
                text=slice_text(start, end),
                head=lines_of(columns.head_starts[index], columns.head_ends[index]),
                tail=lines_of(columns.tail_starts[index], columns.tail_ends[index]),
            )
        )
    return tuple(chunks)


class _LinesOfSpans:
    """Spans of whole lines as `Lines`. All pieces of a block share theirs, so each is made once."""

    def __init__(self, slice_text: Callable[[int, int], str]) -> None:
        self._slice_text = slice_text
        self._made: dict[int, Lines] = {}

    def __call__(self, start: int, end: int) -> Lines | None:
        if start == end:
            return None
        lines = self._made.get(start)
        if lines is None:
            text = self._slice_text(start, end)
            start_line = self._slice_text(0, start).count("\n") + 1
            lines = Lines(start_line=start_line, end_line=start_line + text.count("\n"), text=text)
            self._made[start] = lines
        return lines


def _chunksets(columns: ChunkColumns) -> tuple[Chunkset, ...]:
    chunksets = []
    for ordinal in range(columns.len_chunksets()):
        first = columns.chunkset_firsts[ordinal]
        leaves = range(first, first + columns.chunkset_counts[ordinal])
        chunksets.append(
            Chunkset(
                ordinal=ordinal,
                ancestors=tuple(columns.ancestors(first)),
                leaves=tuple(leaves),
                key=columns.key(ordinal),
            )
        )
    return tuple(chunksets)

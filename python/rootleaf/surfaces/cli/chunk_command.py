"""`rootleaf chunk`: prints the tree of one file."""

from __future__ import annotations

from rootleaf.documents.chunking import chunk
from rootleaf.documents.decoding import decode
from rootleaf.surfaces.cli.console import counted, stdin_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import Chunk, Document

_PREVIEW_CHARS = 72


def run(request: Namespace, console: Console) -> int:
    """Cuts a file, or standard input, and prints its chunks in document order."""
    decoded = decode(_read(request.file))
    if request.max_tokens is None:
        document = chunk(decoded.text)
    else:
        document = chunk(decoded.text, max_tokens=request.max_tokens)
    if request.json:
        console.write_json(document.to_json())
        return 0
    if decoded.fallback_byte_offset is not None:
        place = f"byte {decoded.fallback_byte_offset}"
        console.warn(f"{request.file} is no UTF-8 ({place}); it was read as {decoded.encoding}")
    if document.front_matter_problem is not None:
        problem = document.front_matter_problem
        console.warn(f"the front matter is not understood: line {problem.line}: {problem.reason}")
    _write_tree(document, console)
    return 0


def _read(path: str) -> bytes:
    if path == "-":
        return stdin_bytes()
    with open(path, "rb") as stream:
        return stream.read()


def _write_tree(document: Document, console: Console) -> None:
    title = f"  {console.harmless(document.title)}" if document.title else ""
    counts = ", ".join(
        (counted(len(document.chunks), "chunk"), counted(len(document.chunksets), "chunkset"))
    )
    console.write(console.style(counts, "dim") + console.style(title, "bold"))
    for key, value in document.metadata.items():
        shown = value if isinstance(value, str) else ", ".join(value)
        console.write(console.style(console.harmless(f"{key}: {shown}"), "dim"))
    width = max((len(_lines(piece)) for piece in document.chunks), default=0)
    for piece in document.chunks:
        place = console.style(_lines(piece).rjust(width), "path")
        kind = console.style(piece.kind, "dim")
        console.write(
            f"{place}  {'  ' * piece.depth}{kind}  {console.harmless(_preview(piece.text))}"
        )


def _lines(piece: Chunk) -> str:
    if piece.start_line == piece.end_line:
        return str(piece.start_line)
    return f"{piece.start_line}-{piece.end_line}"


def _preview(text: str) -> str:
    """The first line of a chunk, cut where it is too long for a row."""
    first, _, rest = text.strip().partition("\n")
    first = first.rstrip()
    if len(first) > _PREVIEW_CHARS:
        from rootleaf.engine.cheatsheet import floor_grapheme

        return first[: floor_grapheme(first, _PREVIEW_CHARS)].rstrip() + " [...]"
    return f"{first} [...]" if rest.strip() else first

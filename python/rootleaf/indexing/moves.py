"""Files that were moved: a row whose file is gone, and its bytes under a name that has no row.

The row follows its file, with its id, its chunksets and the dates they were first seen. Each move
is whole within one transaction and is checked again there.
"""

from __future__ import annotations

from rootleaf.documents.fingerprints import content_hash, stat_signature
from rootleaf.documents.front_matter import parse_front_matter
from rootleaf.documents.metadata import merge
from rootleaf.documents.reading import read_regular_file
from rootleaf.indexing.gone import is_away, is_root_certain
from rootleaf.store.paths import join_root
from rootleaf.types import Moved, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from rootleaf.documents.rules import Rules
    from rootleaf.documents.walking import FoundFile
    from rootleaf.indexing.batches import BatchWriter
    from rootleaf.indexing.tally import Tally
    from rootleaf.store.records import FileMark

_MOVES_AT_ONCE = 256


class Move(Value):
    """A row, the file that holds its bytes now, and the signature that was read with them."""

    mark: FileMark
    path: str
    relative_path: str
    stat_signature: str


def find_moves(gone: Iterable[FileMark], files: Iterable[FoundFile]) -> list[Move]:
    """Pairs rows whose file is gone with files that have no row and hold the same bytes.

    One row goes with one file: the same inode first, then the same file name, then by path. Only
    files of a size that one of the rows has are read.

    Args:
        gone: The rows.
        files: The files that were found without a row.
    """
    sizes = set()
    by_content: dict[bytes, list[FileMark]] = {}
    for mark in sorted(gone, key=lambda mark: mark.path):
        sizes.add(_size(mark.stat_signature))
        by_content.setdefault(mark.content_hash, []).append(mark)
    if not sizes:
        return []
    rows: dict[bytes, list[FileMark]] = {}
    read: dict[bytes, list[Move]] = {}
    for file in sorted(files, key=lambda file: file.relative_path):
        if str(file.stat.st_size) not in sizes:
            continue
        try:
            content, status = read_regular_file(file.path)
        except OSError:
            continue
        if content is None:
            continue
        digest = content_hash(content)
        same = by_content.get(digest)
        if same:
            rows[digest] = same
            move = Move(
                mark=same[0],
                path=file.path,
                relative_path=file.relative_path,
                stat_signature=stat_signature(status),
            )
            read.setdefault(digest, []).append(move)
    return sorted(
        (move for digest in rows for move in _paired(rows[digest], read[digest])),
        key=lambda move: move.relative_path,
    )


def may_be_of(mark: FileMark, status: os.stat_result) -> bool:
    """Whether a file of this status may hold the bytes of a row; a look that costs nothing."""
    return _size(mark.stat_signature) == str(status.st_size)


def _paired(marks: list[FileMark], files: list[Move]) -> list[Move]:
    """The pairs among rows and files of the same bytes, both ordered by path."""
    pairs: list[Move] = []
    for key in (_inode, _name, _any):
        waiting: dict[str, list[FileMark]] = {}
        for mark in reversed(marks):
            waiting.setdefault(key(mark.path, mark.stat_signature), []).append(mark)
        left: list[Move] = []
        for file in files:
            partners = waiting.get(key(file.relative_path, file.stat_signature))
            if partners:
                pairs.append(
                    Move(
                        mark=partners.pop(),
                        path=file.path,
                        relative_path=file.relative_path,
                        stat_signature=file.stat_signature,
                    )
                )
            else:
                left.append(file)
        taken = {pair.mark.document_id for pair in pairs}
        marks = [mark for mark in marks if mark.document_id not in taken]
        files = left
    return pairs


def perform_moves(
    moves: list[Move],
    rules: Rules,
    writer: BatchWriter,
    tally: Tally,
    *,
    tasks_to_go: int | None = None,
) -> list[Move]:
    """Moves rows to their new paths, with the metadata that these give them.

    Args:
        moves: What to move.
        rules: The root's metadata rules.
        writer: Where to.
        tally: Is told of each move.
        tasks_to_go: How many files the run has to go through after this, so that the database
            says what is to go; None where it is not to say so.

    Returns:
        Those that were refused: the old file is back, the root is away, or the new path has a row
        by now. Their files are to be read like any other.
    """
    refused: list[Move] = []
    for start in range(0, len(moves), _MOVES_AT_ONCE):
        batch = [
            (move, parse_front_matter(text).values if text else {})
            for move in moves[start : start + _MOVES_AT_ONCE]
            for text in [writer.text(move.mark.document_id)]
        ]
        done: list[Moved] = []
        with writer.writing() as (write, root_id):
            for move, front_matter in batch:
                old_path = join_root(writer.root, move.mark.path)
                if (
                    is_away(writer.root, move.mark)
                    and is_root_certain(writer.root)
                    and write.move(
                        root_id,
                        move.mark,
                        path=move.relative_path,
                        stat_signature=move.stat_signature,
                        rules_identity=rules.identity,
                        metadata=merge(rules.resolve(move.relative_path), front_matter),
                    )
                ):
                    done.append(Moved(old_path=old_path, new_path=move.path))
                else:
                    refused.append(move)
            if tasks_to_go is not None:
                left = max(0, len(moves) - start - _MOVES_AT_ONCE) + len(refused) + tasks_to_go
                write.set_run(root_id, files_to_go=left)
                writer.files_to_go = left
        tally.moved.extend(done)
    return refused


def _size(signature: str) -> str:
    return signature.split(":")[2]


def _inode(_path: str, signature: str) -> str:
    return signature.split(":")[3]


def _name(path: str, _signature: str) -> str:
    return path.rpartition("/")[2]


def _any(_path: str, _signature: str) -> str:
    return ""

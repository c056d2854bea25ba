"""A snapshot holds what docs/format.md says: read without the core, it equals a plain inversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bm25_model import MAX_FREQUENCY, Source, field_tallies, tally
from hypothesis import given
from hypothesis import strategies as st
from random_corpora import corpora
from rootleaf.engine.collection import Collection, IndexedDocument, SnapshotIdentity
from snapshot_reader import Posting, Segment, Snapshot, read_snapshot

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable
    from pathlib import Path

    import pytest

IDENTITY = SnapshotIdentity(database_id=bytes(range(16)), generation=2**40 + 1)
WIDTH = 3


def vectors_of(source: Source) -> list[list[float] | None]:
    """A unit vector for each chunkset but every third, different from one to the next."""
    places = [(source.document_id + i) % WIDTH for i, _ in enumerate(field_tallies(source))]
    return [
        None if i % 3 == 2 else [float(place == axis) for axis in range(WIDTH)]
        for i, place in enumerate(places)
    ]


def written(batches: Iterable[list[Source]], removed: list[int], path: Path) -> Snapshot:
    """What the reference reader finds in the snapshot of a collection with this history."""
    collection = Collection()
    for batch in batches:
        collection.add(
            IndexedDocument(
                document_id=source.document_id,
                path=source.path,
                name=source.name,
                text=source.text,
                front_matter_parsed=source.front_matter_parsed,
                field_text=source.field_text,
                metadata=source.metadata,
                vectors=vectors_of(source),
            )
            for source in batch
        )
    collection.remove(removed)
    collection.view().write_snapshot(str(path), IDENTITY)
    return read_snapshot(path.read_bytes())


def inverted(
    rows: list[tuple[Counter[str], Counter[str]]],
) -> dict[bytes, list[Posting]]:
    """Rows of first and second frequencies, turned round."""
    lists: dict[bytes, list[Posting]] = {}
    for ordinal, (first, second) in enumerate(rows):
        for term in first | second:
            posting = Posting(
                ordinal, min(first[term], MAX_FREQUENCY), min(second[term], MAX_FREQUENCY)
            )
            lists.setdefault(term.encode(), []).append(posting)
    return lists


def filled(lists: dict[bytes, list[Posting]]) -> dict[bytes, list[Posting]]:
    """Only the terms that stand somewhere."""
    return {term: postings for term, postings in lists.items() if postings}


def values_of(sources: list[Source]) -> dict[tuple[bytes, bytes], list[int]]:
    """The numbers of the documents by key and value."""
    found: dict[tuple[bytes, bytes], list[int]] = {}
    for number, source in enumerate(sources):
        for key, values in source.metadata.items():
            for value in {values} if isinstance(values, str) else set(values):
                found.setdefault((key.encode(), value.encode()), []).append(number)
    return found


def assert_holds(segment: Segment, sources: dict[int, Source]) -> None:
    """The segment is that of its documents, and nothing else."""
    members = [sources[document_id] for document_id in segment.document_ids]
    assert segment.paths == [source.path.encode() for source in members]

    names = [tally([source.name]) for source in members]
    fields = [tally([source.field_text]) for source in members]
    assert segment.document_lengths == [
        (name[1], field[1]) for name, field in zip(names, fields, strict=True)
    ]
    assert filled(segment.document_postings) == inverted(
        [(name[0], field[0]) for name, field in zip(names, fields, strict=True)]
    )

    tallies = [field_tallies(source) for source in members]
    assert segment.first_chunksets == [
        sum(len(before) for before in tallies[:number]) for number in range(len(members))
    ]
    chunksets = [tallies_of for of_document in tallies for tallies_of in of_document]
    assert segment.chunkset_lengths == [
        (fields["headings"][1], fields["body"][1]) for fields in chunksets
    ]
    assert filled(segment.chunkset_postings) == inverted(
        [(fields["headings"][0], fields["body"][0]) for fields in chunksets]
    )
    assert segment.values == values_of(members)
    assert [vector and list(vector) for vector in segment.vectors] == [
        vector for source in members for vector in vectors_of(source)
    ]


@given(corpora(), st.data())
def test_a_snapshot_is_the_plain_inversion_of_its_documents(
    tmp_path_factory: pytest.TempPathFactory, sources: list[Source], data: st.DataObject
) -> None:
    """Identity, dictionary, postings, lengths, paths, ids, values, vectors and live documents."""
    cut = data.draw(st.integers(0, len(sources)))
    ids = [source.document_id for source in sources]
    removed = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    path = tmp_path_factory.getbasetemp() / "format.snapshot"
    snapshot = written([sources[:cut], sources[cut:]], removed, path)

    assert snapshot[:5] == (
        IDENTITY.database_id,
        IDENTITY.generation,
        IDENTITY.analyzer_id,
        IDENTITY.chunker_id,
        IDENTITY.max_tokens,
    )
    by_id = {source.document_id: source for source in sources}
    live = []
    for segment in snapshot.segments:
        assert_holds(segment, by_id)
        live += [i for i, alive in zip(segment.document_ids, segment.live, strict=True) if alive]
    assert sorted(live) == sorted(set(ids) - set(removed))


def test_the_format_of_this_version_does_not_drift(tmp_path: Path) -> None:
    """The sizes and the places that the page names, on a file small enough to count."""
    source = Source(7, "/a.md", "a", "# One\n\ntwo\n", "", {"kind": "x"})
    written([[source]], [], tmp_path / "s")
    content = (tmp_path / "s").read_bytes()
    assert content[:16] == bytes.fromhex("8952544C0D0A1A0A 04030201 01000000")
    assert content[48:64] == IDENTITY.database_id
    sections = 2 + 23 + 3
    assert content[44:48] == sections.to_bytes(4, "little")
    assert content[40:44] == (1).to_bytes(4, "little")
    first_start = -(-(80 + 40 * sections) // 64) * 64
    assert content[88:96] == first_start.to_bytes(8, "little")
    assert content[first_start:].startswith(IDENTITY.analyzer_id.encode())

"""What forgetting drops, against the slow model that `pathlib` is."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rootleaf import forget, status
from rootleaf.store.records import DocumentVersion
from rootleaf.store.sqlite import open_for_reading, open_for_writing

PARTS = st.sampled_from(["a", "b", "bc", "b.md", "B", "é", "0", "a b"])
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


def version_of(name: str) -> DocumentVersion:
    """A version of a document whose file need not be there."""
    return DocumentVersion(
        path=name,
        stat_signature="1:2:3:4",
        content_hash=b"h" * 16,
        text=f"# {name}\n",
        front_matter="absent",
        front_matter_problem=None,
        rules_identity="",
        metadata={},
        chunk_count=1,
        chunkset_keys=b"k" * 16,
    )


def stored(db_path: str | Path) -> set[str]:
    """The paths of all documents of a database."""
    with open_for_reading(str(db_path)) as store:
        return {document.path for document in store.documents()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    roots=st.lists(PATHS, min_size=1, max_size=3), names=st.lists(PATHS, max_size=8), target=PATHS
)
def test_what_is_dropped_is_what_lies_below_by_its_parts(
    tmp_path: Path, roots: list[str], names: list[str], target: str
) -> None:
    """Against the slow model of `pathlib`, for any roots side by side; no file exists."""
    db_path = tmp_path / "x.db"
    for left in tmp_path.iterdir():
        left.unlink()
    base = PurePosixPath("/nowhere")
    apart: list[PurePosixPath] = []
    for path in map(base.joinpath, roots):
        if not any(path.is_relative_to(other) or other.is_relative_to(path) for other in apart):
            apart.append(path)
    documents = {path / name for path in apart for name in names}
    with open_for_writing(str(db_path)) as store, store.writing() as transaction:
        for path in apart:
            root_id = transaction.add_root(str(path), "all markdown", "c")
            for name in dict.fromkeys(names):
                transaction.put_document(root_id, version_of(name))
    meant = base / target
    report = forget(str(meant), db_path)
    below = {path for path in documents if path.is_relative_to(meant)}
    assert report.forgotten == tuple(sorted(map(str, below)))
    assert stored(db_path) == {str(path) for path in documents - below}
    gone = {path for path in apart if path.is_relative_to(meant)}
    assert set(report.roots) == {str(path) for path in gone}
    assert {root.path for root in status(db_path=db_path).roots} == {
        str(path) for path in apart if path not in gone
    }

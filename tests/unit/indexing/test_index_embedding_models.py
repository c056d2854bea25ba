"""One model for a database: vectors of two are kept side by side, and never compared or mixed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.engine.snapshot import open_snapshot
from rootleaf.errors import InvalidInputError
from rootleaf.store.sqlite import open_for_reading

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes
    from rootleaf.types import IndexReport

TEXTS = ["# Plan\nBuy seeds.", "# Plan\n## Beds\nDig them.", "# Plan\n## Water\nDaily."]


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Two notes, not yet indexed."""
    return notes(
        {
            "plan.md": "# Plan\n\nBuy seeds.\n\n## Beds\n\nDig them.\n\n## Water\n\nDaily.\n",
            "tools.md": "# Tools\n\n- spade\n- rake\n",
        }
    )


def vectors_by_path(root: Path) -> dict[str, list[bytes | None]]:
    """The vectors of each document, by its path below the root."""
    with open_for_reading(str(root / ".rootleaf" / "index.db")) as store:
        return {
            os.path.relpath(found.path, root): store.vectors(found.document_id)
            for found in store.documents()
        }


def test_another_model_is_never_mixed_in(root: Path) -> None:
    """It embeds nothing and is told so, until all text is embedded anew on purpose."""
    one, other = FakeEmbedder(), FakeEmbedder(16, name="other")
    rootleaf.index(root, embedder=one)
    before = vectors_by_path(root)
    (root / "more.md").write_text("# More\n\none\n")
    report = rootleaf.index(root, embedder=other)
    assert other.calls == 0
    assert (report.embedded, report.without_vector) == (0, 1)
    assert any("vectors of fake (1), which other (1)" in notice for notice in report.notices)
    assert vectors_by_path(root) == {**before, "more.md": [None]}

    report = rootleaf.index(root, embedder=other, embed=True)
    assert (report.embedded, report.without_vector) == (5, 0)
    assert rootleaf.status(root).embedder == "other (1)"
    assert vectors_by_path(root)["plan.md"] == [other.vector(text) for text in TEXTS]
    view = open_snapshot(str(root / ".rootleaf" / "index.snapshot")).view()
    assert (view.dimension, view.without_vector) == (16, 0)

    assert rootleaf.index(root, embedder=one, embed=True).embedded == 1, "the rest was paid before"
    assert vectors_by_path(root) == {**before, "more.md": [one.vector("# More\none")]}


def test_all_roots_are_embedded_anew_before_the_model_changes(
    notes: WriteNotes, tmp_path: Path
) -> None:
    """Whichever root the run is of; until all is done the index has the vectors it had."""
    first, second = notes({"a/1.md": "one\n"}) / "a", notes({"b/2.md": "two\n"}) / "b"
    database = tmp_path / "both.db"
    one, other = FakeEmbedder(), FakeEmbedder(name="other")
    for root in (first, second):
        rootleaf.index(root, database, embedder=one)

    def stop(done: int, total: int) -> None:
        assert (done, total) == (2, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rootleaf.index(first, database, embedder=other, embed=True, on_embedded=stop)
    status = rootleaf.status(db_path=database)
    assert (status.embedder, status.without_vector) == ("fake (1)", 0)
    report: IndexReport = rootleaf.index(first, database, embedder=other, embed=True)
    assert (report.embedded, len(other.texts)) == (0, 2)
    status = rootleaf.status(db_path=database)
    assert (status.embedder, status.without_vector) == ("other (1)", 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embedder": "minimal"}, "There is no embedder 'minimal'"),
        ({"embedder": 3}, "embedder must be an Embedder or None, not int"),
        ({"embedder": "none", "embed": True}, "embedded anew, and by no embedder"),
    ],
)
def test_a_wrong_embedder_is_refused_before_anything_is_made(
    root: Path, options: dict[str, object], message: str
) -> None:
    """No database, no row."""
    with pytest.raises(InvalidInputError, match=message):
        rootleaf.index(root, **options)  # type: ignore[arg-type]
    assert not (root / ".rootleaf").exists()

"""The built-in embedder: what its vectors are for, and what an installation without it is told."""

from __future__ import annotations

import subprocess
import sys

import pytest
import rootleaf
from rootleaf.embed import builtin
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.engine import kernels
from rootleaf.engine.vectors import nearest
from rootleaf.errors import EmbedderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conftest import WriteNotes


@pytest.mark.parametrize(
    ("query", "passages", "best"),
    [
        ("doctor", ["The physician saw her patients.", "The compiler printed warnings."], 0),
        ("how do I fix an automobile", ["Bread needs yeast.", "Repairing cars and engines."], 1),
        ("pets", ["Quarterly tax returns.", "Our cat and two dogs.", "Memory safety."], 1),
        ("SHIPS", ["ships", "Boats sail at noon."], 0),
    ],
)
def test_words_of_one_meaning_are_near_each_other(
    query: str, passages: list[str], best: int
) -> None:
    """A passage is found that shares no word with the question."""
    embedder = BuiltinEmbedder()
    dimension = embedder.identity.dimension
    vectors = memoryview(embedder.embed_documents(passages)).cast("f")
    rows = [list(vectors[i : i + dimension]) for i in range(0, len(vectors), dimension)]
    found = nearest(rows, list(memoryview(embedder.embed_query(query)).cast("f")), limit=1)
    assert found[0][0] == best


def test_texts_without_known_tokens_have_the_vector_of_the_unknown_one() -> None:
    """All the same one, which no text with a known token has."""
    embedder = BuiltinEmbedder()
    unknown = embedder.embed_query("🦀")
    assert {embedder.embed_query(text) for text in ("", " ", "\0", "🦀🦀", "\ud83d")} == {unknown}
    assert embedder.embed_query("crab 🦀") == embedder.embed_query("crab") != unknown


def test_a_question_of_unknown_words_is_near_nothing(notes: WriteNotes) -> None:
    """Else it would be as near as can be to every text that has the vector of the unknown token."""
    root = notes({"a.md": "🦀🎉\n", "b.md": "# Weather\n\nIt rains.\n"})
    rootleaf.index(root, embedder="builtin")
    assert rootleaf.search("crab", root, embedder="builtin", empty_gate=0).mode == "hybrid"
    answer = rootleaf.search("\U00020bb7", root, embedder="builtin")
    assert (answer.verdict, answer.mode) == ("no_match", "keyword")
    (notice,) = answer.notices
    assert notice == "The embedder builtin knows no word of the question: searched by keyword alone"


def test_the_instruction_set_changes_no_bit() -> None:
    """Whichever is forced for comparing vectors."""
    texts = ["The blue crane lifts forty tonnes.", "中文 and \u200b more", "a" * 1000]
    try:
        found = set()
        for isa in kernels.available():
            kernels.force(isa)
            found.add(BuiltinEmbedder().embed_documents(texts))
    finally:
        kernels.force(None)
    assert len(found) == 1


def test_a_missing_table_is_named_with_what_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of its own, and the command."""
    monkeypatch.setattr(builtin, "TABLE_PATH", "/nowhere/at/all.table")
    monkeypatch.setattr(builtin, "_table", None)
    with pytest.raises(EmbedderError) as caught:
        BuiltinEmbedder().embed_query("crane")
    assert caught.value.code == "embedder.table_invalid"
    assert caught.value.hint == "pip install --force-reinstall rootleaf"


def test_nothing_is_mapped_before_it_is_needed() -> None:
    """Neither the import nor the object opens the table; a vector does, without numpy."""
    program = (
        "import sys\n"
        "from rootleaf.embed import builtin\n"
        "embedder = builtin.BuiltinEmbedder()\n"
        "assert builtin._table is None and 'rootleaf._core' not in sys.modules\n"
        "embedder.embed_query('crane')\n"
        "assert builtin._table is not None and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

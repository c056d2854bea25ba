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

UNKNOWN = "The embedder builtin does not know the words of the question: searched by keyword alone"


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
    assert answer.notices == (UNKNOWN,)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Кран смазывают каждый вторник.", "столица Франции"),
        ("Кран смазывают каждый вторник.", "Россия или другая страна"),
        ("Кран смазывают каждый вторник.", "как обновить Windows 11"),
        ("Ο γερανός λιπαίνεται κάθε Τρίτη.", "η πρωτεύουσα της Γαλλίας"),
        ("يتم تشحيم الرافعة كل ثلاثاء", "وصفة كعكة الشوكولاتة"),
        ("העגורן משומן בכל יום שלישי", "מתכון לעוגת שוקולד"),
        ("क्रेन में हर मंगलवार को तेल डाला जाता है", "चॉकलेट केक कैसे बनाएं"),
        ("ปั้นจั่นทาจาระบีทุกวันอังคาร", "สูตรเค้กช็อกโกแลต"),
        ("クレーンは毎週火曜日に注油します。", "チョコのレシピ"),
        ("크레인은 화요일마다 기름칠한다", "초콜릿 케이크 만드는 법"),
        ("起重机每周二上油。", "巧克力蛋糕食谱"),
    ],
)
def test_what_the_model_cannot_read_is_searched_by_words(
    notes: WriteNotes, text: str, question: str
) -> None:
    """All texts of such a script are alike to it: the gate would be open to any question."""
    root = notes({"a.md": text + "\n", "b.md": "# Weather\n\nIt rains.\n"})
    rootleaf.index(root, embedder="builtin")
    answer = rootleaf.search(question, root)
    assert (answer.verdict, answer.mode) == ("no_match", "keyword")
    assert answer.notices == (UNKNOWN,)
    found = rootleaf.search(text, root)
    assert (found.verdict, found.mode) == ("answered", "keyword")
    assert [hit.file_path for hit in found] == [str(root / "a.md")]


def test_a_question_in_german_is_compared_by_meaning(notes: WriteNotes) -> None:
    """The model was made of English, and has the pieces of whatever is in Latin letters."""
    root = notes({"a.md": "Der Kran wird dienstags geschmiert.\n"})
    rootleaf.index(root, embedder="builtin")
    answer = rootleaf.search("Wann wird der Kran geschmiert?", root)
    assert (answer.verdict, answer.mode, answer.notices) == ("answered", "hybrid", ())


@pytest.mark.parametrize(
    "question",
    [
        "when is it greased?",
        "Wie wird der Kran geschmiert?",
        "Überprüfungsverfahren",
        "¿Cómo se engrasa la grúa?",
        "Où graisser l'œil de la grue ?",
        "Thủ đô của nước Pháp là gì",
        "Fransa'nın başkenti neresidir",
        "Łódź żuraw",
        "C",
        "5",
        "x = 5",
        "2024",
        "ERR_4711",
        "upgrade k8s",
        "Kubernetes 設定 guide",
        "crane 🏗 🔧 🚧",
    ],
)
def test_questions_in_latin_letters_keep_their_meaning(question: str) -> None:
    """With accents or without, and where a word or two are of another script."""
    assert BuiltinEmbedder().knows(question)


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

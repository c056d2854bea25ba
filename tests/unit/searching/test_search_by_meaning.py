"""Answers by words and meaning together: fusion, filters, and passages that have no vector."""

from __future__ import annotations

import os

import pytest
import rootleaf
from concept_embedders import CALIBRATION, ConceptEmbedder, FaultyEmbedder
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.errors import EmbedderError, InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from conftest import WriteNotes

FILES: dict[str, str | bytes] = {
    "a.md": "---\nkind: ops\n---\n# Going back\n\nrollback of a failed deploy\n",
    "b.md": "---\nkind: food\n---\n# Kitchen\n\nfruit is an apple and a pear\n",
    "c.md": "---\nkind: ops\n---\n# Office\n\nthe label printer, port 9100\n\n## Room\n\nmail\n",
    "d.md": "---\nkind: ops\n---\n# Shipping\n\nwe ship a release on monday\n",
}
QUERIES = ["revert a deploy", "apple", "sticker", "mail on monday", "the release of fruit"]
RANK_CONSTANT = 60


def ask(root: Path, query: str, **options: Any) -> rootleaf.Answer:
    """Asks by meaning, without a gate."""
    options = {"embedder": ConceptEmbedder(), "empty_gate": 0, "top_k": 50, **options}
    return rootleaf.search(query, root, **options)


def told(answer: rootleaf.Answer) -> dict[str, Any]:
    """What is said of the documents of an answer, whatever their place and id."""
    fields = answer.to_json()
    for name in ("took_ms", "notices"):
        del fields[name]
    for hit in fields["hits"]:
        hit["file_path"] = os.path.basename(hit["file_path"])
        for name in ("document_id", "source", "updated"):
            del hit[name]
    return fields


def made(root: Path, files: dict[str, str | bytes], embedder: ConceptEmbedder | None) -> Path:
    """An index of files at a place."""
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(str(text))
    rootleaf.index(root, embedder="none" if embedder is None else embedder)
    return root


def index_without_vectors(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads what is new, and leaves it without vectors; the index keeps its model."""
    with monkeypatch.context() as patch:
        patch.setenv("ROOTLEAF_EMBEDDER", "none")
        rootleaf.index(root)


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Four notes with vectors."""
    root = notes(FILES)
    rootleaf.index(root, embedder=ConceptEmbedder())
    return root


@pytest.mark.parametrize("query", QUERIES)
def test_the_score_is_the_weighted_sum_by_default_and_of_reciprocal_ranks_when_asked(
    root: Path, query: str
) -> None:
    """By the weight of the model; what either is made of stands beside it."""
    weight = CALIBRATION.similarity_weight
    for hit in ask(root, query):
        sum_of_measures = (1 - weight) * hit.coverage + weight * hit.parts["similarity"]
        assert hit.score == pytest.approx(sum_of_measures, abs=1e-12)
    by_rank = ask(root, query, fusion="rrf")
    for hit in by_rank:
        ranks = {"rank_keyword": 1 - weight, "rank_vector": weight}
        expected = sum(
            2 * share / (RANK_CONSTANT + hit.parts[name])
            for name, share in ranks.items()
            if hit.parts[name]
        )
        assert hit.score == pytest.approx(expected, abs=1e-12)
    assert ask(root, query, fusion="weighted").hits == ask(root, query).hits
    words = {"embedder": "none"}
    assert ask(root, query, fusion="rrf", **words).hits == ask(root, query, **words).hits


def test_ranks_stand_beside_a_weighted_sum_where_they_are_asked_for(root: Path) -> None:
    """They cost a comparison of all vectors, and change nothing else."""
    plain = ask(root, "revert a deploy")
    explained = ask(root, "revert a deploy", explain=True)
    assert set(plain[0].parts) == {"bm25", "coverage", "similarity"}
    assert set(explained[0].parts) - set(plain[0].parts) == {"rank_keyword", "rank_vector"}
    assert explained[0].parts["rank_vector"] == 1
    scores = [(hit.file_path, hit.score, hit.similarity) for hit in plain]
    assert [(hit.file_path, hit.score, hit.similarity) for hit in explained] == scores


@pytest.mark.parametrize("fusion", ["sum", "RRF", "", 3])
def test_a_fusion_that_is_none_is_refused(root: Path, fusion: object) -> None:
    """With those that there are."""
    with pytest.raises(InvalidInputError, match="fusion must be 'weighted', 'rrf' or None"):
        ask(root, "apple", fusion=fusion)


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
@pytest.mark.parametrize("query", QUERIES)
def test_a_filter_is_an_index_of_what_it_leaves(
    root: Path, tmp_path: Path, query: str, fusion: str
) -> None:
    """Scores, ranks, best measures, gate measure and counts, to the last bit."""
    ops = {name: text for name, text in FILES.items() if b"kind: ops" in str(text).encode()}
    alone = made(tmp_path.resolve() / "alone", ops, ConceptEmbedder())
    for options in ({"fusion": fusion}, {"fusion": fusion, "empty_gate": 0.7}):
        expected = told(ask(alone, query, **options))
        assert told(ask(root, query, where={"kind": "ops"}, **options)) == expected
        ids = [
            document.document_id
            for document in rootleaf.MemoryIndex(root / ".rootleaf/index.db").documents()
            if os.path.basename(document.path) in ops
        ]
        assert told(ask(root, query, allowed=ids, **options)) == expected


def test_where_nothing_that_a_filter_leaves_has_a_vector_words_decide(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an index of those documents alone, and of that many questions at once too."""
    (root / "e.md").write_text("---\nkind: late\n---\n# Late\n\na rollback of the apple\n")
    index_without_vectors(root, monkeypatch)
    late: dict[str, str | bytes] = {"e.md": (root / "e.md").read_text()}
    alone = made(tmp_path.resolve() / "alone", late, None)
    queries = ["rollback", "apple", "orchard", ""]
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=ConceptEmbedder()) as memory:
        at_once = memory.search_many(queries, where={"kind": "late"})
    for query, answer in zip(queries, at_once, strict=True):
        expected = told(rootleaf.search(query, alone))
        assert told(ask(root, query, where={"kind": "late"}, empty_gate=None)) == expected
        assert told(answer) == expected
        assert expected["mode"] == "keyword"


def test_a_passage_without_a_vector_is_found_by_its_words_and_counted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its similarity is 0, and no notice comes with every search."""
    (root / "e.md").write_text("# Late\n\na xylophone\n")
    index_without_vectors(root, monkeypatch)
    answer = ask(root, "xylophone")
    assert (answer.mode, answer.without_vector, answer.notices) == ("hybrid", 1, ())
    assert (answer[0].title, answer[0].similarity) == ("Late", 0.0)
    assert answer[0].score == pytest.approx(0.5 * answer[0].coverage)


@pytest.mark.parametrize(
    "fault",
    [
        [float("nan"), *[1.0] * 6],
        [float("inf"), *[0.0] * 6],
        [0.0] * 7,
        [3.0] * 7,
    ],
    ids=str,
)
def test_a_bad_vector_leaves_its_note_to_words_and_all_other_rankings_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: list[float]
) -> None:
    """Against the same index in which that note was never embedded, and one without it."""
    bad = {**FILES, "bad.md": "# Bad\n\na broken deploy of the printer\n"}
    base = tmp_path.resolve()
    faulty = base / "faulty"
    with pytest.raises(EmbedderError, match=r"bad\.md"):
        made(faulty, bad, FaultyEmbedder(fault))
    without = made(base / "without", FILES, ConceptEmbedder())
    unembedded = made(base / "unembedded", FILES, ConceptEmbedder())
    (unembedded / "bad.md").write_text(str(bad["bad.md"]))
    index_without_vectors(unembedded, monkeypatch)
    others = [
        document.document_id
        for document in rootleaf.MemoryIndex(faulty / ".rootleaf/index.db").documents()
        if not document.path.endswith("bad.md")
    ]
    for query in QUERIES:
        answer = ask(faulty, query)
        assert (answer.mode, answer.notices, answer.without_vector) == ("hybrid", (), 1)
        assert told(answer) == told(ask(unembedded, query))
        assert told(ask(faulty, query, allowed=others)) == told(ask(without, query))
    assert ask(faulty, "broken")[0].title == "Bad"


def test_a_search_by_meaning_only_reads(root: Path) -> None:
    """Whatever becomes of the question's vector; what SQLite needs to read stands aside."""

    def state() -> dict[str, tuple[int, int]]:
        found = {}
        for entry in (root / ".rootleaf").iterdir():
            if not entry.name.endswith(("-wal", "-shm")):
                status = entry.stat()
                found[entry.name] = (status.st_size, status.st_mtime_ns)
        return found

    before = state()
    for options in ({}, {"embedder": "builtin"}, {"embedder": None}, {"fusion": "rrf"}):
        ask(root, "revert", **options)
    assert state() == before


def test_the_built_in_embedder_says_no_to_nonsense_and_yes_to_the_rest(notes: WriteNotes) -> None:
    """With nothing set and nothing asked for, cold and by a handle."""
    files: dict[str, str | bytes] = {
        f"{i:02}.md": f"# Step {i}\n\nService {i} is deployed to staging, then to production.\n"
        for i in range(39)
    }
    files["back.md"] = "# Going back\n\nRoll back a failed deploy with the red button.\n"
    root = notes(files)
    rootleaf.index(root, embedder=BuiltinEmbedder())
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db") as memory:
        for search in (memory.search, lambda query: rootleaf.search(query, root)):
            no = search("brass trombone orchard permit")
            assert (no.verdict, no.mode, list(no)) == ("gate_closed", "hybrid", [])
            assert no.gate_measure is not None
            assert no.gate is not None
            assert no.gate_measure < no.gate
            yes = search("rollback of a failed deploy")
            assert yes.verdict == "answered"
            assert yes[0].title == "Going back"
            assert yes[0].score > 1.5 * yes[1].score  # by quality, and not by place


def test_an_empty_answer_tells_a_closed_gate_from_nothing_there(notes: WriteNotes) -> None:
    """And the same note is found by its rare number, whatever the gate."""
    root = notes({"a.md": "# Office\n\nLabel printer sits at port 9100 in the mail room\n"})
    rootleaf.index(root, embedder=ConceptEmbedder())
    best = ask(root, "sticker machine").gate_measure
    assert best is not None
    closed = ask(root, "sticker machine", empty_gate=best + 0.01)
    assert (closed.verdict, closed.omitted.hits) == ("gate_closed", 1)
    assert (closed.gate_measure, closed.gate) == (best, best + 0.01)
    assert ask(root, "sticker machine", empty_gate=0).verdict == "answered"
    assert ask(root, "what is 9100", empty_gate=best + 9).verdict == "answered"
    assert ask(root, "sticker machine", where={"kind": "x"}).verdict == "filter_matched_nothing"
    assert ask(root, "machine", embedder="none").verdict == "no_match"


def test_two_models_of_one_dimension_never_meet(root: Path) -> None:
    """By keyword alone with a notice, until all is embedded with the other; then that is it."""
    first, second = ConceptEmbedder(), ConceptEmbedder(name="second")
    query = "revert a deploy"
    for _ in range(2):
        answer = ask(root, query, embedder=second)
        assert (answer.mode, second.queries, len(answer.notices)) == ("keyword", [], 1)
        assert told(answer) == told(ask(root, query, embedder="none"))
        assert rootleaf.index(root, embedder=second).embedded == 0
    rootleaf.index(root, embedder=second, embed=True)
    assert ask(root, query, embedder=second).mode == "hybrid"
    assert ask(root, query, embedder=first).mode == "keyword"

"""What a question is compared by: the model of the index, or words alone and a sentence why."""

from __future__ import annotations

import os
import shlex
import threading
import time
import warnings
from array import array

import pytest
import rootleaf
from concept_embedders import ConceptEmbedder
from rootleaf.embed import choosing
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.embed.protocol import ModelIdentity
from rootleaf.errors import EmbedderError, EmbedderUnavailableError, InvalidInputError
from rootleaf.searching import query_embedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from conftest import WriteNotes

FILES: dict[str, str | bytes] = {
    "a.md": "# Going back\n\nrollback of a failed deploy\n",
    "b.md": "# Kitchen\n\napple and pear\n",
    "c.md": "# Office\n\nthe label printer\n",
}
QUESTION = "how do we revert a deploy"
BY_KEYWORD = "searched by keyword alone"


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Three notes with vectors of concepts."""
    root = notes(FILES)
    rootleaf.index(root, embedder=ConceptEmbedder())
    return root


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The same without vectors."""
    root = tmp_path.resolve() / "plain"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(str(text))
    rootleaf.index(root, embedder="none")
    return root


def told(answer: rootleaf.Answer) -> dict[str, Any]:
    """All fields but the time and the notices."""
    fields = answer.to_json()
    del fields["took_ms"], fields["notices"]
    return fields


def by_keyword(root: Path, query: str = QUESTION) -> dict[str, Any]:
    """What is answered by words alone."""
    return told(rootleaf.search(query, root, embedder="none"))


def test_the_model_of_the_index_is_compared_with(root: Path) -> None:
    """Then both measures stand beside the score, which is their weighted sum."""
    answer = rootleaf.search(QUESTION, root, embedder=ConceptEmbedder())
    assert (answer.mode, answer.verdict, answer.notices) == ("hybrid", "answered", ())
    for hit in answer:
        assert hit.similarity is not None
        assert hit.score == pytest.approx(0.5 * hit.coverage + 0.5 * hit.similarity, abs=1e-9)
    assert (answer[0].similarity, answer.without_vector) == (answer.best_similarity, 0)


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "another"},
        {"revision": "2"},
        {"dimension": 8},
        {"is_normalised": False},
        {"preprocessing": "lower case"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_model_that_differs_in_anything_is_never_compared(
    root: Path, changed: dict[str, Any]
) -> None:
    """By keyword alone, with a notice that names both models and the way out."""
    other = ConceptEmbedder()
    other.identity = ModelIdentity(**{**other.identity.to_json(), **changed})
    answer = rootleaf.search(QUESTION, root, embedder=other)
    assert told(answer) == by_keyword(root)
    assert other.queries == []
    (notice,) = answer.notices
    assert BY_KEYWORD in notice
    assert "embed=True" in notice
    recorded, asked = notice.split("which", 1)
    assert recorded != asked
    assert "concepts" in recorded
    assert str(changed.get("name", "concepts")) in asked


def test_another_embedder_by_name_is_not_even_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of the notice embeds by the name that was asked for."""
    monkeypatch.setattr(query_embedder, "embedder_named", None)
    answer = rootleaf.search(QUESTION, root, embedder="builtin")
    assert told(answer) == by_keyword(root)
    (notice,) = answer.notices
    command = shlex.split(notice.split("`")[1])
    assert command == ["rootleaf", "index", str(root), "--embed", "--embedder", "builtin"]
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "builtin")
    assert rootleaf.search(QUESTION, root).mode == "keyword"


def test_an_embedder_that_has_vanished_leaves_words(root: Path) -> None:
    """No embedder of the recorded name is installed: the answer says so, and is one."""
    answer = rootleaf.search(QUESTION, root)
    assert told(answer) == by_keyword(root)
    (notice,) = answer.notices
    assert "no embedder 'concepts' here" in notice
    assert notice.split("`")[1].endswith("--embed --embedder builtin")


def test_a_package_that_is_missing_leaves_words_and_says_how_it_is_installed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the embedder was asked for: it is a good name."""

    def missing(name: str) -> None:
        message = f"{name} needs a package"
        raise EmbedderError(message, hint="pip install it", code="embedder.not_installed")

    monkeypatch.setattr(query_embedder, "is_known", lambda _: True)
    monkeypatch.setattr(query_embedder, "embedder_named", missing)
    answer = rootleaf.search(QUESTION, root, embedder="concepts")
    assert told(answer) == by_keyword(root)
    (notice,) = answer.notices
    assert "concepts needs a package" in notice
    assert "pip install it" in notice


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ([float("nan"), *[1.0] * 6], "holds a NaN as element 0"),
        ([float("inf"), *[0.0] * 6], "holds an infinity as element 0"),
        ([0.0] * 7, "is zero"),
        ([1.0] * 7, "has a length of"),
        ([1.0, 0.0], "must have 7 elements, not 2"),
        ([], "must have 7 elements, not 0"),
        (None, "must be a sequence of numbers"),
        (RuntimeError("out of memory"), "out of memory"),
        (EmbedderUnavailableError("the server is away"), "the server is away"),
        (SystemExit("bye"), "SystemExit('bye')"),
    ],
    ids=str,
)
def test_a_question_without_a_sound_vector_is_searched_by_words(
    root: Path, fault: object, said: str
) -> None:
    """The notice says what was wrong with it; nothing is kept of it."""

    def give(_: str) -> object:
        if isinstance(fault, BaseException):
            raise fault
        return array("f", fault) if isinstance(fault, list) else fault

    embedder = ConceptEmbedder()
    embedder.answer_with = give
    answer = rootleaf.search(QUESTION, root, embedder=embedder)
    assert told(answer) == by_keyword(root)
    (notice,) = answer.notices
    assert said in notice
    assert "concepts" in notice
    assert BY_KEYWORD in notice
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=embedder) as memory:
        assert memory.search(QUESTION).mode == "keyword"
        embedder.answer_with = None
        assert memory.search(QUESTION).mode == "hybrid"


def test_one_bad_question_among_many_costs_only_itself_its_meaning(root: Path) -> None:
    """Each answer is the one that it would have had alone."""
    embedder = ConceptEmbedder()

    def give(text: str) -> bytes:
        if "bad" in text:
            raise ValueError(text)
        return embedder.vector(text)

    embedder.answer_with = give
    queries = ["revert", "bad apple", "", "apple", "bad apple"]
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=embedder) as memory:
        at_once = memory.search_many(queries)
        assert [one.mode for one in at_once] == [
            "hybrid",
            "keyword",
            "keyword",
            "hybrid",
            "keyword",
        ]
        for query, answer in zip(queries, at_once, strict=True):
            alone = rootleaf.search(query, root, embedder=embedder)
            assert (told(answer), answer.notices) == (told(alone), alone.notices)


def test_an_embedder_that_hangs_is_waited_for_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it is left alone until it comes back, and no search waits for it meanwhile."""
    monkeypatch.setattr(query_embedder, "DEADLINE_SECONDS", 0.2)
    embedder = ConceptEmbedder()
    goes_on = threading.Event()

    def hang(text: str) -> bytes:
        goes_on.wait(30)
        return embedder.vector(text)

    embedder.answer_with = hang
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=embedder) as memory:
        late = memory.search_many([QUESTION, "apple"])
        assert [one.mode for one in late] == ["keyword", "keyword"]
        assert "has not answered within 0.2 s" in late[0].notices[0]
        asked = len(embedder.queries)
        before = time.monotonic()
        assert memory.search("pear").mode == "keyword"
        assert time.monotonic() - before < 0.15
        assert len(embedder.queries) == asked == 1
        goes_on.set()
        deadline = time.monotonic() + 20
        while memory.search("pear").mode == "keyword" and time.monotonic() < deadline:
            time.sleep(0.01)
        assert memory.search("pear").mode == "hybrid"
        assert memory.search(QUESTION).mode == "hybrid"
        assert embedder.queries.count(QUESTION) == 1


def test_the_built_in_embedder_pays_for_no_thread(
    notes: WriteNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can wait for nothing."""
    root = notes(FILES)
    rootleaf.index(root, embedder=BuiltinEmbedder())

    def refuse(_: threading.Thread) -> None:
        raise AssertionError

    monkeypatch.setattr(threading.Thread, "start", refuse)
    answer = rootleaf.search(QUESTION, root)
    assert (answer.mode, answer.notices) == ("hybrid", ())
    assert answer[0].title == "Going back"


def test_none_and_an_index_without_vectors_are_searched_by_words_without_a_word(
    root: Path, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is wrong; but who names an embedder is told that there is nothing to compare."""
    assert rootleaf.search(QUESTION, root, embedder="none").notices == ()
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "none")
    answer = rootleaf.search(QUESTION, root)
    assert (answer.mode, answer.notices) == ("keyword", ())
    monkeypatch.delenv("ROOTLEAF_EMBEDDER")
    answer = rootleaf.search(QUESTION, plain)
    assert (answer.mode, answer.notices) == ("keyword", ())
    (notice,) = rootleaf.search(QUESTION, plain, embedder="builtin").notices
    assert notice.startswith("Nothing in the index is embedded")


def test_what_is_no_embedder_is_refused_whatever_the_index_holds(
    root: Path, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slip of the pen does not become a search by keyword."""
    for place in (root, plain):
        with pytest.raises(InvalidInputError, match="There is no embedder 'bultin'") as refused:
            rootleaf.search(QUESTION, place, embedder="bultin")
        assert "builtin" in str(refused.value.hint)
        with pytest.raises(InvalidInputError, match="embedder must be an Embedder"):
            rootleaf.search(QUESTION, place, embedder=7)  # type: ignore[arg-type]
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "bultin")
    with pytest.raises(InvalidInputError, match="ROOTLEAF_EMBEDDER is 'bultin'"):
        rootleaf.search(QUESTION, root)


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "?! ..."])
def test_a_question_without_a_word_asks_for_nothing(root: Path, query: str) -> None:
    """It is not embedded: what is nearest to nothing is no answer."""
    embedder = ConceptEmbedder()
    answer = rootleaf.search(query, root, embedder=embedder, empty_gate=0)
    assert (answer.verdict, answer.notices, embedder.queries) == ("no_match", (), [])
    assert rootleaf.search(query, root, embedder=FakeEmbedder()).notices == ()


def test_a_handle_embeds_a_question_once_and_drops_it_with_its_model(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors of questions of one model are never compared with those of another."""
    models = {name: ConceptEmbedder(name=name) for name in ("concepts", "others")}
    # The other basis: what was near is far.
    models["others"].answer_with = lambda text: models["concepts"].vector(f"apple {len(text)}")
    monkeypatch.setattr(choosing, "is_known", lambda _: True)
    monkeypatch.setattr(query_embedder, "is_known", lambda _: True)
    monkeypatch.setattr(query_embedder, "embedder_named", models.get)
    db_path = root / ".rootleaf/index.db"
    with rootleaf.MemoryIndex(db_path) as memory:
        first = [memory.search(QUESTION), memory.search(QUESTION), *memory.search_many([QUESTION])]
        assert [one.mode for one in first] == ["hybrid"] * 3
        assert models["concepts"].queries == [QUESTION]
        rootleaf.index(root, embedder=models["others"], embed=True)
        changed = memory.search(QUESTION)
        assert (changed.mode, models["others"].queries) == ("hybrid", [QUESTION])
        assert changed[0].title == "Kitchen"
        monkeypatch.setenv("ROOTLEAF_EMBEDDER", "concepts")
        assert memory.search(QUESTION).mode == "keyword"
        monkeypatch.delenv("ROOTLEAF_EMBEDDER")
        rootleaf.index(root, embedder=models["concepts"], embed=True)
        assert told(memory.search(QUESTION)) == told(first[0])
        assert models["concepts"].queries == [QUESTION, QUESTION]


def test_vectors_of_questions_that_are_kept_are_bounded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest go."""
    monkeypatch.setattr(query_embedder, "_MOST_KEPT_BYTES", 3 * 7 * 4)
    embedder = ConceptEmbedder()
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=embedder) as memory:

        def ask(queries: Sequence[str]) -> list[str]:
            del embedder.queries[:]
            for query in queries:
                memory.search(query)
            return embedder.queries

        assert ask(["one", "two", "three", "four"]) == ["one", "two", "three", "four"]
        assert ask(["four", "three", "two"]) == []
        assert ask(["one"]) == ["one"]


def test_threads_share_a_handle_and_its_embedder(root: Path) -> None:
    """Every answer is the one that a search gives."""
    queries = ["revert", "apple", "sticker printer", "a deploy", "rollback", "orchard"]
    expected = [told(rootleaf.search(q, root, embedder=ConceptEmbedder())) for q in queries]
    wrong: list[object] = []
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=ConceptEmbedder()) as memory:

        def ask(offset: int) -> None:
            for i in range(30):
                at = (offset + i) % len(queries)
                answer = told(memory.search(queries[at]))
                if answer != expected[at]:
                    wrong.append(answer)

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_of_a_fork_does_not_wait_for_what_hangs_in_its_parent(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks by itself, and gets an answer."""
    monkeypatch.setattr(query_embedder, "DEADLINE_SECONDS", 0.05)
    embedder = ConceptEmbedder()
    goes_on = threading.Event()
    embedder.answer_with = lambda text: goes_on.wait(30) and embedder.vector(text)
    with rootleaf.MemoryIndex(root / ".rootleaf/index.db", embedder=embedder) as memory:
        assert memory.search(QUESTION).mode == "keyword"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
            child = os.fork()
        if child == 0:
            code = 1
            try:
                embedder.answer_with = None
                monkeypatch.setattr(query_embedder, "DEADLINE_SECONDS", 20)
                code = 0 if memory.search(QUESTION).mode == "hybrid" else 2
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        goes_on.set()

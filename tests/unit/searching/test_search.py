"""Verdicts, limits and notices of an answer, and that a search only reads."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import pytest
import rootleaf
from rootleaf.engine.tokens import count_tokens
from rootleaf.errors import InvalidInputError, NotIndexedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conftest import WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

FRUIT: dict[str, str | bytes] = {
    "apple.md": (
        "---\nkind: pome\n---\n# Apple\n\nAn apple a day.\n\n## Storage\n\n"
        "Keep apple and pear cool.\n"
    ),
    "pear.md": "---\nkind: pome\n---\n# Pear\n\nA pear is no apple.\n",
    "plum.md": "---\nkind: stone\nripe: [july, august]\n---\n# Plum\n\nOnly the plum.\n",
}


@pytest.fixture
def fruit(notes: WriteNotes) -> Path:
    """A directory with three documents, indexed."""
    root = notes(FRUIT)
    rootleaf.index(root)
    return root


def names(answer: rootleaf.Answer) -> list[str]:
    """The file names of the hits, in order."""
    return [os.path.basename(hit.file_path) for hit in answer]


def test_a_hit_carries_what_is_needed_to_cite_it(fruit: Path) -> None:
    """Path, URI, title, lines, chunks, date, metadata; and it reads like a mapping."""
    answer = rootleaf.search("plum", fruit)
    (hit,) = answer
    path = os.path.realpath(fruit / "plum.md")
    assert (answer.verdict, answer.mode, answer.query) == ("answered", "keyword", "plum")
    assert (hit.file_path, hit["file_path"]) == (path, path)
    assert hit.source == Path(path).as_uri()
    assert hit.title == "Plum"
    assert hit.context == "# Plum\n\nOnly the plum."
    assert [(span.start_line, span.end_line) for span in hit.spans] == [(5, 7)]
    assert hit.chunk_ids == (0, 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", hit.updated)
    assert hit.metadata == {"kind": "stone", "ripe": ["july", "august"]}
    assert 0 < hit.score == hit.coverage <= 1
    assert hit.bm25 > 0
    assert hit.similarity is None
    assert dict(hit)["title"] == "Plum"
    assert answer.best_coverage == hit.score


def test_chunksets_of_one_document_are_one_hit(fruit: Path) -> None:
    """Documents are counted, not chunksets; both sections of a document are in its cheatsheet."""
    answer = rootleaf.search("apple", fruit)
    assert sorted(names(answer)) == ["apple.md", "pear.md"]
    (apple,) = (hit for hit in answer if hit.title == "Apple")
    assert "An apple a day." in apple.context
    assert "Keep apple and pear cool." in apple.context


def test_no_more_than_top_k_documents_and_the_rest_is_counted(fruit: Path) -> None:
    """`top_k` counts documents; 0 is legal and gives none."""
    both = rootleaf.search("apple", fruit)
    one = rootleaf.search("apple", fruit, top_k=1)
    none = rootleaf.search("apple", fruit, top_k=0)
    assert (len(both), both.omitted.hits) == (2, 0)
    assert (names(one), one.omitted.hits) == (names(both)[:1], 1)
    assert (len(none), none.omitted.hits, none.verdict) == (0, 2, "answered")
    assert not none
    assert none.best_coverage == both.best_coverage


@pytest.mark.parametrize("query", ["zebra", "", " ", "?!", "\ud800", "\x00", "'; --"])
def test_a_query_that_meets_nothing_says_so(fruit: Path, query: str) -> None:
    """Any string is a legal query."""
    answer = rootleaf.search(query, fruit)
    assert (answer.verdict, len(answer), answer.best_coverage) == ("no_match", 0, 0.0)


def test_an_index_without_text_says_so(notes: WriteNotes) -> None:
    """An index of empty files is empty."""
    root = notes({"empty.md": "\n"})
    rootleaf.index(root)
    assert rootleaf.search("x", root).verdict == "empty_index"


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (None, ["apple.md", "pear.md"]),
        ({}, ["apple.md", "pear.md"]),
        ({"kind": "pome"}, ["apple.md", "pear.md"]),
        ({"kind": ["pome", "stone"]}, ["apple.md", "pear.md"]),
    ],
)
def test_a_filter_that_holds_for_a_document_lets_it_in(
    fruit: Path, where: dict[str, str | list[str]] | None, found: list[str]
) -> None:
    """Values of a key are alternatives; an empty filter filters nothing."""
    answer = rootleaf.search("apple", fruit, where=where)
    assert sorted(names(answer)) == found


@pytest.mark.parametrize("where", [{"kind": []}, {"kind": "Pome"}, {"none": "pome"}, {"kind": ""}])
def test_a_filter_that_holds_for_nothing_says_so(
    fruit: Path, where: dict[str, str | list[str]]
) -> None:
    """An empty list matches nothing, and values are compared by case."""
    answer = rootleaf.search("apple", fruit, where=where)
    assert (answer.verdict, len(answer)) == ("filter_matched_nothing", 0)


def test_a_filtered_search_without_a_match_is_told_from_a_filter_without_documents(
    fruit: Path,
) -> None:
    """The filter let a document in, and no word of it met."""
    assert rootleaf.search("apple", fruit, where={"kind": "stone"}).verdict == "no_match"


def test_hits_below_the_least_score_are_left_out_and_not_counted_as_omitted(fruit: Path) -> None:
    """`min_score` is a judgement, not a limit; the verdict says when it left nothing."""
    whole = rootleaf.search("apple", fruit)
    best, last = whole[0].score, whole[1].score
    assert best > last
    some = rootleaf.search("apple", fruit, min_score=best)
    assert (names(some), some.omitted.hits) == (names(whole)[:1], 0)
    none = rootleaf.search("apple zebra zebu", fruit, min_score=1.0)
    assert (none.verdict, len(none), none.omitted.hits) == ("below_min_score", 0, 0)
    assert none.best_coverage > 0


@pytest.mark.parametrize("budget_tokens", [1, 3, 5, 8, 12, 20, 30, 1000])
def test_all_cheatsheets_together_stay_below_the_budget(fruit: Path, budget_tokens: int) -> None:
    """One budget for the answer, and what it left out is said."""
    whole = rootleaf.search("apple", fruit)
    answer = rootleaf.search("apple", fruit, budget_tokens=budget_tokens)
    spent = sum(count_tokens(hit.context) for hit in answer)
    wanted = sum(count_tokens(hit.context) for hit in whole)
    assert spent < budget_tokens
    assert spent + answer.omitted.tokens >= wanted
    assert answer.omitted.hits == len(whole) - len(answer)
    assert answer.verdict == ("answered" if answer else "budget_too_small")
    assert all(hit.context for hit in answer)


@pytest.mark.parametrize("query", ["apple", "pear cool", "plum"])
def test_a_budget_that_shows_nothing_is_told_with_the_smallest_that_shows_something(
    fruit: Path, query: str
) -> None:
    """A verdict of its own, and the least budget, true to the token."""
    answer = rootleaf.search(query, fruit, budget_tokens=1)
    assert (answer.verdict, len(answer)) == ("budget_too_small", 0)
    (notice,) = answer.notices
    least_tokens = int(notice.rpartition(" ")[2])
    assert rootleaf.search(query, fruit, budget_tokens=least_tokens).verdict == "answered"
    for budget_tokens in range(1, least_tokens):
        assert rootleaf.search(query, fruit, budget_tokens=budget_tokens).notices == (
            notice.replace("below 1 ", f"below {budget_tokens} "),
        )


def test_citations_name_file_and_line_of_every_block(fruit: Path) -> None:
    """With `cite` each block starts with a line `path:line`."""
    (hit,) = rootleaf.search("plum", fruit, cite=True)
    assert hit.context.startswith(f"{hit.file_path}:5\n# Plum\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"top_k": -1}, "top_k"),
        ({"top_k": "5"}, "top_k"),
        ({"top_k": True}, "top_k"),
        ({"min_score": 1.5}, "min_score"),
        ({"min_score": float("nan")}, "min_score"),
        ({"min_score": "high"}, "min_score"),
        ({"budget_tokens": 0}, "budget_tokens"),
        ({"where": "kind=pome"}, "where"),
        ({"where": {"version": 1}}, "version"),
    ],
)
def test_wrong_arguments_are_named(fruit: Path, arguments: dict[str, object], named: str) -> None:
    """One error class, which names the argument."""
    with pytest.raises(InvalidInputError, match=named):
        rootleaf.search("apple", fruit, **arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="query"):
        rootleaf.search(None, fruit)  # type: ignore[arg-type]


def test_the_nearest_index_upward_is_asked_and_a_file_stands_for_its_directory(
    fruit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`path` may lie below the root, be a file, or be left out for the current directory."""
    (fruit / "deep" / "er").mkdir(parents=True)
    for path in (fruit / "deep" / "er", fruit / "plum.md", str(fruit)):
        assert len(rootleaf.search("plum", path)) == 1
    monkeypatch.chdir(fruit / "deep")
    assert len(rootleaf.search("plum")) == 1


def test_without_an_index_the_error_holds_the_command_that_makes_one(tmp_path: Path) -> None:
    """Nothing is created either."""
    place = tmp_path / "no index"
    place.mkdir()
    with pytest.raises(NotIndexedError) as caught:
        rootleaf.search("x", place)
    assert str(caught.value.hint).startswith(f"rootleaf index '{os.path.realpath(place)}'")
    with pytest.raises(NotIndexedError, match=r"none\.db"):
        rootleaf.search("x", db_path=place / "none.db")
    assert list(place.iterdir()) == []


def test_a_search_only_reads(fruit: Path) -> None:
    """Names and bytes of everything below the root are the same before and after."""

    def state() -> dict[str, str]:
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            for path in fruit.rglob("*")
            if not path.name.endswith(("-wal", "-shm"))
        }

    before = state()
    rootleaf.search("apple", fruit)
    rootleaf.search("apple", fruit, where={"kind": "pome"}, budget_tokens=10, cite=True)
    assert state() == before


def test_a_file_that_is_gone_is_answered_from_the_index_and_named(fruit: Path) -> None:
    """The text is what was indexed; the answer says that its file is no longer there."""
    (fruit / "plum.md").unlink()
    answer = rootleaf.search("plum", fruit)
    assert names(answer) == ["plum.md"]
    assert any("plum.md is gone" in notice for notice in answer.notices)
    assert rootleaf.search("pear", fruit).notices == ()


def test_documents_of_rules_that_have_changed_are_counted_with_the_command(fruit: Path) -> None:
    """An unfiltered search says how many are stale, and what renews them."""
    assert rootleaf.search("plum", fruit).stale_files == 0
    rules = '{"rules": [{"glob": "*.md", "metadata": {"origin": "orchard"}}]}'
    (fruit / ".rootleaf-metadata.json").write_text(rules)
    answer = rootleaf.search("plum", fruit)
    assert answer.stale_files == len(FRUIT)
    (notice,) = answer.notices
    assert f"rootleaf index {os.path.realpath(fruit)} --db " in notice
    rootleaf.index(fruit)
    renewed = rootleaf.search("plum", fruit)
    assert (renewed.stale_files, renewed.notices) == (0, ())
    assert renewed[0].metadata["origin"] == "orchard"


def test_an_answer_in_json_has_the_names_of_its_fields(fruit: Path) -> None:
    """One object with the fields of the answer, and in it the hits with theirs."""
    answer = rootleaf.search("plum", fruit)
    plain = answer.to_json()
    assert set(plain) == set(answer._fields)
    assert set(plain["hits"][0]) == set(answer[0]._fields)
    assert plain["hits"][0]["spans"] == [{"start_line": 5, "end_line": 7}]


def test_what_rules_say_of_a_path_is_metadata_and_no_text(fruit: Path) -> None:
    """Front-matter values are searchable; those of rules only filter."""
    rules = '{"rules": [{"glob": "*.md", "metadata": {"origin": "orchard"}}]}'
    (fruit / ".rootleaf-metadata.json").write_text(rules)
    rootleaf.index(fruit)
    assert rootleaf.search("orchard", fruit).verdict == "no_match"
    assert names(rootleaf.search("stone", fruit)) == ["plum.md"]
    assert len(rootleaf.search("apple", fruit, where={"origin": "orchard"})) == 2


def test_a_readme_is_found_by_the_name_of_its_directory(notes: WriteNotes) -> None:
    """What `README.md` is about, the directory says; but not the name of the root."""
    root = notes(
        {
            "3983-drop-in/README.md": "# Configuration\n\nText.\n",
            "4000-other/README.md": "# Configuration\n\nText.\n",
            "README.md": "# All\n\nText.\n",
        }
    )
    rootleaf.index(root)
    (hit,) = rootleaf.search("KEP-3983", root)
    assert hit.file_path.endswith("3983-drop-in/README.md")
    assert rootleaf.search("notes", root).verdict == "no_match"


def test_a_run_that_did_not_end_is_told_with_the_command_that_goes_on(notes: WriteNotes) -> None:
    """An answer from half an index says that it is one."""
    root = notes({f"{number:04}.md": "# N\n\napple\n" for number in range(400)})

    def interrupt(done: int, _total: int, _path: str) -> None:
        if done == 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rootleaf.index(root, on_progress=interrupt)
    notices = rootleaf.search("apple", root).notices
    assert any("not indexed yet" in notice and "rootleaf index " in notice for notice in notices)
    rootleaf.index(root)
    assert rootleaf.search("apple", root).notices == ()


@pytest.mark.parametrize("name", ["path", "db_path"])
@pytest.mark.parametrize("value", [1, True, b"notes", ["notes"], "", "a\0b"])
def test_a_path_that_is_none_is_named(name: str, value: object) -> None:
    """No TypeError of the standard library comes through, and "" is not the current directory."""
    for function in (lambda **given: rootleaf.search("x", **given), rootleaf.status):
        with pytest.raises(InvalidInputError, match=f"^{name} "):
            function(**{name: value})  # type: ignore[arg-type]


def test_a_hit_reads_like_a_mapping(notes: WriteNotes) -> None:
    """Iteration, membership and `get` go by the names of the fields."""
    root = notes({"a.md": "# A\n\napple\n"})
    rootleaf.index(root)
    hit = rootleaf.search("apple", root)[0]
    assert list(hit) == list(hit.keys()) == list(dict(hit))
    assert len(hit) == len(hit.keys())
    assert "score" in hit
    assert "rank" not in hit
    assert hit.get("score") == hit["score"] == hit.score
    assert hit.get("rank") is None
    assert hit.get("rank", 3) == 3


def test_a_directory_that_is_absent_is_not_recommended_for_indexing(tmp_path: Path) -> None:
    """The command that an error prints must work."""
    with pytest.raises(NotIndexedError, match="There is no directory") as caught:
        rootleaf.search("x", tmp_path / "none")
    assert "rootleaf index" not in (caught.value.hint or "")

"""More asked for than there is, the order of equals, and a set of documents of the caller's own."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rootleaf
from pyroaring import BitMap
from rootleaf.errors import InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

TINY: dict[str, dict[str, str | bytes]] = {
    "one document": {"a.md": "# Apple\n\napple\n"},
    "one line": {"a.md": "apple"},
    "two, one without a match": {"a.md": "apple\n", "b.md": "pear\n"},
    "three": {f"{name}.md": f"# {name}\n\napple {name}\n" for name in "abc"},
}


@pytest.mark.parametrize("files", TINY.values(), ids=TINY.keys())
@pytest.mark.parametrize("top_k", [0, 1, 10, 100_000, 2**40])
def test_asking_for_more_than_there_is_gives_what_there_is(
    notes: WriteNotes, files: dict[str, str | bytes], top_k: int
) -> None:
    """Never an error, never a hit twice, and what is left out is counted."""
    root = notes(files)
    rootleaf.index(root)
    answer = rootleaf.search("apple", root, top_k=top_k)
    matching = sum(b"apple" in Path(root, name).read_bytes() for name in files)
    assert len(answer) == min(top_k, matching)
    assert len({hit.file_path for hit in answer}) == len(answer)
    assert answer.omitted.hits == matching - len(answer)
    assert answer.verdict == "answered"


@pytest.mark.parametrize("top_k", [0, 1, 10, 100_000])
def test_an_index_without_words_answers_and_says_why_not(notes: WriteNotes, top_k: int) -> None:
    """Lines that hold no word are text that nothing matches."""
    root = notes({"a.md": "# \n\n!!! ---\n"})
    rootleaf.index(root)
    answer = rootleaf.search("apple", root, top_k=top_k)
    assert (list(answer), answer.verdict) == ([], "no_match")
    assert answer.best_coverage == 0.0


@pytest.mark.parametrize("files", [{"empty.md": ""}, {"empty.md": "", "blank.md": "\n\n"}])
@pytest.mark.parametrize("top_k", [0, 1, 10, 100_000])
def test_an_index_without_text_answers_that_it_is_empty(
    notes: WriteNotes, files: dict[str, str | bytes], top_k: int
) -> None:
    """Whatever is asked for: no hits, and the verdict says why."""
    root = notes(files)
    rootleaf.index(root)
    answer = rootleaf.search("apple", root, top_k=top_k)
    assert (list(answer), answer.verdict) == ([], "empty_index")


def test_fewer_than_no_hits_are_refused(notes: WriteNotes, cli: Cli) -> None:
    """A negative number is named, in both surfaces, and no answer is made up."""
    root = notes({"a.md": "apple\n"})
    rootleaf.index(root)
    with pytest.raises(InvalidInputError, match=r"top_k must be 0 or more, not -1"):
        rootleaf.search("apple", root, top_k=-1)
    run = cli("search", "apple", "--top", "-1", cwd=root)
    assert run.returncode == 2
    assert "-1" in run.stderr


def test_equals_come_in_one_order_in_every_process(notes: WriteNotes) -> None:
    """Fifty files of one text: same order, same scores, by path, also with the snapshot gone."""
    # Written backwards, so that ids and directory order speak against the order of paths.
    files: dict[str, str | bytes] = {
        f"{number % 7}/note{number:02}.md": "# Ranked alike\n\nThe same apple everywhere.\n"
        for number in reversed(range(50))
    }
    root = notes(files)
    for name in sorted(files, reverse=True):
        rootleaf.index_file(root / name, root)
    program = (
        "import json, rootleaf, sys\n"
        "answer = rootleaf.search('apple', sys.argv[1], top_k=50).to_json()\n"
        "del answer['took_ms']\n"
        "print(json.dumps(answer))\n"
    )

    def ask(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program, str(root)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        )
        return done.stdout

    first = ask("0")
    hits = json.loads(first)["hits"]
    paths = [hit["file_path"] for hit in hits]
    assert len(paths) == 50
    assert paths == sorted(paths)
    assert len({hit["score"] for hit in hits}) == 1
    assert ask("1") == first
    (root / ".rootleaf" / "index.snapshot").unlink()
    assert ask("2") == first
    rootleaf.index(root)
    assert ask("3") == first
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: rootleaf.search("apple", root, top_k=50), range(32)))
    assert {tuple(hit.file_path for hit in answer) for answer in answers} == {tuple(paths)}
    assert {hit.score for answer in answers for hit in answer} == {hits[0]["score"]}
    for top_k in (1, 7, 49):
        some = rootleaf.search("apple", root, top_k=top_k)
        assert [hit.file_path for hit in some] == paths[:top_k]


@pytest.fixture
def fruit(notes: WriteNotes) -> Path:
    """Four documents, three of which say apple."""
    root = notes(
        {
            "a.md": "---\nkind: x\n---\n# A\n\napple and pear\n",
            "b.md": "---\nkind: x\n---\n# B\n\napple apple\n",
            "c.md": "---\nkind: y\n---\n# C\n\nan apple\n",
            "d.md": "---\nkind: y\n---\n# D\n\nplum\n",
        }
    )
    rootleaf.index(root)
    return root


def test_an_allowed_set_is_a_corpus(fruit: Path, tmp_path: Path) -> None:
    """Hits, order and scores are those of an index that holds the allowed documents only."""
    ids = {hit.file_path[-4:]: hit.document_id for hit in rootleaf.search("apple", fruit)}
    alone = tmp_path / "alone"
    alone.mkdir()
    for name in ("a.md", "c.md"):
        (alone / name).write_bytes((fruit / name).read_bytes())
    rootleaf.index(alone)
    wanted = [ids["a.md"], ids["c.md"], 10**12]
    expected = [(hit.file_path[-4:], hit.score) for hit in rootleaf.search("apple", alone)]
    for allowed in (wanted, set(wanted), iter(wanted), BitMap(wanted[:2])):
        answer = rootleaf.search("apple", fruit, allowed=allowed)
        assert [(hit.file_path[-4:], hit.score) for hit in answer] == expected


def test_an_allowed_set_and_a_filter_leave_what_both_do(fruit: Path) -> None:
    """And where they leave nothing, the verdict says so."""
    ids = {hit.file_path[-4:]: hit.document_id for hit in rootleaf.search("apple", fruit)}
    both = rootleaf.search("apple", fruit, where={"kind": "x"}, allowed=[ids["b.md"], ids["c.md"]])
    assert [hit.document_id for hit in both] == [ids["b.md"]]
    neither = rootleaf.search("apple", fruit, where={"kind": "x"}, allowed=[ids["c.md"]])
    assert neither.verdict == "filter_matched_nothing"
    assert rootleaf.search("apple", fruit, allowed=[]).verdict == "filter_matched_nothing"


@pytest.mark.parametrize("allowed", [5, "12", [1.5], [-1], [True]])
def test_an_allowed_set_of_anything_but_ids_is_refused(fruit: Path, allowed: object) -> None:
    """The message names the argument."""
    with pytest.raises(InvalidInputError, match="allowed"):
        rootleaf.search("apple", fruit, allowed=allowed)  # type: ignore[arg-type]


def test_a_hit_carries_every_part_of_its_score(fruit: Path, cli: Cli) -> None:
    """By name, as an open list; `--explain` prints them all."""
    hit = rootleaf.search("apple", fruit, explain=True)[0]
    assert set(hit.parts) == {"bm25", "coverage", "rank_keyword"}
    assert hit.parts["rank_keyword"] == 1
    assert "rank_keyword" not in rootleaf.search("apple", fruit)[0].parts
    assert hit.parts["coverage"] == hit.coverage == hit.score
    assert hit.parts["bm25"] == hit.bm25
    explained = cli("search", "apple", "--explain", "--top", "1", cwd=fruit).stdout
    for part in (f"bm25 {hit.bm25:.4f}", f"coverage {hit.coverage:.4f}", "rank keyword 1;"):
        assert part in explained

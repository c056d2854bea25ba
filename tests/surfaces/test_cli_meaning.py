"""What `rootleaf search` says of meaning: gate, fusion, embedder, and what went wrong."""

from __future__ import annotations

import json
import shlex

import pytest
import rootleaf
from concept_embedders import ConceptEmbedder
from rootleaf.embed.builtin import BuiltinEmbedder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes

FILES: dict[str, str | bytes] = {
    "back.md": "# Going back\n\nAfter a failed deploy, press rollback.\n",
    "ship.md": "# Shipping\n\nEvery release goes to staging first.\n",
    "codes.md": "# Codes\n\nERR_4711 says that the disk is full.\n",
}
WEAK = "trombone release permit"
UNRELATED = "brass trombone orchard permit"


@pytest.fixture
def root(notes: WriteNotes) -> Path:
    """Three notes with the vectors of the built-in embedder."""
    root = notes(FILES)
    rootleaf.index(root, embedder=BuiltinEmbedder())
    return root


def test_a_closed_gate_says_how_far_it_was_and_how_to_ask_again(root: Path, cli: Cli) -> None:
    """On standard error, with exit code 0; what it prints to do does it."""
    done = cli("search", WEAK, "--empty-gate", "2.5", cwd=root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(
        "Nothing is close enough to the query: 3 documents measure up to "
    )
    assert done.stderr.endswith("the gate is at 2.5. --empty-gate 0 shows what is nearest.\n")
    again = cli("search", WEAK, "--empty-gate", "0", cwd=root)
    assert (again.stdout.count("--- "), again.stderr) == (3, "")


def test_a_gate_before_nothing_at_all_names_no_way_to_ask_again(
    notes: WriteNotes, cli: Cli
) -> None:
    """There is nothing that another threshold would show."""
    root = notes({"a.md": "# Going back\n\nrollback of a failed deploy\n"})
    rootleaf.index(root, embedder=BuiltinEmbedder())
    query = next(
        word
        for word in ("brass", "tuba", "orchard", "zebra", "violin", "soup", "pollen", "opera")
        if rootleaf.search(word, root, empty_gate=0).best_similarity == 0.0
    )
    done = cli("search", query, cwd=root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        "Nothing is close enough to the query: no document shares a word with it or is similar at "
        "all.\n"
    )


def test_a_question_that_has_nothing_to_do_with_anything_is_not_answered(
    root: Path, cli: Cli
) -> None:
    """By the gate that the model states, without an option."""
    done = cli("search", UNRELATED, cwd=root)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("Nothing is close enough to the query: ")


def test_a_measure_just_below_the_gate_is_not_shown_as_at_it(root: Path, cli: Cli) -> None:
    """Nothing is rounded up to a threshold that was not reached."""
    measure = rootleaf.search(WEAK, root).gate_measure
    assert measure is not None
    gate = round(measure + 0.004, 2) + 0.01
    done = cli("search", WEAK, "--empty-gate", f"{gate:.2f}", cwd=root)
    shown = float(done.stderr.split("up to ")[1].split(",")[0])
    assert shown <= measure < gate


def test_json_carries_the_verdict_and_the_numbers(root: Path, cli: Cli) -> None:
    """By the names of `Answer`."""
    closed = json.loads(cli("search", WEAK, "--json", "--empty-gate", "2.5", cwd=root).stdout)
    assert (closed["verdict"], closed["mode"], closed["gate"]) == ("gate_closed", "hybrid", 2.5)
    assert 0 < closed["gate_measure"] < 2.5
    assert closed["omitted"]["hits"] == 3
    found = json.loads(cli("search", f"{UNRELATED} ERR_4711", "--json", cwd=root).stdout)
    assert (found["verdict"], found["has_rare_identifier"]) == ("answered", True)
    hit = found["hits"][0]
    assert hit["similarity"] == hit["parts"]["similarity"]


def test_explain_shows_what_each_score_is_made_of(root: Path, cli: Cli) -> None:
    """Measures first, then ranks; at the end the best of all, the gate, and who was it."""
    done = cli("search", "rollback", "--explain", cwd=root)
    assert "= coverage 0." in done.stdout
    assert "; similarity 0." in done.stdout
    assert "; rank keyword 1; rank vector 1" in done.stdout
    assert "mode hybrid; best coverage 0." in done.stdout
    assert "; gate measure " in done.stdout
    off = cli("search", "rollback", "--explain", "--empty-gate", "0", cwd=root)
    assert ", gate off; " in off.stdout


def test_words_alone_and_reciprocal_ranks_can_be_asked_for(root: Path, cli: Cli) -> None:
    """Scores of ranks have four places, since they are small."""
    done = cli("search", "rollback", "--embedder", "none", "--json", cwd=root)
    assert json.loads(done.stdout)["mode"] == "keyword"
    done = cli("search", "rollback", "--fusion", "rrf", cwd=root)
    assert "score 0.03" in done.stdout.splitlines()[0]
    assert len(done.stdout.splitlines()[0].rpartition("score ")[2]) == len("0.0328")
    low = cli("search", "rollback", "--fusion", "rrf", "--min-score", "0.5", cwd=root)
    assert "nothing scores 0.5 or more; the best is 0.03" in low.stderr


def test_what_cost_an_answer_its_meaning_is_said_with_the_command_that_brings_it_back(
    root: Path, cli: Cli
) -> None:
    """A warning on standard error, the answer by words on standard output; the command works."""
    rootleaf.index(root, embedder=ConceptEmbedder(), embed=True)
    done = cli("search", "rollback", cwd=root)
    assert done.stdout.startswith("--- back.md:")
    assert "no embedder 'concepts' here: searched by keyword alone" in done.stderr
    name, *arguments = shlex.split(done.stderr.split("`")[1])
    assert name == "rootleaf"
    assert cli(*arguments).returncode == 0
    again = cli("search", "rollback", "--json", cwd=root)
    assert (json.loads(again.stdout)["mode"], again.stderr) == ("hybrid", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--empty-gate", "-1"], "-1 is not a number of 0 or more"),
        (["--empty-gate", "low"], "'low' is not a number"),
        (["--fusion", "sum"], "'sum'"),
        (["--embedder", "bultin"], "There is no embedder 'bultin'"),
    ],
)
def test_a_value_that_cannot_be_is_named(
    root: Path, cli: Cli, options: list[str], said: str
) -> None:
    """With what would be right, and without a traceback."""
    done = cli("search", "rollback", *options, cwd=root)
    assert done.returncode in {1, 2}
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    if options[0] == "--embedder":
        assert "builtin" in done.stderr

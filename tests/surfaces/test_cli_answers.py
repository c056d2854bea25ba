"""From files to printed answers: what people and agents ask of the command line."""

from __future__ import annotations

import json
import re

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

GATEWAYS = (
    "# Gateways\n\nThe gate-keeper reads src/net/retry_policy.py, then calls fetchUserTokens() at "
    "v2.0-rc.1 (don't retry). Owner: ops@example.test, a,b = 3, see #runbook [draft].\n"
)
QUERIES = (
    "gate-keeper",
    "src/net/retry_policy.py",
    "fetchUserTokens()",
    "v2.0-rc.1",
    "don't",
    "ops@example.test",
    "a,b",
    "#runbook",
    "[draft]",
    "owner:ops",
    "^gate",
    '"gate keeper',
    "-retry",
    "NOT retry",
    "NEAR(gate, 3)",
)
OTHER_QUERIES = (
    "'; DROP TABLE chunks; --",
    "100%_",
    "*",
    '"',
    "\\",
    "a AND (",
    "%s",
    "{x}",
)


def shown(done: subprocess.CompletedProcess[str]) -> str:
    """Standard output of a call that went well."""
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def headers(printed: str) -> list[str]:
    """The file and lines of each printed hit."""
    return re.findall(r"^--- (\S+)  (?:.+  )?score \d\.\d\d$", printed, re.MULTILINE)


def test_a_query_is_text_and_finds_the_words_that_stand_in_the_file(
    cli: Cli, notes: WriteNotes
) -> None:
    """No character is syntax: not quotes, colons, minus, NOT or NEAR."""
    root = notes({"gw.md": GATEWAYS, "other.md": "# Other\n\nNothing of the kind.\n"})
    shown(cli("index", str(root)))
    for query in QUERIES:
        printed = shown(cli("search", "--path", str(root), "--top", "1", "--", query))
        assert headers(printed) == ["notes/gw.md:1-3"], query
        assert printed.endswith(GATEWAYS)


def test_a_query_of_any_characters_is_answered_or_said_to_match_nothing(
    cli: Cli, notes: WriteNotes
) -> None:
    """Nothing that a query holds is an error."""
    root = notes({"gw.md": GATEWAYS})
    shown(cli("index", str(root)))
    for query in OTHER_QUERIES:
        done = cli("search", "--path", str(root), "--", query)
        assert done.returncode == 0
        assert bool(done.stdout) != bool(done.stderr)


@pytest.mark.parametrize("front_matter", ["---\nkind: runbook\n---\n", ""])
def test_a_byte_order_mark_hides_nothing_and_shifts_no_line(
    cli: Cli, notes: WriteNotes, front_matter: str
) -> None:
    """Front matter is read behind the mark, and the mark appears nowhere."""
    text = f"{front_matter}# Restart\n\nDrain the persimmon queue first.\n"
    root = notes({"r.md": b"\xef\xbb\xbf" + text.encode()})
    shown(cli("index", str(root)))
    where = ["--where", "kind=runbook"] if front_matter else []
    answer = json.loads(shown(cli("search", "persimmon", "--path", str(root), "--json", *where)))
    (hit,) = answer["hits"]
    assert hit["title"] == "Restart"
    assert hit["context"] == "# Restart\n\nDrain the persimmon queue first."
    first_line = 4 if front_matter else 1
    assert hit["spans"] == [{"start_line": first_line, "end_line": first_line + 2}]
    assert "\ufeff" not in json.dumps(answer, ensure_ascii=False)


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_a_file_in_another_encoding_is_named_and_the_run_goes_on(
    cli_process: Cli, notes: WriteNotes, locale: str
) -> None:
    """Exit code 3 tells it from success and failure; the result is the same in every locale."""
    root = notes(
        {
            "a.md": "# A\n\nThe first note.\n",
            "b.md": b"# Caf\xe9\n\nThe caf\xe9 printer jams on tray two.\n",
            "c.md": "# C\n\nThe last note: na\u00efve.\n",
        }
    )
    environment = {"LC_ALL": locale}
    done = cli_process("index", str(root), env=environment)
    assert done.returncode == 3
    assert "b.md is no UTF-8 at byte 5" in done.stderr
    assert "3 files indexed" in done.stdout
    printed = shown(cli_process("search", "printer jams", "--path", str(root), env=environment))
    assert "# Caf\u00e9\n\nThe caf\u00e9 printer jams on tray two.\n" in printed
    for query in ("first", "na\u00efve"):
        assert (
            len(headers(shown(cli_process("search", query, "--path", str(root), env=environment))))
            == 1
        )


def test_a_row_of_a_long_table_is_shown_under_its_header(cli: Cli, notes: WriteNotes) -> None:
    """Heading, header, delimiter, the row that matches; its line number is that of the file."""
    rows = [f"| svc{number} | {number} | team{number} |" for number in range(1, 201)]
    rows[156] = "| svc157 | 42 | papaya |"
    table = ["| service | limit | owner |", "|---|---|---|", *rows]
    root = notes({"limits.md": "\n".join(["# Limits", "", *table, ""])})
    shown(cli("index", str(root)))
    printed = shown(cli("search", "papaya", "--path", str(root)))
    assert printed.splitlines()[1:] == [
        "# Limits",
        "",
        "| service | limit | owner |",
        "|---|---|---|",
        "[...]",
        "| svc157 | 42 | papaya |",
    ]
    assert headers(printed) == ["notes/limits.md:1-4,161"]


def test_front_matter_values_are_filtered_as_they_are_written(cli: Cli, notes: WriteNotes) -> None:
    """`1.0` is not `1`; dates, booleans, numbers and nothing stay strings."""
    root = notes(
        {
            "day.md": "---\ntitle: 2026-05-26\nversion: 1.0\ndraft: yes\nport: 0080\nratio: 1e3\n"
            "empty:\n---\n# Day\n\nmelon\n"
        }
    )
    shown(cli("index", str(root)))

    def found(pair: str) -> bool:
        return bool(shown(cli("search", "melon", "--path", str(root), "--where", pair)))

    written = ["title=2026-05-26", "version=1.0", "draft=yes", "port=0080", "ratio=1e3", "empty="]
    assert all(found(pair) for pair in written)
    assert not any(found(pair) for pair in ["version=1", "draft=true", "port=80", "ratio=1000.0"])


def test_sections_of_one_name_are_all_found_each_with_its_own_line(
    cli: Cli, notes: WriteNotes
) -> None:
    """Equal headings neither replace nor merge each other; chunk ids do not repeat."""
    text = (
        "# App\n\n## Setup\n\napricot\n\n## Setup\n\nbilberry\n\n## *Setup*\n\ncloudberry\n\n"
        "# Tool\n\n## setup\n\ndamson\n"
    )
    root = notes({"app.md": text})
    shown(cli("index", str(root)))
    leaves = set()
    for word in ("apricot", "bilberry", "cloudberry", "damson"):
        answer = json.loads(shown(cli("search", word, "--path", str(root), "--json")))
        (hit,) = answer["hits"]
        line = text[: text.index(word)].count("\n") + 1
        assert hit["spans"][-1]["end_line"] == line
        assert word in hit["context"]
        leaves.add(hit["chunk_ids"][-1])
    assert len(leaves) == 4


def test_a_skipped_level_makes_no_brother_a_parent(cli: Cli, notes: WriteNotes) -> None:
    """A section stands under its own heading and the catalog's, not under its neighbour's."""
    root = notes(
        {"c.md": "# Catalog\n\n### alpha\n\naa fig\n\n### beta\n\nbb plum\n\n## gamma\n\ncc\n"}
    )
    shown(cli("index", str(root)))
    printed = shown(cli("search", "plum", "--path", str(root)))
    assert printed.splitlines()[1:] == ["# Catalog", "[...]", "### beta", "", "bb plum"]


def test_without_an_index_exit_code_1_and_the_command_that_makes_one(
    cli: Cli, tmp_path: Path
) -> None:
    """Both commands that read say it the same way, and make nothing."""
    for command in (["search", "x"], ["status"]):
        done = cli(*command)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"try: rootleaf index {tmp_path.resolve()}" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["zebra"], "shares a word"),
        (["?!"], "holds no word"),
        (["apple", "--where", "kind=none"], "--where"),
        (["apple", "--min-score", "1"], "the best is 0."),
        (["apple", "--top", "0"], "--top 0"),
        (["apple", "--budget", "2"], "the smallest budget that shows something is 11"),
    ],
)
def test_no_result_is_exit_code_0_and_a_sentence_on_stderr(
    cli: Cli, notes: WriteNotes, arguments: list[str], why: str
) -> None:
    """An empty answer is no failure, and never silent."""
    root = notes({"a.md": "# Apple\n\nAn apple a day, and a pear.\n", "b.md": "# B\n\nbee\n"})
    shown(cli("index", str(root)))
    done = cli("search", "--path", str(root), *arguments)
    assert (done.returncode, done.stdout) == (0, "")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_json_carries_the_verdict_and_nothing_else_is_printed(cli: Cli, notes: WriteNotes) -> None:
    """One JSON object on standard output for a hit, for no hit, and for an error."""
    root = notes({"a.md": "# Apple\n\nAn apple a day.\n"})
    report = json.loads(shown(cli("index", str(root), "--json")))
    assert (report["files_indexed"], report["skipped"]) == (1, [])
    for query, verdict in (("apple", "answered"), ("zebra", "no_match")):
        done = cli("search", query, "--path", str(root), "--json")
        assert json.loads(shown(done))["verdict"] == verdict
        assert done.stderr == ""
    state = json.loads(shown(cli("status", str(root), "--json")))
    assert (state["files"], state["embedder"]) == (1, "none")
    failed = cli("search", "x", "--db", "none.db", "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["error"]["code"] == "index.missing"


def test_explain_shows_what_a_score_is_made_of(cli: Cli, notes: WriteNotes) -> None:
    """Coverage, BM25, chunks and date of each hit, and the state of the answer."""
    root = notes({"a.md": "# Apple\n\nAn apple a day.\n"})
    shown(cli("index", str(root)))
    printed = shown(cli("search", "apple", "--path", str(root), "--explain"))
    measures = r"score 0\.\d{4} = coverage 0\.\d{4}; bm25 \d+\.\d{4}; rank keyword 1; chunks 0, 1; "
    assert re.search(measures, printed)
    assert "verdict answered; mode keyword; best coverage 0." in printed


def test_words_without_quotes_are_one_query(cli: Cli, notes: WriteNotes) -> None:
    """`search roll back` asks what `search "roll back"` asks."""
    root = notes({"a.md": "# A\n\nroll it back\n", "b.md": "# B\n\nroll on\n"})
    shown(cli("index", str(root)))
    apart = shown(cli("search", "roll", "back", "--path", str(root)))
    assert apart == shown(cli("search", "roll back", "--path", str(root)))


def test_a_path_is_printed_as_it_would_be_typed(cli: Cli, notes: WriteNotes) -> None:
    """Below the working directory relative, elsewhere absolute."""
    root = notes({"a.md": "# A\n\napple\n", "sub/b.md": "# B\n"})
    shown(cli("index", str(root)))
    assert headers(shown(cli("search", "apple", cwd=root))) == ["a.md:1-3"]
    elsewhere = shown(cli("search", "apple", cwd=root / "sub"))
    assert headers(elsewhere) == [f"{root.resolve()}/a.md:1-3"]


def test_a_cited_path_is_that_of_the_header(cli: Cli, notes: WriteNotes) -> None:
    """`--cite` shows the path as it would be typed, as the line above the hit does."""
    root = notes({"a.md": "# A\n\napple\n", "sub/b.md": "# B\n"})
    shown(cli("index", str(root)))
    assert shown(cli("search", "apple", "--cite", cwd=root)).splitlines()[1] == "a.md:1"
    elsewhere = shown(cli("search", "apple", "--cite", cwd=root / "sub"))
    assert elsewhere.splitlines()[1] == f"{root.resolve()}/a.md:1"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Fee market\n---\n## Abstract\n\nguava\n", "Fee market"),
        ("---\ntitle: Fee market\n---\nguava\n", "Fee market"),
        ("---\ntitle: Fee market\n---\n# Fee market\n\nguava\n", None),
        ("# Fee *market*\n\nguava\n", None),
        ("Fee\nmarket\n======\n\nguava\n", None),
        ("## Before\n\nguava\n\n# Fee market\n", "Fee market"),
        ("guava\n", None),
        (f"---\ntitle: {'long ' * 40}\n---\nguava\n", f"{'long ' * 20}[...]"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--cite"]])
def test_the_header_says_what_the_document_is_unless_the_cheatsheet_does(
    cli: Cli, notes: WriteNotes, text: str, title: str | None, options: list[str]
) -> None:
    """A title that stands in front matter only is shown beside the path; no heading comes twice."""
    root = notes({"a.md": text})
    shown(cli("index", str(root)))
    printed = shown(cli("search", "guava", "--path", str(root), *options))
    (said,) = re.findall(r"^--- notes/a\.md:\S+  (?:(.+)  )?score ", printed)
    assert said == (title or "")


def test_the_tree_of_a_file_is_shown_with_its_lines(cli: Cli, notes: WriteNotes) -> None:
    """Kinds, lines and depth of each chunk, from a file and from standard input alike."""
    text = "# Garden\n\nWater the beds.\n\n- soil\n  - clay\n"
    root = notes({"g.md": text})
    printed = shown(cli("chunk", str(root / "g.md")))
    assert printed == shown(cli("chunk", "-", stdin=text)) == shown(cli("chunk", stdin=text))
    assert printed.splitlines()[0].endswith(" chunksets  Garden")
    assert printed.splitlines()[1:] == [
        "1  heading  # Garden",
        "3    paragraph  Water the beds.",
        "5    list_item  - soil",
        "6      list_item  - clay",
    ]
    document = json.loads(shown(cli("chunk", str(root / "g.md"), "--json")))
    assert [chunk["text"] for chunk in document["chunks"]][:2] == ["# Garden", "Water the beds."]


@pytest.mark.parametrize("name", ["none.md", "."])
def test_a_file_that_cannot_be_read_is_named_with_the_systems_reason(cli: Cli, name: str) -> None:
    """Exit code 1, one line, no traceback."""
    done = cli("chunk", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"rootleaf: {re.escape(name)}: \w.+\n", done.stderr)


def test_front_matter_that_is_not_understood_ends_a_run_with_a_warning(
    cli: Cli, notes: WriteNotes
) -> None:
    """Exit code 3 and the file by name: its metadata is missing though its text is found."""
    root = notes({"a.md": "# A\n", "b.md": "---\nkind: >\n  folded\n---\n# Title\n\nlychee\n"})
    done = cli("index", str(root))
    assert done.returncode == 3
    assert "b.md, line 2" in done.stderr
    assert cli("index", str(root)).returncode == 0


def test_status_names_what_needs_a_look(cli: Cli, notes: WriteNotes) -> None:
    """Front matter that is not understood, by file and line; counts; the root and its selection."""
    root = notes({"a.md": "# A\n", "b.md": "---\nkind: note\n# Title\n\nlychee\n"})
    cli("index", str(root))
    printed = shown(cli("status", str(root)))
    assert re.search(r"^  files +2$", printed, re.MULTILINE)
    assert "notes: all markdown, 2 files" in printed
    assert re.search(r"front matter not understood \(1\)\n  notes/b\.md: line 1: ", printed)


def test_quiet_says_only_what_went_wrong(cli: Cli, notes: WriteNotes) -> None:
    """A good run is silent; a file that needs a look is still named."""
    root = notes({"a.md": "# A\n"})
    done = cli("index", str(root), "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (root / "b.md").write_bytes(b"caf\xe9\n")
    done = cli("index", str(root), "--quiet")
    assert (done.returncode, done.stdout) == (3, "")
    assert "b.md" in done.stderr


def test_rules_that_are_not_understood_are_refused_with_exit_code_4(
    cli: Cli, notes: WriteNotes
) -> None:
    """Nothing of a root is indexed on half-understood rules."""
    root = notes({"a.md": "# A\n", ".rootleaf-metadata.json": '{"rules": [{"glob": "../x"}]}'})
    done = cli("index", str(root))
    assert done.returncode == 4
    assert ".rootleaf-metadata.json" in done.stderr
    assert not (root / ".rootleaf").exists()

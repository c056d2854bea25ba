"""`rootleaf eval`: what it prints, its pictures, its exit codes."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import rootleaf
from rootleaf.surfaces.cli.console import Console
from rootleaf.surfaces.cli.gate_histogram import Bins, histogram
from rootleaf.surfaces.cli.gate_svg import picture

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

FILES: dict[str, str | bytes] = {
    "undo.md": "# Deploy\n\n## Undo\n\nPress the red lever.\n",
    "queue.md": "# Queue\n\nThe queue holds forty jobs, red ones first.\n",
}
QUESTIONS: list[dict[str, Any]] = [
    {"query": "red lever", "relevant": ["undo.md#deploy/undo"]},
    {"query": "red jobs", "relevant": {"undo.md": 1}},
    {"query": "opera tickets"},
]


@pytest.fixture
def asked(notes: WriteNotes) -> Path:
    """A directory with an index, and questions beside it."""
    root = notes(FILES)
    rootleaf.index(root)
    write(root.parent / "q.jsonl", QUESTIONS)
    return root


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes questions, one a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_it_prints_misses_figures_and_the_gate(cli: Cli, asked: Path) -> None:
    """Each miss with what was expected, where it came, and what came first instead."""
    done = cli("eval", "q.jsonl", "--path", str(asked), "--budget", "100")
    assert (done.returncode, done.stderr) == (0, "")
    assert "notes/.rootleaf/index.db: 3 questions, 2 with an answer and 1 without" in done.stdout
    assert (
        "1 of 2 not answered as expected\n"
        "  line 2: red jobs\n"
        "    expected undo.md: rank 2\n"
        "    first is queue.md:1-3, score "
    ) in done.stdout
    assert "  recall@5      1.000  [1.000, 1.000]\n" in done.stdout
    assert "  MRR           0.750  [" in done.stdout
    assert "  evidence@100  1.000  [" in done.stdout
    assert "the gate, by coverage: off\n" in done.stdout
    assert "suggested" not in done.stdout


def test_json_is_one_object_with_the_fields_of_the_evaluation(cli: Cli, asked: Path) -> None:
    """As Python has them, and the same from standard input."""
    content = (asked.parent / "q.jsonl").read_text()
    done = cli("eval", "-", "--path", str(asked), "--json", stdin=content)
    assert done.returncode == 0
    printed = json.loads(done.stdout)
    expected = rootleaf.evaluate(QUESTIONS, asked).to_json()
    for told in (printed, expected):
        del told["took_ms"]
    assert printed == json.loads(json.dumps(expected))
    assert printed["outcomes"][1]["is_miss"] is True


def test_the_gate_names_what_it_loses_and_lets_through(cli: Cli, asked: Path) -> None:
    """With counts, and the threshold as a line across the picture."""
    write(asked.parent / "q.jsonl", [*QUESTIONS, {"query": "red"}])
    done = cli("eval", "q.jsonl", "--path", str(asked), "--empty-gate", "0.42")
    assert "at 0.42: loses " in done.stdout
    assert "loses 1 of 2 with an answer, suppresses 1 of 2 without\n" in done.stdout
    assert "     0.42 gate ──" in done.stdout
    assert "  let through\n    0." in done.stdout
    assert "line 4: red\n" in done.stdout


def test_a_suggested_gate_comes_with_its_setting_and_its_worth(cli: Cli, asked: Path) -> None:
    """What to write, what it does, and that three questions say little."""
    done = cli("eval", "q.jsonl", "--path", str(asked), "--suggest-gate")
    suggestion = rootleaf.evaluate(QUESTIONS, asked).gate.suggestion
    assert suggestion.split is not None
    assert f"  set {suggestion.setting}, or give {suggestion.option}\n" in done.stdout
    assert "loses 0 of 2 with an answer, suppresses 1 of 1 without\n" in done.stdout
    assert "too few questions with an answer to trust it: 2, and 30 or more" in done.stdout
    assert "suggested gate ──" in done.stdout
    # The setting, given back, does what was said of it.
    option = (suggestion.option or "").split()
    again = cli("eval", "q.jsonl", "--path", str(asked), *option)
    assert "loses 0 of 2 with an answer, suppresses 1 of 1 without\n" in again.stdout


def test_wrong_lines_are_all_named_and_nothing_is_asked(cli: Cli, asked: Path) -> None:
    """Exit code 2; as JSON one by one."""
    (asked.parent / "q.jsonl").write_text('{"query": ""}\n{"query": "red"}\n{"queri": "x"}\n')
    done = cli("eval", "q.jsonl", "--path", str(asked))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("rootleaf: q.jsonl: 2 lines are wrong\n  line 1: ")
    assert '\n  line 3: there is no "query" but "queri"' in done.stderr
    assert '\n  try: a line such as {"query": ' in done.stderr
    error = json.loads(cli("eval", "q.jsonl", "--path", str(asked), "--json").stdout)["error"]
    assert error["code"] == "questions.invalid"
    assert [problem[:7] for problem in error["problems"]] == ["line 1:", "line 3:"]


def test_what_the_index_lacks_is_warned_of_with_exit_code_3(cli: Cli, asked: Path) -> None:
    """The questions can be asked; the warning names line and nearest."""
    write(asked.parent / "q.jsonl", [*QUESTIONS, {"query": "x", "relevant": ["undoo.md"]}])
    done = cli("eval", "q.jsonl", "--path", str(asked))
    assert done.returncode == 3
    assert done.stderr == (
        "q.jsonl, line 4: the index holds no document undoo.md; nearest: undo.md\n"
    )
    assert "    expected undoo.md: not in the index\n    first is nothing\n" in done.stdout
    assert cli("eval", "q.jsonl", "--path", str(asked), "--json").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "named", "code"),
    [
        (["eval"], "eval needs FILE", 2),
        (["eval", "q.jsonl", "--top", "5"], "--top: 5 is below 10", 2),
        (["eval", "q.jsonl", "--empty-gate", "-0.1"], "--empty-gate: -0.1", 2),
        (["eval", "q.jsonl", "--empty-gate", "nan"], "--empty-gate: nan", 2),
        (["eval", "q.jsonl", "--path", "notes", "--embedder", "nope"], "no embedder 'nope'", 2),
        (["eval", "q.jsonl", "--fusion", "sum"], "'sum'", 2),
        (["eval", "q.jsonl", "--picture", "q.jsonl"], "does not end in .svg", 2),
        (["eval", "q.jsonl", "--picture", "no/where.svg"], "there is no directory no", 2),
        (["eval", "q.jsonl", "more.jsonl"], "try: cat FILES | rootleaf eval -", 2),
        (["eval", "q.jsonl", "--dir", "notes"], "try: rootleaf eval FILE --path notes", 2),
        (["eval", "--file", "q.jsonl"], "try: rootleaf eval q.jsonl", 2),
        (["eval", "absent.jsonl"], "absent.jsonl: No such file", 1),
        (["eval", "notes"], "notes: Is a directory", 1),
        (["eval", "q.jsonl", "--db", "absent.db"], "absent.db", 1),
    ],
)
def test_a_wrong_call_is_named_before_anything_is_asked(
    cli: Cli, asked: Path, arguments: list[str], named: str, code: int
) -> None:
    """And nothing is written."""
    before = (asked.parent / "q.jsonl").read_text()
    done = cli(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert named in done.stderr
    assert (asked.parent / "q.jsonl").read_text() == before


def test_the_picture_in_a_pipe_is_ascii_where_the_encoding_is(
    cli_process: Cli, asked: Path
) -> None:
    """In a process of its own, whose standard streams have another encoding."""
    done = cli_process(
        *("eval", "q.jsonl", "--path", str(asked), "--suggest-gate", "--picture", "gate.svg"),
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert " suggested gate ---" in done.stdout
    drawn = done.stdout[done.stdout.index("without an answer") :]
    assert drawn.isascii()
    root = ET.fromstring((asked.parent / "gate.svg").read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", True), ("UTF8", True), ("latin-1", False)]
)
def test_a_console_knows_whether_its_stream_takes_drawings(encoding: str, expected: bool) -> None:
    """Its encoding as it was, before all text is made UTF-8."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert Console(stream, io.StringIO()).has_unicode is expected


WITH = [0.41, 0.55, 0.56, 0.57, 0.8]
WITHOUT = [0.05, 0.1, 0.12, 0.52]


@pytest.mark.parametrize("border", [None, 0.5, 0.5137, 0.05, 0.8, 2.0])
def test_every_measure_is_in_the_bin_that_holds_it(border: float | None) -> None:
    """Bins are equal and without gaps, and none lies on both sides of the threshold."""
    bins = Bins(WITH, WITHOUT, border)
    assert sum(bins.with_answer) == len(WITH)
    assert sum(bins.without_answer) == len(WITHOUT)
    for measures, counts in ((WITH, bins.with_answer), (WITHOUT, bins.without_answer)):
        for position, count in enumerate(counts):
            low, high = bins.low(position), bins.low(position + 1)
            near = [one for one in measures if low - 1e-9 <= one < high - 1e-9]
            assert count == len(near)
    if border is not None:
        edges = [bins.low(position) for position in range(len(bins) + 1)]
        assert border in edges
        closed = sum(
            bins.with_answer[position] for position in range(len(bins)) if edges[position] < border
        )
        assert closed == sum(measure < border for measure in WITH)


@pytest.mark.parametrize("columns", [10, 48, 80, 300])
@pytest.mark.parametrize("is_ascii", [True, False])
def test_the_text_picture_keeps_within_the_width(columns: int, is_ascii: bool) -> None:
    """From 48 columns on; its counts are those of the questions, above and below the line."""
    lines = histogram(
        WITH, WITHOUT, threshold=0.5, suggested=0.54, columns=columns, is_ascii=is_ascii
    )
    marked = [line for line in lines if "suggested" in line]
    assert len(marked) == 1
    assert all(len(line) <= max(columns, 48) for line in lines)
    assert all(line.isascii() for line in lines) is is_ascii
    axis = "|" if is_ascii else "│"
    (border,) = (number for number, line in enumerate(lines) if " gate " in line)
    for part, kept, let_through in ((lines[1:border], 4, 1), (lines[border + 1 :], 1, 3)):
        sides = [line.partition("  <")[0].partition(axis) for line in part]
        assert sum(int(side.split()[-1]) for _, _, side in sides if side.strip()) == kept
        counts = [left.split()[1:2] for left, _, _ in sides]
        assert sum(int(count[0]) for count in counts if count) == let_through


def test_there_is_no_picture_of_nothing() -> None:
    """And one measure alone can be drawn."""
    assert histogram([], [], threshold=0.5, columns=80, is_ascii=True) == []
    for threshold in (None, 0.0, 0.3, 0.7):
        assert histogram([0.3], [], threshold=threshold, columns=80, is_ascii=True)


@pytest.mark.parametrize("threshold", [None, 0.5, 1.7])
@pytest.mark.parametrize("suggested", [None, 0.5, 0.33])
def test_the_svg_shows_all_counts_and_thresholds_within_its_frame(
    threshold: float | None, suggested: float | None
) -> None:
    """Well-formed; bars do not leave the frame; each threshold has its label once."""
    drawn = picture(WITH, WITHOUT, measure="coverage", threshold=threshold, suggested=suggested)
    root = ET.fromstring(drawn)
    space = "{http://www.w3.org/2000/svg}"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for bar in root.iter(f"{space}rect"):
        left, top = float(bar.get("x", 0)), float(bar.get("y", 0))
        assert 0 <= left <= left + float(bar.attrib["width"]) <= width
        assert 0 <= top <= top + float(bar.attrib["height"]) <= height
    words = [text.text or "" for text in root.iter(f"{space}text")]
    assert f"with an answer ({len(WITH)}), upward" in words
    assert (f"gate {threshold:g}" in words) if threshold else not any("gate " in w for w in words)
    is_apart = suggested is not None and suggested != threshold
    assert (f"suggested {suggested}" in words) is is_apart
    bars = [int(word) for word in words if word.isdigit()]
    assert sum(bars) == len(WITH) + len(WITHOUT)

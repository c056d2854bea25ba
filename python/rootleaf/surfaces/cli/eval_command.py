"""`rootleaf eval`: asks questions with known answers, and prints how well the index did."""

from __future__ import annotations

import os
import shutil
import time

from rootleaf.evaluation.questions import read_questions
from rootleaf.evaluation.run import evaluate_questions
from rootleaf.store.paths import quoted, shown_path
from rootleaf.surfaces.cli.console import counted, stdin_bytes
from rootleaf.surfaces.cli.gate_histogram import histogram
from rootleaf.surfaces.cli.parsing import UsageError
from rootleaf.surfaces.cli.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from rootleaf.evaluation.gate import Split
    from rootleaf.evaluation.report import Evaluation, Expected, Gate, Outcome
    from rootleaf.surfaces.cli.console import Console

_DONE = 0
_WARNINGS = 3
_SHOWN_LINES = 20
_QUERY_CHARS = 100
_PIPE_COLUMNS = 80
_SVG = ".svg"
_INDENT = "  "


def run(request: Namespace, console: Console) -> int:
    """Asks the index that lies nearest, or the one that was named."""
    started = time.perf_counter()
    _check_picture(request)
    is_piped = request.file == "-"
    source = "standard input" if is_piped else request.file
    asked = read_questions(stdin_bytes() if is_piped else _read(request.file), source)
    shows_progress = console.has_error_terminal and not request.json
    with Progress(is_shown=shows_progress, unit=" questions") as progress:
        found = evaluate_questions(
            asked,
            source,
            request.path if request.path is not None else os.getcwd(),
            request.db_path,
            top_k=request.top,
            budgets=request.budget,
            empty_gate=request.empty_gate,
            fusion=request.fusion,
            embedder=request.embedder,
            on_progress=progress.count if shows_progress else None,
            started=started,
        )
    if request.picture is not None:
        _write_picture(found, request)
    if request.json:
        console.write_json(found.to_json())
        return _WARNINGS if found.warnings else _DONE
    _write(found, request, console)
    return _WARNINGS if found.warnings else _DONE


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _check_picture(request: Namespace) -> None:
    """Refuses a picture that could not be written, before anything is asked.

    Raises:
        UsageError: Its name is not that of an SVG file, or its directory is not there.
    """
    if request.picture is None:
        return
    directory, name = os.path.split(request.picture)
    if not name.lower().endswith(_SVG):
        message = f"--picture writes SVG, and {request.picture!r} does not end in {_SVG}"
        raise UsageError(message, f"rootleaf eval {quoted(request.file)} --picture gate{_SVG}")
    if directory and not os.path.isdir(directory):
        message = f"there is no directory {directory} to write the picture into"
        raise UsageError(message, f"mkdir -p {quoted(directory)}")


def _write_picture(found: Evaluation, request: Namespace) -> None:
    from rootleaf.surfaces.cli.gate_svg import picture

    drawn = picture(
        *_measures(found),
        measure=_measure_name(found.gate),
        threshold=found.gate.threshold,
        suggested=_suggested(found.gate, request),
    )
    with open(request.picture, "w", encoding="utf-8") as stream:
        stream.write(drawn)


def _measures(found: Evaluation) -> tuple[list[float], list[float]]:
    """The measures of the questions with an answer, and of those without."""
    outcomes = [outcome for outcome in found.outcomes if outcome.mode == found.mode]
    return (
        [outcome.measure for outcome in outcomes if outcome.expected],
        [outcome.measure for outcome in outcomes if not outcome.expected],
    )


def _measure_name(gate: Gate) -> str:
    return gate.measure.replace("_", " ")


def _suggested(gate: Gate, request: Namespace) -> float | None:
    """The threshold that was asked for and found."""
    if not request.suggest_gate or gate.suggestion.split is None:
        return None
    return gate.suggestion.split.threshold


def _write(found: Evaluation, request: Namespace, console: Console) -> None:
    place = console.style(console.harmless(shown_path(found.db_path)), "path")
    asked = counted(len(found.outcomes), "question")
    console.write(
        f"{place}: {asked}, {found.with_answer:,} with an answer and {found.without_answer:,} "
        f"without, asked in {found.took_ms / 1000:.1f} s, mode {found.mode}"
    )
    _write_misses(found, console)
    _write_figures(found, console)
    _write_gate(found, request, console)
    if request.picture is not None:
        console.write(f"picture: {console.harmless(request.picture)}")
    for notice in found.notices[:_SHOWN_LINES]:
        console.warn(notice)
    for warning in found.warnings[:_SHOWN_LINES]:
        console.warn(warning)
    if len(found.warnings) > _SHOWN_LINES:
        console.warn(f"and {len(found.warnings) - _SHOWN_LINES:,} more; `--json` names all")


def _write_misses(found: Evaluation, console: Console) -> None:
    misses = found.misses
    if not misses:
        return
    console.write("")
    title = f"{len(misses):,} of {found.with_answer:,} not answered as expected"
    console.write(console.style(title, "bold"))
    for outcome in misses:
        console.write(f"  line {outcome.line}: {_query(outcome, console)}")
        for one in outcome.expected:
            console.write(console.harmless(f"    expected {one.entry}: {_came(one, found.top_k)}"))
        if not any(one.rank == 1 for one in outcome.expected):
            first = "nothing"
            if outcome.first is not None:
                first = f"{outcome.first.place}, score {outcome.first.score:.3f}"
            console.write(console.harmless(f"    first is {first}"))


def _query(outcome: Outcome, console: Console) -> str:
    """A question in one line."""
    query = " ".join(outcome.query.split())
    if len(query) > _QUERY_CHARS:
        from rootleaf.engine.cheatsheet import floor_grapheme

        query = f"{query[: floor_grapheme(query, _QUERY_CHARS)].rstrip()} [...]"
    return console.style(console.harmless(query), "match")


def _came(one: Expected, top_k: int) -> str:
    if one.missing is not None:
        return "not in the index"
    return f"not among the first {top_k}" if one.rank is None else f"rank {one.rank}"


def _write_figures(found: Evaluation, console: Console) -> None:
    console.write("")
    if not found.figures:
        console.write("No question has an answer, so there is no figure of finding it.")
        return
    title = f"means over {counted(found.with_answer, 'question')} with an answer"
    console.write(f"{console.style(title, 'bold')} (95 % intervals; the gate is off in them)")
    for name, figure in found.figures.items():
        console.write(f"  {name:<14}{figure.mean:.3f}  [{figure.low:.3f}, {figure.high:.3f}]")


def _write_gate(found: Evaluation, request: Namespace, console: Console) -> None:
    gate = found.gate
    name = _measure_name(gate)
    console.write("")
    title = console.style("the gate", "bold")
    if gate.split is None:
        console.write(f"{title}, by {name}: off")
    else:
        console.write(f"{title}, by {name}, at {gate.split.threshold:g}: {_split(gate.split)}")
    is_terminal = console.is_terminal
    columns = shutil.get_terminal_size().columns if is_terminal else _PIPE_COLUMNS
    for line in histogram(
        *_measures(found),
        threshold=gate.threshold,
        suggested=_suggested(gate, request),
        columns=columns - len(_INDENT),
        is_ascii=not console.has_unicode,
    ):
        console.write(f"{_INDENT}{line}")
    _write_list("lost", [one for one in found.outcomes if one.closed and one.expected], console)
    through = [one for one in found.outcomes if one.closed is False and not one.expected]
    _write_list("let through", through, console)
    if request.suggest_gate:
        _write_suggestion(gate, console)


def _split(split: Split) -> str:
    return (
        f"loses {split.lost} of {split.kept + split.lost} with an answer, "
        f"suppresses {split.suppressed} of {split.suppressed + split.let_through} without"
    )


def _write_list(title: str, outcomes: Sequence[Outcome], console: Console) -> None:
    if not outcomes:
        return
    console.write(f"  {title}")
    for outcome in outcomes[:_SHOWN_LINES]:
        passes = ", by an exact identifier" if outcome.passes else ""
        console.write(
            f"    {outcome.measure:.3f}  line {outcome.line}: {_query(outcome, console)}{passes}"
        )
    if len(outcomes) > _SHOWN_LINES:
        console.write(f"    and {len(outcomes) - _SHOWN_LINES:,} more; `--json` names all")


def _write_suggestion(gate: Gate, console: Console) -> None:
    suggestion = gate.suggestion
    console.write("")
    title = console.style("suggested gate", "bold")
    if suggestion.split is None:
        console.write(f"{title}: none")
    else:
        console.write(f"{title}: {suggestion.split.threshold!r} {_split(suggestion.split)}")
        console.write(f"  set {suggestion.setting}, or give {suggestion.option}")
    for caveat in suggestion.caveats:
        console.write(console.style(f"  {caveat}", "warning"))

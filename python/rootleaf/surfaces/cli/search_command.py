"""`rootleaf search`: prints an answer."""

from __future__ import annotations

import os

from rootleaf.searching.filters import parse_pairs
from rootleaf.searching.search import search
from rootleaf.surfaces.cli.console import counted, shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import Answer, Hit

_WHY_EMPTY = {
    "empty_index": "The index is empty: no document in it holds any text.",
    "filter_matched_nothing": "No document has the metadata that --where asks for.",
    "no_match": "Nothing in the index shares a word with the query.",
    "below_min_score": (
        "Something matches, but nothing scores {min_score:g} or more; the best is {best:.2f}."
    ),
}


def run(request: Namespace, console: Console) -> int:
    """Asks the index that lies nearest, or the one that was named."""
    path = request.path if request.path is not None else os.getcwd()
    answer = search(
        " ".join(request.query),
        path,
        request.db_path,
        top_k=request.top,
        where=parse_pairs(request.where),
        min_score=request.min_score,
        budget_tokens=request.budget,
        cite=request.cite,
        explain=request.explain,
    )
    if request.json:
        console.write_json(answer.to_json())
        return 0
    _write_answer(answer, request, console)
    return 0


def _write_answer(answer: Answer, request: Namespace, console: Console) -> None:
    for position, hit in enumerate(answer):
        if position:
            console.write("")
        _write_hit(answer.query, hit, console, explain=request.explain)
    if request.explain:
        if answer:
            console.write("")
        console.write(console.style(_summary(answer), "dim"))
    for notice in answer.notices:
        console.warn(notice)
    if not answer and (reason := _why_empty(answer, request)):
        console.say(reason)
    elif answer and answer.omitted.hits and console.has_error_terminal:
        console.say(_left_out(answer))


def _why_empty(answer: Answer, request: Namespace) -> str:
    if answer.verdict == "answered":
        # Either nothing was asked for, or a notice has said that the budget has no room.
        return "--top 0 shows nothing." if request.top == 0 else ""
    if answer.verdict == "no_match" and not any(map(str.isalnum, answer.query)):
        return "The query holds no word to look for."
    return _WHY_EMPTY[answer.verdict].format(min_score=request.min_score, best=answer.best_coverage)


def _write_hit(query: str, hit: Hit, console: Console, *, explain: bool) -> None:
    from rootleaf.engine.analyzer import matching_spans

    lines = ",".join(
        str(span.start_line)
        if span.start_line == span.end_line
        else f"{span.start_line}-{span.end_line}"
        for span in hit.spans
    )
    path = console.style(console.harmless(shown_path(hit.file_path)), "path")
    console.write(f"--- {path}:{lines}  {console.style(f'score {hit.score:.2f}', 'dim')}")
    if explain:
        console.write(console.style(_parts(hit), "dim"))
    spans = matching_spans(query, hit.context) if console.has_color else []
    console.write(console.highlight(hit.context, spans))


def _parts(hit: Hit) -> str:
    chunks = ", ".join(str(chunk) for chunk in hit.chunk_ids)
    parts = [
        f"{name.replace('_', ' ')} {part:.0f}" if name.startswith("rank_") else f"{name} {part:.4f}"
        for name, part in hit.parts.items()
    ]
    # What it is ranked by first; what stands beside that in the order of the engine.
    parts.sort(key=lambda part: not part.startswith("coverage "))
    measures = "; ".join(parts)
    return f"    score {hit.score:.4f} = {measures}; chunks {chunks}; first seen {hit.updated}"


def _summary(answer: Answer) -> str:
    return (
        f"verdict {answer.verdict}; mode {answer.mode}; best coverage {answer.best_coverage:.4f}; "
        f"left out {answer.omitted.hits} documents, {answer.omitted.tokens} tokens; "
        f"{answer.took_ms:.0f} ms"
    )


def _left_out(answer: Answer) -> str:
    count = answer.omitted.hits
    matches = "matches" if count == 1 else "match"
    return f"{counted(count, 'more document')} {matches}; --top shows more."

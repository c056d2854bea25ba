"""`rootleaf search`: prints an answer."""

from __future__ import annotations

import os

from rootleaf.documents.chunking import heading_text
from rootleaf.searching.filters import parse_pairs
from rootleaf.searching.search import search
from rootleaf.store.paths import find_db_path, quoted, shown_path
from rootleaf.surfaces.cli.console import counted
from rootleaf.surfaces.cli.parsing import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console
    from rootleaf.types import Answer, Hit

_TITLE_CHARS = 100
# A heading over an underline may take several lines.
_TITLE_LINES = 3

_WHY_EMPTY = {
    "empty_index": "The index is empty: no document in it holds any text.",
    "filter_matched_nothing": "No document has the metadata that --where asks for.",
    "no_match": "Nothing in the index shares a word with the query{nor_meaning}.",
    "below_min_score": (
        "Something matches, but nothing scores {min_score:g} or more; "
        "the best is {best:.{places}f}."
    ),
    "gate_closed": "Nothing is close enough to the query: {below}.",
}


def run(request: Namespace, console: Console) -> int:
    """Asks the index that lies nearest, or the one that was named."""
    _refuse_place_as_word(request)
    path = request.path if request.path is not None else os.getcwd()
    answer = search(
        " ".join(request.query),
        path,
        request.db_path,
        top_k=request.top,
        where=parse_pairs(request.where),
        min_score=request.min_score,
        empty_gate=request.empty_gate,
        fusion=request.fusion,
        embedder=request.embedder,
        budget_tokens=request.budget,
        cite=request.cite,
        explain=request.explain,
    )
    if request.json:
        console.write_json(answer.to_json())
        return 0
    _write_answer(answer, request, console)
    return 0


def _refuse_place_as_word(request: Namespace) -> None:
    """Names the right form where the last of several words is a directory to search.

    Raises:
        UsageError: It is spelled as a path, or there is nothing to search but below it.
    """
    *words, last = request.query
    if not words or request.path is not None or request.db_path is not None:
        return
    if not os.path.isdir(last):
        return
    is_spelled_as_path = os.sep in last or last in (os.curdir, os.pardir)
    if is_spelled_as_path or find_db_path(os.getcwd()) is None:
        message = f"{last!r} is a directory, and search takes it by --path (or quote the query)"
        raise UsageError(
            message, f"rootleaf search {quoted(' '.join(words))} --path {quoted(last)}"
        )


def _write_answer(answer: Answer, request: Namespace, console: Console) -> None:
    for position, hit in enumerate(answer):
        if position:
            console.write("")
        _write_hit(answer.query, hit, console, request)
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
        return "--top 0 shows nothing."
    if answer.verdict == "budget_too_small":
        return ""  # a notice has said it
    if answer.verdict == "no_match" and not any(map(str.isalnum, answer.query)):
        return "The query holds no word to look for."
    return _WHY_EMPTY[answer.verdict].format(
        min_score=request.min_score,
        best=answer.best_score,
        places=_score_places(request),
        nor_meaning=" or is close to it in meaning" if answer.mode == "hybrid" else "",
        below=_below_gate(answer),
    )


def _below_gate(answer: Answer) -> str:
    count = answer.omitted.hits
    if not count:
        return "no document shares a word with it or is similar at all"
    measures = "measures" if count == 1 else "measure"
    measure = _floor(answer.gate_measure or 0.0)
    return (
        f"{counted(count, 'document')} {measures} up to {measure:.2f}, and the gate is at "
        f"{answer.gate:g}. --empty-gate 0 shows what is nearest"
    )


def _floor(measure: float) -> float:
    """A measure cut to the places that are shown, so that one below the gate is shown below it."""
    return int(measure * 100) / 100


def _score_places(request: Namespace) -> int:
    """How many places of a score tell two hits apart; sums of reciprocal ranks are small."""
    return 4 if request.fusion == "rrf" else 2


def _write_hit(query: str, hit: Hit, console: Console, request: Namespace) -> None:
    from rootleaf.engine.analyzer import matching_spans

    lines = ",".join(
        str(span.start_line)
        if span.start_line == span.end_line
        else f"{span.start_line}-{span.end_line}"
        for span in hit.spans
    )
    place = console.style(console.harmless(shown_path(hit.file_path)), "path") + f":{lines}"
    title = console.style(console.harmless(_untold_title(hit)), "bold")
    score = console.style(f"score {hit.score:.{_score_places(request)}f}", "dim")
    console.write("  ".join(part for part in (f"--- {place}", title, score) if part))
    if request.explain:
        console.write(console.style(_parts(hit), "dim"))
    spans = matching_spans(query, hit.context) if console.has_color else []
    console.write(console.highlight(hit.context, spans))


def _untold_title(hit: Hit) -> str:
    """The title of a hit's document in one line, unless its cheatsheet starts with it."""
    title = " ".join((hit.title or "").split())
    lines = hit.context.split("\n", _TITLE_LINES + 1)
    if lines[0].startswith(f"{shown_path(hit.file_path)}:"):
        del lines[0]
    for count in range(1, _TITLE_LINES + 1):
        if " ".join(heading_text("\n".join(lines[:count])).split()) == title:
            return ""
    if len(title) > _TITLE_CHARS:
        from rootleaf.engine.cheatsheet import floor_grapheme

        title = f"{title[: floor_grapheme(title, _TITLE_CHARS)].rstrip()} [...]"
    return title


def _parts(hit: Hit) -> str:
    chunks = ", ".join(str(chunk) for chunk in hit.chunk_ids)
    parts = [
        f"{name.replace('_', ' ')} {part:.0f}" if name.startswith("rank_") else f"{name} {part:.4f}"
        for name, part in hit.parts.items()
    ]
    # What it is ranked by first; what stands beside that in the order of the engine.
    parts.sort(key=lambda part: not part.startswith(("coverage ", "similarity ")))
    measures = "; ".join(parts)
    return f"    score {hit.score:.4f} = {measures}; chunks {chunks}; first seen {hit.updated}"


def _summary(answer: Answer) -> str:
    measures = f"best coverage {answer.best_coverage:.4f}"
    if answer.best_similarity is not None:
        measures += f"; best similarity {answer.best_similarity:.4f}"
        if answer.without_vector:
            measures += f"; {counted(answer.without_vector, 'chunkset')} without a vector"
    if answer.gate_measure is not None:
        gate = "off" if answer.gate is None else f"{answer.gate:g}"
        measures += f"; gate measure {answer.gate_measure:.4f}, gate {gate}"
    return (
        f"verdict {answer.verdict}; mode {answer.mode}; {measures}; "
        f"left out {answer.omitted.hits} documents, {answer.omitted.tokens} tokens; "
        f"{answer.took_ms:.0f} ms"
    )


def _left_out(answer: Answer) -> str:
    count = answer.omitted.hits
    if answer.mode == "hybrid":
        # In meaning nearly every document is a little like the query.
        told = "follows" if count == 1 else "follow"
    else:
        told = "matches" if count == 1 else "match"
    return f"{counted(count, 'more document')} {told}; --top shows more."

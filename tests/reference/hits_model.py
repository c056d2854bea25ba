"""The cheatsheets of an answer, which share a budget, slow and obvious: the model of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cheatsheet_model import CheatsheetBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rootleaf.engine.chunker import ChunkColumns
    from rootleaf.render.cheatsheet import Cheatsheet


class ModelHit(NamedTuple):
    """A document, its chunks, and its chunksets that count, best first."""

    text: str
    columns: ChunkColumns
    ordinals: Sequence[int]
    coverages: Sequence[float]
    cite_path: str | None = None


def filled(
    hits: Sequence[ModelHit], query: str | None, budget_tokens: int | None
) -> list[CheatsheetBuilder]:
    """Adds chunksets; with a budget the best of all documents first, while there is room."""
    builders = [
        CheatsheetBuilder(hit.text, hit.columns, query=query, cite_path=hit.cite_path)
        for hit in hits
    ]
    if budget_tokens is None:
        for builder, hit in zip(builders, hits, strict=True):
            for ordinal in hit.ordinals:
                builder.add(ordinal)
        return builders
    chunksets = [
        (-coverage, position, place)
        for position, hit in enumerate(hits)
        for place, coverage in enumerate(hit.coverages)
    ]
    spent = [0] * len(builders)
    for _, position, place in sorted(chunksets):
        spent_before = sum(spent)
        room_tokens = budget_tokens - 1 - (spent_before - spent[position])
        builder = builders[position]
        builder.add_within(hits[position].ordinals[place], room_tokens, may_cut=spent_before == 0)
        spent[position] = builder.tokens
    return builders


def cheatsheets(
    hits: Sequence[ModelHit], query: str | None, budget_tokens: int | None
) -> list[tuple[Cheatsheet, bool]]:
    """The cheatsheet of each hit, and whether it shows nothing."""
    return [
        (builder.cheatsheet(), builder.is_empty) for builder in filled(hits, query, budget_tokens)
    ]


def least_budget(hits: Sequence[ModelHit], query: str | None, too_few_tokens: int) -> int:
    """The smallest budget above one that shows nothing with which halving finds something shown."""

    def shows(budget_tokens: int) -> bool:
        return not all(builder.is_empty for builder in filled(hits, query, budget_tokens))

    enough_tokens = 2 * too_few_tokens
    while not shows(enough_tokens):
        too_few_tokens, enough_tokens = enough_tokens, 2 * enough_tokens
    while enough_tokens - too_few_tokens > 1:
        middle = (too_few_tokens + enough_tokens) // 2
        if shows(middle):
            enough_tokens = middle
        else:
            too_few_tokens = middle
    return enough_tokens

"""The core renders what the model of `tests/reference` renders, byte for byte."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from cheatsheet_model import render_cheatsheet as model_cheatsheet
from graphemes_model import floor_grapheme as model_floor
from hits_model import ModelHit
from hits_model import cheatsheets as model_cheatsheets
from hits_model import least_budget as model_least_budget
from hypothesis import example, given
from hypothesis import strategies as st
from rootleaf.documents.decoding import decode
from rootleaf.engine.cheatsheet import floor_grapheme
from rootleaf.engine.chunker import chunk_columns
from rootleaf.errors import InvalidInputError
from rootleaf.render.cheatsheet import (
    HitColumns,
    cheatsheets,
    prepared_document,
    render_cheatsheet,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rootleaf.render.cheatsheet import Cheatsheet

# Words that meet, in several scripts, and marks that sentences, words and characters end at.
WORDS = (
    *("apple", "Apples", "APPLE", "pear", "fig", "the", "of", "42", "`code`", "fetchUserTokens"),
    *("a_b", "Stra\u00dfe", "STRASSE", "\u0130x", "\ufb01g", "e\u0301te\u0301"),
    *("\u8bc1\u4e66\u8f6e\u6362\u3002", "\u8bc1\u4e66\u300d\uff01", "\ud55c\uad6d\uc5b4"),
    *("\u0e01\u0e34\u0e19", "\u0915\u094d\u0937", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    *("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "\U0001f44d\U0001f3fd"),
    *("said.", "so!\u201d", "who?)", "on\u2026", "x\u00a0y", "\u3000", "\x1f", "\x85"),
)
LINES = (
    *("", "---", "***", "> ", ">", "> >", "```sh", "```", "~~~", "<!--", "-->", "<!-- apple -->"),
    *("<!-- pear of old -->", '<a id="fig"></a>', '<a name="x"> </a> <a id="y"></a>', "<a >"),
    *("| a | b |", "|---|---|", "[apple]: /fig", "[pear]: </of>", "Title", "====="),
    *("    deep", "\t- tab", "   ", "\x0b"),
)

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
blanks = st.sampled_from(["", "", "", " ", "  ", "\t", " " * 70, "\n" * 3, " " * 1100])
prefixes = st.sampled_from(
    ["", "", "", "# ", "## ", "- ", "  - ", "    - ", "1. ", "> ", "> - ", ">> ", "| ", "[x]: "]
)
lines = st.builds("".join, st.tuples(prefixes, words | st.sampled_from(LINES), blanks))
tables = st.lists(words, min_size=1, max_size=80).map(
    lambda rows: "\n".join(["| name | n |", "|---|---|", *(f"| {row} | 1 |" for row in rows)])
)
code = st.lists(words, max_size=60).map(lambda rows: "\n".join(["```sh", *rows, "```"]))
comments = st.lists(words, max_size=60).map(lambda rows: "\n".join(["<!--", *rows, "-->"]))
quotes = st.lists(words | st.just(""), min_size=1, max_size=40).map(
    lambda rows: "\n".join(f"> {row}" for row in rows)
)
prose = st.lists(words, min_size=1, max_size=60).map(". ".join)
unbroken = st.builds(lambda word, count: word * count, st.sampled_from(WORDS), st.integers(1, 300))
long_blocks = st.one_of(tables, code, comments, quotes, prose, unbroken)
documents = st.lists(lines | long_blocks, max_size=25).flatmap(
    lambda parts: st.sampled_from(["\n", "\n\n"]).map(lambda gap: gap.join(parts))
)
queries = st.none() | st.just("") | words
budgets = st.none() | st.integers(1, 60) | st.integers(1, 600)
paths = st.sampled_from([None, "/a.md", "notes/\u00fc b.md", "\udcff.md"])


def drawn_ordinals(draw: st.DataObject, count: int) -> list[int]:
    """Some of the chunksets of a document, in any order; mostly few."""
    if count == 0:
        return []
    most = draw.draw(st.sampled_from([3, 3, 3, count]))
    return draw.draw(st.lists(st.integers(0, count - 1), max_size=most, unique=True))


def rendered(
    hits: Sequence[ModelHit], query: str | None, budget_tokens: int | None
) -> list[tuple[Cheatsheet, bool]]:
    """What the core makes of hits, as the model gives it."""
    columns = hit_columns(hits).rendered(query, budget_tokens)
    return list(zip(cheatsheets(columns), map(bool, columns.is_empty), strict=True))


def hit_columns(hits: Sequence[ModelHit]) -> HitColumns:
    """The hits as the core takes them."""
    return HitColumns(
        [prepared_document(hit.text) for hit in hits],
        [hit.ordinals for hit in hits],
        [hit.coverages for hit in hits],
        [hit.cite_path for hit in hits],
    )


@given(documents, st.data(), queries, budgets, paths)
def test_a_cheatsheet_equals_the_models(
    text: str, draw: st.DataObject, query: str | None, budget_tokens: int | None, path: str | None
) -> None:
    """Text, spans, chunks and tokens, with and without query, budget and citations."""
    columns = chunk_columns(text)
    ordinals = drawn_ordinals(draw, columns.len_chunksets())
    found, expected = (
        render(
            text,
            columns,
            ordinals,
            query=query,
            cite=path is not None,
            path=path,
            budget_tokens=budget_tokens,
        )
        for render in (render_cheatsheet, model_cheatsheet)
    )
    assert found == expected


@given(st.lists(documents, max_size=4), st.data(), queries, budgets, paths)
def test_the_cheatsheets_of_an_answer_equal_the_models(
    texts: list[str],
    draw: st.DataObject,
    query: str | None,
    budget_tokens: int | None,
    path: str | None,
) -> None:
    """Several documents share one budget, and the least budget is the same."""
    hits = []
    for text in texts:
        columns = chunk_columns(text)
        ordinals = drawn_ordinals(draw, columns.len_chunksets())
        coverages = [draw.draw(st.sampled_from([0.25, 0.5, 1.0])) for _ in ordinals]
        hits.append(ModelHit(text, columns, ordinals, coverages, path))
    expected = model_cheatsheets(hits, query, budget_tokens)
    assert rendered(hits, query, budget_tokens) == expected
    if any(hit.ordinals for hit in hits) and all(is_empty for _, is_empty in expected):
        assert budget_tokens is not None
        assert hit_columns(hits).least_budget(query, budget_tokens) == model_least_budget(
            hits, query, budget_tokens
        )


ASSIGNED = st.characters(exclude_categories=["Cs", "Cn", "Co"])
JOINING = st.sampled_from(
    "\u200d\u0301\u094d\u0915\u1161\u11a8\U0001f1e6\U0001f3fb\ufe0f\r\n\u0903"
)


@given(st.text(ASSIGNED | JOINING, max_size=12), st.integers(-1, 14))
@example("\ud800x", 1)
def test_where_characters_may_be_parted_equals_the_models(text: str, char_offset: int) -> None:
    """Every offset of every text is moved to the same place."""
    assert floor_grapheme(text, char_offset) == model_floor(text, char_offset)


def test_words_are_told_apart_by_case_folding_as_python_has_it() -> None:
    """Of two leaves the one with more different matching words is kept, whatever their script."""
    for code_point in range(0x80, 0x1E944):
        letter = chr(code_point)
        if not unicodedata.category(letter).startswith("L") or letter.casefold() == letter:
            continue
        text = f"# T\n\n- {letter}x {letter.casefold()}x and so on\n- {letter}x fig and so on\n"
        columns = chunk_columns(text)
        sheets = [
            render(text, columns, [0], query=f"{letter}x fig", budget_tokens=16)
            for render in (render_cheatsheet, model_cheatsheet)
        ]
        assert sheets[0] == sheets[1], hex(code_point)


@pytest.mark.parametrize("step", [17])
def test_files_of_the_corpora_are_shown_as_the_model_shows_them(
    shared_data: Path, step: int
) -> None:
    """The same for real files, a sample of every corpus, five to an answer."""
    files = sorted(path for path in (shared_data / "corpora").rglob("*.md") if path.is_file())
    hits = []
    for number, path in enumerate(files[::step]):
        text = decode(path.read_bytes()).text
        columns = chunk_columns(text)
        count = columns.len_chunksets()
        ordinals = list(dict.fromkeys(n * 7919 % count for n in range(number, number + 3) if count))
        coverages = [1 / (2 + n * 31 % 7) for n in ordinals]
        hits.append(ModelHit(text, columns, ordinals, coverages, path.name))
    assert hits
    for first in range(0, len(hits), 5):
        some = hits[first : first + 5]
        query = " ".join(some[0].text.split()[first : first + 4])
        for budget_tokens in (None, 60, 900):
            for asked in (query, None):
                assert rendered(some, asked, budget_tokens) == model_cheatsheets(
                    some, asked, budget_tokens
                )


def test_a_chunkset_that_is_not_there_is_refused() -> None:
    """An ordinal beyond the document is an error of the caller, and no crash."""
    columns = HitColumns([prepared_document("# A\n\nfig\n")], [[7]], [[1.0]], [None])
    for budget_tokens in (None, 10):
        with pytest.raises(InvalidInputError, match="no chunkset 7"):
            columns.rendered("fig", budget_tokens)


def test_columns_of_another_text_are_refused() -> None:
    """Chunks that are no slices of the text are an error, and nothing beyond it is read."""
    columns = chunk_columns("# A\n\nfig and plum\n")
    for text in ("# A\n", "", "# A\n\nfig and \u00fcber\n"[:-3]):
        with pytest.raises(InvalidInputError):
            render_cheatsheet(text, columns, [0])


def test_least_budget_of_nothing_is_refused() -> None:
    """Without a chunkset no budget shows anything."""
    with pytest.raises(InvalidInputError):
        HitColumns([prepared_document("x")], [[]], [[]], [None]).least_budget("x", 1)

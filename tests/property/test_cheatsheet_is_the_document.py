"""A cheatsheet is the document with parts left out: checked against the text, line by line."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.decoding import decode
from rootleaf.engine.chunker import KINDS, ChunkColumns, chunk_columns
from rootleaf.engine.tokens import count_tokens
from rootleaf.render.cheatsheet import OMISSION, Cheatsheet, render_cheatsheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

CLUSTERS = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301",
    "\ud55c",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
)
WORDS = ("apple", "pear", "fig", "plum", "the", "of", "42", "`code`", "*em*", *CLUSTERS)
# What may be left out at an edge.
NOISE = {KINDS.index(kind) for kind in ("thematic_break", "link_definition", "comment")}
EVERY_NTH_CORPUS_FILE = 40

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
sentences = st.lists(words, min_size=1, max_size=30).map(lambda parts: ". ".join(parts) + ".")
headings = st.builds(lambda level, title: f"{'#' * level} {title}", st.integers(1, 6), words)
items = st.lists(
    st.builds(lambda depth, text: f"{'  ' * depth}- {text}", st.integers(0, 4), words),
    min_size=1,
    max_size=12,
).map("\n".join)
code = st.lists(words, max_size=80).map(lambda rows: "\n".join(["```sh", *rows, "```"]))
tables = st.lists(words, max_size=80).map(
    lambda rows: "\n".join(["| name | n |", "|---|---|", *(f"| {row} | 1 |" for row in rows)])
)
quotes = st.lists(words, min_size=1, max_size=6).map(
    lambda rows: "\n".join(f"> {row}" for row in rows)
)
comments = st.lists(words, min_size=1, max_size=60).map(
    lambda rows: "\n".join(["<!--", *rows, "-->"])
)
unbroken = st.integers(1, 1500).map(lambda count: CLUSTERS[0] * 2 + "x" * count + CLUSTERS[1] * 3)
blocks = st.one_of(headings, headings, sentences, items, code, tables, quotes, comments, unbroken)
ends = st.sampled_from(["\n", "\n\n", "\n\n\n", "  \n\n"])
documents = st.lists(st.tuples(blocks, ends), max_size=12).map(
    lambda parts: "".join(block + end for block, end in parts)
)
breaks = st.sampled_from(["***", "- - -", "> ---"])
definitions = st.lists(words, min_size=1, max_size=4).map(
    lambda names: "\n".join(f"[{name}]: </{name}>" for name in names)
)
quotes_with_gaps = quotes.map(lambda quote: quote.replace(". ", ".\n>\n> "))
noisy_documents = st.lists(
    st.tuples(st.one_of(blocks, breaks, definitions, quotes_with_gaps), ends), max_size=12
).map(lambda parts: "".join(block + end for block, end in parts))


def chosen_chunksets(draw: st.DataObject, columns: ChunkColumns) -> list[int]:
    """Up to three chunksets of a document, in any order."""
    count = columns.len_chunksets()
    if count == 0:
        return []
    return draw.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=3, unique=True))


def assert_lines_are_the_files(text: str, sheet: Cheatsheet) -> None:
    """Every line shown is the line of the file that `spans` name, or parts of it around a mark."""
    expected = iter(
        line
        for span in sheet.spans
        for line in text.split("\n")[span.start_line - 1 : span.end_line]
    )
    for shown in sheet.text.split("\n") if sheet.text else []:
        if shown == OMISSION:
            continue
        line = next(expected)
        if shown != line:
            assert OMISSION in shown
            assert_is_cut_of(shown, line)
    assert next(expected, None) is None


def assert_is_cut_of(shown: str, line: str) -> None:
    """A cut line is parts of the file's line, in order, none of them split inside a character."""
    parts = [part.strip(" ") for part in shown.split(OMISSION)]
    at = 0
    for part in parts:
        at = line.index(part, at)
        for edge in (at, at + len(part)):
            if part and 0 < edge < len(line):
                assert line[edge] != "\u200d"
                assert line[edge - 1] != "\u200d"
                assert not unicodedata.category(line[edge]).startswith("M")
        at += len(part)


def assert_spans_ascend(sheet: Cheatsheet) -> None:
    """No line is shown twice, and spans stand in document order."""
    last = 0
    for span in sheet.spans:
        assert last < span.start_line <= span.end_line
        last = span.end_line


def assert_ancestors_are_shown(columns: ChunkColumns, sheet: Cheatsheet) -> None:
    """With each chunk all its ancestors are shown, by name and by line."""
    lines = {line for span in sheet.spans for line in range(span.start_line - 1, span.end_line)}
    for chunk in sheet.chunk_ids:
        for ancestor in columns.ancestors(chunk):
            assert ancestor in sheet.chunk_ids
            assert columns.start_lines[ancestor] in lines


def assert_is_a_cheatsheet(text: str, columns: ChunkColumns, sheet: Cheatsheet) -> None:
    """All that holds for any cheatsheet."""
    assert sheet.tokens == count_tokens(sheet.text)
    assert_spans_ascend(sheet)
    assert_lines_are_the_files(text, sheet)
    assert_ancestors_are_shown(columns, sheet)


@given(documents | noisy_documents, st.data())
def test_every_line_is_a_line_of_the_document_under_all_its_ancestors(
    text: str, draw: st.DataObject
) -> None:
    """Slices of the text, in order, each line once, ancestors always there."""
    columns = chunk_columns(text)
    ordinals = chosen_chunksets(draw, columns)
    query = draw.draw(st.none() | words)
    sheet = render_cheatsheet(text, columns, ordinals, query=query)
    assert_is_a_cheatsheet(text, columns, sheet)
    for ordinal in ordinals:
        telling = {
            chunk for chunk in columns.chunkset_chunks(ordinal) if columns.kinds[chunk] not in NOISE
        }
        assert telling <= set(sheet.chunk_ids)
    assert bool(sheet.text) == bool(ordinals)


@given(documents | noisy_documents, st.data(), st.integers(1, 400))
def test_a_budget_is_never_reached_and_what_is_shown_keeps_its_promises(
    text: str, draw: st.DataObject, budget_tokens: int
) -> None:
    """Any budget holds, and costs nothing where all fits."""
    columns = chunk_columns(text)
    ordinals = chosen_chunksets(draw, columns)
    query = draw.draw(st.none() | words)
    whole = render_cheatsheet(text, columns, ordinals, query=query)
    sheet = render_cheatsheet(text, columns, ordinals, query=query, budget_tokens=budget_tokens)
    assert sheet.tokens < budget_tokens
    assert sheet.tokens + sheet.omitted_tokens >= whole.tokens
    assert_is_a_cheatsheet(text, columns, sheet)
    if whole.tokens < budget_tokens:
        assert sheet == whole
    cited = render_cheatsheet(
        text, columns, ordinals, query=query, cite=True, path="/a.md", budget_tokens=budget_tokens
    )
    assert cited.tokens == count_tokens(cited.text) < budget_tokens


@given(documents, st.data())
def test_all_chunksets_of_a_document_show_all_its_lines(text: str, draw: st.DataObject) -> None:
    """Nothing of a document is beyond reach: all chunksets together are its text."""
    columns = chunk_columns(text)
    order = draw.draw(st.permutations(range(columns.len_chunksets())))
    sheet = render_cheatsheet(text, columns, order)
    shown = [line.strip() for line in sheet.text.split("\n") if line.strip()]
    first = columns.starts[0] if columns.len_chunks() else 0
    body = text.encode("utf-8")[first:].decode("utf-8")
    assert shown == [line.strip() for line in body.split("\n") if line.strip()]


@given(documents | noisy_documents, st.data())
def test_cited_blocks_name_the_line_they_start_on(text: str, draw: st.DataObject) -> None:
    """The cited line of each block is the first of its span."""
    columns = chunk_columns(text)
    ordinals = chosen_chunksets(draw, columns)
    plain = render_cheatsheet(text, columns, ordinals)
    cited = render_cheatsheet(text, columns, ordinals, cite=True, path="/a b.md")
    lines = cited.text.split("\n")
    numbers = [int(line.removeprefix("/a b.md:")) for line in lines if line.startswith("/a b.md:")]
    assert numbers == [span.start_line for span in cited.spans]
    assert cited.spans == plain.spans


def test_the_corpora_keep_the_promises_too(shared_data: Path) -> None:
    """The same holds for real files, a sample of every corpus."""
    files = sorted(path for path in (shared_data / "corpora").rglob("*.md") if path.is_file())
    for number, path in enumerate(files[::EVERY_NTH_CORPUS_FILE]):
        text = decode(path.read_bytes()).text
        columns = chunk_columns(text)
        count = columns.len_chunksets()
        ordinals = (
            list(dict.fromkeys(n * 7919 % count for n in range(number, number + 3)))
            if count
            else []
        )
        query = " ".join(text.split()[number : number + 3])
        for budget_tokens in (None, 40, 200):
            sheet = render_cheatsheet(
                text, columns, ordinals, query=query, budget_tokens=budget_tokens
            )
            assert_is_a_cheatsheet(text, columns, sheet)
            assert budget_tokens is None or sheet.tokens < budget_tokens


def test_every_kind_of_chunk_is_drawn_by_these_tests() -> None:
    """The generated markdown covers what the chunker tells apart."""
    text = "# a\n\np\n\n- i\n\n```\nc\n```\n\n| t |\n|---|\n\n> q\n\n<!-- c -->\n"
    seen = {KINDS[kind] for kind in chunk_columns(text).kinds}
    assert {"heading", "paragraph", "list_item", "code", "table", "quote", "comment"} <= seen

"""`chunk`: a text as a tree of values, without an index."""

from __future__ import annotations

import pytest
import rootleaf
from rootleaf import Chunk, Document, chunk
from rootleaf.documents.chunking import heading_text
from rootleaf.errors import InvalidInputError


def headings(document: Document) -> dict[str, tuple[int, int, int]]:
    """Level, first and last line by text, of the headings of the section tree."""
    return {
        heading_text(part.text): (part.level, part.start_line, part.end_line)
        for part in document.chunks
        if part.level
    }


def chunk_with(document: Document, word: str) -> Chunk:
    """The one chunk whose text has a word."""
    (found,) = [part for part in document.chunks if word in part.text]
    return found


def path_of(document: Document, word: str) -> list[str]:
    """The texts of the headings above the chunk that has a word."""
    path = []
    parent = chunk_with(document, word).parent
    while parent is not None:
        path.append(heading_text(document.chunks[parent].text))
        parent = document.chunks[parent].parent
    return path[::-1]


def test_a_comment_in_code_is_no_heading() -> None:
    """`#` between tilde fences stays code, and the code is one chunk with both fences."""
    document = chunk(
        "# Deploy\n\n~~~sh\n# not a heading\nrun it\n~~~\n\n## Undo\n\nPress the red lever.\n"
    )
    assert headings(document) == {"Deploy": (1, 1, 1), "Undo": (2, 8, 8)}
    code = chunk_with(document, "run it")
    assert (code.kind, code.text) == ("code", "~~~sh\n# not a heading\nrun it\n~~~")
    assert path_of(document, "run it") == ["Deploy"]


def test_a_fence_in_a_list_item_stays_below_its_item() -> None:
    """An indented fence is a child of the step that it belongs to."""
    document = chunk(
        "# List\n\n1. First step\n\n   ```sh\n   # indented comment\n   echo ok\n   ```\n\n"
        "2. Second step\n\n## After\n\nkiwi\n"
    )
    assert headings(document) == {"List": (1, 1, 1), "After": (2, 12, 12)}
    code = chunk_with(document, "echo ok")
    assert code.text.startswith("   ```sh\n")
    assert code.text.endswith("\n   ```")
    assert path_of(document, "echo ok") == ["List", "1. First step"]


def test_a_skipped_level_makes_no_brother_a_parent() -> None:
    """Sections below a skipped level are children of the same parent as those at it."""
    document = chunk("# Catalog\n\n### alpha\n\naa fig\n\n### beta\n\nbb plum\n\n## gamma\n\ncc\n")
    assert path_of(document, "fig") == ["Catalog", "alpha"]
    assert path_of(document, "plum") == ["Catalog", "beta"]
    assert path_of(document, "cc") == ["Catalog", "gamma"]
    (unit,) = [
        unit for unit in document.chunksets if chunk_with(document, "plum").index in unit.leaves
    ]
    shown = [document.chunks[index].text for index in unit.chunks]
    assert shown == ["# Catalog", "### beta", "bb plum"]


def test_underlined_headings_are_told_from_rules() -> None:
    """An underline makes its paragraph a heading; after a blank line it is a rule."""
    document = chunk(
        "Release plan\n============\n\nFirst draft\nsecond line\n-----------\n\nbody pear\n\n---\n"
        "\ntail grape\n"
    )
    assert headings(document) == {
        "Release plan": (1, 1, 2),
        "First draft second line": (2, 4, 6),
    }
    assert path_of(document, "grape") == path_of(document, "pear")
    assert [part.kind for part in document.chunks if part.text == "---"] == ["thematic_break"]


def test_commented_out_sections_are_comments() -> None:
    """Comment text is kept, marked as a comment, and never a section; scripts have none either."""
    document = chunk(
        "# A\n\n<!--\n## Hidden draft\nsecret-walnut\n-->\n\n## Shown\n\nfig\n\n<script>\n"
        "# not heading\n</script>\n"
    )
    assert list(headings(document)) == ["A", "Shown"]
    assert chunk_with(document, "secret-walnut").kind == "comment"
    assert chunk_with(document, "not heading").kind == "html"


def test_pieces_of_a_table_name_its_header() -> None:
    """No piece starts inside a row; later ones have header and delimiter rows as their head."""
    rows = [f"| svc{n} | {42 if n == 157 else n} | team{n} |" for n in range(1, 201)]
    rows[156] = "| svc157 | 42 | papaya |"
    document = chunk("# Limits\n\n| service | limit | owner |\n|---|---|---|\n" + "\n".join(rows))
    piece = chunk_with(document, "papaya")
    assert (piece.kind, path_of(document, "papaya")) == ("table", ["Limits"])
    assert piece.head is not None
    assert (piece.head.start_line, piece.head.end_line) == (3, 4)
    assert piece.head.text == "| service | limit | owner |\n|---|---|---|"
    row = piece.text.split("\n")[161 - piece.start_line]
    assert row == "| svc157 | 42 | papaya |"
    assert all(part.text.startswith("| s") for part in document.chunks[1:])


def test_a_rule_on_line_one_is_no_front_matter() -> None:
    """Headings between two rules exist, and no metadata is taken."""
    document = chunk("---\n\nIntro guava\n\n## Before\n\n---\n\n## After\n\ndate\n")
    assert list(headings(document)) == ["Before", "After"]
    assert chunk_with(document, "guava").parent is None
    assert (document.front_matter, dict(document.metadata)) == ("absent", {})


def test_front_matter_that_never_ends_is_text() -> None:
    """The body is there, no metadata is taken, and the document says what is wrong."""
    document = chunk("---\nkind: note\n# Title\n\nlychee\n")
    assert path_of(document, "lychee") == ["Title"]
    assert dict(document.metadata) == {}
    assert document.front_matter == "unparsed"
    assert document.front_matter_problem is not None


def test_sections_with_one_name_stay_apart() -> None:
    """Equal headings, also in other case or markup, keep their own text and their own chunksets."""
    text = (
        "# App\n\n## Setup\n\napricot\n\n## Setup\n\nbilberry\n\n## *Setup*\n\ncloudberry\n\n"
        "# Tool\n\n## setup\n\ndamson\n"
    )
    document = chunk(text)
    lines = {"apricot": 5, "bilberry": 9, "cloudberry": 13, "damson": 19}
    assert {word: chunk_with(document, word).start_line for word in lines} == lines
    assert len({unit.key for unit in document.chunksets}) == len(document.chunksets) == 4
    longer = chunk(text + "\n## Setup\n\nelderberry\n")
    assert longer.chunksets[:4] == document.chunksets


def test_one_line_of_megabytes_is_cut_to_exact_slices() -> None:
    """Every chunk is a substring of the line, bounded, on line 3, and none is lost."""
    blob = "QUJDREVG" * 625_000
    document = chunk(f"# Blob\n\n{blob} mulberry\n")
    pieces = document.chunks[1:]
    assert "".join(piece.text for piece in pieces) == f"{blob} mulberry"
    assert {(piece.start_line, piece.end_line) for piece in pieces} == {(3, 3)}
    assert max(len(piece.text) for piece in pieces) <= 1024
    assert pieces[-1].text.endswith("mulberry")
    assert all(
        piece.text == document.text[piece.start_byte : piece.end_byte] for piece in pieces[::500]
    )


@pytest.mark.parametrize(
    "text",
    [
        "".join("  " * level + "- lvl\n" for level in range(5000)),
        ">" * 20_000 + " quince\n",
        "".join("> quince\n" if line % 2 else "- \n" for line in range(2000)),
    ],
    ids=["lists", "quotes", "alternating"],
)
def test_deep_nesting_is_kept_as_text(text: str) -> None:
    """However deep a text nests, its words stay and no chunk has more than 106 ancestors."""
    document = chunk(text)
    assert max(part.depth for part in document.chunks) <= 106
    word = "lvl" if "lvl" in text else "quince"
    assert sum(part.text.count(word) for part in document.chunks) == text.count(word)


def test_a_list_item_hangs_below_its_parent_items() -> None:
    """Nested items and further blocks of an item are its children, in order."""
    document = chunk("- fig\n\n  more\n\n  - plum\n    - kiwi\n\n      > q\n- - twin\n  - last\n")
    tree = [(part.text.strip(), part.parent) for part in document.chunks]
    assert tree == [
        ("- fig", None),
        ("more", 0),
        ("- plum", 0),
        ("- kiwi", 2),
        ("> q", 3),
        ("- - twin", None),
        ("- last", 5),
    ]


def test_headings_in_quotes_and_items_open_no_section() -> None:
    """They belong to their container; what follows it stays where it was."""
    document = chunk("# Top\n\n> # Quoted\n\n- fig\n\n  # In item\n\nafter\n")
    assert headings(document) == {"Top": (1, 1, 1)}
    assert chunk_with(document, "In item").kind == "heading"
    assert path_of(document, "after") == ["Top"]
    assert path_of(document, "In item") == ["Top", "- fig"]


def test_rules_and_definitions_share_the_chunkset_of_their_neighbours() -> None:
    """A rule or a run of definitions is a chunk, never a chunkset of its own beside siblings."""
    document = chunk("# Top\n\nfig\n\n---\n\n[a]: /x\n[b]: /y\n\nplum\n")
    assert [part.kind for part in document.chunks[1:]] == [
        "paragraph",
        "thematic_break",
        "link_definition",
        "paragraph",
    ]
    assert [unit.leaves for unit in document.chunksets] == [(1, 2, 3, 4)]
    full = chunk(f"# Top\n\n{'fig ' * 255}\n\n---\n\n{'plum ' * 200}\n\n---\n")
    kinds = [{full.chunks[leaf].kind for leaf in unit.leaves} for unit in full.chunksets]
    assert kinds == [{"paragraph", "thematic_break"}] * 2


def test_a_heading_without_content_is_a_chunkset() -> None:
    """Its words are found although nothing stands below it, and it shares with no neighbour."""
    document = chunk("# Top\n\n## One\n\n## Two\n\nfig\n\n## Three\n")
    assert [unit.leaves for unit in document.chunksets] == [(1,), (3,), (4,)]


def test_lines_that_hold_only_a_marker_belong_to_a_chunk() -> None:
    """A lone `>` or `-` is shown with what it continues, or stands for itself."""
    document = chunk("> fig\n>\n\n-\n\n- plum\n-\n  late\n")
    assert [part.text for part in document.chunks] == ["> fig\n>", "-", "- plum", "-\n  late"]


def test_the_title_of_front_matter_comes_first() -> None:
    """A string counts, a list or an empty value does not."""
    assert chunk("---\ntitle: Garden\n---\n# Beds\n").title == "Garden"
    assert chunk("---\ntitle:\n---\n## Paths\n\n# Beds\n").title == "Beds"
    assert chunk("---\ntitle: [a, b]\n---\n## Paths\n").title == "Paths"
    assert chunk("fig\n").title is None


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("# Fig", "Fig"),
        ("## Fig ##", "Fig"),
        ("## Fig#", "Fig#"),
        ("#", ""),
        ("### ###", ""),
        ("# C#", "C#"),
        ("Fig\n===", "Fig"),
        ("Fig\n  plum\n---", "Fig plum"),
        ("#5 fig\n===", "#5 fig"),
        ("  ## *Fig*  \t", "*Fig*"),
    ],
)
def test_a_heading_is_read_without_its_marks(heading: str, text: str) -> None:
    """Markers, closing marks and underlines go; markup of the words stays."""
    assert heading_text(heading) == text


def test_line_ends_and_byte_order_mark_are_normalised() -> None:
    """Texts that differ in nothing else are the same document."""
    assert chunk("\ufeff# A\r\n\r\nfig\rplum\r\n") == chunk("# A\n\nfig\nplum\n")


def test_offsets_are_bytes_and_lines_start_at_one() -> None:
    """In the UTF-8 form of `Document.text`, end exclusive; lines inclusive."""
    document = chunk("# Å\n\n漢字\nfig\n")
    leaf = document.chunks[1]
    assert document.text.encode()[leaf.start_byte : leaf.end_byte].decode() == leaf.text
    assert (leaf.start_byte, leaf.start_line, leaf.end_line) == (6, 3, 4)


def test_what_is_no_text_is_refused() -> None:
    """Bytes and lone surrogates raise, with what would be right."""
    with pytest.raises(InvalidInputError, match="text must be a str"):
        chunk(b"# A")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="lone surrogate"):
        chunk("# \ud800")


def test_the_public_name_is_this_function() -> None:
    """`rootleaf.chunk` needs no import of an inner module."""
    assert rootleaf.chunk is chunk

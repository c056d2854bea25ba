"""The columns that the core's chunks come in, and the arguments that it takes."""

from __future__ import annotations

import threading

import pytest
from rootleaf import _core
from rootleaf.engine.chunker import (
    CHUNKER_ID,
    DEFAULT_MAX_TOKENS,
    KINDS,
    NO_PARENT,
    chunk_columns,
)
from rootleaf.errors import InvalidInputError

EVERY_KIND = """\
---
open: [
---
para

# Head

- item

```
code
```

| a |
|---|
| 1 |

> quote

<div></div>

<!-- note -->

---

[ref]: /url
"""


def test_every_kind_has_its_name() -> None:
    """A document with one block of each kind shows all names in document order."""
    columns = chunk_columns(EVERY_KIND, front_matter_parsed=False)
    assert [KINDS[kind] for kind in columns.kinds] == [
        "front_matter",
        "paragraph",
        "heading",
        "list_item",
        "code",
        "table",
        "quote",
        "html",
        "comment",
        "thematic_break",
        "link_definition",
    ]
    assert set(KINDS) == {KINDS[kind] for kind in columns.kinds}


def test_the_identity_names_the_version_of_the_core() -> None:
    """A change of the rules in the core shows in the identity that databases keep."""
    assert f"chunks-{_core.chunker_version}/{DEFAULT_MAX_TOKENS}" == CHUNKER_ID


def test_parsed_front_matter_is_no_chunk() -> None:
    """Its values are metadata; its lines still count."""
    columns = chunk_columns("---\nkind: note\n---\nfig\n")
    assert list(columns.starts) == [19]
    assert list(columns.start_lines) == [3]


def test_long_unparsed_front_matter_is_cut_at_lines() -> None:
    """Text that was meant as metadata is as bounded as any other."""
    front_matter = "---\nkey:\n" + "  - value of the list\n" * 200 + "---\n"
    columns = chunk_columns(f"{front_matter}# Fig\n", front_matter_parsed=False)
    kinds = [KINDS[kind] for kind in columns.kinds]
    assert kinds[:-1] == ["front_matter"] * (len(kinds) - 1)
    assert len(kinds) > 4
    assert all(front_matter[start - 1] == "\n" for start in list(columns.starts)[1:-1])
    assert columns.parents[len(kinds) - 1] == NO_PARENT


def test_an_empty_text_has_no_chunks() -> None:
    """Nothing in, nothing out, and no title."""
    for text in ("", " \n\t\n", "---\na: b\n---\n"):
        columns = chunk_columns(text)
        assert (columns.len_chunks(), columns.len_chunksets(), columns.title_chunk) == (0, 0, None)


def test_the_title_is_the_first_heading_of_level_one() -> None:
    """Else the first heading; headings in quotes and lists do not count."""
    assert chunk_columns("## a\n\n# b\n\n# c\n").title_chunk == 1
    assert chunk_columns("## a\n\n### b\n").title_chunk == 0
    assert chunk_columns("> # a\n\n- # b\n").title_chunk is None


@pytest.mark.parametrize("text", ["a\ud800b", "\udfff", "# \udc80"])
def test_a_lone_surrogate_is_refused_by_its_place(text: str) -> None:
    """The message names the code unit, and the hint mends it."""
    with pytest.raises(InvalidInputError, match="lone surrogate, U\\+D") as caught:
        chunk_columns(text)
    assert caught.value.code == "input.invalid"
    mended = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert chunk_columns(mended).len_chunks() == 1


@pytest.mark.parametrize("max_tokens", [15, 0, -1, 65537, 2**40])
def test_a_limit_out_of_range_is_refused(max_tokens: int) -> None:
    """The message names the argument, its range and what came."""
    with pytest.raises(InvalidInputError, match=f"16 to 65536, not {max_tokens}"):
        chunk_columns("fig", max_tokens=max_tokens)


@pytest.mark.parametrize("max_tokens", ["256", 256.0, None, True])
def test_a_limit_of_another_type_is_refused(max_tokens: object) -> None:
    """Numbers are not guessed from what looks like one."""
    with pytest.raises(InvalidInputError, match="max_tokens must be an int"):
        chunk_columns("fig", max_tokens=max_tokens)  # type: ignore[arg-type]


def test_bytes_are_refused() -> None:
    """Decoding is a decision that the caller makes."""
    with pytest.raises(InvalidInputError, match="text must be a str, not bytes"):
        chunk_columns(b"fig")  # type: ignore[arg-type]


def test_the_limit_is_part_of_the_key() -> None:
    """Chunksets of another size are other units, also where they show the same text."""
    assert chunk_columns("fig").key(0) != chunk_columns("fig", max_tokens=128).key(0)


def test_white_space_is_no_part_of_the_key() -> None:
    """Indentation, line ends and blank lines change no key."""
    texts = ("# A\n\nfig plum\n", "#  A\n\n\n\nfig\nplum", "# A\r\n\r\nfig  \tplum\r\n")
    assert len({chunk_columns(text).key(0) for text in texts}) == 1


def test_ancestors_are_part_of_the_key() -> None:
    """The same words under another heading are another unit."""
    assert chunk_columns("# A\n\nfig").key(0) != chunk_columns("# B\n\nfig").key(0)
    assert chunk_columns("# A\n\nfig").key(0) != chunk_columns("fig").key(0)


def test_threads_chunk_at_once_and_agree() -> None:
    """The interpreter's lock is released while the core works."""
    text = "# Fig\n\n" + "- item of a list, with words\n" * 5000
    expected = chunk_columns(text).chunkset_keys
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(chunk_columns(text).chunkset_keys))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4

"""URIs of files."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.searching.sources import file_uri

segments = st.text(st.characters(exclude_characters="/\x00", exclude_categories=["Cs"]), min_size=1)


@pytest.mark.parametrize(
    "path",
    [
        "/notes/a.md",
        "/n o/a b.md",
        "/r\u00e9sum\u00e9/\u8b49.md",
        "/100%/a?b#c.md",
        "/a;b=c&d@e:f.md",
        "/[x]/`y`.md",
    ],
)
def test_a_uri_is_what_the_standard_library_makes_of_the_path(path: str) -> None:
    """Compared with `pathlib`, which a search does not import, after decoding both."""
    ours = file_uri(path)
    assert ours.isascii()
    assert unquote_to_bytes(ours) == unquote_to_bytes(PurePosixPath(path).as_uri())


@given(st.lists(segments, min_size=1, max_size=4))
def test_the_path_of_a_uri_decodes_to_the_files_own(parts: list[str]) -> None:
    """Whatever a file is called, its URI has that path and neither query nor fragment."""
    path = "/" + "/".join(parts)
    uri = urlsplit(file_uri(path))
    assert (uri.scheme, uri.netloc, uri.query, uri.fragment) == ("file", "", "", "")
    assert unquote_to_bytes(uri.path) == path.encode("utf-8")

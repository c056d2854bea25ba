"""How bytes become text."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.decoding import decode

FRONT_MATTER = "---\nkind: runbook\n---\n# Restart\n\nDrain the persimmon queue first.\n"


@pytest.mark.parametrize(
    "text", [FRONT_MATTER, FRONT_MATTER.removeprefix("---\nkind: runbook\n---\n")]
)
def test_a_byte_order_mark_leaves_no_trace(text: str) -> None:
    """With a mark the text is what it is without: same characters, same lines."""
    assert decode(b"\xef\xbb\xbf" + text.encode()) == decode(text.encode())
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")]
)
def test_utf16_with_a_byte_order_mark_is_read(encoding: str, mark: bytes) -> None:
    """Both byte orders, characters beyond the first plane included; it is no fallback."""
    text = "# Grüße 证书 \U0001f600\nzwei\n"
    decoded = decode(mark + text.replace("\n", "\r\n").encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.fallback_byte_offset is None


def test_surrogates_without_a_partner_become_the_replacement_character() -> None:
    """In UTF-16 and in UTF-8 alike; a pair written as two surrogates is the character it means."""
    assert decode(b"\xff\xfea\x00\x00\xd8b\x00").text == "a\ufffdb"
    assert decode(b"\xff\xfea\x00\x00\xdc").text == "a\ufffd"
    lone = decode(b"a\xed\xa0\x80b")
    assert (lone.text, lone.encoding, lone.fallback_byte_offset) == ("a\ufffdb", "utf-8", None)
    assert decode(b"\xed\xa0\xbd\xed\xb8\x80").text == "\U0001f600"


def test_half_a_unit_at_the_end_of_utf16_costs_one_character() -> None:
    """A cut file is read up to the cut."""
    assert decode(b"\xff\xfea\x00b").text == "a\ufffd"


def test_other_bytes_are_read_as_windows_1252_and_the_first_is_named() -> None:
    """The fallback names itself and the offset in the file of the first byte that is not UTF-8."""
    decoded = decode(b"# Caf\xe9\n\nThe caf\xe9 printer jams on tray two.\n")
    assert decoded.text == "# Café\n\nThe café printer jams on tray two.\n"
    assert (decoded.encoding, decoded.fallback_byte_offset) == ("cp1252", 5)
    marked = decode(b"\xef\xbb\xbfCaf\xe9 \x93x\x94")
    assert (marked.text, marked.fallback_byte_offset) == ("Café “x”", 6)


def test_bytes_that_windows_1252_leaves_undefined_become_the_replacement_character() -> None:
    """No byte is lost silently and none raises."""
    assert decode(b"a\x81\x8d\x8f\x90\x9db").text == "a" + "\ufffd" * 5 + "b"


def test_nul_becomes_the_replacement_character() -> None:
    """What stands after a NUL is kept."""
    assert (
        decode(b"# Dump\n\nbefore\x00after quince\n").text == "# Dump\n\nbefore\ufffdafter quince\n"
    )


def test_the_three_line_ends_are_one() -> None:
    """CR LF, CR and LF end a line; U+2028, U+0085, form feed and vertical tab do not."""
    assert decode(b"a\r\nb\rc\nd\r\r\ne").text == "a\nb\nc\nd\n\ne"
    kept = "a\u2028b\u0085c\x0cd\x0be"
    assert decode(kept.encode()).text == kept


def test_a_mark_within_the_text_is_a_character() -> None:
    """U+FEFF is dropped at the start only."""
    assert decode("\ufeffa\ufeffb".encode()).text == "a\ufeffb"


def test_an_empty_file_is_an_empty_text() -> None:
    """As is a lone byte order mark."""
    assert decode(b"").text == decode(b"\xef\xbb\xbf").text == decode(b"\xff\xfe").text == ""


@given(st.binary() | st.text(st.characters(codec="utf-8")).map(str.encode))
def test_any_bytes_have_a_text_that_can_be_stored(content: bytes) -> None:
    """The text is valid UTF-8 without NUL, CR and leading mark; UTF-8 stays itself."""
    decoded = decode(content)
    decoded.text.encode("utf-8")
    assert not {"\0", "\r"} & set(decoded.text)
    assert not decoded.text.startswith("\ufeff")
    try:
        expected = content.decode("utf-8")
    except UnicodeDecodeError:
        return
    if not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert decoded.fallback_byte_offset is None
        lines = expected.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        assert decoded.text == lines.replace("\0", "\ufffd")


def test_the_locale_has_no_part_in_it() -> None:
    """Under LC_ALL=C the same bytes give the same text."""
    program = (
        "from rootleaf.documents.decoding import decode\n"
        "print(ascii((decode(b'Caf\\xe9').text, decode(b'Caf\\xc3\\xa9').text)))"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == ascii(("Café", "Café"))

"""The analyzer: which words find which, in either spelling, and that no text can break it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.analyzer import ANALYZER_ID, NO_TERM, analyze, matching_spans, query_words
from rootleaf.errors import InvalidInputError

TEXTS = st.text(alphabet=st.characters(), max_size=60) | st.text(
    alphabet="aBcXY09_-'’./:@#+ é證書バカ\u3099ｶﾞกี한\u200b\u00ad\ud800", max_size=40
)


def terms(text: str) -> list[str]:
    """The terms of a text without their positions."""
    return [term for term, _ in analyze(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fetchUserTokens()", ["fetchusertoken", "fetch", "user", "token"]),
        ("HTTPServerError", ["httpservererror", "http", "server", "error"]),
        ("parseXMLDoc", ["parsexmldoc", "pars", "xml", "doc"]),
        ("IPv6Address", ["ipv6address", "ipv6", "address"]),
        ("overtime_service_v2", ["overtimeservicev2", "overtim", "servic", "v2"]),
        ("gate-keeper", ["gatekeep", "gate", "keeper"]),
        ("path/to/file.py", ["path/to/file.py", "path", "to", "file", "py"]),
        ("foo::bar", ["foo::bar", "foo", "bar"]),
        ("--flag", ["--flag", "flag"]),
        ("v2.0-rc.1", ["v2.0rc.1", "v2", "0rc", "0", "rc", "1"]),
        ("#1234", ["#1234", "1234"]),
        ("a@b.example", ["a@b.example", "a", "b", "exampl"]),
        ("don't don’t", ["dont", "don", "dont", "don"]),
        ("users user's users'", ["user", "user", "user"]),
        ("2026-05-26", ["2026-05-26", "2026", "05", "26"]),
        ("end. The", ["end", "the"]),
        ("a,b = [c]", ["a", "b", "c"]),
        ("", []),
        ("?! -- ...", []),
    ],
)
def test_a_word_gives_its_whole_and_its_parts(text: str, expected: list[str]) -> None:
    """Identifiers are found whole and in parts; punctuation around a word is not part of it."""
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fetchUserTokens", "fetchusertokens"),
        ("fetchUserTokens", "fetch_user_tokens"),
        ("HTTPServerError", "http-server-error"),
        ("EIP-1559", "eip1559"),
        ("e-mail", "email"),
        ("Gate-Keeper", "gate‑keeper"),
        ("src/Net.py", "SRC/net.PY"),
        ("V2.0-RC.1", "v2.0-rc.1"),
    ],
)
def test_the_whole_meets_in_every_spelling(one: str, other: str) -> None:
    """Letter case, and the kind of hyphen or underscore, do not keep an identifier from itself."""
    assert terms(one)[0] == terms(other)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "CAFE"),
        ("ｗｉｄｅ", "wide"),
        ("ﾊﾞｯﾁ", "バッチ"),
        ("straße", "STRASSE"),
        ("naïve", "nai\u0308ve"),
    ],
)
def test_accents_and_width_do_not_hide_a_word(one: str, other: str) -> None:
    """Accents, compatibility forms and width variants fold together."""
    assert terms(one) == terms(other)


@pytest.mark.parametrize(
    ("one", "other"), [("retries", "retry"), ("indexing", "indexed"), ("keys", "key")]
)
def test_english_inflections_meet(one: str, other: str) -> None:
    """Plain words are stemmed."""
    assert terms(one) == terms(other)


def test_scripts_without_spaces_give_overlapping_pairs() -> None:
    """Han, kana, Hangul and Thai are found by pairs; a single character stands for itself."""
    assert analyze("证书轮换，再") == [("证书", 0), ("书轮", 1), ("轮换", 2), ("再", 3)]
    assert terms("夜間バッチ") == ["夜間", "間バ", "バッ", "ッチ"]
    assert terms("승인절차") == ["승인", "인절", "절차"]
    assert terms("v2版本") == ["v2", "版本"]
    assert not set(terms("轮胎")) & set(terms("证书轮换"))


def test_the_parts_of_a_word_share_its_position() -> None:
    """A compound counts as one word of the text."""
    assert analyze("see gate-keeper now")[1:4] == [("gatekeep", 1), ("gate", 1), ("keeper", 1)]
    assert analyze("see gate-keeper now")[4] == ("now", 2)


def test_encoded_bytes_stay_whole_and_bounded() -> None:
    """A base64 word is one term of bounded length, so it floods neither dictionary nor length."""
    word = "TGljZW5zZUV4cGlyZWQ5ODc2NTQzMjFBQmNEZUZnSGlKa0xtTm9QcVJzVHVWd1h5WjAxMjM0NTY3ODk"
    assert len(analyze(word)) == 1
    assert len(analyze(word)[0][0]) == 17
    assert len(analyze("x" * 5_000_000)) < 5_000


@given(TEXTS)
def test_any_text_is_legal_and_positions_count_up(text: str) -> None:
    """No text raises; positions start at 0 and leave no gap."""
    positions = [position for _, position in analyze(text)]
    assert sorted(set(positions)) == list(range(len(set(positions))))
    assert positions == sorted(positions)
    assert all(term and "\0" not in term for term in terms(text))


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd"]), min_size=1, max_size=12))
def test_composed_and_decomposed_forms_are_one(text: str) -> None:
    """Canonically equivalent spellings have the same terms."""
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(TEXTS)
def test_a_text_matches_itself_everywhere(text: str) -> None:
    """Query and document agree: each word of a text matches the text; spans ascend in it."""
    spans = matching_spans(text, text)
    assert bool(spans) == bool(analyze(text))
    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(text)
        end = stop
    outside = "".join(
        " " if any(start <= i < stop for start, stop in spans) else character
        for i, character in enumerate(text)
    )
    asked = query_words(text)
    greatest = max((word.weight for word in asked), default=0.0)
    wanted = {term for word in asked if word.weight == greatest for term in word.terms}
    assert not set(terms(outside)) & wanted


def test_matching_spans_are_whole_words_in_characters() -> None:
    """Spans count characters, cover the whole word, and join the pairs of one run."""
    text = "é: the fetchUserTokens() 请检查证书轮换，再 Tokens"
    assert [text[a:b] for a, b in matching_spans("user tokens 证书轮换", text)] == [
        "fetchUserTokens",
        "证书轮换",
        "Tokens",
    ]
    assert matching_spans("", text) == []


@pytest.mark.parametrize(
    ("query", "full", "less"),
    [
        ("How do I restart the gateway?", ["gateway", "restart"], ["do", "how", "i", "the"]),
        ("what's a retry", ["retri"], ["a", "what"]),
        ("if let where for as in not", ["as", "for", "if", "in", "let", "not", "where"], []),
        ("to be or not", ["not"], ["be", "or", "to"]),
        ("the who", [], ["the", "who"]),
        ("", [], []),
        ("plum Plums plum", ["plum"], []),
        ("how-to", [], ["howto"]),
        ("what-if", ["whatif"], []),
        ("证书轮换", ["书轮", "证书", "轮换"], []),
    ],
)
def test_words_that_only_hold_a_sentence_together_count_less(
    query: str, full: list[str], less: list[str]
) -> None:
    """They are lowered and never left out, and each word is there once, by its first term."""
    words = query_words(query)
    assert [word.terms[0] for word in words if word.weight == 1.0] == full
    lowered = [word for word in words if word.weight != 1.0]
    assert all(0.0 < word.weight < 0.5 for word in lowered)
    assert [word.terms[0].removesuffix("s") for word in lowered] == less


def test_a_word_of_a_query_is_a_whole_before_its_parts() -> None:
    """Parts name what they are part of, at any depth; of two spellings the fuller one stands."""
    (word,) = query_words("path/to/file_name.py")
    assert word.terms == ("path/to/filename.py", "path", "to", "filenam", "file", "name", "py")
    assert word.enclosing == (NO_TERM, 0, 0, 0, 3, 3, 0)
    for query in ("flowstudio FlowStudio", "FlowStudio flowstudio flow_studio"):
        assert [one.terms for one in query_words(query)] == [("flowstudio", "flow", "studio")]


def test_spans_leave_out_what_counts_less() -> None:
    """Highlighting shows why a text was found: not every `the`."""
    assert matching_spans("where is the plum", "the plum is there") == [(4, 8)]
    assert matching_spans("the", "the plum") == [(0, 3)]


def test_what_is_no_string_is_refused_by_name() -> None:
    """The error names the argument and what came."""
    with pytest.raises(InvalidInputError, match="text must be a str, not bytes"):
        analyze(b"x")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="query must be a str, not int"):
        matching_spans(1, "x")  # type: ignore[arg-type]


def test_the_identity_names_rules_and_unicode() -> None:
    """An index can tell that it was made by another analyzer."""
    assert ANALYZER_ID.startswith("words-")
    assert "unicode-" in ANALYZER_ID

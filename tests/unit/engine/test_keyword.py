"""The segment and its builder: which queries find what, how a hit is chosen, what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.engine.keyword import Ranking, Segment, SegmentBuilder
from rootleaf.errors import InvalidInputError

GATEWAYS = (
    "# Gateways\n\nThe gate-keeper reads src/net/retry_policy.py, then calls fetchUserTokens() at "
    "v2.0-rc.1 (don't retry). Owner: ops@example.test, a,b = 3, see #runbook [draft].\n"
)
CLIENT = (
    "# Client\n\nfetchUserTokens retries; HTTPServerError and overtime_service_v2 may be raised; "
    "parseXMLDoc reads IPv6Address.\n"
)
DECOY = "# Decoy\n\nThe user lost two tokens while we fetch the post.\n"


def build(*texts: str, **metadata: Any) -> Segment:
    """A segment of these texts, numbered from 0; all have the same metadata."""
    builder = SegmentBuilder()
    for number, text in enumerate(texts):
        builder.add(number, f"/r/{number}.md", "", text, True, "", metadata)
    return builder.build()


def found(segment: Segment, query: str, **options: Any) -> list[int]:
    """The documents of an answer, best first, each once."""
    return list(dict.fromkeys(segment.search(query, top_k=10, **options).document_ids))


@pytest.mark.parametrize(
    "query",
    [
        "gate-keeper",
        "src/net/retry_policy.py",
        "fetchUserTokens()",
        "v2.0-rc.1",
        "don't",
        "ops@example.test",
        "a,b",
        "#runbook",
        "[draft]",
        "owner:ops",
        "^gate",
        '"gate keeper',
        "-retry",
        "NOT retry",
        "NEAR(gate, 3)",
    ],
)
def test_no_character_of_a_query_is_syntax(query: str) -> None:
    """A query whose words stand in a document finds it, whatever punctuation is around them."""
    assert found(build("# Other\n\nnothing of that kind\n", GATEWAYS), query) == [1]


@pytest.mark.parametrize("query", ["'; DROP TABLE chunks; --", "100%_", "", " ", "(((", "\ud800"])
def test_a_query_without_known_words_matches_nothing(query: str) -> None:
    """It is an empty answer and no error, and says what was searched."""
    ranking = build(GATEWAYS).search(query, top_k=5)
    assert len(ranking) == 0
    assert ranking.matched_documents == 0
    assert ranking.allowed_documents == 1
    assert ranking.allowed_chunksets == 1


@pytest.mark.parametrize(
    "query",
    [
        "user tokens",
        "fetchusertokens",
        "fetchUserTokens",
        "server error",
        "HTTPServerError",
        "overtime",
        "overtime_service_v2",
        "xml doc",
        "ipv6",
    ],
)
def test_identifiers_are_found_whole_and_in_parts(query: str) -> None:
    """One tokenizer for index and query splits before it folds case."""
    assert 0 in found(build(CLIENT, DECOY), query)


@pytest.mark.parametrize("query", ["fetchUserTokens", "fetchusertokens", "fetch_user_tokens"])
def test_an_identifier_ranks_above_its_scattered_parts(query: str) -> None:
    """The whole counts beside the parts, in every spelling."""
    assert found(build(DECOY, CLIENT), query)[0] == 1


def test_text_without_spaces_is_found_by_pairs_in_its_own_section() -> None:
    """Chinese, Japanese and Korean words find the passage they stand in, and no other."""
    segment = build(
        "# 运维\n\n部署失败时请先检查证书轮换，再重启网关。\n\n"
        "# 予定\n\n夜間バッチは毎週日曜日に止める。\n\n# 절차\n\n오늘 배포 승인절차를 바꿨다.\n"
    )
    expected = {
        "证书轮换": 0,
        "证书": 0,
        "网关": 0,
        "日曜日": 1,
        "夜間バッチ": 1,
        "승인절차": 2,
        "승인": 2,
    }
    for query, ordinal in expected.items():
        assert list(segment.search(query, top_k=5).ordinals) == [ordinal], query
    assert len(segment.search("轮胎", top_k=5)) == 0


def test_a_document_is_found_by_name_front_matter_headings_and_body() -> None:
    """Each field is searched; parsed front matter is no body text."""
    builder = SegmentBuilder()
    text = "---\nkind: quince\n---\n# Medlar\n\n- parent persimmon\n  - child fig\n"
    builder.add(7, "/r/a.md", "loquat", text, True, "quince", {"kind": "quince"})
    segment = builder.build()
    for query in ("loquat", "quince", "medlar", "persimmon", "fig"):
        assert found(segment, query) == [7], query
    assert found(segment, "kind") == []


def test_front_matter_that_was_not_parsed_is_text() -> None:
    """Its lines are found as any other text."""
    builder = SegmentBuilder()
    builder.add(1, "/r/a.md", "a", "---\nkind: |\n  quince\n---\n# T\n\nbody\n", False, "", {})
    assert found(builder.build(), "quince") == [1]


def test_at_most_three_chunksets_of_a_document_count() -> None:
    """A long document does not use up the answer."""
    log = "\n\n".join(f"## Day {day}\n\nplum {'x ' * day}" for day in range(20))
    ranking = build(log, "# Short\n\nplum\n").search("plum", top_k=2)
    assert list(ranking.document_ids).count(0) == 3
    assert list(ranking.document_ids).count(1) == 1
    wide = build(log).search("plum", top_k=1, per_document=5)
    assert len(wide) == 5
    assert list(wide.bm25) == sorted(wide.bm25, reverse=True)


def test_equal_documents_stand_in_the_order_of_their_paths() -> None:
    """Ties break by path, whatever the ids."""
    builder = SegmentBuilder()
    for document_id, path in ((1, "/r/b.md"), (2, "/r/a.md"), (3, "/r/B.md")):
        builder.add(document_id, path, "", "# T\n\nplum\n", True, "", {})
    assert list(builder.build().search("plum", top_k=3).document_ids) == [3, 2, 1]


def test_filters_join_keys_by_and_and_values_by_or() -> None:
    """A list value matches by any element; comparison is exact; an empty list matches nothing."""
    builder = SegmentBuilder()
    rows: list[dict[str, str | list[str]]] = [
        {"kind": "event", "tag": ["a", "b"]},
        {"kind": "decision", "tag": ["b"]},
        {"kind": "Event"},
        {},
    ]
    for number, metadata in enumerate(rows):
        builder.add(number, f"/r/{number}.md", "", "# T\n\nplum\n", True, "", metadata)
    segment = builder.build()
    assert found(segment, "plum", where={"kind": "event"}) == [0]
    assert found(segment, "plum", where={"kind": ["event", "decision"]}) == [0, 1]
    assert found(segment, "plum", where={"kind": ["event", "decision"], "tag": ["a"]}) == [0]
    assert found(segment, "plum", where={"tag": ["a", "b", "c"]}) == [0, 1]
    assert found(segment, "plum", where={"kind": []}) == []
    assert found(segment, "plum", where={"absent": ["x"]}) == []
    assert found(segment, "plum", where={}) == [0, 1, 2, 3]
    assert found(segment, "plum", where=None) == [0, 1, 2, 3]
    assert segment.search("plum", where={"kind": []}, top_k=3).allowed_documents == 0


def test_coverage_counts_a_missing_word_with_the_greatest_weight() -> None:
    """Half of the words, and the rarer half missing, is less than half; all of them is most."""
    segment = build("# T\n\nplum\n", "# T\n\nfig\n", "# T\n\npear\n")
    whole = segment.search("plum", top_k=1).coverage[0]
    half = segment.search("plum walnut", top_k=1).coverage[0]
    absent = math.log(1 + 3.5 / 0.5)
    present = math.log(1 + 2.5 / 1.5)
    assert half == pytest.approx(whole * present / (present + absent))


def test_coverage_counts_a_word_by_its_whole_or_by_its_parts() -> None:
    """An identifier that stands there in parts, or only whole, is no missing word."""
    parts = build("# T\n\nretry the policy\n", "# T\n\nfig\n")
    plain = parts.search("retry policy", top_k=1).coverage[0]
    assert parts.search("retry_policy", top_k=1).coverage[0] == pytest.approx(plain)
    assert parts.search("retry_walnut", top_k=1).coverage[0] < plain
    whole = build("# T\n\nretrypolicy\n", "# T\n\nfig\n")
    assert (
        whole.search("retryPolicy", top_k=1).coverage[0]
        == whole.search("retrypolicy", top_k=1).coverage[0]
    )


def test_an_identifier_does_not_outweigh_the_other_words() -> None:
    """Whole and parts together count as one word, so the document that has both words is first."""
    segment = build(
        "# One\n\nFlowStudio server, FlowStudio flow, studio and server\n",
        "# Two\n\nCloudflare stands before the FlowStudio server\n",
        *["# Other\n\nnothing of that kind\n"] * 4,
    )
    assert found(segment, "Cloudflare FlowStudio server") == [1, 0]


@pytest.mark.parametrize(
    ("query", "whole", "scattered"),
    [
        ("retryPolicy", "retry_policy is set", "retry by policy is set"),
        ("#1234", "see #1234 there", "see 1234 there"),
        ("path/to/file_name.py", "open path/to/fileName.py now", "path to file name py"),
        ("path/to/file_name.py", "a file_name of a path", "a file by name of a path"),
    ],
)
def test_a_whole_scores_above_its_parts(query: str, whole: str, scattered: str) -> None:
    """Other things equal, and at any depth; the parts still answer."""
    assert found(build(f"# T\n\n{scattered}\n", f"# T\n\n{whole}\n"), query) == [1, 0]


def test_one_word_covers_at_most_its_share() -> None:
    """A document with all of one identifier and none of the other word covers half at most."""
    segment = build("# T\n\nsrc/net/retry_policy.py src net retry policy py\n", "# T\n\nfig\n")
    assert segment.search("src/net/retry_policy.py fig", top_k=2).coverage[0] < 0.5
    assert segment.search("src/net/retry_policy.py walnut", top_k=2).coverage[0] < 0.5


def test_a_word_that_is_asked_in_two_spellings_counts_once() -> None:
    """Repeated words and other spellings of a word change nothing."""
    segment = build(CLIENT, DECOY)
    once = segment.search("fetchUserTokens gateway", top_k=2)
    again = segment.search("fetch_user_tokens gateway fetchUserTokens fetchusertokens", top_k=2)
    assert list(again.coverage) == list(once.coverage)
    assert list(again.bm25) == list(once.bm25)


def test_a_name_is_found_by_its_name() -> None:
    """The file that is called so comes before those that speak of it."""
    builder = SegmentBuilder()
    for number, name in enumerate(("eip-4844", "eip-7516", "eip-1559")):
        text = f"# About {name}\n\nIt goes on from EIP-1559, as EIP-1559 says.\n"
        builder.add(number, f"/r/{name}.md", name, text, True, "", {})
    builder.add(9, "/r/notes.md", "notes", "# Notes on EIP-1559\n\nEIP-1559\n", True, "", {})
    assert found(builder.build(), "EIP-1559")[0] == 2


def test_stop_words_count_less_and_still_answer() -> None:
    """A query of nothing else finds the texts that they stand in, and no other word gives way."""
    segment = build("# Hamlet\n\nTo be, or not to be\n", "# Plum\n\nfig what is the\n")
    assert found(segment, "to be or") == [0]
    assert found(segment, "what is the fig to be or") == [1, 0]
    assert segment.search("what is the walnut", top_k=1).coverage[0] < 0.2


def test_top_k_zero_counts_only() -> None:
    """Nothing is returned, and the counts are there."""
    ranking = build(CLIENT, DECOY).search("tokens", top_k=0)
    assert len(ranking) == 0
    assert ranking.matched_documents == 2


def test_top_k_may_be_larger_than_any_answer() -> None:
    """It is a limit and reserves nothing."""
    assert len(build(CLIENT).search("tokens", top_k=10**30)) == 1


def test_a_megabyte_line_is_searched_and_skews_no_other_file() -> None:
    """Encoded bytes count as few words, so the average length stays near that of prose."""
    blob = "# Blob\n\n" + "QmFzZTY0/aB3dE9+" * 320_000 + " mulberry\n"
    segment = build(blob, CLIENT, DECOY)
    assert found(segment, "mulberry") == [0]
    assert found(segment, "fetchUserTokens")[0] == 1
    # More than one occurrence covers in a chunkset of average length: 1 / (1 + k1).
    assert segment.search("mulberry", top_k=1).coverage[0] > 1 / (1 + 1.4)


def test_the_empty_segment_answers_nothing() -> None:
    """No documents, and documents without text."""
    empty = SegmentBuilder().build()
    assert (empty.document_count, empty.chunkset_count) == (0, 0)
    assert len(empty.search("plum", top_k=5)) == 0
    blank = build("", "\n\n")
    assert (blank.document_count, blank.chunkset_count) == (2, 0)
    assert len(blank.search("plum", where={"k": "v"}, top_k=5)) == 0


def test_a_builder_is_empty_after_it_built() -> None:
    """It can be used again."""
    builder = SegmentBuilder()
    builder.add(1, "/r/a.md", "", "plum\n", True, "", {})
    assert builder.build().document_count == 1
    assert builder.build().document_count == 0


@given(
    st.text(alphabet=st.characters(), max_size=80), st.text(alphabet=st.characters(), max_size=20)
)
def test_no_query_raises(query: str, key: str) -> None:
    """Any string is a legal query, and any string a legal key and value."""
    segment = build(GATEWAYS, kind="event")
    assert isinstance(segment.search(query, top_k=3), Ranking)
    assert len(segment.search("gate", where={key + "x": query}, top_k=3)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": b"plum"}, "query must be a str, not bytes"),
        ({"top_k": True}, "top_k must be an int, not bool"),
        ({"top_k": "5"}, "top_k must be an int, not str"),
        ({"top_k": -1}, "top_k must be at least 0, not -1"),
        ({"per_document": 0}, "per_document must be at least 1, not 0"),
        (
            {"where": ["kind"]},
            "where must be a mapping of str to str or a sequence of str, not list",
        ),
        ({"where": {"kind": 1}}, r"where\['kind'\] must be a str or a sequence of str, not int"),
        ({"where": {"kind": None}}, r"where\['kind'\] must be a str or a sequence of str"),
        ({"where": {"kind": [1]}}, r"where\['kind'\] holds 1, which must be a str, not int"),
        ({"where": {"kind": [True]}}, r"where\['kind'\] holds True"),
        (
            {"where": {"kind": {"a"}}},
            r"where\['kind'\] must be a str or a sequence of str, not set",
        ),
        ({"where": {"kind": {"a": "b"}}}, r"where\['kind'\] must be a str or a sequence of str"),
        ({"where": {"kind": b"event"}}, r"where\['kind'\] must be a str or a sequence of str"),
        ({"where": {2: "a"}}, "where has the key 2, which must be a str, not int"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    """The error says which argument, what was expected, and what came."""
    given_arguments: dict[str, Any] = {"query": "plum", "top_k": 5, **arguments}
    with pytest.raises(InvalidInputError, match=message):
        build("plum").search(given_arguments.pop("query"), **given_arguments)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, -1, "document_id must be 0 to 18446744073709551615, not -1"),
        (0, "1", "document_id must be an int, not str"),
        (1, b"/r/a.md", "path must be a str, not bytes"),
        (2, None, "name must be a str, not NoneType"),
        (3, 3, "text must be a str, not int"),
        (4, 1, "front_matter_parsed must be a bool, not int"),
        (5, [], "field_text must be a str, not list"),
        (6, None, "metadata must be a mapping"),
        (6, {"kind": 3}, r"metadata\['kind'\] must be a str or a sequence of str, not int"),
    ],
)
def test_a_document_with_a_wrong_field_is_refused(place: int, value: Any, message: str) -> None:
    """Nothing of it is added, and the field is named."""
    arguments: list[Any] = [1, "/r/a.md", "a", "plum", True, "", {}]
    arguments[place] = value
    builder = SegmentBuilder()
    with pytest.raises(InvalidInputError, match=message):
        builder.add(*arguments)
    assert builder.build().document_count == 0


@pytest.mark.parametrize("max_tokens", [15, 65537, True, "256"])
def test_a_chunk_size_outside_its_range_is_refused(max_tokens: Any) -> None:
    """The range of the chunker holds for the builder."""
    with pytest.raises(InvalidInputError, match="max_tokens must be"):
        SegmentBuilder(max_tokens)

"""Hypothesis strategies for small corpora whose words collide, and for queries to them."""

from __future__ import annotations

from bm25_model import Source
from hypothesis import strategies as st

VOCABULARY = ["token", "tokens", "user", "fetch", "the", "of", "net", "keeper", "café", "42"]
VOCABULARY += ["fetchUserTokens", "fetch_user_tokens", "gate-keeper", "gatekeeper", "src/net.py"]
VOCABULARY += [
    "v2.0",
    "don't",
    "证书轮换",
    "证书",
    "轮换",
    "バッチ",
    "#runbook",
    "ops@example.test",
]
UNKNOWN = ["walnut", "WalnutTree", "核桃", "?!", ""]
KEYS: dict[str, list[str]] = {"kind": ["event", "decision", "Event"], "tag": ["a", "b", "c"]}

words = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8).map(" ".join)
blocks = st.one_of(
    words,
    words.map(lambda line: f"# {line}"),
    words.map(lambda line: f"## {line}"),
    words.map(lambda line: f"#### {line}"),
    st.tuples(words, words).map(lambda two: f"- {two[0]}\n  - {two[1]}\n\n    {two[0]}"),
    st.tuples(words, words).map(lambda two: f"| {two[0]} | b |\n|---|---|\n| {two[1]} | 1 |"),
    words.map(lambda line: f"```\n{line}\n```"),
    words.map(lambda line: f"> {line}"),
    words.map(lambda line: (line + ". ") * 90),
)
texts = st.lists(blocks, max_size=6).map("\n\n".join)
metadata: st.SearchStrategy[dict[str, str | list[str]]] = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(KEYS["kind"]),
        "tag": st.lists(st.sampled_from(KEYS["tag"]), max_size=3),
    },
)
filters = st.dictionaries(
    st.sampled_from([*KEYS, "absent"]),
    st.lists(st.sampled_from([*KEYS["kind"], *KEYS["tag"]]), max_size=3),
    max_size=2,
)
queries = st.lists(st.sampled_from(VOCABULARY + UNKNOWN), max_size=5).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> list[Source]:
    """Up to eight documents with different paths, whose order is not that of their ids."""
    rows = draw(st.lists(st.tuples(texts, words, words, metadata), max_size=8))
    ids = draw(st.permutations(range(len(rows))))
    return [
        Source(1000 + number, f"/root/{chr(97 + at)}.md", name, text, field_text, values)
        for at, (number, (text, name, field_text, values)) in enumerate(zip(ids, rows, strict=True))
    ]

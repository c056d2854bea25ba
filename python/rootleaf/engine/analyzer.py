"""Words into terms: the one analyzer of documents and queries.

Any string is legal, and no character is syntax. A word has one position; a compound
(`fetchUserTokens`, `src/net/retry_policy.py`) and its parts share it. The rules stand in the core's
`text/analyzer.hpp`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.errors import InvalidInputError
from rootleaf.types import Value

ANALYZER_ID: str = _core.analyzer_id()
"""Identity of the rules and of the Unicode version under them; an index of another is rebuilt."""


def analyze(text: str) -> list[tuple[str, int]]:
    """The terms of a text with their positions, counted from 0, in the order they stand.

    Within a word compounds stand before their parts, and no term twice.

    Raises:
        InvalidInputError: `text` is no str.
    """
    terms, positions = _core.analyze(utf8(text, "text"))
    return list(
        zip(terms.decode("utf-8").split("\0"), memoryview(positions).cast("I"), strict=False)
    )


NO_TERM: int = 0xFFFFFFFF
"""In `QueryWord.enclosing`: the term is part of no other."""


class QueryWord(Value):
    """A word that a search asks for: one term, or a whole before its parts.

    Attributes:
        weight: What the word counts: 1, or less for one that only holds a sentence together.
        terms: Its terms, each once.
        enclosing: By term, the index in `terms` of the term that it is part of, which is smaller
            than its own; or `NO_TERM`.
    """

    weight: float
    terms: tuple[str, ...]
    enclosing: tuple[int, ...]


def query_words(query: str) -> list[QueryWord]:
    """The distinct words that a search for `query` ranks by, in the order of their first terms.

    Of words with the same first term (`fetchUser`, `fetchuser`) the one with the most terms stands
    for all.

    Raises:
        InvalidInputError: `query` is no str.
    """
    return [
        QueryWord(
            weight=weight,
            terms=tuple(terms.decode("utf-8").split("\0")[:-1]),
            enclosing=tuple(memoryview(enclosing).cast("I")),
        )
        for weight, terms, enclosing in _core.query_words(utf8(query, "query"))
    ]


def matching_spans(query: str, text: str) -> list[tuple[int, int]]:
    """The words of `text` that a search for `query` finds, as character offsets, end exclusive.

    The whole word is the span, whichever of its parts met; in scripts without spaces the pairs that
    met, joined where they touch. Spans are in order and do not overlap. Words that only hold a
    sentence together (`how do the`) are left out, unless the query has no others.

    Raises:
        InvalidInputError: An argument is no str.
    """
    starts, ends = _core.matching_spans(utf8(query, "query"), utf8(text, "text"))
    return list(zip(memoryview(starts).cast("I"), memoryview(ends).cast("I"), strict=True))


def utf8(text: object, name: str) -> bytes:
    """The bytes that the core works on; a lone surrogate becomes bytes that separate words.

    Raises:
        InvalidInputError: `text` is no str; the message calls it `name`.
    """
    if not isinstance(text, str):
        message = f"{name} must be a str, not {type(text).__name__}"
        raise InvalidInputError(message)
    return text.encode("utf-8", "surrogatepass")

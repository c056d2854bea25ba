"""Words into terms: the one analyzer of documents and queries.

Any string is legal, and no character is syntax. A word has one position; a compound
(`fetchUserTokens`, `src/net/retry_policy.py`) and its parts share it. The rules stand in the core's
`text/analyzer.hpp`.
"""

from __future__ import annotations

from rootleaf import _core
from rootleaf.errors import InvalidInputError

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


def query_terms(query: str) -> list[str]:
    """The distinct terms that a search for `query` ranks by, in the order of their bytes.

    Words that only hold a sentence together (`how do the`) are left out, unless the query has no
    others.

    Raises:
        InvalidInputError: `query` is no str.
    """
    return _core.query_terms(utf8(query, "query")).decode("utf-8").split("\0")[:-1]


def matching_spans(query: str, text: str) -> list[tuple[int, int]]:
    """The words of `text` that a search for `query` finds, as character offsets, end exclusive.

    The whole word is the span, whichever of its parts met; in scripts without spaces the pairs that
    met, joined where they touch. Spans are in order and do not overlap.

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

"""A question as it was asked, once all of it is known to be right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rootleaf import config
from rootleaf.errors import InvalidInputError
from rootleaf.searching.filters import checked_where
from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


FUSIONS = ("weighted", "rrf")


class Request(Value):
    """A checked question: what `search` takes, without the place and the embedder that are asked.

    `empty_gate` is the threshold that was asked for, by argument or environment; 0 for no gate, and
    None where the model says.
    """

    query: str
    top_k: int
    where: Mapping[str, Sequence[str]] | None = None
    allowed: Iterable[int] | None = None
    min_score: float = 0.0
    empty_gate: float | None = None
    fusion: str = FUSIONS[0]
    budget_tokens: int | None = None
    cite: bool = False
    explain: bool = False

    @property
    def is_filtered(self) -> bool:
        """Whether metadata decides what may be in the answer, which has to be right then."""
        return self.where is not None


def checked_request(  # noqa: PLR0917 - in the order of `search`
    query: object,
    top_k: object,
    where: object,
    min_score: object,
    empty_gate: object,
    fusion: object,
    budget_tokens: object,
    allowed: Iterable[int] | None,
    *,
    cite: bool,
    explain: bool,
) -> Request:
    """A request of what `search` was given.

    Raises:
        InvalidInputError: An argument is not what `search` takes, or `ROOTLEAF_EMPTY_GATE` is no
            threshold; the message names it.
    """
    return Request(
        query=_checked_query(query),
        top_k=checked_count("top_k", top_k, 0),
        where=checked_where(where),
        min_score=_checked_score(min_score),
        empty_gate=config.empty_gate() if empty_gate is None else _checked_gate(empty_gate),
        fusion=_checked_fusion(fusion),
        budget_tokens=None
        if budget_tokens is None
        else checked_count("budget_tokens", budget_tokens, 1),
        cite=cite,
        explain=explain,
        allowed=lasting(allowed),
    )


def lasting(allowed: Iterable[int] | None) -> Iterable[int] | None:
    """What can be gone through again, where `allowed` can be gone through once only."""
    return list(allowed) if isinstance(allowed, Iterator) else allowed


def checked_queries(queries: object) -> list[object]:
    """The queries that are asked at once.

    Raises:
        InvalidInputError: It is one string, or cannot be gone through.
    """
    if isinstance(queries, str) or not isinstance(queries, Iterable):
        message = f"queries must be several strings, not {type(queries).__name__}"
        raise InvalidInputError(message, hint=f"search_many([{queries!r}])")
    return list(queries)


def checked_count(name: str, count: object, least: int) -> int:
    """A whole number that is large enough.

    Raises:
        InvalidInputError: It is none; the message names it.
    """
    if not isinstance(count, int) or isinstance(count, bool):
        message = f"{name} must be a whole number, not {type(count).__name__}"
        raise InvalidInputError(message, hint=f"{name}={max(least, 5)}")
    if count < least:
        message = f"{name} must be {least} or more, not {count}"
        raise InvalidInputError(message, hint=f"{name}={least}")
    return count


def _checked_query(query: object) -> str:
    if not isinstance(query, str):
        message = f"query must be a string, not {type(query).__name__}"
        raise InvalidInputError(message, hint=f"str({query!r})")
    # Lone surrogates (bytes of a command line that were no UTF-8) stand in no file.
    return query.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _checked_score(score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        message = f"min_score must be a number, not {type(score).__name__}"
        raise InvalidInputError(message, hint="min_score=0.2")
    if not 0.0 <= score <= 1.0:
        message = f"min_score must lie between 0 and 1, not {score}"
        raise InvalidInputError(message, hint="min_score=0.2")
    return float(score)


def _checked_gate(gate: object) -> float:
    if isinstance(gate, bool) or not isinstance(gate, (int, float)):
        message = f"empty_gate must be a number or None, not {type(gate).__name__}"
        raise InvalidInputError(message, hint="empty_gate=0 turns the gate off")
    if not 0.0 <= gate < float("inf"):
        message = f"empty_gate must be 0 or more, not {gate}"
        raise InvalidInputError(message, hint="empty_gate=0 turns the gate off")
    return float(gate)


def _checked_fusion(fusion: object) -> str:
    if fusion is None:
        return FUSIONS[0]
    if not isinstance(fusion, str) or fusion not in FUSIONS:
        message = f"fusion must be 'weighted', 'rrf' or None, not {fusion!r}"
        raise InvalidInputError(message, hint="fusion='weighted'")
    return fusion

"""Rankings of questions: by words and meaning where there are vectors, else by words alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rootleaf.engine.view import Ranking, View
    from rootleaf.searching.query_embedder import Meaning
    from rootleaf.searching.request import Request

CHUNKSETS_PER_DOCUMENT = 3


def rank(
    view: View, request: Request, meaning: Meaning, *, allowed: Iterable[int] | None = None
) -> Ranking:
    """The ranking of a request among the documents that it, or `allowed` instead, allows."""
    return rank_many(view, [request], [meaning], allowed=allowed)[0]


def rank_many(
    view: View,
    requests: Sequence[Request],
    meanings: Sequence[Meaning],
    *,
    allowed: Iterable[int] | None = None,
    threads: int = 1,
) -> list[Ranking]:
    """The rankings of requests that differ in nothing but their queries.

    A question that has a vector is ranked by keyword all the same where no admitted chunkset has
    one: as an index of those documents alone would rank it.
    """
    first = requests[0]

    def ranked(places: list[int], *, by_vector: bool) -> dict[int, Ranking]:
        if not places:
            return {}
        calibration = meanings[places[0]].calibration
        rankings = view.search_many(
            [requests[at].query for at in places],
            where=first.where,
            allowed=first.allowed if allowed is None else allowed,
            top_k=first.top_k,
            per_document=CHUNKSETS_PER_DOCUMENT,
            query_vectors=[meanings[at].vector or b"" for at in places] if by_vector else None,
            fusion=first.fusion,
            weights=_weights(first.fusion, calibration.similarity_weight) if by_vector else None,
            ranks=first.explain,
            threads=threads,
        )
        return dict(zip(places, rankings, strict=True))

    with_vector = [at for at, meaning in enumerate(meanings) if meaning.vector is not None]
    found = {
        at: ranking
        for at, ranking in ranked(with_vector, by_vector=True).items()
        if ranking.without_vector < ranking.allowed_chunksets
    }
    found |= ranked([at for at in range(len(requests)) if at not in found], by_vector=False)
    return [found[at] for at in range(len(requests))]


def _weights(fusion: str, similarity_weight: float) -> dict[str, float]:
    """How much each part counts for a model whose similarity has this weight, 0 to 1.

    They add up to what equal weights would: 1 of measures, 2 of reciprocal ranks.
    """
    if fusion == "rrf":
        return {"rank_keyword": 2 * (1 - similarity_weight), "rank_vector": 2 * similarity_weight}
    return {"coverage": 1 - similarity_weight, "similarity": similarity_weight}

"""Whether a document is found by what it is called: by its title, its number or its name.

The queries are made from the documents themselves, so nobody chose their words: the title in the
front matter or in the first heading, `EIP-1559`, `KEP-3983`, the name of a skill. A document counts
as found when it, or another of the same title, is the first hit; MRR@10 says how near it came.

    python bench/known_items.py [--out RESULT.json]
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

from provenance import provenance, shared_data
from rootleaf.documents.decoding import decode
from rootleaf.documents.front_matter import parse_front_matter
from rootleaf.documents.naming import telling_name
from rootleaf.engine.keyword import Segment, SegmentBuilder

CUT = 10
LEAST_BYTES = 500  # a shorter file is a stub that only says where its text went


class Corpus:
    """The segment of one corpus, and per kind of query the documents that each query means."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.meant: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        builder = SegmentBuilder()
        root = shared_data() / "corpora" / name
        for number, path in enumerate(sorted(root.rglob("*.md"))):
            text = decode(path.read_bytes()).text
            front_matter = parse_front_matter(text)
            lines: list[str] = []
            for value in front_matter.values.values():
                lines.extend([value] if isinstance(value, str) else value)
            parsed = front_matter.state != "unparsed"
            told = telling_name(str(path.relative_to(root)))
            builder.add(number, str(path), told, text, parsed, "\n".join(lines), {})
            if len(text) >= LEAST_BYTES:
                for kind, query in queries(name, path, text, front_matter.values):
                    self.meant[kind][query].add(number)
        self.segment: Segment = builder.build()


def queries(
    corpus: str, path: Path, text: str, values: dict[str, str | list[str]]
) -> list[tuple[str, str]]:
    """The names of one document: pairs of a kind and a query."""
    if corpus == "eips":
        title, number = values.get("title"), values.get("eip")
        if isinstance(title, str) and isinstance(number, str):
            return [("EIP by title", title), ("EIP by number", f"EIP-{number}")]
    elif corpus == "keps":
        number_at = re.match(r"(\d+)-", path.parent.name)
        heading = re.search(r"(?m)^# (?:KEP-\d+: *)?(.+)$", text)
        if number_at and heading and path.stem == "README":
            return [
                ("KEP by title", heading[1].strip()),
                ("KEP by number", f"KEP-{number_at[1]}"),
            ]
    elif corpus == "copilot" and path.name == "SKILL.md":
        name = values.get("name")
        if isinstance(name, str):
            return [("skill by name", name), ("skill by words of its name", name.replace("-", " "))]
    return []


def rank(segment: Segment, query: str, meant: set[int]) -> int | None:
    """Where the first document that the query means stands, from 1; None below the cut."""
    ranking = segment.search(query, where=None, top_k=CUT)
    order = list(dict.fromkeys(ranking.document_ids))
    return next((place for place, one in enumerate(order, 1) if one in meant), None)


def main() -> None:
    """Ask for every document by its names, print a table, write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    where = provenance()
    rows = []
    print("| asked for | queries | first hit | in first 10 | MRR@10 |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in ("eips", "keps", "copilot"):
        corpus = Corpus(name)
        for kind, meant in corpus.meant.items():
            ranks = [rank(corpus.segment, query, documents) for query, documents in meant.items()]
            row = {
                "asked for": kind,
                "queries": len(ranks),
                "first_hit": round(sum(one == 1 for one in ranks) / len(ranks), 3),
                "in_first_10": round(sum(one is not None for one in ranks) / len(ranks), 3),
                "mrr_10": round(sum(1 / one for one in ranks if one) / len(ranks), 3),
            }
            rows.append(row)
            print("| " + " | ".join(str(value) for value in row.values()) + " |")
    if options.out:
        result = {"bench": "known_items", "provenance": where, "rows": rows}
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

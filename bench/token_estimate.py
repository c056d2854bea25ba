"""How far the count that budgets are stated in is from real tokenizers on the corpora.

For every block of text between blank lines (the size at which budgets are spent) and every file,
the ratio of real tokens to the estimate: 1 means equal, below 1 the estimate is on the safe side,
above 1 (`share > 1`) it is too low. The environment holds the tokenizers and Rootleaf.

    python bench/token_estimate.py [--wordpiece TOKENIZER.json] [--bpe o200k_base]
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from provenance import provenance, shared_data
from rootleaf.engine.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEAST_BYTES = 40  # a shorter block says more about rounding than about the text


def wordpiece(path: Path) -> Callable[[str], int]:
    """A counter by a tokenizer file of `tokenizers`, uncut and without special tokens."""
    from tokenizers import Tokenizer  # type: ignore[import-not-found, unused-ignore]

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def byte_pairs(name: str) -> Callable[[str], int]:
    """A counter by one of the byte-pair encodings that the package `bpe-openai` carries."""
    import bpe_openai  # type: ignore[import-not-found, import-untyped, unused-ignore]

    encoding = bpe_openai.get_encoding(name)
    return lambda text: len(encoding.encode(text))


def texts(corpus: Path) -> Iterator[str]:
    """The text of every markdown file."""
    for path in sorted(corpus.rglob("*.md")):
        yield path.read_text(encoding="utf-8", errors="replace")


def blocks(text: str) -> list[str]:
    """Runs of lines between blank lines."""
    return [part for part in re.split(r"\n[ \t]*\n", text) if len(part) >= LEAST_BYTES]


def figures(ratios: list[float]) -> dict[str, float]:
    """Count, median and percentiles of the ratios, and the share above 1 (under-estimated)."""
    cuts = statistics.quantiles(ratios, n=100)
    return {
        "count": len(ratios),
        "p5": round(cuts[4], 2),
        "median": round(statistics.median(ratios), 2),
        "p95": round(cuts[94], 2),
        "p99": round(cuts[98], 2),
        "share_above_1": round(sum(ratio > 1 for ratio in ratios) / len(ratios), 3),
    }


def main() -> None:
    """Count, print a table, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wordpiece", type=Path, help="tokenizer.json of a WordPiece model")
    parser.add_argument("--bpe", action="append", default=[], help="encoding name, may be repeated")
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    counters: dict[str, Callable[[str], int]] = {name: byte_pairs(name) for name in options.bpe}
    if options.wordpiece:
        counters["wordpiece"] = wordpiece(options.wordpiece)
    if not counters:
        parser.error("name at least one tokenizer: --wordpiece FILE or --bpe NAME")

    result: dict[str, object] = {"bench": "token_estimate", "provenance": provenance()}
    rows: list[dict[str, object]] = []
    print("| corpus | tokenizer | of | count | p5 | median | p95 | p99 | share > 1 | total ratio |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for corpus in sorted(path for path in (shared_data() / "corpora").iterdir() if path.is_dir()):
        files = list(texts(corpus))
        for name, count in counters.items():
            for unit, pieces in {
                "file": [text for text in files if len(text) >= LEAST_BYTES],
                "block": [block for text in files for block in blocks(text)],
            }.items():
                real = [count(piece) for piece in pieces]
                estimated = [count_tokens(piece) for piece in pieces]
                ratios = [have / want for have, want in zip(real, estimated, strict=True)]
                row = {
                    "corpus": corpus.name,
                    "tokenizer": name,
                    "of": unit,
                    **figures(ratios),
                    "total": round(sum(real) / sum(estimated), 3),
                }
                rows.append(row)
                print("| " + " | ".join(str(value) for value in row.values()) + " |")
    result["rows"] = rows
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

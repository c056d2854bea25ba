"""Speed of the built-in embedder on one thread: opening, a question, passages of a hundred words.

Passages are cut from the corpora's markdown, questions are those of the development sets. Beside
wall time stands processor time, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from provenance import provenance, shared_data
from rootleaf.embed.builtin import TABLE_PATH, BuiltinEmbedder
from rootleaf.engine.static_table import StaticTable

PASSAGE_WORDS = 100
PASSAGES = 20_000
BATCH = 128
ROUNDS = 5


def passages() -> list[str]:
    """The first words of the corpora, in passages of a hundred."""
    found: list[str] = []
    for path in sorted((shared_data() / "corpora").rglob("*.md")):
        words = path.read_text(encoding="utf-8", errors="replace").split(" ")
        found += [
            " ".join(words[start : start + PASSAGE_WORDS])
            for start in range(0, len(words) - PASSAGE_WORDS, PASSAGE_WORDS)
        ]
        if len(found) >= PASSAGES:
            break
    return found[:PASSAGES]


def questions() -> list[str]:
    """The questions of the development sets."""
    return [
        json.loads(line)["query"]
        for name in ("locomo/questions.jsonl", "rust-book/answerable.jsonl")
        for line in (shared_data() / "eval" / name).read_text(encoding="utf-8").splitlines()
    ]


def seconds_of(texts: list[str], batch: int) -> tuple[float, float]:
    """The best wall and processor seconds of a few rounds over all texts."""
    embedder = BuiltinEmbedder()
    rounds = []
    for _ in range(ROUNDS):
        wall, processor = time.perf_counter(), time.process_time()
        for start in range(0, len(texts), batch):
            embedder.embed_documents(texts[start : start + batch])
        rounds.append((time.perf_counter() - wall, time.process_time() - processor))
    return min(row[0] for row in rounds), min(row[1] for row in rounds)


def first_question_ms() -> float:
    """In a new process: opening the table and embedding one question, imports aside."""
    program = (
        "import time\n"
        "from rootleaf.embed.builtin import BuiltinEmbedder\n"
        "from rootleaf.engine import static_table\n"
        "start = time.perf_counter()\n"
        "BuiltinEmbedder().embed_query('how often is the crane greased?')\n"
        "print((time.perf_counter() - start) * 1000)\n"
    )
    command = [sys.executable, "-c", program]
    return min(float(subprocess.check_output(command)) for _ in range(ROUNDS))


def main() -> None:
    """Measures, prints, and writes the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, help="write the result as JSON")
    out = parser.parse_args().out
    StaticTable(TABLE_PATH).verify()
    figures: dict[str, object] = {"first_question_ms": round(first_question_ms(), 2)}
    for name, texts, batch in (("question", questions(), 1), ("passage", passages(), BATCH)):
        wall, processor = seconds_of(texts, batch)
        table = StaticTable(TABLE_PATH)
        figures[name] = {
            "texts": len(texts),
            "tokens_each": round(sum(len(table.token_ids(text)) for text in texts) / len(texts), 1),
            "us_each": round(wall * 1e6 / len(texts), 1),
            "processor_us_each": round(processor * 1e6 / len(texts), 1),
            "each_processor_second": round(len(texts) / processor),
        }
    for name, figure in figures.items():
        print(f"{name:20}{figure}")
    if out is not None:
        result = {"bench": "builtin_speed", "provenance": provenance(), "figures": figures}
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

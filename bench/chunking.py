"""Chunks and chunksets in Python: Rootleaf beside poma-primecut-nano, in one run, in turns.

Each round starts one child per contender. A child reads all markdown of the directory into memory,
cuts it once to warm up, and then measures the CPU time of cutting it again. Two contenders are
Rootleaf's: `columns`, what indexing uses, and `values`, what the public `chunk` returns.

    python bench/chunking.py --rival-python RIVALS/bin/python [--out RESULT.json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import run
from provenance import provenance, python_version, shared_data

CHILD = """
import json, sys, time
from importlib.metadata import version
from pathlib import Path
{imports}
paths = sorted(Path(sys.argv[1]).rglob("*.md"))
texts = [path.read_bytes().decode("utf-8", "replace") for path in paths]
def measure():
    units = 0
    began = time.process_time()
    for text in texts:
        {cut}
    return time.process_time() - began, units
measure()
seconds, units = measure()
print(json.dumps({{
    "seconds": seconds, "chunksets": units, "files": len(texts),
    "bytes": sum(len(text.encode()) for text in texts), "version": version("{package}"),
}}))
"""


@dataclass(frozen=True)
class Contender:
    """One way to cut a text: the package it comes from, and the program that measures it."""

    name: str
    package: str
    imports: str
    cut: str

    def command(self, python: str, corpus: Path) -> list[str]:
        """The command of one child."""
        program = CHILD.format(imports=self.imports, cut=self.cut, package=self.package)
        return [python, "-c", program, str(corpus)]


COLUMNS = Contender(
    "rootleaf, columns",
    "rootleaf",
    "from rootleaf.engine.chunker import chunk_columns",
    "units += chunk_columns(text).len_chunksets()",
)
VALUES = Contender(
    "rootleaf, values",
    "rootleaf",
    "from rootleaf import chunk",
    "units += len(chunk(text).chunksets)",
)
RIVAL = Contender(
    "poma-primecut-nano",
    "poma-primecut-nano",
    "from poma_primecut_nano import chunk, chunks_to_chunksets",
    "units += len(chunks_to_chunksets(chunk(text)))",
)


def main() -> None:
    """Measure, print a table, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--rival-python", required=True, help="interpreter that has poma-primecut-nano"
    )
    parser.add_argument(
        "--rootleaf-python", default=sys.executable, help="interpreter that has rootleaf"
    )
    parser.add_argument("--corpus", type=Path, help="directory of markdown (default: the EIPs)")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (default: 5)")
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    where = provenance()
    corpus = (options.corpus or shared_data() / "corpora" / "eips").resolve()
    python = {
        COLUMNS: options.rootleaf_python,
        VALUES: options.rootleaf_python,
        RIVAL: options.rival_python,
    }
    versions = {python_version(interpreter) for interpreter in python.values()}
    if len(versions) > 1:
        message = f"the interpreters differ, which is not fair: {sorted(versions)}"
        raise SystemExit(message)

    answers: dict[Contender, list[dict[str, float]]] = {contender: [] for contender in python}
    for _ in range(options.rounds):
        for contender, interpreter in python.items():
            answers[contender].append(
                json.loads(run(contender.command(interpreter, corpus)).stdout)
            )

    figures = {contender.name: summary(rounds) for contender, rounds in answers.items()}
    result = {
        "bench": "chunking",
        "provenance": where,
        "python": versions.pop(),
        "versions": {one.package: rounds[0]["version"] for one, rounds in answers.items()},
        "corpus": {
            "name": corpus.name,
            "files": answers[COLUMNS][0]["files"],
            "bytes": answers[COLUMNS][0]["bytes"],
        },
        "rounds": options.rounds,
        "figures": figures,
    }
    for key in ("provenance", "python", "versions", "corpus", "rounds"):
        print(f"{key}: {result[key]}")
    print("\n| contender | MB/s | least | most | chunksets | of the rival |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, row in figures.items():
        ratio = row["mb_per_second"] / figures[RIVAL.name]["mb_per_second"]
        print(
            f"| {name} | {row['mb_per_second']:.1f} | {row['least']:.1f} | {row['most']:.1f} |"
            f" {row['chunksets']:.0f} | {ratio:.1f} × |"
        )
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def summary(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Median, least and greatest speed in MB (10^6 bytes) per CPU second, and the chunksets."""
    speeds = [one["bytes"] / one["seconds"] / 1e6 for one in rounds]
    return {
        "mb_per_second": round(statistics.median(speeds), 2),
        "least": round(min(speeds), 2),
        "most": round(max(speeds), 2),
        "chunksets": rounds[0]["chunksets"],
    }


if __name__ == "__main__":
    main()

"""What a cold `rootleaf search` costs: CPU time beside that of an interpreter that only imports.

The baseline is the same interpreter importing `argparse`, `json` and `sqlite3`, which any such
command line pays. The index is made before and once; runs are taken in turns, so that a busy moment
meets all variants. Ends with 1 where the median search costs more than the budget of times the
baseline.

Usage: `python bench/cold_search.py [--runs N] [--corpus NAME] [--out FILE]`, with the interpreter
of an environment in which Rootleaf is installed from a wheel.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import measure
from provenance import provenance, python_version, shared_data

BUDGET_TIMES = 3.0
COMMAND = str(Path(sysconfig.get_path("scripts")) / "rootleaf")
QUERY = "transaction fee market"


def main() -> int:
    """Measures, prints, judges."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--corpus", default="eips")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        corpus = shared_data() / "corpora" / given.corpus
        result = measured(corpus, Path(directory), given.runs)
    text = json.dumps(result, indent=2) + "\n"
    sys.stdout.write(text)
    print_table(result)
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    return 1 if result["times_baseline"]["search"] > BUDGET_TIMES else 0


def measured(corpus: Path, directory: Path, runs: int) -> dict[str, Any]:
    """The figures of all variants, and where they come from."""
    database = directory / "index.db"
    without = directory / "without.db"
    for path in (database, without):
        by_keyword = ["--embedder", "none", "--quiet"]
        measure.run([COMMAND, "index", str(corpus), "--db", str(path), *by_keyword])
    snapshot_bytes = Path(f"{database}-snapshot").stat().st_size
    Path(f"{without}-snapshot").unlink()
    variants = {
        "baseline": [sys.executable, "-c", "import argparse, json, sqlite3"],
        "search": [COMMAND, "search", QUERY, "--db", str(database)],
        "search without snapshot": [COMMAND, "search", QUERY, "--db", str(without)],
    }
    came_from = provenance()
    milliseconds: dict[str, list[float]] = {name: [] for name in variants}
    peak_bytes = dict.fromkeys(variants, 0)
    answers = set()
    for round_number in range(runs + 1):
        for name, command in variants.items():
            run = measure.run(command)
            if name != "baseline":
                answers.add(run.stdout)
            # Round 0 compiles what is not compiled yet.
            if round_number:
                milliseconds[name].append(run.cpu_seconds * 1000)
                peak_bytes[name] = max(peak_bytes[name], run.peak_rss_bytes)
    if len(answers) != 1:
        message = "the snapshot changed an answer"
        raise SystemExit(message)
    medians = {name: statistics.median(values) for name, values in milliseconds.items()}
    return {
        "what": "CPU time (user + system) of one process, median of the runs",
        "provenance": came_from,
        "python": python_version(sys.executable),
        "corpus": corpus.name,
        "snapshot_bytes": snapshot_bytes,
        "database_bytes": database.stat().st_size,
        "runs": runs,
        "cpu_ms": {
            name: {
                "median": round(medians[name], 2),
                "least": round(min(values), 2),
                "most": round(max(values), 2),
            }
            for name, values in milliseconds.items()
        },
        "times_baseline": {
            name: round(medians[name] / medians["baseline"], 2) for name in variants
        },
        "budget_times": BUDGET_TIMES,
        "peak_rss_mib": {name: round(peak / 2**20, 1) for name, peak in peak_bytes.items()},
    }


def print_table(result: dict[str, Any]) -> None:
    """Print CPU time and peak memory of every variant as a markdown table."""
    print("\n| variant | CPU ms | times baseline | peak MiB |")
    print("| --- | ---: | ---: | ---: |")
    for name, cpu_ms in result["cpu_ms"].items():
        times, peak_mib = result["times_baseline"][name], result["peak_rss_mib"][name]
        print(f"| {name} | {cpu_ms['median']:.1f} | {times:.2f} | {peak_mib:.1f} |")


if __name__ == "__main__":
    raise SystemExit(main())

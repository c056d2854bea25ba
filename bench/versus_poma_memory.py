"""Rootleaf and poma-memory on the same directory, in one run, in turns.

Measured for each program, as a fresh child every time: a first index into an empty database, a
second index with nothing changed, and a search of that database from a cold start. Both are run
as their documentation says, with their defaults; both therefore search by keyword only here,
poma-memory because its optional embedding package is left out, Rootleaf 0.1 because it has none.

    python bench/versus_poma_memory.py --rival-python RIVALS/bin/python [--out RESULT.json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Measurement, own_peak_rss_bytes, run
from provenance import provenance, python_version, shared_data

if TYPE_CHECKING:
    from collections.abc import Sequence

QUERIES = (
    "HISTORY_PRUNE_EPOCHS",
    "why 0xEF was picked as forbidden first byte instead of 0xFE or 0xFD",
    "gas cost",
)
MIB = 1024 * 1024


@dataclass(frozen=True)
class Contender:
    """A program under measurement: its name, its version and how its two commands are written."""

    name: str
    version: str
    python: str
    script: str
    search_options: tuple[str, ...]

    def index(self, corpus: Path, database: Path) -> list[str]:
        """The command that indexes `corpus` into `database`."""
        return [self.script, "index", str(corpus), "--db", str(database)]

    def search(self, query: str, database: Path) -> list[str]:
        """The command that asks `database` one query."""
        return [self.script, "search", query, "--db", str(database), *self.search_options]


def contender(name: str, python: str, *search_options: str) -> Contender:
    """The program `name` installed beside the interpreter `python`."""
    script = str(Path(python).parent / name)
    if not Path(script).exists():
        message = f"{name} is not installed beside {python}; see bench/README.md"
        raise SystemExit(message)
    version = run([script, "--version"]).stdout.split()[-1]
    return Contender(name, version, python, script, search_options)


def measure_round(
    program: Contender, corpus: Path, directory: Path
) -> dict[str, list[Measurement]]:
    """One first index, one index without a change, one cold search per query."""
    database = directory / f"{program.name}.db"
    for leftover in directory.glob(f"{database.name}*"):
        leftover.unlink()
    return {
        "first index": [run(program.index(corpus, database))],
        "index, no change": [run(program.index(corpus, database))],
        "cold search": [run(program.search(query, database)) for query in QUERIES],
    }


def database_bytes(program: Contender, directory: Path) -> int:
    """Bytes of the database and everything beside it that bears its name."""
    return sum(part.stat().st_size for part in directory.glob(f"{program.name}.db*"))


def summary(measurements: Sequence[Measurement]) -> dict[str, float]:
    """Medians over the runs, and the spread of the CPU time."""
    cpu = [one.cpu_seconds for one in measurements]
    return {
        "runs": len(measurements),
        "cpu_seconds": round(statistics.median(cpu), 4),
        "cpu_seconds_least": round(min(cpu), 4),
        "cpu_seconds_most": round(max(cpu), 4),
        "wall_seconds": round(statistics.median(one.wall_seconds for one in measurements), 4),
        "peak_rss_mib": round(max(one.peak_rss_bytes for one in measurements) / MIB, 1),
    }


def main() -> None:
    """Measure, print a table, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rival-python", required=True, help="interpreter that has poma-memory")
    parser.add_argument(
        "--rootleaf-python", default=sys.executable, help="interpreter that has rootleaf"
    )
    parser.add_argument("--corpus", type=Path, help="directory of markdown (default: the EIPs)")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (default: 5)")
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    where = provenance()
    corpus = (options.corpus or shared_data() / "corpora" / "eips").resolve()
    contenders = [
        contender("rootleaf", options.rootleaf_python),
        # A resident daemon would do the work outside the child that is measured.
        contender("poma-memory", options.rival_python, "--socket", "off"),
    ]
    pythons = {program.name: python_version(program.python) for program in contenders}
    if len(set(pythons.values())) > 1:
        message = f"the interpreters differ, which is not fair: {pythons}"
        raise SystemExit(message)

    seen: dict[str, dict[str, list[Measurement]]] = {program.name: {} for program in contenders}
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for number in range(options.rounds + 1):  # round 0 warms caches and is not counted
            for program in contenders if number % 2 else reversed(contenders):
                figures = measure_round(program, corpus, directory)
                sizes[program.name] = database_bytes(program, directory)
                if number:
                    for step, measurements in figures.items():
                        seen[program.name].setdefault(step, []).extend(measurements)

    markdown = [path for path in corpus.rglob("*.md") if path.is_file()]
    result = {
        "bench": "versus_poma_memory",
        "provenance": where,
        "python": pythons["rootleaf"],
        "versions": {program.name: program.version for program in contenders},
        "mode": "keyword only, both",
        "corpus": {
            "name": corpus.name,
            "files": len(markdown),
            "bytes": sum(path.stat().st_size for path in markdown),
        },
        "rounds": options.rounds,
        "queries": list(QUERIES),
        "commands": {
            program.name: {
                "index": _shown(program.index(Path("CORPUS"), Path("DB"))),
                "search": _shown(program.search("QUERY", Path("DB"))),
            }
            for program in contenders
        },
        "figures": {
            name: {step: summary(runs) for step, runs in steps.items()}
            for name, steps in seen.items()
        },
        "database_bytes": sizes,
        "harness_peak_rss_mib": round(own_peak_rss_bytes() / MIB, 1),
    }
    print_table(result)
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def print_table(result: dict) -> None:  # type: ignore[type-arg]
    """Print the medians of both programs and their ratio, as a markdown table."""
    ours, theirs = result["figures"]["rootleaf"], result["figures"]["poma-memory"]
    for key in ("provenance", "python", "versions", "mode", "corpus", "commands"):
        print(f"{key}: {result[key]}")
    print()
    print("| step | rootleaf CPU s | poma-memory CPU s | ratio | rootleaf MiB | poma-memory MiB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for step in ours:
        mine, other = ours[step], theirs[step]
        ratio = other["cpu_seconds"] / max(mine["cpu_seconds"], 1e-9)
        print(
            f"| {step} | {mine['cpu_seconds']:.3f} | {other['cpu_seconds']:.3f} | {ratio:.1f} × |"
            f" {mine['peak_rss_mib']:.0f} | {other['peak_rss_mib']:.0f} |"
        )
    markdown_bytes = result["corpus"]["bytes"]
    for name, size in result["database_bytes"].items():
        share = size / markdown_bytes
        print(f"\ndatabase of {name}: {size / MIB:.1f} MiB, {share:.2f} × the markdown")
    print(f"\nharness itself: {result['harness_peak_rss_mib']} MiB peak")


def _shown(command: Sequence[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:]])


if __name__ == "__main__":
    main()

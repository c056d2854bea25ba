"""Rootleaf and poma-memory on the same directory, in one run, in turns.

Measured for each program, as a fresh child every time: a first index into an empty database, a
second index with nothing changed, a search of that database from a cold start, and many searches
in one process that has it open (`warm_search.py`). poma-memory is run as its documentation says,
with its defaults, and searches by keyword, because its optional embedding package is left out.
Rootleaf is run twice: by keyword too, so that both do the same kind of work, and with its default,
which embeds and searches by meaning.

    python bench/versus_poma_memory.py --rival-python RIVALS/bin/python [--corpus all] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from measure import Measurement, own_peak_rss_bytes, run
from provenance import REPOSITORY, provenance, python_version, shared_data
from warm_search import FUNCTIONS, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

QUERIES = (
    "HISTORY_PRUNE_EPOCHS",
    "why 0xEF was picked as forbidden first byte instead of 0xFE or 0xFD",
    "gas cost",
)
IDENTIFIERS = (
    "HISTORY_PRUNE_EPOCHS",
    "MAX_BLOBS_PER_BLOCK",
    "eth_getBlockByNumber",
    "PodDisruptionBudget",
    "job_terminated_pod_tracking_finalizer",
    "USERPRINCIPALNAME",
    "ASPIRE008",
    "RefCell",
)
"""Names that stand in the corpora, asked warm beside the twenty questions."""

KEYWORD, MEANING, RIVAL = "rootleaf", "rootleaf by meaning", "poma-memory"
WARM_STEP = "warm process, whole"
QUERIES_NAME = "queries.json"
QUESTIONS = REPOSITORY / "bench" / "questions" / "first_path.jsonl"
WARM_SEARCH = REPOSITORY / "bench" / "warm_search.py"
MIB = 1024 * 1024


@dataclass(frozen=True)
class Contender:
    """A program as it is measured: its label and version, and how its two commands are written."""

    name: str
    program: str
    version: str
    python: str
    script: str
    index_options: tuple[str, ...] = ()
    search_options: tuple[str, ...] = ()

    def index(self, corpus: Path, database: Path) -> list[str]:
        """The command that indexes `corpus` into `database`."""
        return [self.script, "index", str(corpus), "--db", str(database), *self.index_options]

    def search(self, query: str, database: Path) -> list[str]:
        """The command that asks `database` one query."""
        return [self.script, "search", query, "--db", str(database), *self.search_options]

    def warm_search(self, database: Path, queries: Path, rounds: int) -> list[str]:
        """The command that opens `database` once and asks it all `queries` in rounds."""
        program = [self.python, str(WARM_SEARCH), self.program]
        return [*program, str(database), str(queries), str(rounds)]


def contenders_of(rootleaf_python: str, rival_python: str) -> list[Contender]:
    """Rootleaf by keyword, Rootleaf as it comes, and the other."""
    own, rival = _installed("rootleaf", rootleaf_python), _installed("poma-memory", rival_python)
    return [
        Contender(KEYWORD, *own, index_options=("--embedder", "none")),
        Contender(MEANING, *own),
        # A resident daemon would do the work outside the child that is measured.
        Contender(RIVAL, *rival, search_options=("--socket", "off")),
    ]


def _installed(program: str, python: str) -> tuple[str, str, str, str]:
    """A program installed beside an interpreter: its name, version, the interpreter, its script."""
    script = str(Path(python).parent / program)
    if not Path(script).exists():
        message = f"{program} is not installed beside {python}; see bench/README.md"
        raise SystemExit(message)
    return program, run([script, "--version"]).stdout.split()[-1], python, script


def warm_queries() -> list[str]:
    """The twenty questions and the identifiers, each once."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["query"] for line in lines if line.strip()]
    return list(dict.fromkeys([*questions, *IDENTIFIERS]))


def measure_round(
    program: Contender, corpus: Path, directory: Path, warm_rounds: int
) -> dict[str, list[Measurement]]:
    """One first index, one index without a change, one cold search per query, one warm process."""
    database = _database(program, directory)
    for leftover in directory.glob(f"{database.name}*"):
        leftover.unlink()
    return {
        "first index": [run(program.index(corpus, database))],
        "index, no change": [run(program.index(corpus, database))],
        "cold search": [run(program.search(query, database)) for query in QUERIES],
        WARM_STEP: [run(program.warm_search(database, directory / QUERIES_NAME, warm_rounds))],
    }


def database_bytes(program: Contender, directory: Path) -> int:
    """Bytes of the database and everything beside it that bears its name."""
    name = _database(program, directory).name
    return sum(part.stat().st_size for part in directory.glob(f"{name}*"))


def _database(program: Contender, directory: Path) -> Path:
    return directory / f"{program.name.replace(' ', '_')}.db"


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


def warm_summary(measurements: Sequence[Measurement], query_count: int) -> dict[str, Any]:
    """Milliseconds per query of each way of asking: medians over the processes.

    Each process gives the median over its rounds of every query. `median` is of the median query,
    `slowest` of the slowest one.
    """
    printed = [json.loads(one.stdout) for one in measurements]
    figures: dict[str, Any] = {"documents": printed[-1]["documents"]}
    for way in WAYS:
        runs = [one["ways"][way] for one in printed]
        figures[way] = {
            clock: {
                "median": _median_ms(statistics.median(one[clock]) for one in runs),
                "slowest": _median_ms(max(one[clock]) for one in runs),
            }
            for clock in ("cpu_ms", "wall_ms")
        }
        figures[way]["queries_with_hits"] = f"{runs[-1]['found']} of {query_count}"
    return figures


def compared(
    contenders: Sequence[Contender], corpus: Path, rounds: int, warm_rounds: int
) -> tuple[dict[str, dict[str, list[Measurement]]], dict[str, int]]:
    """All runs of each program by step, and the bytes of its database."""
    seen: dict[str, dict[str, list[Measurement]]] = {program.name: {} for program in contenders}
    sizes: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / QUERIES_NAME).write_text(json.dumps(warm_queries()), encoding="utf-8")
        for number in range(rounds + 1):  # round 0 warms caches and is not counted
            for program in contenders if number % 2 else reversed(contenders):
                figures = measure_round(program, corpus, directory, warm_rounds)
                sizes[program.name] = database_bytes(program, directory)
                if number:
                    for step, measurements in figures.items():
                        seen[program.name].setdefault(step, []).extend(measurements)
    return seen, sizes


def main() -> None:
    """Measure, print a table, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rival-python", required=True, help="interpreter that has poma-memory")
    parser.add_argument(
        "--rootleaf-python", default=sys.executable, help="interpreter that has rootleaf"
    )
    parser.add_argument(
        "--corpus", default="eips", help="a corpus by its name, or `all` in one index (eips)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (default: 5)")
    parser.add_argument(
        "--warm-rounds", type=int, default=11, help="times a warm process asks all (default: 11)"
    )
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    where = provenance()
    corpora = shared_data() / "corpora"
    corpus = (corpora if options.corpus == "all" else corpora / options.corpus).resolve()
    if not corpus.is_dir():
        names = ", ".join(sorted(path.name for path in corpora.iterdir()))
        message = f"no corpus named {options.corpus}; there are: all, {names}"
        raise SystemExit(message)
    contenders = contenders_of(options.rootleaf_python, options.rival_python)
    pythons = {program.name: python_version(program.python) for program in contenders}
    if len(set(pythons.values())) > 1:
        message = f"the interpreters differ, which is not fair: {pythons}"
        raise SystemExit(message)

    seen, sizes = compared(contenders, corpus, options.rounds, options.warm_rounds)
    markdown = [path for path in corpus.rglob("*.md") if path.is_file()]
    queries = warm_queries()
    result = {
        "bench": "versus_poma_memory",
        "provenance": where,
        "python": pythons[KEYWORD],
        "versions": {program.name: program.version for program in contenders},
        "mode": f"keyword only: {KEYWORD}, {RIVAL}",
        "corpus": {
            "name": options.corpus,
            "files": len(markdown),
            "bytes": sum(path.stat().st_size for path in markdown),
        },
        "rounds": options.rounds,
        "queries": list(QUERIES),
        "warm_rounds": options.warm_rounds,
        "warm_queries": queries,
        "warm_functions": FUNCTIONS,
        "commands": {
            program.name: {
                "index": _shown(program.index(Path("CORPUS"), Path("DB"))),
                "search": _shown(program.search("QUERY", Path("DB"))),
                "warm search": f"python bench/warm_search.py {program.program} DB QUERIES.json"
                f" {options.warm_rounds}",
            }
            for program in contenders
        },
        "figures": {
            name: {step: summary(runs) for step, runs in steps.items()}
            for name, steps in seen.items()
        },
        "warm_search": {
            name: warm_summary(steps[WARM_STEP], len(queries)) for name, steps in seen.items()
        },
        "database_bytes": sizes,
        "harness_peak_rss_mib": round(own_peak_rss_bytes() / MIB, 1),
    }
    print_table(result)
    print_warm_table(result)
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def print_table(result: dict[str, Any]) -> None:
    """Print the medians of all, and the ratios to the other, as a markdown table."""
    figures = result["figures"]
    for key in ("provenance", "python", "versions", "mode", "corpus", "commands"):
        print(f"{key}: {result[key]}")
    print()
    print("| step | program | CPU s | of poma-memory's | peak MiB |")
    print("| --- | --- | ---: | ---: | ---: |")
    for step, rival in figures[RIVAL].items():
        for name, steps in figures.items():
            cpu_seconds, peak = steps[step]["cpu_seconds"], steps[step]["peak_rss_mib"]
            ratio = rival["cpu_seconds"] / max(cpu_seconds, 1e-9)
            print(f"| {step} | {name} | {cpu_seconds:.3f} | {ratio:.1f} × | {peak:.0f} |")
    markdown_bytes = result["corpus"]["bytes"]
    for name, size in result["database_bytes"].items():
        share = size / markdown_bytes
        print(f"\ndatabase of {name}: {size / MIB:.1f} MiB, {share:.2f} × the markdown")
    print(f"\nharness itself: {result['harness_peak_rss_mib']} MiB peak")


def print_warm_table(result: dict[str, Any]) -> None:
    """Print what one query costs in a process that has the index open, as a markdown table."""
    found = result["warm_search"]
    print("\ndocuments:", {name: figures["documents"] for name, figures in found.items()}, "\n")
    print("| warm search, per query | program | ms | of poma-memory's | with hits |")
    print("| --- | --- | ---: | ---: | --- |")
    for way in WAYS:
        for clock, unit in (("wall_ms", "wall"), ("cpu_ms", "CPU")):
            for rank in ("median", "slowest"):
                for name, figures in found.items():
                    took_ms = figures[way][clock][rank]
                    ratio = found[RIVAL][way][clock][rank] / max(took_ms, 1e-9)
                    print(
                        f"| {way}, {rank} query, {unit} | {name} | {took_ms:.3f} | {ratio:.1f} × |"
                        f" {figures[way]['queries_with_hits']} |"
                    )


def _median_ms(values: Iterable[float]) -> float:
    return round(statistics.median(values), 4)


def _shown(command: Sequence[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:]])


if __name__ == "__main__":
    main()

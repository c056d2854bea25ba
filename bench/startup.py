"""What a start costs: `import rootleaf` and `rootleaf --version` over what any such program pays.

The baseline is the same interpreter importing `json` and `sqlite3`. Variants are run in turns, so
that a busy moment meets all of them. The least of many runs is what a start costs; the median says
how busy the machine was. Prints JSON, and ends with 1 where a start costs more than the budget.

Usage: `python bench/startup.py [RUNS] [--out FILE]`, with the interpreter of an environment in
which Rootleaf is installed from a wheel.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

from provenance import provenance, python_version

BUDGET_MS = 15.0
COMMAND = str(Path(sysconfig.get_path("scripts")) / "rootleaf")

VARIANTS = {
    "baseline": [sys.executable, "-c", "import json, sqlite3"],
    "import": [sys.executable, "-c", "import json, sqlite3, rootleaf"],
    "version": [COMMAND, "--version"],
}


def run_ms(command: list[str]) -> float:
    """Wall time of one run, in milliseconds."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


def main() -> int:
    """Measures, prints, judges."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("runs", nargs="?", type=int, default=40, help="of each variant (40)")
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    given = parser.parse_args()
    runs: int = given.runs
    came_from = provenance()
    for command in VARIANTS.values():
        run_ms(command)
    times_ms: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for _ in range(runs):
        for name, command in VARIANTS.items():
            times_ms[name].append(run_ms(command))
    median_ms = {name: statistics.median(values) for name, values in times_ms.items()}
    least_ms = {name: min(values) for name, values in times_ms.items()}
    over_ms = {
        name: round(least_ms[name] - least_ms["baseline"], 2) for name in ("import", "version")
    }
    result = {
        "bench": "startup",
        "provenance": came_from,
        "runs": runs,
        "python": python_version(sys.executable),
        "least_ms": {name: round(value, 2) for name, value in least_ms.items()},
        "median_ms": {name: round(value, 2) for name, value in median_ms.items()},
        "over_baseline_ms": over_ms,
        "budget_ms": BUDGET_MS,
    }
    text = json.dumps(result, indent=2) + "\n"
    sys.stdout.write(text)
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    return 1 if max(over_ms.values()) > BUDGET_MS else 0


if __name__ == "__main__":
    raise SystemExit(main())

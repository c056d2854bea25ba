"""What a start costs: `import rootleaf` and `rootleaf --version` over what any such program pays.

The baseline is the same interpreter importing `json` and `sqlite3`. Variants are run in turns, so
that a busy moment meets all of them. The least of many runs is what a start costs; the median says
how busy the machine was. Prints JSON, and ends with 1 where a start costs more than the budget.

Usage: `python bench/startup.py [RUNS]`
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

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
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
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
        "runs": runs,
        "python": sys.version.split()[0],
        "least_ms": {name: round(value, 2) for name, value in least_ms.items()},
        "median_ms": {name: round(value, 2) for name, value in median_ms.items()},
        "over_baseline_ms": over_ms,
        "budget_ms": BUDGET_MS,
    }
    sys.stdout.write(json.dumps(result, indent=2) + "\n")
    return 1 if max(over_ms.values()) > BUDGET_MS else 0


if __name__ == "__main__":
    raise SystemExit(main())

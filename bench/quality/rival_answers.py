"""Answers of poma-memory: the child of `within_budget.py`, run by an interpreter that has it.

    python bench/quality/rival_answers.py QUESTIONS.json

The file holds pairs of a directory to index and the questions to ask of it. Prints a JSON list of
answers for each pair, each answer the list of its contexts, best first.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = 20


def main() -> None:
    """Index, ask, print."""
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    program = str(Path(sys.executable).with_name("poma-memory"))
    answers = []
    for directory, queries in asked:
        with tempfile.TemporaryDirectory() as place:
            database = str(Path(place) / "poma-memory.db")
            index = [program, "index", directory, "--db", database]
            subprocess.run(index, check=True, capture_output=True)
            with contextlib.redirect_stdout(sys.stderr):
                handle = importlib.import_module("poma_memory.handle").MemoryIndex(database)
                answers.append(
                    [[hit["context"] for hit in handle.search(one, top_k=TOP)] for one in queries]
                )
    print(json.dumps(answers))


if __name__ == "__main__":
    main()

"""Blocks and chunks of the C++ core beside md4c: runs the built program, writes its figures down.

    python bench/markdown_speed.py [--build DIRECTORY] [--corpus NAME] [--rounds N] [--out FILE]

The program is `bench/cpp/markdown_speed` of a build directory, by default `build/bench`; what it
measures stands at its top, how to build it in the README beside this file.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import run
from provenance import REPOSITORY, provenance, shared_data

BUILD = REPOSITORY / "build" / "bench"
FILES = re.compile(r"^(\d+) files, ([\d.]+) MB of markdown, (\d+) rounds$", re.MULTILINE)
CONTENDER = re.compile(r"^(\w+) +([\d.]+) MB/s +([\d.]+) x md4c$", re.MULTILINE)


def program(build: Path) -> Path:
    """The built program; ends this one with what to type where it is not built."""
    path = build / "bench" / "cpp" / "markdown_speed"
    if not path.exists():
        message = f"{path} is not built; see bench/README.md"
        raise SystemExit(message)
    return path


def toolchain(build: Path) -> dict[str, str]:
    """Compiler, build type and flags of the build, and the installed version of md4c."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    entries = dict(re.findall(r"^(\w+):\w+=(.*)$", cache, re.MULTILINE))
    build_type = entries["CMAKE_BUILD_TYPE"]
    return {
        "compiler": first_line([entries["CMAKE_CXX_COMPILER"], "--version"]),
        "build_type": build_type,
        "flags": entries[f"CMAKE_CXX_FLAGS_{build_type.upper()}"],
        "md4c": first_line(["pkg-config", "--modversion", "md4c"]),
    }


def first_line(command: list[str]) -> str:
    """What a command says first."""
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return answer.stdout.splitlines()[0].strip()


def figures(printed: str) -> dict[str, Any]:
    """The figures in what the program printed; RuntimeError where they are not there."""
    files = FILES.search(printed)
    contenders = CONTENDER.findall(printed)
    if files is None or not contenders:
        message = f"markdown_speed printed something else:\n{printed}"
        raise RuntimeError(message)
    return {
        "files": int(files[1]),
        "markdown_mb": float(files[2]),
        "rounds": int(files[3]),
        "mb_per_second": {name: float(speed) for name, speed, _ in contenders},
        "times_md4c": {name: float(times) for name, _, times in contenders},
    }


def main() -> None:
    """Run, print, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--build", type=Path, default=BUILD, help="build directory (build/bench)")
    parser.add_argument("--corpus", default="all", help="a corpus by its name, or `all` (all)")
    parser.add_argument("--rounds", type=int, default=21, help="measured rounds (21)")
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    came_from = provenance()
    corpora = shared_data() / "corpora"
    corpus = corpora if options.corpus == "all" else corpora / options.corpus
    ended = run([str(program(options.build)), str(corpus), str(options.rounds)])
    sys.stdout.write(ended.stdout)
    result = {
        "bench": "markdown_speed",
        "provenance": came_from,
        "toolchain": toolchain(options.build),
        "command": f"markdown_speed CORPUS {options.rounds}",
        "corpus": options.corpus,
        **figures(ended.stdout),
    }
    if options.out:
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

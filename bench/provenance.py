"""Where a figure comes from: versions, commit, processor, load. Every result carries it."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def provenance() -> dict[str, str]:
    """Commit (with `+` when the tree differs from it), date, processor, cores, kernel, load."""
    return {
        "commit": _git("rev-parse", "--short=12", "HEAD") + ("+" if _is_dirty() else ""),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "load_before": "{:.2f} {:.2f} {:.2f}".format(*os.getloadavg()),
    }


def python_version(python: str) -> str:
    """Implementation and version of another interpreter, by asking it."""
    program = "import platform as p; print(p.python_implementation(), p.python_version())"
    answer = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True)
    return answer.stdout.strip()


def shared_data() -> Path:
    """The directory of corpora: ROOTLEAF_TEST_DATA, or `shared` beside the checkout."""
    directory = Path(os.environ.get("ROOTLEAF_TEST_DATA", REPOSITORY.parent / "shared"))
    if not (directory / "corpora").is_dir():
        message = f"no corpora in {directory}; set ROOTLEAF_TEST_DATA to their directory"
        raise SystemExit(message)
    return directory


def _is_dirty() -> bool:
    # Result files are written by the very runs that ask, so they do not make a tree dirty.
    return bool(_git("status", "--porcelain", "--", ".", ":!bench/results"))


def _git(*arguments: str) -> str:
    answer = subprocess.run(
        ["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    return answer.stdout.strip() or ("" if answer.returncode == 0 else "unknown")


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()

"""Fixtures and settings that every test shares."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from rootleaf.config import EMBEDDER, SETTINGS
from rootleaf.surfaces.cli.main import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Cli = Callable[..., subprocess.CompletedProcess[str]]
    Shell = Callable[[Iterable[str]], None]
    WriteNotes = Callable[[dict[str, str | bytes]], Path]

# A second conftest.py would be a second module of that name to a type checker.
pytest_plugins = ["conformance_texts", "crashing_runs", "whole_rows"]

# Whatever the person who runs the tests has set for themselves.
for _setting in SETTINGS:
    os.environ.pop(_setting.name, None)

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("nightly", max_examples=5000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--update-golden`."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden examples anew; read the difference before you keep it",
    )


REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpora, conformance examples and questions; skipped without them, except under CI."""
    directory = Path(os.environ.get("ROOTLEAF_TEST_DATA", REPOSITORY.parent / "shared"))
    if not (directory / "corpora").is_dir():
        message = f"test data is not at {directory}; set ROOTLEAF_TEST_DATA to its directory"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return directory


@pytest.fixture(scope="module")
def without_vectors() -> Iterator[None]:
    """Indexes get no vectors, and searches go by words, where a test names no embedder.

    For the tests of what is as it is with vectors or without: rows, files, words, and scores that
    can be worked out by hand.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROOTLEAF_EMBEDDER", "none")
        yield


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `rootleaf` in this process, as `cli_process` does in one of its own."""

    def run(
        *arguments: str, cwd: Path = tmp_path, stdin: str | bytes = ""
    ) -> subprocess.CompletedProcess[str]:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        streams = {
            name: io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
            for name, content in (("stdin", given), ("stdout", b""), ("stderr", b""))
        }
        with monkeypatch.context() as patch:
            patch.chdir(cwd)
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            code = main(arguments)
        printed = []
        for name in ("stdout", "stderr"):
            streams[name].flush()
            printed.append(streams[name].buffer.getvalue().decode("utf-8"))
        return subprocess.CompletedProcess(arguments, code, *printed)

    return run


@pytest.fixture
def cli_process(tmp_path: Path) -> Cli:
    """Runs `rootleaf`, in `tmp_path` unless `cwd` is given, and gives what it printed."""

    def run(
        *arguments: str,
        cwd: Path = tmp_path,
        stdin: str | bytes = "",
        env: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("ROOTLEAF_") or key == EMBEDDER.name
        }
        done = subprocess.run(
            [sys.executable, "-m", "rootleaf", *arguments],
            cwd=cwd,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**kept, **(env or {})},
            capture_output=True,
            timeout=120,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        )

    return run


@pytest.fixture
def notes(tmp_path: Path) -> WriteNotes:
    """Writes files below `tmp_path/notes`, by relative path, and returns that directory."""

    def write(files: dict[str, str | bytes]) -> Path:
        root = tmp_path / "notes"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Runs command lines, one after the other, in a real shell that knows `rootleaf`."""
    launcher = tmp_path / "bin" / "rootleaf"
    launcher.parent.mkdir()
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rootleaf "$@"\n')
    launcher.chmod(0o755)
    path = f"{launcher.parent}{os.pathsep}{os.environ['PATH']}"

    def run(commands: Iterable[str]) -> None:
        for command in commands:
            done = subprocess.run(
                ["sh", "-c", command],
                cwd="/",
                env={**os.environ, "PATH": path},
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            # Done, or done with a warning.
            assert done.returncode in {0, 3}, (command, done.stdout, done.stderr)

    return run

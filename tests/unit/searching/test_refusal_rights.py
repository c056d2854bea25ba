"""What a user without rights is refused, and told to do; the directories are closed for real."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rootleaf import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = 65534
IS_ROOT = os.getuid() == 0
# Root's own interpreters may lie where a user without rights cannot reach them.
PYTHON = "/usr/bin/python3" if IS_ROOT else sys.executable
RULES = ".rootleaf-metadata.json"
ALL_FRUIT = '{"rules": [{"glob": "**", "metadata": {"kind": "fruit"}}]}'


class Somebody:
    """A user who owns a directory, and what `rootleaf` says to them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.db_path = home / "index.db"
        self.root = home / "outer" / "root"
        self.files = ("a.md", "sub/b.md")

    def run(self, command: str, code: int = 0) -> str:
        """Runs a line in a shell as that user."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd="/",
            env={"PATH": f"{self.home / 'bin'}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
            user=NOBODY if IS_ROOT else None,
            group=NOBODY if IS_ROOT else None,
            extra_groups=[] if IS_ROOT else None,
        )
        assert done.returncode in ({0, 3} if code == 0 else {code}), (command, done)
        return done.stdout

    def search(self, code: int = 0) -> dict[str, Any]:
        """The answer to a filtered search, or its error."""
        command = f"rootleaf search apple --where kind=fruit --json --db '{self.db_path}'"
        found: dict[str, Any] = json.loads(self.run(command, code))
        return found


@pytest.fixture
def somebody() -> Iterator[Somebody]:
    """Owns an indexed root, in a directory that every user may enter, unlike those of pytest."""
    home = Path(os.path.realpath(tempfile.mkdtemp()))
    one = Somebody(home)
    package = Path(__file__).resolve().parents[3] / "python" / "rootleaf"
    shutil.copytree(
        package, home / "lib" / "rootleaf", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(str(_core.__file__), home / "lib" / "rootleaf")
    launcher = home / "bin" / "rootleaf"
    launcher.parent.mkdir()
    launcher.write_text(
        f"#!/bin/sh\nPYTHONPATH='{home / 'lib'}' exec {PYTHON} -B -m rootleaf \"$@\"\n"
    )
    for name in one.files:
        (one.root / name).parent.mkdir(parents=True, exist_ok=True)
        (one.root / name).write_text("apple\n")
    (one.root / RULES).write_text(ALL_FRUIT)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755)
        if IS_ROOT:
            os.chown(path, NOBODY, NOBODY)
    try:
        one.run("rootleaf --version && rootleaf chunk /dev/null")
    except (AssertionError, OSError):
        shutil.rmtree(home)
        pytest.skip("needs an interpreter that a user without rights can start")
    one.run(f"rootleaf index '{one.root}' --db '{one.db_path}'")
    yield one
    for directory in (home / "outer", one.root, one.root / "sub"):
        if directory.is_dir():
            directory.chmod(0o755)
    shutil.rmtree(home)


def close(path: Path, mode: int = 0, *, owner: int | None = None) -> None:
    """Takes the rights away."""
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner, owner)


def restate(one: Somebody) -> None:
    """Other rules, by which all files are fruit too."""
    (one.root / RULES).write_text(ALL_FRUIT.replace('"fruit"', '["fruit", "other"]'))


def close_list_without_rules(one: Somebody) -> None:
    """The root may be entered and not listed, and its rules are gone."""
    (one.root / RULES).unlink()
    close(one.root, 0o300)


def restate_and_close(one: Somebody, name: str) -> None:
    """Other rules, and something below the root that cannot be read."""
    restate(one)
    close(one.root / name)


CLOSED: dict[str, tuple[str, str, Callable[[Somebody], None]]] = {
    "rules": ("metadata.rules", "chmod u+r ", lambda one: close(one.root / RULES)),
    "the root": ("metadata.rules", "chmod u+rx ", lambda one: close(one.root)),
    "the way to the root": (
        "metadata.rules",
        "chmod u+x ",
        lambda one: close(one.root.parent),
    ),
    "the list of the root": (
        "metadata.stale",
        "chmod u+rx ",
        close_list_without_rules,
    ),
    "a file": (
        "metadata.stale",
        "rootleaf index ",
        lambda one: restate_and_close(one, "a.md"),
    ),
    "a directory": (
        "metadata.stale",
        "rootleaf index ",
        lambda one: restate_and_close(one, "sub"),
    ),
}
OF_OTHERS: dict[str, tuple[str, str, Callable[[Somebody], None]]] = {
    "rules": ("metadata.rules", "mv -n ", lambda one: close(one.root / RULES, owner=0)),
    "the root": ("metadata.rules", "rootleaf forget ", lambda one: close(one.root, owner=0)),
    "the way to the root": (
        "metadata.rules",
        "rootleaf forget ",
        lambda one: close(one.root.parent, owner=0),
    ),
}


def check(one: Somebody, code: str, beginning: str, spoil: Callable[[Somebody], None]) -> int:
    """Refuses, clears, asks again; gives how many hits there are then."""
    assert len(one.search()["hits"]) == len(one.files)
    spoil(one)
    error = one.search(4)["error"]
    assert error["code"] == code
    assert error["commands"][0].startswith(beginning)
    for command in error["commands"]:
        one.run(command)
    return len(one.search()["hits"])


@pytest.mark.parametrize("name", CLOSED)
def test_what_its_owner_may_open_is_opened(somebody: Somebody, name: str) -> None:
    """The command that is printed opens it and indexes; what a run need not read stays closed."""
    left = check(somebody, *CLOSED[name])
    assert left == (0 if name == "the list of the root" else len(somebody.files))


@pytest.mark.skipif(not IS_ROOT, reason="only root can make files of another user")
@pytest.mark.parametrize("name", OF_OTHERS)
def test_what_another_user_closed_is_set_aside_or_forgotten(somebody: Somebody, name: str) -> None:
    """No command is printed that this user cannot run."""
    assert check(somebody, *OF_OTHERS[name]) == 0

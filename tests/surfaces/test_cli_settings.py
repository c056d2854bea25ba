"""`rootleaf settings`: what holds here, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf import config
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.fake import FakeEmbedder
from rootleaf.engine import kernels

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli, WriteNotes


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is set but what a test sets."""
    for setting in config.SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)


def shown(cli: Cli, *arguments: str) -> dict[str, tuple[str, str]]:
    """Value and origin of each setting, by name."""
    done = cli("settings", *arguments, "--json")
    assert done.returncode == 0, done.stdout
    rows = json.loads(done.stdout)["settings"]
    assert [row["name"] for row in rows] == [setting.name for setting in config.SETTINGS]
    return {row["name"]: (row["value"], row["origin"]) for row in rows}


def test_without_an_index_the_defaults_hold(cli: Cli) -> None:
    """Each with the value that a call would have."""
    gate = BuiltinEmbedder.calibration.gate
    assert gate is not None
    assert shown(cli) == {
        "ROOTLEAF_EMBEDDER": ("builtin", "default"),
        "ROOTLEAF_EMPTY_GATE": (f"{gate:g}", "default"),
        "ROOTLEAF_ISA": (kernels.available()[-1], "default"),
        "NO_COLOR": ("", "default"),
    }


def test_the_environment_comes_before_the_record(
    cli: Cli, notes: WriteNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the record before the default; a gate is that of the embedder that holds."""
    root = notes({"a.md": "one\n"})
    rootleaf.index(root, embedder="none")
    found = shown(cli, str(root))
    assert found["ROOTLEAF_EMBEDDER"] == ("none", "recorded")
    assert found["ROOTLEAF_EMPTY_GATE"] == ("off", "default")
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "builtin")
    monkeypatch.setenv("ROOTLEAF_EMPTY_GATE", "0")
    monkeypatch.setenv("ROOTLEAF_ISA", "scalar")
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(cli, str(root)) == {
        "ROOTLEAF_EMBEDDER": ("builtin", "environment"),
        "ROOTLEAF_EMPTY_GATE": ("0 (off)", "environment"),
        "ROOTLEAF_ISA": ("scalar", "environment"),
        "NO_COLOR": ("1", "environment"),
    }
    monkeypatch.delenv("ROOTLEAF_ISA")
    kernels.use_setting()


def test_a_person_is_told_which_database_it_was(cli: Cli, notes: WriteNotes) -> None:
    """The nearest one, from a directory below it too; and what the setting is for."""
    root = notes({"sub/a.md": "one\n"})
    rootleaf.index(root, embedder="none")
    done = cli("settings", cwd=root / "sub")
    assert f"ROOTLEAF_EMBEDDER    none    recorded in {root}/.rootleaf/index.db" in done.stdout
    for setting in config.SETTINGS:
        assert setting.name in done.stdout
        assert setting.meaning in done.stdout


def test_an_embedder_that_cannot_be_had_has_no_gate_and_is_named(
    cli: Cli, notes: WriteNotes
) -> None:
    """The command tells what is wrong instead of failing with it."""
    root = notes({"a.md": "one\n"})
    rootleaf.index(root, embedder=FakeEmbedder(name="gone"))
    found = shown(cli, str(root))
    assert found["ROOTLEAF_EMBEDDER"] == ("gone", "recorded")
    assert found["ROOTLEAF_EMPTY_GATE"] == ("off: There is no embedder 'gone'", "default")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROOTLEAF_EMBEDDER", "bert"),
        ("ROOTLEAF_EMPTY_GATE", "high"),
        ("ROOTLEAF_ISA", "mmx"),
    ],
)
def test_a_value_that_cannot_be_is_wrong_usage(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """Named with the variable, and what is allowed."""
    monkeypatch.setenv(name, value)
    done = cli("settings")
    assert done.returncode == 2
    assert done.stderr.startswith(f"rootleaf: {name} is '{value}'")


def test_an_index_that_was_named_must_be_there(cli: Cli, tmp_path: Path) -> None:
    """Without a name, none is needed."""
    done = cli("settings", str(tmp_path))
    assert done.returncode == 1
    assert f"rootleaf index {tmp_path}" in done.stderr

"""The instruction set that compares vectors can be asked and forced, and wrong ones are named."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rootleaf.engine import kernels
from rootleaf.engine.collection import Collection, IndexedDocument
from rootleaf.engine.vectors import nearest
from rootleaf.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS = [[0.6, 0.8], [1.0, 0.0], [0.0, -1.0]]


@pytest.fixture(autouse=True)
def unforced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins and ends with the widest instruction set and no setting."""
    monkeypatch.delenv("ROOTLEAF_ISA", raising=False)
    kernels.use_setting()
    kernels.force(None)
    yield
    monkeypatch.delenv("ROOTLEAF_ISA", raising=False)
    kernels.use_setting()
    kernels.force(None)


def test_the_widest_is_active_and_scalar_is_always_available() -> None:
    """Without a word from anybody, the last of those available runs."""
    assert kernels.available()[0] == "scalar"
    assert kernels.active() == kernels.available()[-1]


@pytest.mark.parametrize("isa", kernels.available())
def test_the_one_that_is_forced_is_the_one_that_runs(isa: str) -> None:
    """By a program; None goes back."""
    kernels.force(isa)
    assert kernels.active() == isa
    assert nearest(VECTORS, [0.6, 0.8], limit=3)[0][0] == 0
    kernels.force(None)
    assert kernels.active() == kernels.available()[-1]


@pytest.mark.parametrize("isa", kernels.available())
def test_the_setting_forces_one(isa: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ROOTLEAF_ISA` is read when vectors are compared, and may change between two searches."""
    monkeypatch.setenv("ROOTLEAF_ISA", isa)
    nearest(VECTORS, [1.0, 0.0], limit=1)
    assert kernels.active() == isa
    monkeypatch.delenv("ROOTLEAF_ISA")
    nearest(VECTORS, [1.0, 0.0], limit=1)
    assert kernels.active() == kernels.available()[-1]


def test_a_program_overrules_a_setting_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is forced by a call holds until somebody changes the variable."""
    monkeypatch.setenv("ROOTLEAF_ISA", kernels.available()[-1])
    kernels.use_setting()
    kernels.force("scalar")
    nearest(VECTORS, [1.0, 0.0], limit=1)
    assert kernels.active() == "scalar"


@pytest.mark.parametrize("isa", ["avx1024", "SCALAR", "", 5])
def test_one_that_cannot_be_used_is_refused_with_those_that_can(isa: object) -> None:
    """The error names the value and every legal one, and nothing changes."""
    with pytest.raises(InvalidInputError) as caught:
        kernels.force(isa)  # type: ignore[arg-type]
    assert caught.value.message.startswith(f"isa is {isa!r}, ")
    assert all(name in caught.value.message for name in kernels.available())
    assert kernels.active() == kernels.available()[-1]


def test_a_setting_that_cannot_be_used_is_refused_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error names the variable, and a second search does not pass for the first one's error."""
    monkeypatch.setenv("ROOTLEAF_ISA", "mmx")
    for _ in range(2):
        with pytest.raises(InvalidInputError) as caught:
            nearest(VECTORS, [1.0, 0.0], limit=1)
        assert caught.value.message.startswith("ROOTLEAF_ISA is 'mmx', ")
        assert caught.value.hint == f"ROOTLEAF_ISA={kernels.available()[-1]}"


def test_a_search_follows_the_setting_and_answers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hybrid search runs on the instruction set named, and refuses one that is not there."""
    collection = Collection()
    for i, vector in enumerate(VECTORS):
        document = IndexedDocument(
            document_id=i, path=f"{i}.md", name="a", text="# One\n\ntwo\n", vectors=[vector]
        )
        collection.add([document])
    answers = []
    for isa in kernels.available():
        monkeypatch.setenv("ROOTLEAF_ISA", isa)
        ranking = collection.view().search("two", query_vector=[0.6, 0.8])
        assert kernels.active() == isa
        answers.append([bytes(column) for column in ranking.columns.values()])
    assert all(answer == answers[0] for answer in answers)
    monkeypatch.setenv("ROOTLEAF_ISA", "mmx")
    with pytest.raises(InvalidInputError, match="ROOTLEAF_ISA is 'mmx'"):
        collection.view().search("two", query_vector=[0.6, 0.8])


def test_comparing_vectors_loads_no_numpy() -> None:
    """Buffers and sequences are all that is asked for."""
    program = (
        "import sys; from rootleaf.engine.vectors import nearest\n"
        "assert nearest([[1.0]], [1.0], limit=1) == [(0, 1.0)]\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

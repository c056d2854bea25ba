"""Which embedder is meant, and what is said where it is none."""

from __future__ import annotations

import subprocess
import sys

import pytest
from rootleaf.embed.builtin import BuiltinEmbedder
from rootleaf.embed.choosing import chosen_name, embedder_named
from rootleaf.errors import EmbedderError, InvalidInputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Install = Callable[..., None]

PLUGIN = """
from rootleaf.embed.fake import FakeEmbedder


def make(*given):
    return FakeEmbedder(name=":".join([{name!r}, *given]))


def make_other():
    return FakeEmbedder(name="other")


def make_nothing():
    return 7


def fail():
    raise RuntimeError("no weights here")


def leave():
    raise SystemExit("bye")
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a distribution with one entry point, as far as Python can tell."""

    def put(name: str, factory: str = "make", *, module: str | None = None) -> None:
        directory = tmp_path / "site"
        metadata = directory / f"rootleaf_{name}-1.2.dist-info"
        metadata.mkdir(parents=True)
        module = module or f"rootleaf_{name}"
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: rootleaf-{name}\nVersion: 1.2\n"
        )
        (metadata / "entry_points.txt").write_text(
            f"[rootleaf.embedders]\n{name} = {module}:{factory}\n"
        )
        (directory / f"rootleaf_{name}.py").write_text(PLUGIN.format(name=name))
        if str(directory) not in sys.path:
            monkeypatch.syspath_prepend(str(directory))

    return put


def test_an_argument_comes_before_the_environment_before_the_record_before_builtin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each speaks only where those before it say nothing; an empty variable says nothing."""
    monkeypatch.delenv("ROOTLEAF_EMBEDDER", raising=False)
    assert chosen_name(None, None) == "builtin"
    assert chosen_name(None, "recorded") == "recorded"
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "")
    assert chosen_name(None, "recorded") == "recorded"
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "none")
    assert chosen_name(None, "recorded") == "none"
    assert chosen_name("argument", "recorded") == "argument"


def test_a_variable_that_names_no_embedder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its value, and what is allowed."""
    monkeypatch.setenv("ROOTLEAF_EMBEDDER", "buildin")
    with pytest.raises(InvalidInputError) as caught:
        chosen_name(None, "builtin")
    assert caught.value.message.startswith("ROOTLEAF_EMBEDDER is 'buildin'; allowed: builtin, ")
    assert caught.value.hint == "unset ROOTLEAF_EMBEDDER"


def test_the_names_of_the_package() -> None:
    """`builtin` is the table, `none` is no embedder; a model is chosen by the name it records."""
    embedder = embedder_named("builtin")
    assert isinstance(embedder, BuiltinEmbedder)
    assert embedder.identity.name == "builtin"
    assert embedder_named("none") is None


@pytest.mark.parametrize("name", ["", "Builtin", "builtin:small", ":", "no-such-model:x"])
def test_an_unknown_name_is_refused_with_those_there_are(install: Install, name: str) -> None:
    """Plug-ins among them."""
    install("harbour")
    with pytest.raises(InvalidInputError) as caught:
        embedder_named(name)
    assert repr(name) in caught.value.message
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("One of builtin, ")
    assert caught.value.hint.endswith("none, harbour")


def test_a_plug_in_is_chosen_by_name_and_argument(install: Install) -> None:
    """Its factory gets what stands behind the colon, or nothing, and is called once a process."""
    install("quay")
    embedder = embedder_named("quay")
    assert embedder is not None
    assert embedder.identity.name == "quay"
    assert embedder_named("quay") is embedder
    other = embedder_named("quay:large:v2")
    assert other is not None
    assert other.identity.name == "quay:large:v2"


@pytest.mark.parametrize(
    ("name", "factory", "said"),
    [
        ("raising", "fail", "RuntimeError('no weights here')"),
        ("absent", "no_such", "AttributeError"),
        ("leaving", "leave", "SystemExit('bye')"),
        ("seven", "make_nothing", "makes what is no embedder: embedder must be"),
        ("renamed", "make_other", "calls its model 'other', whose name must begin with 'renamed'"),
    ],
)
def test_a_broken_plug_in_is_named_with_what_it_raised(
    install: Install, name: str, factory: str, said: str
) -> None:
    """The distribution it came with, and its version; nothing of it is kept."""
    install(name, factory)
    for _ in range(2):
        with pytest.raises(EmbedderError) as caught:
            embedder_named(name)
        assert caught.value.code == "embedder.plugin"
        assert f"The embedder {name!r} of rootleaf-{name} 1.2 (" in caught.value.message
        assert said in caught.value.message
        assert caught.value.hint == f"pip install --upgrade rootleaf-{name}"


def test_a_plug_in_whose_module_is_missing_is_named(install: Install) -> None:
    """As after an installation that was interrupted."""
    install("half", module="rootleaf_half_missing")
    with pytest.raises(EmbedderError, match=r"rootleaf-half 1\.2 .*ModuleNotFoundError"):
        embedder_named("half")


def test_what_is_installed_is_listed_only_for_a_name_that_is_not_ours() -> None:
    """To list it takes as long as a search."""
    program = (
        "import sys\n"
        "from rootleaf.embed.choosing import chosen_name, embedder_named\n"
        "embedder_named(chosen_name(None, None)), embedder_named('none')\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

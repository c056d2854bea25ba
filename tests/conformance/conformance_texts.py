"""The texts that parsers are compared on, and the reference implementation."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from markdown_oracles import commonmark_directory, without_front_matter

if TYPE_CHECKING:
    from pathlib import Path


class Text(NamedTuple):
    """A text and what to call it: an example's number, or a file's path below the corpora."""

    name: str
    text: str


@pytest.fixture(scope="session")
def examples(shared_data: Path) -> list[Text]:
    """The examples of the CommonMark specification."""
    content = (shared_data / "conformance/commonmark-0.31.2.json").read_text(encoding="utf-8")
    found = [Text(str(example["example"]), example["markdown"]) for example in json.loads(content)]
    assert len(found) == 655
    return found


@pytest.fixture(scope="session")
def corpus_texts(shared_data: Path) -> list[Text]:
    """Every markdown file of the corpora, as text with its front matter blanked."""
    corpora = shared_data / "corpora"
    found = []
    for path in sorted(corpora.rglob("*.md")):
        decoded = path.read_bytes().decode("utf-8-sig", "replace")
        text = decoded.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        found.append(Text(str(path.relative_to(corpora)), without_front_matter(text)))
    assert len(found) > 3000
    return found


@pytest.fixture(scope="session")
def commonmark_package(repository: Path) -> Path:
    """The npm package `commonmark`; skipped without it and node, except under CI."""
    package = commonmark_directory(repository)
    if package is None or shutil.which("node") is None:
        message = "the npm package commonmark 0.31.2 is not there: run `make oracle` (needs node)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    assert version == "0.31.2"
    return package

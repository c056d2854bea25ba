"""What the name of a file tells of the document in it."""

from __future__ import annotations

import os

import pytest
from rootleaf.documents.naming import telling_name


@pytest.mark.parametrize(
    ("relative_path", "name"),
    [
        ("deploy.md", "deploy"),
        ("ops/deploy.md", "deploy"),
        ("ops/v1.2.notes.md", "v1.2.notes"),
        ("README.md", "README"),
        ("keps/3983-drop-in/README.md", "3983-drop-in README"),
        ("skills/pdf-forms/SKILL.md", "pdf-forms SKILL"),
        ("site/guide/index.markdown", "guide index"),
        ("site/guide/Readme.md", "guide Readme"),
        ("site/guide/readme-first.md", "readme-first"),
    ],
)
def test_a_file_named_for_its_part_is_told_by_its_directory(relative_path: str, name: str) -> None:
    """`README.md` and the like say nothing of what they are about; other names do."""
    assert telling_name(relative_path.replace("/", os.sep)) == name

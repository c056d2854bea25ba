#!/usr/bin/env python3
"""Prints up to five questions about the markdown of a directory: headings of its own documents.

They are taken from documents spread over the directory, so that each asks for another one.

    tools/demo_questions.py DIR
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import rootleaf

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS = 5
DOCUMENTS_READ = 2000
MIN_WORDS = 3
MAX_WORDS = 12


def heading_of(path: Path) -> str | None:
    """The first heading below the title that says something, without its marks."""
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\0", "")
    headings = [
        chunk.text.strip("# \n")
        for chunk in rootleaf.chunk(text).chunks
        if chunk.kind == "heading" and chunk.level > 1
    ]
    return next(
        (heading for heading in headings if MIN_WORDS <= len(heading.split()) <= MAX_WORDS), None
    )


def questions_about(directory: Path) -> Iterator[str]:
    """Headings from documents spread evenly over the directory, none twice."""
    paths = sorted(islice(directory.rglob("*.md"), DOCUMENTS_READ))
    step = max(1, len(paths) // (QUESTIONS * 4))
    seen = set()
    for path in paths[::step]:
        heading = heading_of(path) if path.is_file() else None
        if heading and heading.lower() not in seen:
            seen.add(heading.lower())
            yield heading


def main() -> None:
    """Prints one question a line."""
    for question in islice(questions_about(Path(sys.argv[1])), QUESTIONS):
        sys.stdout.write(question + "\n")


if __name__ == "__main__":
    main()

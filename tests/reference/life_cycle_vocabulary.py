"""The small world of the life-cycle tests, with what each piece of it means written out by hand.

Nothing here asks the package what a front matter, rule, glob or ignore file says.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    Metadata = dict[str, str | list[str]]

ROOTS = ("one", "two")
DIRECTORIES = ("", "sub", "sub/deep", "other")
NAMES = ("a.md", "b.md", "c.txt", ".hidden.md")
MANY = tuple(f"m{number}.md" for number in range(6))
"""Names that are written together, so that there can be more than a handful."""

FRONT_MATTERS: dict[str, tuple[str, Metadata]] = {
    "": ("absent", {}),
    "---\nkind: note\ntags: [x, y]\n---\n": ("parsed", {"kind": "note", "tags": ["x", "y"]}),
    "---\nkind: event\ntitle: Harvest\n---\n": ("parsed", {"kind": "event", "title": "Harvest"}),
    "---\nteam: own\n---\n": ("parsed", {"team": "own"}),
    "---\nkind: |\n  block\n---\n": ("unparsed", {}),
}
"""What a text may begin with: the state, and the metadata it gives."""

BODIES = (
    "",
    "# One\n\nalpha\n",
    "# One\n\nalpha\n\n## Two\n\nbeta gamma\n",
    "# Two\n\nbeta beta alpha\n",
    "- alpha\n  - beta\n- gamma\n",
    "gamma\n\nalpha\n\nalpha\n",
)
APPENDED = ("\n## Two\n\nbeta gamma\n", "\nalpha delta\n", "\n- gamma\n")

RuleList = tuple[tuple[str, str, str], ...]
"""Glob, key and value of each rule; the value is read as JSON."""

GLOBS: dict[str, Callable[[str], bool]] = {
    "**": lambda path: True,
    "**/*": lambda path: True,
    "sub/**": lambda path: path.startswith("sub/"),
    "*.md": lambda path: "/" not in path and path.endswith(".md"),
    "**/*.md": lambda path: path.endswith(".md"),
    "**/a.md": lambda path: path == "a.md" or path.endswith("/a.md"),
    "other/*": lambda path: path.startswith("other/") and path.count("/") == 1,
}

RULES: tuple[tuple[str | None, RuleList | None], ...] = (
    (None, ()),
    ('{"rules": []}', ()),
    (
        '{"rules": [{"glob": "sub/**", "metadata": {"kind": "sub"}}]}',
        (("sub/**", "kind", '"sub"'),),
    ),
    (
        '\ufeff{ "rules" : [ {"metadata": {"kind": "sub"}, "glob": "sub/**"} ] }\n',
        (("sub/**", "kind", '"sub"'),),
    ),
    (
        """{"rules": [{"glob": "**/a.md", "metadata": {"team": ["t", "u"]}},
                      {"glob": "**", "metadata": {"kind": "note"}}]}""",
        (("**/a.md", "team", '["t","u"]'), ("**", "kind", '"note"')),
    ),
    ('{"rules": [', None),
    ('{"rules": [{"glob": "../x", "metadata": {}}]}', None),
)
"""Rules files (None: there is none), and what they say (None: they are not understood)."""

IGNORES: tuple[tuple[str | None, Callable[[str], bool]], ...] = (
    (None, lambda path: False),
    ("b.md\n", lambda path: path == "b.md" or path.endswith("/b.md")),
    ("deep/\n", lambda path: path.startswith("sub/deep/")),
    (
        "*.md\n!a.md\n",
        lambda path: path.endswith(".md") and path.rpartition("/")[2] != "a.md",
    ),
)
"""Contents of `.rootleafignore` (None: there is none), and which files they keep out."""

ALL_MARKDOWN = "all markdown"
SELECTIONS = (ALL_MARKDOWN, "sub/**", "*.md", "**/*")

QUERIES = ("alpha", "beta gamma", "harvest note", "nowhere")
FILTERS: tuple[dict[str, list[str]], ...] = (
    {"kind": ["note"]},
    {"kind": ["sub", "event"]},
    {"team": ["t"]},
    {"kind": ["note"], "tags": ["x"]},
)


def front_matter_of(text: str) -> tuple[str, Metadata]:
    """State and values of the front matter that a text begins with."""
    for begin, meaning in FRONT_MATTERS.items():
        if begin and text.startswith(begin):
            return meaning
    return FRONT_MATTERS[""]


def metadata_by(rules: RuleList, path: str) -> Metadata:
    """What the first rule that matches gives a path."""
    for glob, key, value in rules:
        if GLOBS[glob](path):
            return {key: json.loads(value)}
    return {}


def is_selected(selection: str, path: str) -> bool:
    """Whether a walk with this selection finds a file of this path; ignore files aside."""
    if path.rpartition("/")[2].startswith("."):
        return False
    if selection == ALL_MARKDOWN:
        return path.endswith(".md")
    return GLOBS[selection](path)


def is_reached(selection: str, path: str, rows: Collection[str]) -> bool:
    """Whether a run reads a file: one that it finds, or, of all markdown, one that has a row."""
    return is_selected(selection, path) or (selection == ALL_MARKDOWN and path in rows)


def matches(metadata: Metadata, where: dict[str, list[str]]) -> bool:
    """Whether a document of this metadata passes a filter."""
    for key, allowed in where.items():
        value = metadata.get(key, [])
        values = [value] if isinstance(value, str) else value
        if not set(values) & set(allowed):
            return False
    return True

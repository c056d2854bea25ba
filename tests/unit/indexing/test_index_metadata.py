"""Where the metadata of a document comes from, as a search and the status show it."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
import rootleaf
from rootleaf.errors import MetadataRulesError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import WriteNotes

pytestmark = pytest.mark.usefixtures("without_vectors")

RULES = ".rootleaf-metadata.json"


def metadata_of(root: Path) -> dict[str, object]:
    """The metadata of each document that holds the word, by its path below the root."""
    return {
        os.path.relpath(hit.file_path, root.resolve()): hit.metadata
        for hit in rootleaf.search("fig", root, top_k=99)
    }


def test_rules_and_front_matter_are_merged_per_key_and_front_matter_wins(
    notes: WriteNotes,
) -> None:
    """Strings and lists of strings, by keys that are strings; the first rule that matches."""
    rules = [
        {"glob": "events/**/*.md", "metadata": {"kind": "event", "tags": ["a", "b"]}},
        {"glob": "**", "metadata": {"kind": "other"}},
    ]
    root = notes(
        {
            RULES: json.dumps({"rules": rules}),
            "events/x/a.md": "---\nkind: party\nhost: {}\n---\nfig\n".replace("{}", "ann"),
            "events/b.md": "---\ntags: c\n---\nfig\n",
            "c.md": "fig\n",
            "d.md": "---\nkind: |\n  x\n---\nfig\n",
        }
    )
    rootleaf.index(root)
    assert metadata_of(root) == {
        "events/x/a.md": {"kind": "party", "host": "ann", "tags": ["a", "b"]},
        "events/b.md": {"kind": "event", "tags": "c"},
        "c.md": {"kind": "other"},
        "d.md": {"kind": "other"},
    }


@pytest.mark.parametrize(
    ("glob", "problem"),
    [
        ("/events/*", "absolute"),
        ("../*.md", "'..'"),
        ("a\\b.md", "backslash"),
        ("C:/x/*.md", "drive letter"),
    ],
)
def test_globs_outside_the_language_stop_the_run(
    notes: WriteNotes, glob: str, problem: str
) -> None:
    """The error names the file, the rule and the problem, and nothing is indexed."""
    rules = [{"glob": "**", "metadata": {}}, {"glob": glob, "metadata": {}}]
    root = notes({RULES: json.dumps({"rules": rules}), "a.md": "fig\n"})
    with pytest.raises(MetadataRulesError) as caught:
        rootleaf.index(root)
    assert caught.value.files == (f"{root.resolve()}/{RULES}",)
    assert "rule 2" in caught.value.message
    assert problem in caught.value.message
    assert not (root / ".rootleaf").exists()


def test_globs_are_relative_to_the_root_and_two_stars_cross_directories(
    notes: WriteNotes,
) -> None:
    """One star does not; a rules file is that of its own root."""
    rules = [
        {"glob": "*.md", "metadata": {"at": "top"}},
        {"glob": "a/*.md", "metadata": {"at": "a"}},
        {"glob": "a/**/c.md", "metadata": {"at": "c"}},
    ]
    root = notes(
        {
            RULES: json.dumps({"rules": rules}),
            f"a/{RULES}": json.dumps({"rules": [{"glob": "**", "metadata": {"at": "wrong"}}]}),
            **dict.fromkeys(
                ["x.md", "a/x.md", "a/c.md", "a/b/d/c.md", "a/b/x.md", "b/x.md"], "fig"
            ),
        }
    )
    rootleaf.index(root)
    assert metadata_of(root) == {
        "x.md": {"at": "top"},
        "a/x.md": {"at": "a"},
        "a/c.md": {"at": "a"},
        "a/b/d/c.md": {"at": "c"},
        "a/b/x.md": {},
        "b/x.md": {},
    }


def test_values_of_front_matter_are_searchable_and_no_chunk_shows_them(
    notes: WriteNotes,
) -> None:
    """They are found by a word of theirs; the cheatsheet begins with the body."""
    root = notes(
        {
            "a.md": "---\nauthor: persimmon\ntags: [medlar, quince]\n---\n# Title\n\nbody\n",
            "b.md": "# Other\n\nbody\n",
        }
    )
    rootleaf.index(root)
    for word in ("persimmon", "medlar", "quince"):
        (hit,) = rootleaf.search(word, root)
        assert hit.file_path.endswith("/a.md")
        assert "persimmon" not in hit.context
        assert "medlar" not in hit.context
    for hit in rootleaf.search("body", root):
        assert "persimmon" not in hit.context


UNPARSED = {
    "block scalar": ("kind: note\ntext: |\n  persimmon", 3),
    "folded scalar": ("text: >-\n  persimmon", 2),
    "anchor": ("a: &x persimmon", 2),
    "alias": ("a: *persimmon", 2),
    "tag": ("a: !!str persimmon", 2),
    "flow mapping": ("a: {b: persimmon}", 2),
    "merge key": ("<<: persimmon", 2),
    "escape": ('a: "x\\n persimmon"', 2),
    "deeper nesting": ("a:\n  b:\n    c: persimmon", 4),
    "duplicate keys": ("a: x\na: persimmon", 3),
    "a tab": ("a: x\n\tb: persimmon", 3),
    "mixed indents": ("a:\n   b: x\n  c: persimmon", 4),
}


@pytest.mark.parametrize("name", UNPARSED)
def test_front_matter_beyond_the_language_is_text_and_named(notes: WriteNotes, name: str) -> None:
    """The whole block: no metadata, its lines and the body found, file, line and reason told."""
    block, line = UNPARSED[name]
    root = notes({"a.md": f"---\nfirst: kept\n{block}\n---\n# Title\n\nfig\n"})
    report = rootleaf.index(root)
    assert metadata_of(root) == {"a.md": {}}
    (hit,) = rootleaf.search("persimmon", root)
    assert "persimmon" in hit.context
    (entry,) = rootleaf.status(root).unparsed_front_matter
    assert report.unparsed_front_matter == (entry,)
    assert entry.path == f"{root.resolve()}/a.md"
    assert re.match(rf"line {line + 1}: \S+", entry.reason)


def test_an_unterminated_fence_is_text_and_named(notes: WriteNotes) -> None:
    """From its first line on."""
    root = notes({"a.md": "---\nkind: persimmon\n# Title\n\nfig\n"})
    rootleaf.index(root)
    assert metadata_of(root) == {"a.md": {}}
    (hit,) = rootleaf.search("persimmon", root)
    assert "kind: persimmon" in hit.context
    (entry,) = rootleaf.status(root).unparsed_front_matter
    assert entry.reason.startswith("line 1: ")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\nkind: x\n---\nfig\n", "x"),
        ("\ufeff---\nkind: x\n---\nfig\n", "x"),
        ("---  \nkind: x\n...   \nfig\n", "x"),
        ("---\n\n# a comment\n\nkind: x\n---\nfig\n", "x"),
        ("---\nkind: 'x' # said\n---\nfig\n", "x"),
        ("---\nkind: x#y\n---\nfig\n", "x#y"),
        ('---\n"kind": x\n---\nfig\n', "x"),
        ('---\nkind: it\'s "x"\n---\nfig\n', 'it\'s "x"'),
        ("---\nkind: [a, b]\n---\nfig\n", ["a", "b"]),
        ("---\nkind:\n  - a\n  - b\n---\nfig\n", ["a", "b"]),
        ("---\n\nfig\n\n---\n\nkind: x\n", None),
        ("\n---\nkind: x\n---\nfig\n", None),
        ("---\n# Title\n\nfig\n---\n", None),
        ("--- \n- kind\n---\nfig\n", None),
    ],
)
def test_what_is_front_matter_is_told_by_its_first_lines(
    notes: WriteNotes, text: str, kind: str | list[str] | None
) -> None:
    """From `---` on line one to `---` or `...`; a rule on line one is markdown."""
    root = notes({"a.md": text})
    assert rootleaf.index(root).unparsed_front_matter == ()
    assert metadata_of(root) == {"a.md": {} if kind is None else {"kind": kind}}


def test_one_level_of_nesting_is_filtered_by_parent_and_child(notes: WriteNotes) -> None:
    """As one key with a dot."""
    root = notes({"a.md": "---\nowner:\n  team: core\n  since: 2026-05-26\n---\nfig\n"})
    rootleaf.index(root)
    assert metadata_of(root) == {"a.md": {"owner.team": "core", "owner.since": "2026-05-26"}}
    assert len(rootleaf.search("fig", root, where={"owner.team": "core"})) == 1

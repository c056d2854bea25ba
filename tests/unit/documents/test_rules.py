"""What a rules file may say, and how it is refused."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from rootleaf.documents.rules import foreign_rules_notice, load_rules
from rootleaf.errors import MetadataRulesError

if TYPE_CHECKING:
    from pathlib import Path

    from rootleaf.documents.rules import Rules

EVENT = {"glob": "events/**/*.md", "metadata": {"kind": "event"}}
REST = {"glob": "**", "metadata": {"kind": "note", "tags": ["a", "b"]}}


def rules_of(root: Path, content: object) -> Rules:
    """The rules of a root whose rules file holds `content`, as text, bytes, or made JSON."""
    if not isinstance(content, (str, bytes)):
        content = json.dumps(content)
    if isinstance(content, str):
        content = content.encode()
    (root / ".rootleaf-metadata.json").write_bytes(content)
    return load_rules(str(root))


def test_the_first_matching_rule_wins(tmp_path: Path) -> None:
    """A catch-all stands last; what no rule matches has no metadata."""
    rules = rules_of(tmp_path, {"rules": [EVENT, {"glob": "*/x/*.md", "metadata": {"kind": "x"}}]})
    assert rules.resolve("events/x/y.md") == {"kind": "event"}
    assert rules.resolve("other/x/y.md") == {"kind": "x"}
    assert rules.resolve("y.md") == {}
    assert rules_of(tmp_path, {"rules": [REST, EVENT]}).resolve("events/y.md")["kind"] == "note"


def test_what_was_resolved_can_be_changed_without_harm(tmp_path: Path) -> None:
    """Each document has a mapping of its own."""
    rules = rules_of(tmp_path, {"rules": [REST]})
    tags = rules.resolve("a.md")["tags"]
    assert isinstance(tags, list)
    tags.append("c")
    assert rules.resolve("a.md") == {"kind": "note", "tags": ["a", "b"]}


def test_a_root_without_a_rules_file_has_no_rules(tmp_path: Path) -> None:
    """It is no error, and the identity is empty; an empty list of rules means the same."""
    assert load_rules(str(tmp_path)).identity == ""
    assert load_rules(str(tmp_path)).resolve("a.md") == {}
    assert rules_of(tmp_path, {"rules": []}).identity == ""


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """The rules mean what they mean without it."""
    plain = rules_of(tmp_path, {"rules": [EVENT]})
    marked = rules_of(tmp_path, b"\xef\xbb\xbf" + json.dumps({"rules": [EVENT]}).encode())
    assert marked.identity == plain.identity != ""


def test_the_identity_is_of_the_meaning(tmp_path: Path) -> None:
    """Layout and the order of keys do not matter; order of rules, globs, keys and values do."""
    first = rules_of(tmp_path, {"rules": [EVENT, REST]}).identity
    laid_out = json.dumps(
        {
            "rules": [
                dict(reversed(EVENT.items())),
                {"metadata": {"tags": ["a", "b"], "kind": "note"}, "glob": "**"},
            ]
        },
        indent=4,
    )
    assert rules_of(tmp_path, laid_out).identity == first
    assert rules_of(tmp_path, laid_out.replace("event", "\\u0065vent")).identity == first
    others = [
        [REST, EVENT],
        [EVENT],
        [EVENT, {**REST, "glob": "**/*"}],
        [EVENT, {**REST, "metadata": {"kind": "note", "tags": ["b", "a"]}}],
        [EVENT, {**REST, "metadata": {"kind": ["note"], "tags": ["a", "b"]}}],
    ]
    identities = {rules_of(tmp_path, {"rules": other}).identity for other in others}
    assert len(identities | {first}) == len(others) + 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"rules": [', "is not JSON: Expecting value (line 1, column 12)"),
        ("", "is not JSON: Expecting value (line 1, column 1)"),
        (b'{"rules": [\xe9]}', "is not UTF-8 (byte 11)"),
        ("[" * 100_000, "is not JSON that can be read"),
        ("[]", "is not an object with the key 'rules'"),
        ("{}", "lacks the key 'rules' with a list"),
        ('{"rules": {}}', "lacks the key 'rules' with a list"),
        ('{"rules": [], "version": 1}', "holds the unknown key 'version'"),
        ('{"rules": [], "rules": []}', "holds the key 'rules' twice in one object"),
        ({"rules": [EVENT, "x"]}, "rule 2 is not an object with the keys 'glob' and 'metadata'"),
        ({"rules": [{**EVENT, "when": "x"}]}, "rule 1 holds the unknown key 'when'"),
        ({"rules": [{"metadata": {}}]}, "rule 1 lacks the key 'glob' with a string"),
        ({"rules": [{"glob": "*"}]}, "rule 1 lacks the key 'metadata' with an object"),
        (
            {"rules": [{"glob": "*", "metadata": {"n": 1}}]},
            "rule 1 has 1 for 'n'; a value is a string",
        ),
        ({"rules": [{"glob": "*", "metadata": {"n": None}}]}, "rule 1 has null for 'n'"),
        (
            {"rules": [{"glob": "*", "metadata": {"n": ["a", True]}}]},
            "rule 1 has [\"a\", true] for 'n'",
        ),
        (
            {"rules": [{"glob": "*", "metadata": {"n": {"m": "x"}}}]},
            'rule 1 has {"m": "x"} for \'n\'',
        ),
        (
            '{"rules": [{"glob": "*", "metadata": {"n": "\\ud800"}}]}',
            "half a surrogate pair in the value of 'n'",
        ),
        (
            {"rules": [EVENT, {"glob": "/a/*", "metadata": {}}]},
            "rule 2 has the glob '/a/*', which is absolute",
        ),
        (
            {"rules": [{"glob": "a/../b", "metadata": {}}]},
            "rule 1 has the glob 'a/../b', which holds '..'",
        ),
        ({"rules": [{"glob": "a\\b", "metadata": {}}]}, "which holds a backslash"),
        ({"rules": [{"glob": "C:/a", "metadata": {}}]}, "which begins with a drive letter"),
        ({"rules": [{"glob": "", "metadata": {}}]}, "which is empty"),
    ],
)
def test_rules_that_are_not_understood_are_refused_by_file_rule_and_problem(
    tmp_path: Path, content: object, problem: str
) -> None:
    """Nothing is taken from half-understood rules."""
    with pytest.raises(MetadataRulesError) as refused:
        rules_of(tmp_path, content)
    assert refused.value.code == "metadata.rules"
    assert str(tmp_path / ".rootleaf-metadata.json") in refused.value.message
    assert problem in refused.value.message
    assert refused.value.hint is not None


def test_a_rules_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A directory, a FIFO or a dead link in its place is not the absence of rules."""
    path = tmp_path / ".rootleaf-metadata.json"
    for kind in ("directory", "FIFO", "dead link"):
        if kind == "directory":
            path.mkdir()
        elif kind == "FIFO":
            os.mkfifo(path)
        else:
            path.symlink_to("nowhere")
        with pytest.raises(MetadataRulesError, match="cannot be read"):
            load_rules(str(tmp_path))
        path.rmdir() if path.is_dir() else path.unlink()


def test_the_foreign_rules_file_is_named_with_the_command_that_renames_it(tmp_path: Path) -> None:
    """It is not read; the printed command, run as it stands, makes its rules ours."""
    root = tmp_path / "it's a root"
    root.mkdir()
    assert foreign_rules_notice(str(root)) is None
    (root / ".poma-metadata.json").write_text(json.dumps({"rules": [EVENT]}))
    assert load_rules(str(root)).identity == ""
    notice = foreign_rules_notice(str(root))
    assert notice is not None
    command = shlex.split(notice[notice.index("mv ") :])
    subprocess.run(command, check=True)
    assert load_rules(str(root)).resolve("events/a.md") == {"kind": "event"}
    assert foreign_rules_notice(str(root)) is None


def test_the_foreign_notice_does_not_overwrite_our_own_rules(tmp_path: Path) -> None:
    """With both files there, the command asks first."""
    rules_of(tmp_path, {"rules": [EVENT]})
    (tmp_path / ".poma-metadata.json").write_text("{}")
    notice = foreign_rules_notice(str(tmp_path))
    assert notice is not None
    assert "mv -i" in notice

"""Metadata rules: `.rootleaf-metadata.json` at a root says which metadata its paths give.

The first rule whose glob matches supplies a document's metadata. Rules are understood whole or
refused whole. They are identified by a hash of what they mean, so that layout and order of keys do
not matter.
"""

from __future__ import annotations

import json
import os

from rootleaf.errors import MetadataRulesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rootleaf.documents.globs import Glob

    Metadata = dict[str, str | list[str]]

RULES_NAME = ".rootleaf-metadata.json"
FOREIGN_RULES_NAME = ".poma-metadata.json"
_IDENTITY_BYTES = 16
_EXAMPLE = '{"rules": [{"glob": "events/**/*.md", "metadata": {"kind": "event"}}]}'


class Rules:
    """The rules of one root, in order. Made by `load_rules`.

    `identity` is a hash of their meaning, in hexadecimal digits; empty where there are none.
    """

    __slots__ = ("_rules", "identity")

    def __init__(self, rules: list[tuple[str, Metadata]]) -> None:
        self._rules = _compiled(rules) if rules else []
        self.identity = _identity(rules)

    def __len__(self) -> int:
        return len(self._rules)

    def resolve(self, relative_path: str) -> Metadata:
        """The metadata of the first rule that matches, or an empty mapping.

        Args:
            relative_path: The document's path from the root, with `/`.
        """
        for glob, metadata in self._rules:
            if glob.matches(relative_path):
                return {
                    key: list(value) if isinstance(value, list) else value
                    for key, value in metadata.items()
                }
        return {}


def load_rules(root: str) -> Rules:
    """Reads the rules file of `root`; a root without one has no rules.

    Raises:
        MetadataRulesError: The file cannot be read or understood; names file, rule and problem.
    """
    path = os.path.join(root, RULES_NAME)
    content = _read(path)
    if content is None:
        return Rules([])
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(path, f"is not UTF-8 (byte {error.start})") from None
    try:
        loaded = json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        problem = f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        raise _refusal(path, problem) from None
    except _RepeatedKeyError as error:
        raise _refusal(path, f"holds the key {error.key!r} twice in one object") from None
    except (RecursionError, ValueError):
        # Nested by the thousand, or a number of thousands of digits.
        raise _refusal(path, "is not JSON that can be read") from None
    return Rules(_understood(path, loaded))


def foreign_rules_notice(root: str) -> str | None:
    """What to say of a `.poma-metadata.json` at `root`, with the command that renames it."""
    foreign = os.path.join(root, FOREIGN_RULES_NAME)
    if not os.path.lexists(foreign):
        return None
    import shlex

    own = os.path.join(root, RULES_NAME)
    if os.path.lexists(own):
        return (
            f"{foreign} is not read, {own} is; to use the former instead: "
            f"mv -i {shlex.quote(foreign)} {shlex.quote(own)}"
        )
    return f"{foreign} is not read; to use its rules: mv {shlex.quote(foreign)} {shlex.quote(own)}"


def _read(path: str) -> bytes | None:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        # The way there is closed: opening it says so below.
        pass
    from rootleaf.documents.reading import read_regular_file, reason_of

    try:
        content, _status = read_regular_file(os.path.realpath(path))
    except OSError as error:
        message = f"{path} cannot be read: {reason_of(error)}"
        import shlex

        hint = f"Check its permissions: ls -l {shlex.quote(path)}"
        raise MetadataRulesError(message, hint=hint, files=(path,)) from None
    if content is None:
        raise _refusal(path, "is too large")
    return content


class _RepeatedKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique:
            raise _RepeatedKeyError(key)
        unique[key] = value
    return unique


def _refusal(path: str, problem: str) -> MetadataRulesError:
    hint = f"It should look like this: {_EXAMPLE}"
    return MetadataRulesError(f"{path} {problem}", hint=hint, files=(path,))


def _understood(path: str, loaded: Any) -> list[tuple[str, Metadata]]:
    if not isinstance(loaded, dict):
        raise _refusal(path, "is not an object with the key 'rules'")
    for key in loaded:
        if key != "rules":
            raise _refusal(path, f"holds the unknown key {key!r}")
    listed = loaded.get("rules")
    if not isinstance(listed, list):
        raise _refusal(path, "lacks the key 'rules' with a list")
    rules = []
    for number, rule in enumerate(listed, start=1):
        problem = _rule_problem(rule)
        if problem is not None:
            raise _refusal(path, f"cannot be used: rule {number} {problem}")
        rules.append((rule["glob"], rule["metadata"]))
    return rules


def _rule_problem(rule: Any) -> str | None:
    if not isinstance(rule, dict):
        return "is not an object with the keys 'glob' and 'metadata'"
    for key in rule:
        if key not in ("glob", "metadata"):
            return f"holds the unknown key {key!r}"
    glob = rule.get("glob")
    if not isinstance(glob, str):
        return "lacks the key 'glob' with a string"
    from rootleaf.documents.globs import glob_problem

    problem = glob_problem(glob) or (None if _is_text(glob) else "holds half a surrogate pair")
    if problem is not None:
        return f"has the glob {glob!r}, which {problem}"
    metadata = rule.get("metadata")
    if not isinstance(metadata, dict):
        return "lacks the key 'metadata' with an object"
    for key, value in metadata.items():
        if not key or not _is_text(key):
            return f"has the metadata key {key!r}, which is empty or no text"
        strings = value if isinstance(value, list) else [value]
        for string in strings:
            if not isinstance(string, str):
                shown = json.dumps(value, ensure_ascii=False)
                return f"has {shown} for {key!r}; a value is a string or a list of strings"
            if not _is_text(string):
                return f"has half a surrogate pair in the value of {key!r}"
    return None


def _is_text(string: str) -> bool:
    try:
        string.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _compiled(rules: list[tuple[str, Metadata]]) -> list[tuple[Glob, Metadata]]:
    from rootleaf.documents.globs import Glob

    return [(Glob(glob), metadata) for glob, metadata in rules]


def _identity(rules: list[tuple[str, Metadata]]) -> str:
    if not rules:
        return ""
    import hashlib

    meaning = json.dumps(
        [[glob, sorted(metadata.items())] for glob, metadata in rules],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return hashlib.blake2b(meaning.encode("utf-8"), digest_size=_IDENTITY_BYTES).hexdigest()

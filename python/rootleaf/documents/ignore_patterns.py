"""One line of an ignore file, understood as git understands it.

A pattern is asked about one path at a time and means that path alone: what lies below a directory
that is kept out is never asked about. Libraries that match whole paths decide for the descendants
too, and then take `!*/` for taking back every file.

Source: gitignore(5), "Pattern format"; the wildcards are those of git's wildmatch.
"""

from __future__ import annotations

import re

from rootleaf.documents.wildcards import CROSSING, STAR, expression

_WILDCARDS = re.compile(r"[*?\[\\]")
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class IgnorePattern:
    """One pattern.

    Attributes:
        shown: The pattern as it is written.
        keeps_out: Whether what matches is kept out; False for a pattern that begins with `!`.
        directories_only: Whether only directories match.
        names_only: Whether it is matched with the name alone, else with the path from its file on.
        expression: A regular expression that the whole name or path must match.
    """

    __slots__ = ("directories_only", "expression", "keeps_out", "matches", "names_only", "shown")

    def __init__(self, shown: str, expression: str, *, names_only: bool) -> None:
        self.shown = shown
        self.keeps_out = not shown.startswith("!")
        self.directories_only = shown.endswith("/")
        self.names_only = names_only
        self.expression = expression
        self.matches = re.compile(expression, re.DOTALL).fullmatch


def parse_pattern(line: str) -> IgnorePattern | None:
    """The pattern of a line without its line end; None for blank, comment, malformed.

    A malformed pattern (a set that is never closed, a backslash at the end) matches nothing in git.
    """
    if line.startswith("#"):
        return None
    shown = _without_trailing_spaces(line)
    glob = shown.removeprefix("!").removesuffix("/")
    names_only = "/" not in glob
    written = _expression(glob.removeprefix("/"))
    if not written:
        return None
    return IgnorePattern(shown, written, names_only=names_only)


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    # An escaped space at the end stays.
    return kept + " " if backslashes % 2 and kept != line else kept


def _expression(glob: str) -> str | None:
    """A regular expression for a wildmatch pattern, or None where it is malformed."""
    pieces: list[str] = []
    position = 0
    while position < len(glob):
        character = glob[position]
        if character == "*":
            piece, position = _stars(glob, position)
            pieces.append(piece)
        elif character == "?":
            pieces.append("[^/]")
            position += 1
        elif character == "[":
            found = _set(glob, position + 1)
            if found is None:
                return None
            pieces.append(found[0])
            position = found[1]
        else:
            if character == "\\":
                position += 1
                if position == len(glob):
                    return None
            pieces.append(re.escape(glob[position]))
            position += 1
    return expression(pieces)


def _stars(glob: str, start: int) -> tuple[str, int]:
    end = start
    while end < len(glob) and glob[end] == "*":
        end += 1
    # git takes the literal beginning off both pattern and path before it looks for wildcards, so
    # the first wildcard begins a part for it: `doc**/*` crosses directories, `[d]oc**/*` does not.
    begins_part = start == 0 or glob[start - 1] == "/" or not _WILDCARDS.search(glob, 0, start)
    ends_part = end == len(glob) or glob[end] == "/"
    if end - start == 1 or not (begins_part and ends_part):
        return STAR, end
    return (".*", end) if end == len(glob) else (CROSSING, end + 1)


def _set(glob: str, start: int) -> tuple[str, int] | None:
    """The expression of a set whose `[` stands before `start`, and where the rest begins."""
    position = start
    negated = glob[position : position + 1] in ("!", "^")
    position += negated
    first_position = position
    members: list[str] = []
    while position < len(glob) and (glob[position] != "]" or position == first_position):
        if glob.startswith("[:", position):
            end = glob.find("]", position + 2)
            if end < 0:
                return None
            # Without its `:]` the bracket is a member like any other.
            if end > position + 2 and glob[end - 1] == ":":
                named = _CLASSES.get(glob[position + 2 : end - 1])
                if named is None:
                    return None
                members.append(named)
                position = end + 1
                continue
        found = _member(glob, position)
        if found is None:
            return None
        first, position = found
        last = first
        if glob.startswith("-", position) and glob[position + 1 : position + 2] not in ("", "]"):
            found = _member(glob, position + 1)
            if found is None:
                return None
            last, position = found
        # The first of a range counts even where the range runs backwards.
        members.append(re.escape(first))
        if first < last:
            members.append(f"{re.escape(first)}-{re.escape(last)}")
    if position >= len(glob):
        return None
    if not members:
        return ("[^/]" if negated else "(?!)"), position + 1
    inner = "".join(members)
    return (f"[^/{inner}]" if negated else f"(?!/)[{inner}]"), position + 1


def _member(glob: str, position: int) -> tuple[str, int] | None:
    if glob[position] == "\\":
        position += 1
        if position == len(glob):
            return None
    return glob[position], position + 1

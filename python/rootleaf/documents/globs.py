"""The glob language of metadata rules and `--glob`: relative to the root, `/`, case-sensitive.

`**` as a whole part crosses directories (also none); `*`, `?` and `[...]` stay within a name;
`[!...]` negates. A `[` that is never closed stands for itself. The two Unicode forms of one name
count as one.
"""

from __future__ import annotations

import re

from rootleaf.documents.spelling import composed
from rootleaf.documents.wildcards import CROSSING, STAR, expression

_DRIVE_LETTER = re.compile(r"[A-Za-z]:")


def glob_problem(glob: str) -> str | None:
    """Why `glob` is not in the language, or None where it is."""
    if not glob:
        return "is empty"
    if "\\" in glob:
        return "holds a backslash; separate directories with /"
    if _DRIVE_LETTER.match(glob):
        return "begins with a drive letter; globs are relative to the root"
    if glob.startswith("/"):
        return "is absolute; globs are relative to the root"
    parts = glob.split("/")
    if ".." in parts:
        return "holds '..'; globs do not leave the root"
    if "." in parts:
        return "holds '.' as a directory; leave it out"
    if parts[-1] == "":
        return f"ends with '/'; write {glob}** for all files below it"
    if "" in parts:
        return "holds an empty directory name ('//')"
    return None


class Glob:
    """A compiled glob.

    Args:
        glob: Text that `glob_problem` has nothing against.
    """

    __slots__ = ("_matches", "parts", "text")

    def __init__(self, glob: str) -> None:
        self.text = glob
        self.parts = tuple(composed(glob).split("/"))
        self._matches = re.compile(_expression(self.parts), re.DOTALL).fullmatch

    def matches(self, relative_path: str) -> bool:
        """Whether the file at `relative_path` (from the root, with `/`) is meant."""
        return self._matches(composed(relative_path)) is not None

    def may_match_below(self, relative_directory: str) -> bool:
        """Whether a file below `relative_directory` could match; False only where none can."""
        names = composed(relative_directory).split("/") if relative_directory else []
        for position, name in enumerate(names):
            if position >= len(self.parts) - 1:
                return self.parts[-1] == "**"
            part = self.parts[position]
            if part == "**":
                return True
            if re.fullmatch(_part_expression(part), name, re.DOTALL) is None:
                return False
        return True

    def names_dot_directory(self, name: str) -> bool:
        """Whether a directory part that itself begins with a dot means the directory `name`."""
        name = composed(name)
        return any(
            part.startswith(".") and re.fullmatch(_part_expression(part), name, re.DOTALL)
            for part in self.parts[:-1]
        )


def _expression(parts: tuple[str, ...]) -> str:
    pieces: list[str] = []
    last = len(parts) - 1
    for position, part in enumerate(parts):
        if part != "**":
            pieces.extend(_pieces(part))
            if position != last:
                pieces.append("/")
        elif position == last:
            pieces.append(".+")
        elif position == 0 or parts[position - 1] != "**":
            pieces.append(CROSSING)
    return expression(pieces)


def _part_expression(part: str) -> str:
    return expression(_pieces(part))


def _pieces(part: str) -> list[str]:
    pieces: list[str] = []
    position = 0
    while position < len(part):
        character = part[position]
        position += 1
        if character == "*":
            pieces.append(STAR)
        elif character == "?":
            pieces.append("[^/]")
        elif character == "[":
            # A `]` that comes first belongs to the set.
            start = position + 1 if part[position : position + 1] == "!" else position
            end = part.find("]", start + 1)
            if end < 0:
                pieces.append(r"\[")
            else:
                pieces.append(_set_expression(part[start:end], negated=start != position))
                position = end + 1
        else:
            pieces.append(re.escape(character))
    return pieces


def _set_expression(members: str, *, negated: bool) -> str:
    ranges = []
    position = 0
    while position < len(members):
        first = members[position]
        if members[position + 1 : position + 2] == "-" and position + 2 < len(members):
            last = members[position + 2]
            if first <= last:
                ranges.append(f"{re.escape(first)}-{re.escape(last)}")
            position += 3
        else:
            ranges.append(re.escape(first))
            position += 1
    if not ranges:
        return "[^/]" if negated else "(?!)"
    return f"[^/{''.join(ranges)}]" if negated else f"(?!/)[{''.join(ranges)}]"

"""Front matter: metadata between `---` fences at the start of a document.

A small language on purpose, cut out of YAML so that a value never changes its type: all values are
strings as written, or lists of them. A block that holds anything else is unparsed as a whole, with
the line and the reason; it then gives no metadata and its lines are text like any other. What a
parsed block means is what YAML means by it.
"""

from __future__ import annotations

import re

from rootleaf.types import Problem, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    Metadata = dict[str, str | list[str]]

_KEY_END = re.compile(r":(?= |$)")
_ENTRY_END = re.compile(r"[,\]]")
_QUOTES = ("'", '"')
_REFUSED_STARTS = {
    "|": "a block scalar (|)",
    ">": "a block scalar (>)",
    "&": "an anchor (&)",
    "*": "an alias (*); quote the value",
    "!": "a tag (!)",
    "{": "a flow mapping ({)",
    "}": "a value that begins with }; quote it",
    "[": "a list within a list",
    "]": "a value that begins with ]; quote it",
    ",": "a value that begins with a comma; quote it",
    "%": "a value that begins with %; quote it",
    "@": "a value that begins with @; quote it",
    "`": "a value that begins with `; quote it",
}
_COLON_IN_VALUE = "a colon followed by a space in a value that is not quoted"
_UNCLOSED_LIST = "a list that is not closed on its line"
_NO_ENTRY = "a line that is not `key: value`"


class FrontMatter(Value):
    """The front matter of a document.

    `state` is `absent`, `parsed` or `unparsed`; `values` is empty unless it is parsed; nested keys
    are joined by a dot. `problem` names line (1-based, in the document) and reason where it is
    unparsed.
    """

    state: str
    values: Metadata
    problem: Problem | None = None


def parse_front_matter(text: str) -> FrontMatter:
    """Reads the front matter of a decoded document; never raises because of what it holds."""
    if not text.startswith("---"):
        return FrontMatter(state="absent", values={})
    # Here and not above: most documents have none, and what only reads metadata needs no core.
    from rootleaf.engine.chunker import front_matter_span

    span = front_matter_span(text)
    if span.state == "absent":
        return FrontMatter(state="absent", values={})
    if span.state == "unclosed":
        problem = Problem(line=1, reason="the front matter is never closed by --- or ...")
        return FrontMatter(state="unparsed", values={}, problem=problem)
    # No character is shorter than a byte: the block lies within as many characters.
    utf8 = text[: span.content_end].encode()
    first_line = utf8.count(b"\n", 0, span.content_start) + 1
    content = utf8[span.content_start : span.content_end].decode()
    return parse_lines(content.removesuffix("\n").split("\n"), first_line=first_line)


def parse_lines(lines: Sequence[str], *, first_line: int = 2) -> FrontMatter:
    """Reads the lines between the fences.

    Args:
        lines: Without their line ends.
        first_line: The 1-based number of the first of them in the document.
    """
    try:
        values = _Parser(_significant_lines(lines, first_line)).parse()
    except _UnparsedError as refusal:
        return FrontMatter(state="unparsed", values={}, problem=refusal.problem)
    return FrontMatter(state="parsed", values=values)


class _UnparsedError(Exception):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.problem = Problem(line=line, reason=reason)


class _Line:
    """A line that is neither blank nor a comment; `content` without the spaces around it."""

    __slots__ = ("content", "indent", "is_entry_of_list", "number")

    def __init__(self, number: int, content: str, indent: int) -> None:
        self.number = number
        self.content = content
        self.indent = indent
        self.is_entry_of_list = content == "-" or content.startswith("- ")

    def refuse(self, reason: str) -> NoReturn:
        """Gives the whole block up."""
        raise _UnparsedError(self.number, reason)


def _significant_lines(lines: Sequence[str], first_line: int) -> list[_Line]:
    significant = []
    for number, line in enumerate(lines, start=first_line):
        content = line.strip(" ")
        if not content or content.startswith("#"):
            continue
        found = _Line(number, content, len(line) - len(line.lstrip(" ")))
        if "\t" in content:
            found.refuse("a tab")
        significant.append(found)
    return significant


class _Parser:
    def __init__(self, lines: list[_Line]) -> None:
        self._lines = lines
        self._position = 0
        self._values: Metadata = {}

    def parse(self) -> Metadata:
        keys: set[str] = set()
        while (line := self._current()) is not None:
            key, rest = self._entry(line, 0)
            if key in keys:
                line.refuse(f"the key {key!r} for a second time")
            keys.add(key)
            below = self._current()
            if not rest and below is not None and below.indent > 0 and not below.is_entry_of_list:
                self._children(key, below.indent)
            else:
                self._keep(line, key, self._value(line, rest))
        return self._values

    def _children(self, parent: str, indent: int) -> None:
        while (line := self._current()) is not None and line.indent > 0:
            key, rest = self._entry(line, indent)
            below = self._current()
            if (
                not rest
                and below is not None
                and below.indent > indent
                and not below.is_entry_of_list
            ):
                below.refuse("nesting deeper than one level")
            self._keep(line, f"{parent}.{key}", self._value(line, rest))

    def _current(self) -> _Line | None:
        return self._lines[self._position] if self._position < len(self._lines) else None

    def _entry(self, line: _Line, indent: int) -> tuple[str, str]:
        """The key of a line, and what follows it unless that is a comment."""
        if line.indent > indent and self._position:
            line.refuse("a value that goes on on the next line, or mixed indents")
        if line.indent != indent:
            line.refuse("mixed indents")
        if line.is_entry_of_list:
            line.refuse("a list entry without a key above it")
        self._position += 1
        key, rest = _split_key(line)
        return key, "" if rest.startswith("#") else rest

    def _value(self, line: _Line, rest: str) -> str | list[str]:
        if rest.startswith("["):
            return _flow_list(line, rest)
        if rest:
            return _scalar(line, rest)
        below = self._current()
        if below is None or not below.is_entry_of_list or below.indent < line.indent:
            return ""
        entries = []
        indent = below.indent
        while (entry := self._current()) is not None and entry.is_entry_of_list:
            if entry.indent != indent:
                break
            self._position += 1
            entries.append(_list_entry(entry))
        return entries

    def _keep(self, line: _Line, key: str, value: str | list[str]) -> None:
        if key in self._values:
            line.refuse(f"the key {key!r} for a second time")
        self._values[key] = value


def _split_key(line: _Line) -> tuple[str, str]:
    content = line.content
    if content.startswith(_QUOTES):
        key, end_of_quotes = _quoted(line, content)
        rest = content[end_of_quotes:].lstrip(" ")
        if _KEY_END.match(rest) is None:
            line.refuse(_NO_ENTRY)
    else:
        end = _KEY_END.search(content)
        refused = _REFUSED_STARTS.get(content[0])
        if content.startswith("["):
            line.refuse("a list that is not on the line of its key")
        if refused is not None:
            line.refuse(refused)
        if end is None or " #" in content[: end.start()]:
            line.refuse(_NO_ENTRY)
        if content.startswith("? "):
            line.refuse("a key marked by ?")
        key, rest = content[: end.start()].rstrip(" "), content[end.start() :]
        if key == "<<":
            line.refuse("a merge key (<<)")
    if not key:
        line.refuse("an empty key")
    return key, rest[1:].lstrip(" ")


def _list_entry(line: _Line) -> str:
    rest = line.content[1:].lstrip(" ")
    if not rest or rest.startswith("#"):
        return ""
    if rest == "-" or rest.startswith("- "):
        line.refuse("a list within a list")
    plain = rest.partition(" #")[0]
    if not rest.startswith(_QUOTES) and _KEY_END.search(plain) is not None:
        line.refuse("a mapping within a list")
    return _scalar(line, rest)


def _scalar(line: _Line, rest: str) -> str:
    """One value to the end of its line, where a comment may follow."""
    if rest.startswith(_QUOTES):
        value, end = _quoted(line, rest)
        _check_tail(line, rest, end, "a closing quote")
        return value
    value = rest.partition(" #")[0].rstrip(" ")
    _check_plain(line, value)
    return value


def _check_plain(line: _Line, value: str) -> None:
    refused = _REFUSED_STARTS.get(value[0])
    if refused is not None:
        line.refuse(refused)
    if value in ("-", "?") or value.startswith(("- ", "? ")):
        line.refuse(f"a value that begins with {value[0]} and a space; quote it")
    if _KEY_END.search(value) is not None:
        line.refuse(_COLON_IN_VALUE)


def _quoted(line: _Line, text: str, start: int = 0) -> tuple[str, int]:
    """The text within the quotes that open at `start`, and where the rest begins."""
    quote = text[start]
    end = text.find(quote, start + 1)
    inner = text[start + 1 : end] if end > 0 else text[start + 1 :]
    if quote == '"' and "\\" in inner:
        line.refuse("an escape (\\) within quotes")
    if end < 0:
        line.refuse("a quote that is not closed on its line")
    if quote == "'" and text.startswith("'", end + 1):
        line.refuse("an escape ('') within quotes")
    return inner, end + 1


def _check_tail(line: _Line, text: str, start: int, after: str) -> None:
    """After a closing quote or bracket only a comment may follow, with a space before it."""
    tail = text[start:]
    if tail.startswith("#"):
        line.refuse(f"text after {after} (a comment needs a space before it)")
    if tail.strip(" ") and not tail.lstrip(" ").startswith("#"):
        line.refuse(f"text after {after}")


def _flow_list(line: _Line, text: str) -> list[str]:
    entries: list[str] = []
    position = _after_spaces(text, 1)
    while not text.startswith("]", position):
        if position == len(text) or text[position] == "#":
            line.refuse(_UNCLOSED_LIST)
        if text[position] in _QUOTES:
            entry, position = _quoted(line, text, position)
        else:
            entry, position = _plain_entry(line, text, position)
        entries.append(entry)
        position = _after_spaces(text, position)
        if text.startswith(",", position):
            position = _after_spaces(text, position + 1)
        elif not text.startswith("]", position):
            is_end = position == len(text)
            line.refuse(_UNCLOSED_LIST if is_end else "text after a closing quote")
    _check_tail(line, text, position + 1, "a list")
    return entries


def _after_spaces(text: str, position: int) -> int:
    while text.startswith(" ", position):
        position += 1
    return position


def _plain_entry(line: _Line, text: str, start: int) -> tuple[str, int]:
    end = _ENTRY_END.search(text, start)
    if end is None:
        line.refuse(_UNCLOSED_LIST)
    entry = text[start : end.start()].rstrip(" ")
    if not entry:
        line.refuse("an empty entry in a list")
    _check_plain(line, entry)
    if " #" in entry:
        line.refuse(_UNCLOSED_LIST)
    if any(bracket in entry for bracket in "[{}"):
        line.refuse("brackets within a list entry that is not quoted")
    return entry, end.start()

"""The front matter of every corpus file, held to PyYAML with all scalars as strings.

Where ours is parsed, YAML reads the same. Where it is refused, PyYAML's own events show what the
language leaves out; and where these show nothing of the kind, it is not refused.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import yaml  # type: ignore[import-untyped]
from rootleaf.documents.decoding import decode
from rootleaf.documents.front_matter import parse_front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

BLOCK_SCALAR = "a block scalar"
ESCAPE = "an escape within quotes"
DEEP = "nesting deeper than one level"
LIST_OVER_LINES = "a list over several lines"
NO_YAML = "no YAML"
OTHER = "another construct that is left out"

REASONS = {
    "a block scalar (|)": BLOCK_SCALAR,
    "a block scalar (>)": BLOCK_SCALAR,
    "an escape ('') within quotes": ESCAPE,
    "an escape (\\) within quotes": ESCAPE,
    "nesting deeper than one level": DEEP,
    "a list that is not on the line of its key": LIST_OVER_LINES,
    "a list that is not closed on its line": LIST_OVER_LINES,
    "text after a list": NO_YAML,
}
KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s#'"\[\]{},-][^:]*|-[^\s:][^:]*):(\s|$)""")


def front_matter_lines(text: str) -> list[str] | None:
    """The lines between the fences, by the words of the specification."""
    lines = text.split("\n")
    if lines[0].rstrip(" ") != "---":
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip(" ") in ("---", "..."):
            inner = lines[1:number]
            said = [one for one in inner if one.strip() and not one.lstrip().startswith("#")]
            return inner if said and KEY.match(said[0]) else None
    return None


def left_out(content: str) -> set[str]:
    """What of YAML's constructs, by PyYAML's events, stands there that the language leaves out."""
    found = set()
    try:
        events = list(yaml.parse(content, yaml.BaseLoader))
    except yaml.YAMLError:
        return {NO_YAML}
    path: list[str] = []
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            found.update(left_out_by_scalar(event, content))
        elif isinstance(event, yaml.AliasEvent):
            found.add(OTHER)
        elif isinstance(event, yaml.CollectionStartEvent):
            found.update(left_out_by_collection(event, content, path))
            path.append("list" if isinstance(event, yaml.SequenceStartEvent) else "mapping")
        elif isinstance(event, yaml.CollectionEndEvent):
            path.pop()
    return found


def left_out_by_scalar(event: Any, content: str) -> set[str]:
    """How it is written: over lines, with escapes, with a tag."""
    source = content[event.start_mark.index : event.end_mark.index]
    if event.style in ("|", ">"):
        return {BLOCK_SCALAR}
    if (event.style == "'" and "''" in source[1:-1]) or (event.style == '"' and "\\" in source):
        return {ESCAPE}
    is_plain = event.start_mark.line == event.end_mark.line and event.tag is None
    return set() if is_plain else {OTHER}


def left_out_by_collection(event: Any, content: str, path: list[str]) -> set[str]:
    """Where it lies; and a list in brackets has to begin and end on the line of its key."""
    found = set()
    is_list = isinstance(event, yaml.SequenceStartEvent)
    # A list may be the value of a key at either level, a mapping that of an outer key.
    if path not in ([], ["mapping"], ["mapping", "mapping"]) or (not is_list and len(path) > 1):
        found.add(DEEP)
    if event.flow_style:
        before = content[: event.start_mark.index].rpartition("\n")[2]
        rest = content[event.start_mark.index :].partition("\n")[0]
        if not is_list:
            found.add(OTHER)
        elif ":" not in before or "]" not in rest:
            found.add(LIST_OVER_LINES)
    return found


def flattened(content: str) -> dict[str, Any]:
    """What PyYAML reads when every scalar is a string, one level of mappings flattened."""
    flat: dict[str, Any] = {}
    for key, value in (yaml.load(content, yaml.BaseLoader) or {}).items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": nested for inner, nested in value.items()})
        else:
            flat[key] = value
    return flat


def markdown_files(directory: Path) -> Iterator[tuple[str, str]]:
    """Path and text of every markdown file of the corpora."""
    for place, _, names in os.walk(directory):
        for name in names:
            if name.endswith((".md", ".mdc", ".markdown")):
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    yield path, decode(file.read()).text


def test_every_file_is_read_as_yaml_reads_it_or_holds_what_is_left_out(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file by itself; the reason given is one that an independent look finds there."""
    counts: Counter[str] = Counter()
    for path, text in markdown_files(shared_data / "corpora"):
        lines = front_matter_lines(text)
        found = parse_front_matter(text)
        assert (found.state == "absent") == (lines is None), path
        if lines is None:
            counts["absent"] += 1
            continue
        content = "\n".join(lines)
        reasons = left_out(content)
        if found.problem is None:
            counts["parsed"] += 1
            assert not reasons, (path, reasons)
            assert found.values == flattened(content), path
        else:
            counts[f"refused: {REASONS[found.problem.reason]}"] += 1
            assert REASONS[found.problem.reason] in reasons, (path, found.problem, reasons)
            assert found.values == {}
            assert 2 <= found.problem.line <= len(lines) + 1
    with capsys.disabled():
        sys.stdout.write(f"\nfront matter of the corpora: {dict(sorted(counts.items()))}\n")
    assert counts["parsed"] > 1700
    refused = sum(count for name, count in counts.items() if name.startswith("refused"))
    assert 0 < refused < counts["parsed"] / 20


def test_all_proposals_have_front_matter_that_is_read(shared_data: Path) -> None:
    """Each of them names itself by number, as it is written."""
    numbers = []
    for path, text in markdown_files(shared_data / "corpora" / "eips"):
        if re.fullmatch(r"(eip|erc)-\d+\.md", os.path.basename(path)):
            values = parse_front_matter(text).values
            assert values["eip"] == re.sub(r"\D", "", os.path.basename(path))
            numbers.append(values["eip"])
    assert len(numbers) > 900

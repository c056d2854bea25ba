"""Front matter means what YAML means by it, or it is refused; PyYAML is the independent reader."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import yaml  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from rootleaf.documents.decoding import decode
from rootleaf.documents.front_matter import parse_lines

if TYPE_CHECKING:
    from pathlib import Path

DEFENSIBLE = (
    "a block scalar (>)",
    "a block scalar (|)",
    "nesting deeper than one level",
    "an escape ('') within quotes",
    "an escape (\\) within quotes",
    "a list that is not on the line of its key",
    "a list that is not closed on its line",
    "text after a list",
)


def by_yaml(content: str) -> dict[str, Any]:
    """What PyYAML reads when every scalar is a string, one level of mappings flattened."""
    loaded = yaml.load(content, yaml.BaseLoader)
    flat: dict[str, Any] = {}
    for key, value in (loaded or {}).items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": nested for inner, nested in value.items()})
        else:
            flat[key] = value
    return flat


def fenced_lines(text: str) -> list[str] | None:
    """The lines between the fences, by the plain rule that the corpora keep to."""
    lines = text.split("\n")
    if lines[0].rstrip(" ") != "---":
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip(" ") in ("---", "..."):
            return lines[1:number]
    return None


syntax = st.text(st.sampled_from("ab: -#,'\"[]{}|>&*!?%@`\\<\n"), max_size=40)
pieces = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            "c.d",
            "key",
            ":",
            ": ",
            " ",
            "  ",
            "\n",
            "\n",
            "- ",
            "-",
            "#",
            " # c",
            "'",
            '"',
            "[",
            "]",
            ", ",
            ",",
            "{",
            "}",
            "<<",
            "1.0",
            "yes",
            "~",
            "null",
            "2026-05-26",
            "x y",
            "*.md",
            "&a",
            "!t",
            "|",
            ">",
            "?",
            "\\n",
            "''",
            "é",
            "http://x",
            "\na: ",
            "\nb:",
            "\n  c: ",
            "\n- ",
            "\n  - ",
            "\n\n",
            "\n# c\n",
            "\t",
        ]
    )
).map("".join)


@given(syntax | pieces)
def test_what_is_parsed_is_what_yaml_reads(content: str) -> None:
    """Whatever stands there: where it is parsed, YAML reads the same keys and values."""
    parsed = parse_lines(content.split("\n"))
    if parsed.state == "parsed":
        try:
            expected = by_yaml(content)
        except yaml.YAMLError:
            # PyYAML reads YAML 1.1; since 1.2 (7.3.3) an entry may hold `?` and begin with `:`.
            entries = [
                entry
                for value in parsed.values.values()
                if isinstance(value, list)
                for entry in value
            ]
            assert any("?" in entry or entry.startswith(":") for entry in entries)
        else:
            assert expected == parsed.values
    else:
        assert parsed.values == {}
        assert parsed.problem is not None
        assert 2 <= parsed.problem.line <= content.count("\n") + 2


words = (
    st.text(st.sampled_from("abzé证0179.-_/+()=~$^;\"' "), min_size=1)
    .map(str.strip)
    .filter(lambda word: bool(word) and word[0] not in "\"'-" and word != "...")
)
quotable = st.text(st.sampled_from("ab: #,[]{}|>&*!?%@`-é"), max_size=8)
scalars = st.one_of(
    words.map(lambda word: (word, word)),
    quotable.map(lambda inner: (f'"{inner}"', inner)),
    quotable.map(lambda inner: (f"'{inner}'", inner)),
)
keys = (
    st.text(st.sampled_from("abcdefg-_ é9"), min_size=1, max_size=6)
    .map(str.strip)
    .filter(lambda key: bool(key) and key[0] != "-")
)
comments = st.sampled_from(["", " # why", "  #", " "])


@st.composite
def values(draw: st.DrawFn, indent: str) -> tuple[str, str | list[str]]:
    """What follows a colon, and what it means."""
    form = draw(st.sampled_from(["scalar", "empty", "flow", "block"]))
    if form == "scalar":
        written, meant = draw(scalars)
        return " " + written + draw(comments) + "\n", meant
    if form == "empty":
        return draw(comments) + "\n", ""
    entries = draw(st.lists(scalars, min_size=1, max_size=3))
    meanings = [meant for _written, meant in entries]
    if form == "flow":
        return f" [{', '.join(written for written, _meant in entries)}]{draw(comments)}\n", meanings
    inner = indent + draw(st.sampled_from(["", "  ", "    "]))
    listed = "".join(f"{inner}- {written}{draw(comments)}\n" for written, _meant in entries)
    return draw(comments) + "\n" + listed, meanings


@st.composite
def blocks(draw: st.DrawFn) -> tuple[str, dict[str, str | list[str]]]:
    """A block of the language, and what it means."""
    written = []
    meaning: dict[str, str | list[str]] = {}
    for key in draw(st.lists(keys, unique=True, max_size=5)):
        spelling = draw(st.sampled_from([key, f'"{key}"', f"'{key}'"]))
        if draw(st.booleans()):
            text, meaning[key] = draw(values(""))
            written.append(f"{spelling}:{text}")
        else:
            written.append(f"{spelling}:{draw(comments)}\n")
            indent = " " * draw(st.integers(1, 4))
            for child in draw(st.lists(keys, unique=True, min_size=1, max_size=3)):
                text, meaning[f"{key}.{child}"] = draw(values(indent))
                written.append(f"{indent}{child}:{text}")
        written.append(
            draw(st.sampled_from(["", "", "\n", "# comment\n", "   # indented\n", "  \n"]))
        )
    return "".join(written), meaning


@given(blocks())
def test_the_whole_language_is_parsed(block: tuple[str, dict[str, str | list[str]]]) -> None:
    """Every form that the language has is read, alone and among others, and as YAML reads it."""
    content, meaning = block
    parsed = parse_lines(content.removesuffix("\n").split("\n"))
    assert (parsed.state, parsed.problem) == ("parsed", None)
    assert parsed.values == meaning == by_yaml(content)


def test_the_corpora_parse_as_yaml_reads_them_or_are_refused_for_a_stated_reason(
    shared_data: Path,
) -> None:
    """A file's front matter equals YAML's reading, or holds what the language leaves out."""
    parsed_count = 0
    refused_count = 0
    for directory, _subdirectories, listed in os.walk(shared_data / "corpora"):
        for name in listed:
            with open(os.path.join(directory, name), "rb") as file:
                lines = fenced_lines(decode(file.read()).text)
            if lines is None or not name.endswith(".md"):
                continue
            parsed = parse_lines(lines)
            if parsed.problem is None:
                parsed_count += 1
                assert parsed.values == by_yaml("\n".join(lines)), name
            else:
                refused_count += 1
                assert parsed.problem.reason in DEFENSIBLE, (name, parsed.problem)
    assert parsed_count > 1700
    assert refused_count < parsed_count / 20

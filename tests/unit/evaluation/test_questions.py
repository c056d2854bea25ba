"""A set of questions is read whole, or every line that is wrong is named with what is right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rootleaf.errors import InvalidInputError, QuestionsError
from rootleaf.evaluation.questions import questions_of, read_questions


def told(line: str | bytes) -> str:
    """What is said of one wrong line, which is the second of three."""
    given = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    right = b'{"query": "x"}'
    with pytest.raises(QuestionsError) as raised:
        read_questions(b"\n".join((right, given, right)), "q.jsonl")
    (problem,) = raised.value.problems
    assert problem.startswith("line 2: ")
    assert problem in raised.value.message
    assert raised.value.hint is not None
    assert '{"query": ' in raised.value.hint
    return problem


def test_lines_say_query_and_what_is_relevant_in_every_allowed_form() -> None:
    """A list, grades, and each way to say that nothing answers; other keys are the writer's own."""
    lines: list[dict[str, Any]] = [
        {"query": "a", "relevant": ["x.md", "y.md#one/two"], "id": "q-1", "tags": ["mine"]},
        {"query": "b", "relevant": {"x.md": 2, "y.md": 0.5, "z.md": 0}},
        {"query": "c", "relevant": []},
        {"query": "d", "relevant": {}},
        {"query": "e", "relevant": None},
        {"query": "f", "answerable": False, "qrels": {}, "distance": "far"},
    ]
    content = "\n".join(map(json.dumps, lines)).encode()
    questions = read_questions(content, "q.jsonl")
    assert [question.query for question in questions] == list("abcdef")
    assert [dict(question.relevant) for question in questions] == [
        {"x.md": 1, "y.md#one/two": 1},
        {"x.md": 2, "y.md": 0.5},
        {},
        {},
        {},
        {},
    ]
    assert questions[0].name == "q-1"
    assert questions == questions_of(lines)


def test_numbers_of_lines_count_blank_ones_and_ends_of_any_system_do() -> None:
    """A mark at the start, carriage returns, and U+2028 inside a query end no line."""
    content = '\ufeff{"query": "a"}\r\n\r\n{"query": "b\u2028c"}\n\n'.encode()
    questions = read_questions(content, "q.jsonl")
    assert [(question.line, question.query) for question in questions] == [
        (1, "a"),
        (3, "b\u2028c"),
    ]


@pytest.mark.parametrize(
    ("line", "named", "right"),
    [
        ("what?", "no JSON", "one JSON object"),
        ('{"query": "x"', "no JSON", "one JSON object"),
        (b'{"query": "\xff"}', "byte 12 is no UTF-8", "save the file as UTF-8"),
        ("[" * 100_000, "no JSON", "nesting"),
        ('{"query": 1' + "0" * 5000 + "}", "no JSON", "number"),
        ('["x"]', '["x"] is no object', '"relevant": ['),
        ('{"relevant": ["x.md"]}', 'no "query"', '"query": "how do we roll back"'),
        ('{"query": "  "}', '"query" is "  "', '"query": "how'),
        ('{"query": ["x"]}', '"query" is ["x"]', '"query": "how'),
        ('{"qurey": "x"}', '"qurey"', 'write "query"'),
        ('{"query": "x", "relevent": ["x.md"]}', '"relevent"', 'write "relevant"'),
        ('{"query": "x", "relevant": "x.md"}', '"relevant" is "x.md"', '["deploy.md"]'),
        ('{"query": "x", "relevant": [3]}', '3 in "relevant"', '"notes/deploy.md#deploy/undo"'),
        ('{"query": "x", "relevant": [""]}', '"" in "relevant"', '"notes/deploy.md"'),
        ('{"query": "x", "relevant": ["x.md#"]}', '"x.md#"', '"notes/deploy.md"'),
        ('{"query": "x", "relevant": ["#undo"]}', '"#undo"', '"notes/deploy.md"'),
        ('{"query": "x", "relevant": ["a\\u0000"]}', "a\\u0000", '"notes/deploy.md"'),
        ('{"query": "x", "relevant": {"x.md": -1}}', "is -1", "0 to 1,000"),
        ('{"query": "x", "relevant": {"x.md": NaN}}', "is NaN", "0 to 1,000"),
        ('{"query": "x", "relevant": {"x.md": true}}', "is true", "0 to 1,000"),
        ('{"query": "x", "relevant": {"x.md": "2"}}', 'is "2"', "0 to 1,000"),
        ('{"query": "x", "relevant": {"x.md": 1e300}}', "is 1e+300", "0 to 1,000"),
        ('{"query": "x", "answerable": true}', '"answerable" is true', "name what answers"),
        (
            '{"query": "x", "answerable": false, "relevant": ["x.md"]}',
            '"answerable" is false',
            "leave one",
        ),
    ],
)
def test_a_wrong_line_is_named_with_what_was_wrong_and_what_is_right(
    line: str | bytes, named: str, right: str
) -> None:
    """Its number, the words of the line, and a value that would do."""
    problem = told(line)
    assert named in problem
    assert right in problem


def test_all_wrong_lines_are_named_at_once() -> None:
    """A person mends a file in one go."""
    with pytest.raises(QuestionsError) as raised:
        read_questions(b'{"query": ""}\n{"query": "fine"}\nno\n{}\n', "q.jsonl")
    assert [problem.partition(":")[0] for problem in raised.value.problems] == [
        "line 1",
        "line 3",
        "line 4",
    ]
    assert raised.value.message.startswith("q.jsonl: 3 lines are wrong\n")


@pytest.mark.parametrize("rows", [3, {"query": "x"}, [["query", "x"]]])
def test_what_is_no_list_of_objects_is_refused(rows: Any) -> None:
    """One object is not several, and a pair is none."""
    with pytest.raises(InvalidInputError):
        questions_of(rows)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_any_question_is_refused(content: bytes) -> None:
    """There is nothing to measure."""
    with pytest.raises(QuestionsError, match="holds no question"):
        read_questions(content, "q.jsonl")


def test_what_is_no_text_in_a_query_is_replaced() -> None:
    """A lone surrogate stands in no file, and can be printed nowhere."""
    (question,) = read_questions(b'{"query": "a\\ud800b", "relevant": ["\\ud800.md"]}', "q.jsonl")
    question.query.encode()
    for entry in question.relevant:
        entry.encode()

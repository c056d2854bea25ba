"""Questions with known answers as a person writes them down: JSON Lines.

Either all lines are right, or each that is not is named.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

from rootleaf.errors import InvalidInputError, QuestionsError
from rootleaf.types import Problem, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

GREATEST_GRADE = 1000
_RIGHT = '{"query": "how do we roll back", "relevant": ["deploy.md#deploy/undo"]}'
_RIGHT_ENTRY = '"notes/deploy.md" or "notes/deploy.md#deploy/undo"'
_RIGHT_RELEVANT = (
    '["deploy.md"], {"deploy.md#deploy/undo": 2}, or nothing where no document answers'
)
_SHOWN_CHARS = 60


class Question(Value):
    """A question, and the grade of each entry that answers it; none where nothing does.

    `line` is its place in the file, from 1. `name` is its `id`, if it has one.
    """

    line: int
    name: str | None
    query: str
    relevant: Mapping[str, float]


class _WrongLine(Exception):  # noqa: N818 - it ends up in a `QuestionsError`
    """Why a line is no question."""


def read_questions(content: bytes, source: str) -> list[Question]:
    """The questions of a file, in order. Blank lines are skipped, and counted.

    Args:
        content: The bytes of the file: UTF-8, with or without a byte order mark.
        source: What to call it.

    Raises:
        QuestionsError: Lines are no questions, and all of them are named; or there is none at all.
    """
    questions, problems = [], []
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(_parsed(line), number))
        except _WrongLine as wrong:
            problems.append(Problem(line=number, reason=str(wrong)))
    return _checked(questions, problems, source)


def questions_of(rows: Iterable[Mapping[str, Any]]) -> list[Question]:
    """The questions of objects as a file has them; their places count as lines.

    Raises:
        QuestionsError: As for `read_questions`.
        InvalidInputError: It is something else.
    """
    if isinstance(rows, (bytes, dict)) or not isinstance(rows, Iterable):
        message = f"questions must be a path or a list of objects, not {type(rows).__name__}"
        raise InvalidInputError(message, hint=f"questions=[{_RIGHT}]")
    questions, problems = [], []
    for number, row in enumerate(rows, 1):
        try:
            questions.append(_question(row, number))
        except _WrongLine as wrong:
            problems.append(Problem(line=number, reason=str(wrong)))
    return _checked(questions, problems, "questions")


def refusal(source: str, problems: Iterable[Problem]) -> QuestionsError:
    """The error that names every line that is wrong, in the order of lines."""
    ordered = sorted(problems, key=lambda problem: problem.line)
    lines = tuple(f"line {problem.line}: {problem.reason}" for problem in ordered)
    wrong = len({problem.line for problem in ordered})
    count = "1 line is" if wrong == 1 else f"{wrong:,} lines are"
    message = "\n  ".join((f"{source}: {count} wrong", *lines))
    return QuestionsError(message, hint=f"a line such as {_RIGHT}", problems=lines)


def _checked(questions: list[Question], problems: list[Problem], source: str) -> list[Question]:
    if problems:
        raise refusal(source, problems)
    if not questions:
        message = f"{source} holds no question"
        raise QuestionsError(message, hint=f"a line such as {_RIGHT}")
    return questions


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is no UTF-8; save the file as UTF-8"
    except json.JSONDecodeError as error:
        message = f"no JSON at character {error.colno}: {error.msg}; a line is one JSON object"
    except (ValueError, RecursionError):
        message = "no JSON that can be read: a number or a nesting without end"
    raise _WrongLine(message) from None


def _question(row: object, line: int) -> Question:
    if not isinstance(row, dict):
        message = f"{_shown(row)} is no object; write {_RIGHT}"
        raise _WrongLine(message)
    _refuse_misspelt(row)
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        what = f'"query" is {_shown(query)}' if "query" in row else 'there is no "query"'
        message = f'{what}; write "query": "how do we roll back"'
        raise _WrongLine(message)
    relevant = _relevant(row.get("relevant"))
    answerable = row.get("answerable")
    if answerable is True and not relevant:
        message = '"answerable" is true and "relevant" names nothing; name what answers'
        raise _WrongLine(message)
    if answerable is False and relevant:
        message = '"answerable" is false and "relevant" names an answer; leave one of them out'
        raise _WrongLine(message)
    name = row.get("id")
    name = str(name) if type(name) is int else name
    # Lone surrogates are no text, and stand in no file.
    query = query.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return Question(
        line=line,
        name=name if isinstance(name, str) and name.isprintable() else None,
        query=query,
        relevant=relevant,
    )


def _refuse_misspelt(row: Mapping[object, object]) -> None:
    """A misspelt `relevant` would make a question one that nothing answers."""
    import difflib

    for key in ("query", "relevant"):
        others = [str(other).lower() for other in row if other not in {"query", "relevant"}]
        if key not in row and (near := difflib.get_close_matches(key, others, 1, 0.75)):
            message = f'there is no "{key}" but {_shown(near[0])}; write "{key}"'
            raise _WrongLine(message)


def _relevant(given: object) -> dict[str, float]:
    if given is None:
        return {}
    if isinstance(given, dict):
        return {_entry(entry): grade for entry, grade in given.items() if _grade(entry, grade)}
    if isinstance(given, (list, tuple)):
        return dict.fromkeys(map(_entry, given), 1)
    message = f'"relevant" is {_shown(given)}; write {_RIGHT_RELEVANT}'
    raise _WrongLine(message)


def _entry(entry: object) -> str:
    path, sign, headings = entry.partition("#") if isinstance(entry, str) else ("", "", "")
    if not path.strip() or (sign and not headings) or "\0" in path:
        message = f'{_shown(entry)} in "relevant" is no entry; write {_RIGHT_ENTRY}'
        raise _WrongLine(message)
    entry = str(entry)
    try:
        entry.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return entry.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return entry


def _grade(entry: object, grade: object) -> bool:
    """Whether the grade of an entry makes it an answer: 0 says that it was judged and is none."""
    is_number = isinstance(grade, (int, float)) and not isinstance(grade, bool)
    if not is_number or not math.isfinite(grade) or not 0 <= grade <= GREATEST_GRADE:  # type: ignore[arg-type, operator]
        message = (
            f"the grade of {_shown(entry)} is {_shown(grade)}; "
            f"write a number from 0 to {GREATEST_GRADE:,}, such as 1 or 2"
        )
        raise _WrongLine(message)
    return grade != 0


def _shown(value: object) -> str:
    """A value as JSON has it, shortened."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 6]} [...]"

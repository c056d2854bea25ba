"""Parsing a call, and the words for one that is wrong: what was, and what would be right."""

from __future__ import annotations

import argparse

from rootleaf.store.paths import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

# Options that name a place, where it is an argument of its own or has another name.
_PLACES = ("--path", "--dir", "--directory", "--root", "--file")
_MISSING = "the following arguments are required: "


class UsageError(Exception):
    """The arguments are not what a command takes; `hint` is a command line that would be."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Parser(argparse.ArgumentParser):
    """Raises `UsageError` instead of leaving the process, and suggests what may have been meant."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        settings.setdefault("allow_abbrev", False)
        super().__init__(**settings)

    @property
    def command(self) -> str:
        """The command that this is the parser of; `rootleaf` for the whole."""
        return self.prog.partition(" ")[2] or self.prog

    @property
    def commands(self) -> dict[str, Parser]:
        """The parsers of the commands by their names."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - has no public name
                return dict(action.choices)
        return {}

    @property
    def options(self) -> dict[str, argparse.Action]:
        """All options by the words they are called with."""
        return self._option_string_actions

    def error(self, message: str) -> NoReturn:
        """Tells what argparse found wrong, in our words."""
        message = message.removeprefix("argument ").replace(_MISSING, f"{self.command} needs ", 1)
        raise UsageError(message, f"{self.prog} --help")

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parses the arguments of one call; `command` of the result names what to run.

        `--help` and `--version` print and raise SystemExit, as argparse does.

        Raises:
            UsageError: The arguments are not what a command takes.
        """
        self._refuse_unknown_options(arguments)
        request, unknown = self.parse_known_args(list(arguments))
        if unknown:
            command = request.command
            hint = {
                "search": 'rootleaf search "several words"',
                "eval": "cat FILES | rootleaf eval -",
            }.get(command, f"rootleaf {command} --help")
            message = f"{unknown[0]!r} stands where {command} takes nothing more"
            raise UsageError(message, hint)
        return request

    def refuse_place(self, option: str, value: str) -> None:
        """Names the right way to say which directory or file is meant, where there is one.

        Raises:
            UsageError: The command takes a place, but not by this option.
        """
        named = {action.dest: action for action in self._actions}
        # Of both, the directory is meant, unless the option says the other.
        for dest in ("path", "file"):
            action = named.get(dest)
            if action is None or (option == "--file" and "file" in named and dest == "path"):
                continue
            place = quoted(value) if value else str(action.metavar)
            way, proper = "as it is", f"{self.prog} {place}"
            if action.option_strings:
                first = next(one.metavar for one in self._actions if not one.option_strings)
                way, proper = "by --path", f"{self.prog} {first} --path {place}"
            message = f"{self.command} has no option {option}; it takes {action.metavar} {way}"
            raise UsageError(message, proper)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        what = "command" if action.dest == "command" else action.metavar or action.dest
        suggestion = _did_you_mean(str(value), choices)
        message = f"there is no {what} {value!r}{suggestion} ({', '.join(choices)})"
        raise UsageError(message, f"{self.prog} --help")

    def _refuse_unknown_options(self, arguments: Sequence[str]) -> None:
        """Names an unknown option before argparse complains of what it then misses."""
        first = arguments[0]
        if first.startswith("-") and first not in self.options:
            message = f"there is no option {first}{_did_you_mean(first, self.options)}"
            raise UsageError(message, "rootleaf --help")
        if first not in self.commands:
            return
        options = self.commands[first].options
        takes_value = False
        for number, argument in enumerate(arguments[1:], 2):
            if argument == "--":
                return
            option, equals, value = argument.partition("=")
            is_option = argument.startswith("-") and not _is_positional(argument)
            if is_option and not takes_value and option not in options:
                if option in _PLACES:
                    value = value if equals else "".join(arguments[number : number + 1])
                    self.commands[first].refuse_place(option, value)
                suggestion = _did_you_mean(option, (name for name in options if name[:2] == "--"))
                hint = f"rootleaf {first} --help"
                if first == "search" and not suggestion:
                    hint = f"rootleaf search -- {quoted(argument)}"
                message = f"{first} has no option {option}{suggestion}"
                raise UsageError(message, hint)
            takes_value = option in options and options[option].nargs is None and not equals


def _is_positional(argument: str) -> bool:
    """Whether argparse takes what starts with a dash as it stands: `-`, numbers, several words."""
    if argument == "-" or " " in argument:
        return True
    try:
        float(argument)
    except ValueError:
        return False
    return True


def _did_you_mean(given: str, choices: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(given, list(choices), n=1)
    return f"; did you mean {near[0]}?" if near else ""

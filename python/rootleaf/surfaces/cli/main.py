"""The entry point: runs one command, and turns every outcome into an exit code and calm words."""

from __future__ import annotations

import os
import sys

# All else is imported inside `main`, so that an interrupt while it loads ends calmly too.

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import TextIO

    from rootleaf.errors import RootleafError
    from rootleaf.surfaces.cli.console import Console

DONE = 0
FAILED = 1
USAGE = 2
REFUSED = 4
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `rootleaf` with the given arguments, those of the process by default.

    Returns:
        0 done, 1 failed, 2 wrong usage, 3 done with warnings, 4 refused, 130 interrupted.
    """
    status = DONE
    try:
        if argv is None:
            sys.unraisablehook = _repeat_lost_interrupt
        arguments = list(sys.argv[1:] if argv is None else argv)
        _open_closed_streams()
        if arguments in (["--version"], ["-V"]):
            # Before any import that this answer does not need: it is asked by scripts, often.
            from rootleaf._version import __version__

            sys.stdout.write(f"rootleaf {__version__}\n")
        else:
            from rootleaf.surfaces.cli.console import Console

            console = Console(sys.stdout, sys.stderr, as_json=_asks_for_json(arguments))
            status = _run(arguments, console)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
        return DONE
    except KeyboardInterrupt:
        _drop(sys.stdout)
        return INTERRUPTED
    except OSError as error:
        return _fail_to_write(error)
    return status


def _run(arguments: list[str], console: Console) -> int:
    from rootleaf.errors import InternalError, RootleafError
    from rootleaf.surfaces.cli.console import OutputError
    from rootleaf.surfaces.cli.grammar import build_parser
    from rootleaf.surfaces.cli.parsing import UsageError

    parser = build_parser(arguments[0] if arguments else None)
    if not arguments:
        console.write(parser.format_help())
        return DONE
    try:
        request = parser.parse(arguments)
        return _command(request)(request, console)
    except SystemExit:
        # argparse has printed help or the version.
        return DONE
    except UsageError as error:
        console.fail("usage", error.message, error.hint)
        return USAGE
    except RootleafError as error:
        console.fail(error.code, error.message, error.hint, **_details(error))
        return _exit_code(error)
    except (BrokenPipeError, KeyboardInterrupt, OutputError):
        raise
    except OSError as error:
        console.fail("system", _system_message(error), None)
        return FAILED
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        console.fail(InternalError.code, _bug_message(error), None)
        return FAILED


def _command(request: Namespace) -> Command:
    import importlib

    module = importlib.import_module(f"rootleaf.surfaces.cli.{request.command}_command")
    run: Command = module.run
    return run


def _exit_code(error: RootleafError) -> int:
    from rootleaf.errors import InvalidInputError, MetadataIncomplete

    if isinstance(error, InvalidInputError):
        return USAGE
    return REFUSED if isinstance(error, MetadataIncomplete) else FAILED


def _details(error: RootleafError) -> dict[str, list[str]]:
    """What the JSON form of an error tells beside code, message and hint."""
    from rootleaf.errors import MetadataIncomplete, QuestionsError

    if isinstance(error, QuestionsError):
        return {"problems": list(error.problems)}
    if not isinstance(error, MetadataIncomplete):
        return {}
    return {"files": list(error.files), "commands": list(error.commands)}


def _system_message(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is None:
        # Only asking for the current directory names no file.
        return "the current directory is no longer there; change to another one"
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def _bug_message(error: Exception) -> str:
    from rootleaf._version import __version__

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        place = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"this is a bug in rootleaf {__version__}, please report it with this line: {what}{place}"
    )


def _asks_for_json(arguments: list[str]) -> bool:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _open_closed_streams() -> None:
    """Gives a process that was started without one of the standard streams an empty one."""
    # In this order each takes the descriptor that is free, so that no database ever gets it.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the whole process
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _fail_to_write(error: OSError) -> int:
    """Says, where that is still possible, that there is no room for the output."""
    _drop(sys.stdout)
    try:
        sys.stderr.write(f"rootleaf: the output cannot be written: {error.strerror or error}\n")
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)
    return FAILED


def _repeat_lost_interrupt(lost: sys.UnraisableHookArgs) -> None:
    """Has an interrupt end the command though it came where nothing can be raised.

    In a finalizer or a callback of the interpreter's own imports it would be printed, with its
    trace, and forgotten.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import _thread
    import time

    def interrupt() -> None:
        # Not before the callback has ended, or it is lost again.
        time.sleep(0.01)
        _thread.interrupt_main()

    _thread.start_new_thread(interrupt, ())


def _drop(stream: TextIO) -> None:
    """Keeps the interpreter from complaining, at exit, of output that cannot be delivered."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError, AttributeError):
        pass


if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[[Namespace, Console], int]

"""What the options of several commands have in common."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_db(parser: argparse.ArgumentParser, meaning: str) -> None:
    """`--db`, and what it means here."""
    completes(parser.add_argument("--db", dest="db_path", metavar="DB", help=meaning))


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object, errors too")


def completes(action: argparse.Action, kind: str = "file") -> None:
    """Lets a shell complete an option or argument: by each `file`, or `directory` alone."""
    # What shtab reads; its names, so that the package is needed by the completion command alone.
    action.complete = {  # type: ignore[attr-defined]
        "file": {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f"},
        "directory": {"bash": "_shtab_compgen_dirs", "zsh": "_files -/", "tcsh": "d"},
    }[kind]


def examples(*lines: str) -> str:
    """The end of a help page: calls as they can be made."""
    return "examples:\n" + "".join(f"  {line}\n" for line in lines)

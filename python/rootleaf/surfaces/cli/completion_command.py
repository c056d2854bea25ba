"""`rootleaf completion`: a script for the shell."""

from __future__ import annotations

from rootleaf.errors import RootleafError
from rootleaf.surfaces.cli.grammar import build_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console


def run(request: Namespace, console: Console) -> int:
    """Prints the completion script of the shell that was named."""
    try:
        import shtab
    except ImportError:
        message = "shell completion needs the package shtab, which is not installed"
        raise RootleafError(message, hint="pip install shtab", code="cli.missing_package") from None
    console.write(shtab.complete(build_parser(), shell=request.shell))
    return 0

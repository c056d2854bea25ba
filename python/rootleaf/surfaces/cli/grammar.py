"""The grammar of the command line: its commands, their options, and their help."""

from __future__ import annotations

from rootleaf._version import __version__
from rootleaf.surfaces.cli.number_arguments import positive_number, score, threshold, whole_number
from rootleaf.surfaces.cli.options import add_db, add_json, completes, examples
from rootleaf.surfaces.cli.parsing import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHELLS = ("bash", "zsh", "tcsh")
DEFAULT_TOP = 5

_EXIT_CODES = """\
exit codes:
  0 done    1 failed    2 wrong usage    3 done with warnings    4 refused
"""


def build_parser(command: str | None = None) -> Parser:
    """The whole grammar, as the command line, help and shell completion read it.

    Args:
        command: The one command that is asked for. If there is such a one, the others are left out:
            to build the options of all takes longer than many a search.
    """
    parser = Parser(
        prog="rootleaf",
        description=(
            "Memory for AI agents: indexes markdown, answers with cited cheatsheets, offline."
        ),
        epilog=examples(
            "rootleaf index docs", 'rootleaf search "how do we roll back"', "rootleaf status"
        )
        + "\n"
        + _EXIT_CODES,
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"rootleaf {__version__}",
        help="print the version and exit",
    )
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    additions = {
        "index": _add_index,
        "search": _add_search,
        "eval": _add_eval,
        "status": _add_status,
        "forget": _add_forget,
        "doctor": _add_doctor,
        "settings": _add_settings,
        "chunk": _add_chunk,
        "completion": _add_completion,
    }
    for name, add in additions.items():
        if command not in additions or command == name:
            add(commands)
    return parser


def _add_index(commands: Any) -> None:
    parser = commands.add_parser(
        "index",
        help="read markdown into the index",
        description=(
            "Reads the markdown below PATH into an index; files that did not change are not read\n"
            "again. Without PATH: the project around the working directory, agent context\n"
            "files only (.claude/, .cursor/, AGENTS.md, and so on). A root remembers the selection."
        ),
        epilog=examples(
            "rootleaf index",
            "rootleaf index docs",
            'rootleaf index . --glob "docs/**/*.md"',
            "rootleaf index docs --file docs/deploy.md",
            "rootleaf index docs --db shared.db --json",
            "rootleaf index docs --embedder minilm --embed",
        ),
    )
    completes(
        parser.add_argument("path", nargs="?", metavar="PATH", help="the directory to index"),
        "directory",
    )
    completes(parser.add_argument("--file", metavar="F", help="index this file only"))
    add_db(parser, "the database to write (default: PATH/.rootleaf/index.db)")
    selection = parser.add_mutually_exclusive_group()
    selection.add_argument(
        "--glob", metavar="G", help="read only files that match, relative to PATH"
    )
    selection.add_argument(
        "--all",
        dest="all_markdown",
        action="store_true",
        help="read all markdown; the root remembers it",
    )
    prune = parser.add_mutually_exclusive_group()
    prune.add_argument(
        "--prune",
        dest="prune",
        action="store_const",
        const=True,
        help="also remove documents of gone files that were held back",
    )
    prune.add_argument(
        "--no-prune", dest="prune", action="store_const", const=False, help="remove nothing"
    )
    parser.add_argument(
        "--no-ignore",
        dest="ignore_files",
        action="store_false",
        help="do not honour ignore files",
    )
    parser.add_argument(
        "--embedder",
        metavar="E",
        help="what gives passages vectors: builtin, minilm, a plug-in's name, or none for keyword "
        "search; the index remembers it (default: what it remembers, else builtin)",
    )
    parser.add_argument(
        "--embed",
        action="store_true",
        help="embed all text of the index anew, in place of another model's vectors",
    )
    add_json(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what went wrong")


def _add_search(commands: Any) -> None:
    parser = commands.add_parser(
        "search",
        help="ask a question of the index",
        description=(
            "Prints the passages that match QUERY, each under its headings, best document first.\n"
            "The query is plain text: no character is syntax. [...] stands where something is\n"
            "left out. An empty answer is no failure: a sentence on standard error says why."
        ),
        epilog=examples(
            'rootleaf search "how do we roll back"',
            "rootleaf search rollback --top 3 --where kind=runbook --where kind=decision",
            'rootleaf search "token limit" --path docs --budget 800 --cite',
            "rootleaf search retry --json | jq -r '.hits[].file_path'",
            "rootleaf search -- --no-ignore",
        ),
    )
    parser.add_argument(
        "query", nargs="+", metavar="QUERY", help="what to look for; several words are one query"
    )
    completes(
        parser.add_argument(
            "--path",
            metavar="P",
            help="the directory whose index is asked (default: here or above)",
        )
    )
    add_db(parser, "the database to ask")
    parser.add_argument(
        "--top",
        type=whole_number,
        default=DEFAULT_TOP,
        metavar="N",
        help="the most documents to show (default: %(default)s)",
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="K=V",
        help="only documents whose metadata K is V; values of one key are or-ed, keys and-ed",
    )
    parser.add_argument(
        "--min-score",
        type=score,
        default=0.0,
        metavar="S",
        help="leave out documents that score below S (0 to 1)",
    )
    parser.add_argument(
        "--empty-gate",
        type=threshold,
        metavar="G",
        help="answer nothing where the best match measures below G; 0 is no gate "
        "(default: what the embedder is calibrated to)",
    )
    parser.add_argument(
        "--fusion",
        choices=("weighted", "rrf"),
        help="how words and meaning make one score: a weighted sum, or reciprocal ranks "
        "(default: weighted)",
    )
    parser.add_argument(
        "--embedder",
        metavar="E",
        help="compare meanings by E, or by none (default: what the index was embedded with)",
    )
    parser.add_argument(
        "--budget",
        type=positive_number,
        metavar="TOKENS",
        help="keep all cheatsheets together below this size",
    )
    parser.add_argument("--cite", action="store_true", help="put file:line before every block")
    parser.add_argument("--explain", action="store_true", help="show what each score is made of")
    add_json(parser)


def _add_eval(commands: Any) -> None:
    from rootleaf.surfaces.cli.eval_grammar import add_eval

    add_eval(commands)


def _add_status(commands: Any) -> None:
    parser = commands.add_parser(
        "status",
        help="say what the index holds and what is wrong with it",
        description="Says what an index holds, and names every file that needs a look. Only reads.",
        epilog=examples(
            "rootleaf status", "rootleaf status docs", "rootleaf status --db shared.db --json"
        ),
    )
    completes(
        parser.add_argument(
            "path",
            nargs="?",
            metavar="PATH",
            help="the directory whose index is meant (default: here or above)",
        ),
        "directory",
    )
    add_db(parser, "the database to look at")
    add_json(parser)


def _add_forget(commands: Any) -> None:
    parser = commands.add_parser(
        "forget",
        help="drop what the index holds of a directory",
        description=(
            "Drops from an index all documents below DIR, and nothing else. No file is touched,\n"
            "and DIR need not exist: the way out for one that was deleted or has moved."
        ),
        epilog=examples(
            "rootleaf forget docs/drafts",
            "rootleaf forget /old/place/docs --db shared.db",
        ),
    )
    completes(
        parser.add_argument(
            "path", metavar="DIR", help="the directory, or one document's file; need not exist"
        ),
        "directory",
    )
    add_db(parser, "the database to drop it from (default: DIR/.rootleaf/index.db or above)")
    add_json(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what went wrong")


def _add_doctor(commands: Any) -> None:
    parser = commands.add_parser(
        "doctor",
        help="look an index over, and mend it",
        description=(
            "Looks over the file, the rows and the snapshot of an index, and names what is wrong\n"
            "with the command that mends it. Only reads, unless --repair is given. Exit codes:\n"
            "0 healthy, 3 something was found or mended, 1 the index cannot be read or mended."
        ),
        epilog=examples(
            "rootleaf doctor",
            "rootleaf doctor docs --repair",
            "rootleaf doctor --db shared.db --json",
        ),
    )
    completes(
        parser.add_argument(
            "path",
            nargs="?",
            metavar="PATH",
            help="the directory whose index is meant (default: here or above)",
        ),
        "directory",
    )
    add_db(parser, "the database to look over")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what was found; what a damaged file held is saved beside it first",
    )
    add_json(parser)


def _add_settings(commands: Any) -> None:
    parser = commands.add_parser(
        "settings",
        help="print each setting, and where its value comes from",
        description=(
            "Prints each setting with its value, and whether that is from the environment,\n"
            "recorded in the index, or the default. Only reads."
        ),
        epilog=examples("rootleaf settings", "rootleaf settings docs --json"),
    )
    completes(
        parser.add_argument(
            "path",
            nargs="?",
            metavar="PATH",
            help="the directory whose index is meant (default: here or above, if there is one)",
        ),
        "directory",
    )
    add_db(parser, "the database to look at")
    add_json(parser)


def _add_chunk(commands: Any) -> None:
    parser = commands.add_parser(
        "chunk",
        help="show how a file is cut into chunks",
        description="Prints the tree of chunks of one markdown file, without any index.",
        epilog=examples(
            "rootleaf chunk README.md",
            "rootleaf chunk README.md --json",
            "cat notes.md | rootleaf chunk -",
        ),
    )
    completes(
        parser.add_argument(
            "file",
            nargs="?",
            default="-",
            metavar="FILE",
            help="a markdown file; - is standard input, and the default",
        )
    )
    parser.add_argument(
        "--max-tokens",
        type=positive_number,
        metavar="N",
        help="the greatest chunk, in tokens of 4 bytes",
    )
    add_json(parser)


def _add_completion(commands: Any) -> None:
    parser = commands.add_parser(
        "completion",
        help="print a shell completion script",
        description="Prints a script that completes commands, options and paths in a shell.",
        epilog=examples(
            'eval "$(rootleaf completion bash)"',
            "rootleaf completion zsh > ~/.zfunc/_rootleaf",
        ),
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))

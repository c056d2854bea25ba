"""The grammar of `rootleaf eval`."""

from __future__ import annotations

from rootleaf.surfaces.cli.number_arguments import positive_number, ten_or_more, threshold
from rootleaf.surfaces.cli.options import add_db, add_json, completes, examples

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_eval(commands: Any) -> None:
    """Adds the command with its options and help."""
    parser = commands.add_parser(
        "eval",
        help="ask questions whose answers are known, and measure",
        description=(
            "Asks the index questions whose answers are known, and says how often it finds them,\n"
            "which it misses, and where the gate should stand. FILE holds one object a line:\n"
            '  {"query": "how do we roll back", "relevant": ["deploy.md#deploy/undo"]}\n'
            '  {"query": "what is on in the theatre", "relevant": []}\n'
            "relevant: paths, or paths with headings, or a mapping of them to grades; empty where\n"
            "no document answers."
        ),
        epilog=examples(
            "rootleaf eval questions.jsonl",
            "rootleaf eval questions.jsonl --path docs --suggest-gate --picture gate.svg",
            "rootleaf eval questions.jsonl --budget 500 --budget 2000",
            "cat mine.jsonl theirs.jsonl | rootleaf eval - --json",
        ),
    )
    completes(
        parser.add_argument("file", metavar="FILE", help="the questions, or -: standard input")
    )
    completes(
        parser.add_argument(
            "--path",
            metavar="P",
            help="the directory whose index is asked (default: here or above)",
        ),
        "directory",
    )
    add_db(parser, "the database to ask")
    parser.add_argument(
        "--top",
        type=ten_or_more,
        default=10,
        metavar="N",
        help="the most documents in an answer, 10 or more (default: %(default)s)",
    )
    parser.add_argument(
        "--budget",
        type=positive_number,
        action="append",
        default=[],
        metavar="TOKENS",
        help="also measure the evidence in answers below this size; may be repeated",
    )
    parser.add_argument(
        "--empty-gate",
        type=threshold,
        metavar="G",
        help="the threshold to judge (default: the one that searches use)",
    )
    parser.add_argument(
        "--fusion",
        choices=("weighted", "rrf"),
        help="as search takes it (default: weighted)",
    )
    parser.add_argument(
        "--embedder",
        metavar="E",
        help="as search takes it (default: what the index was embedded with)",
    )
    parser.add_argument(
        "--suggest-gate",
        action="store_true",
        help="print the threshold that separates best, and how to set it",
    )
    completes(
        parser.add_argument(
            "--picture", metavar="F.svg", help="draw the distributions of the gate into a file"
        )
    )
    add_json(parser)

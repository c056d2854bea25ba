"""Ask the questions of bench/questions and say which were answered by the first hit.

A question names the files that truly answer it and a phrase that must stand in the cheatsheet
shown. It counts as *right* when the first hit is one of those files, and as *shown* when the
cheatsheet of that hit holds the phrase as well.

    python bench/questions.py [--rival-python RIVALS/bin/python] [--out RESULT.json]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

from measure import run
from provenance import REPOSITORY, provenance, shared_data

QUESTIONS = REPOSITORY / "bench" / "questions" / "first_path.jsonl"
TOP = 5


@dataclass(frozen=True)
class Question:
    """A query against one corpus, the files that answer it, and a phrase of the answer."""

    corpus: str
    kind: str
    query: str
    files: list[str]
    phrase: str


@dataclass(frozen=True)
class Shown:
    """One hit as a program printed it."""

    file: str
    score: float
    context: str


@dataclass
class Outcome:
    """What one program answered to one question; `rank` counts from 1, None when not in the top."""

    question: Question
    rank: int | None
    phrase_shown: bool
    hits: list[Shown] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`shown`, `right` (file right, phrase not in its cheatsheet) or `wrong`."""
        if self.rank != 1:
            return "wrong"
        return "shown" if self.phrase_shown else "right"


def load(path: Path) -> list[Question]:
    """The questions of one file, one JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines if line.strip()]


def plain(text: str) -> str:
    """Text with quote marks at line starts dropped and white space made one, for the phrase."""
    return " ".join(re.sub(r"(?m)^[ \t]*>+", " ", text).split())


def judge(question: Question, root: Path, hits: list[Shown]) -> Outcome:
    """Where the right file stands, and whether its cheatsheet holds the phrase."""
    right = {str((root / name).resolve()) for name in question.files}
    rank = next((place for place, hit in enumerate(hits, 1) if hit.file in right), None)
    phrase_shown = rank is not None and plain(question.phrase) in plain(hits[rank - 1].context)
    return Outcome(question, rank, phrase_shown, hits)


def ask(script: str, database: Path, query: str) -> list[Shown]:
    """The hits of one search; both programs print JSON with these fields."""
    options = ["--socket", "off"] if script.endswith("poma-memory") else []
    command = [
        script,
        "search",
        query,
        "--db",
        str(database),
        "--top",
        str(TOP),
        "--json",
        *options,
    ]
    answer = json.loads(run(command).stdout)
    hits = answer["hits"] if isinstance(answer, dict) else answer
    return [Shown(hit["file_path"], hit["score"], hit["context"]) for hit in hits]


def outcomes(python: str, name: str, questions: list[Question], corpora: Path) -> list[Outcome]:
    """Index every corpus with the program `name` and ask its questions."""
    script = str(Path(python).parent / name)
    judged = []
    with tempfile.TemporaryDirectory() as directory:
        for corpus in dict.fromkeys(question.corpus for question in questions):
            database = Path(directory) / f"{corpus}.db"
            # By keyword, as the other does it by default.
            own = ["--embedder", "none"] if name == "rootleaf" else []
            run([script, "index", str(corpora / corpus), "--db", str(database), *own])
            for question in questions:
                if question.corpus == corpus:
                    hits = ask(script, database, question.query)
                    judged.append(judge(question, corpora / corpus, hits))
    return judged


def report(name: str, judged: list[Outcome], corpora: Path) -> None:
    """Print one line per question, the totals, and the questions that went wrong in detail."""
    print(f"\n## {name}\n\n| verdict | rank | corpus | query |\n| --- | --- | --- | --- |")
    for one in judged:
        print(
            f"| {one.verdict} | {one.rank or '-'} | {one.question.corpus} | {one.question.query} |"
        )
    print(f"\n{name}: {totals(judged)}")
    for one in judged:
        if one.verdict == "shown":
            continue
        print(f"\n### {one.verdict}: {one.question.query}")
        print(f"wanted {one.question.files} with {one.question.phrase!r}")
        for place, hit in enumerate(one.hits, 1):
            print(f"  {place}. {hit.score:.3f} {relative(hit.file, corpora)}")
        if one.hits:
            print(
                "  first hit:\n"
                + "\n".join("  | " + line for line in one.hits[0].context.split("\n")[:14])
            )


def totals(judged: list[Outcome]) -> dict[str, int]:
    """How many questions were answered, by the stricter measure first."""
    return {
        "questions": len(judged),
        "phrase_in_first_hit": sum(one.verdict == "shown" for one in judged),
        "file_is_first_hit": sum(one.rank == 1 for one in judged),
        f"file_in_first_{TOP}": sum(one.rank is not None for one in judged),
    }


def relative(path: str, corpora: Path) -> str:
    """A path as seen from the corpora, so that results hold no absolute path."""
    return path.removeprefix(str(corpora.resolve()) + "/")


def main() -> None:
    """Ask, report, and write the result where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--rootleaf-python", default=sys.executable, help="interpreter that has rootleaf"
    )
    parser.add_argument("--rival-python", help="also ask poma-memory, installed beside this one")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--out", type=Path, help="also write the result as JSON")
    options = parser.parse_args()

    where = provenance()
    corpora = shared_data() / "corpora"
    questions = load(options.questions)
    programs = {"rootleaf": options.rootleaf_python}
    if options.rival_python:
        programs["poma-memory"] = options.rival_python
    result: dict[str, object] = {"bench": "questions", "provenance": where, "programs": {}}
    for name, python in programs.items():
        judged = outcomes(python, name, questions, corpora)
        report(name, judged, corpora)
        result["programs"][name] = {  # type: ignore[index]
            "version": run([str(Path(python).parent / name), "--version"]).stdout.split()[-1],
            "totals": totals(judged),
            "outcomes": [
                {
                    **asdict(one.question),
                    "rank": one.rank,
                    "verdict": one.verdict,
                    "first": relative(one.hits[0].file, corpora) if one.hits else None,
                }
                for one in judged
            ],
        }
    if options.out:
        options.out.write_text(
            json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()

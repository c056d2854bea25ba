"""The generated sections of docs/quality.md and its picture, made of a result.

Needs nothing but the standard library, so that a test can make them too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SECTION = re.compile(r"(<!-- from the result: (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
RANKED = ("nDCG@10", "recall@10", "recall@5", "MRR")
PAIRED = ("nDCG@10", "recall@10")
KINDS = ("answered", "near", "mid", "far")


def updated(page: str, result: dict[str, Any]) -> str:
    """The page with all marked sections made anew."""
    return SECTION.sub(
        lambda found: f"{found[1]}\n{SECTIONS[found[2]](result)}\n\n{found[3]}", page
    )


def rankings(result: dict[str, Any]) -> str:
    """A table of all ways for each set."""
    parts = []
    for name, figures in result["rankings"].items():
        rows = [
            [way, *(_with_interval(row[measure]) for measure in RANKED)]
            for way, row in figures["ways"].items()
        ]
        head = [f"{name}, {figures['questions']} questions", *RANKED]
        parts.append(_table(head, rows))
    return "\n\n".join(parts)


def differences(result: dict[str, Any]) -> str:
    """A table of the paired differences."""
    rows = [
        [name, f"{row['of']} − {row['over']}", *(_signed(row[m]) for m in PAIRED)]
        for name, figures in result["rankings"].items()
        for row in figures["differences"]
    ]
    return _table(["set", "difference", "nDCG@10", "recall@10"], rows)


def recipes(result: dict[str, Any]) -> str:
    """A table of what simple programs reached, each beside the way that it is held against."""
    rows = []
    for name, figures in result["rankings"].items():
        for label, recipe in figures["recipes"].items():
            ours = figures["ways"][recipe["against"]]
            rows.append(
                [
                    name,
                    label,
                    *(f"{recipe[measure]:.3f}" for measure in PAIRED),
                    recipe["against"],
                    *(_beside(ours[measure]["mean"], recipe[measure]) for measure in PAIRED),
                ]
            )
    return _table(["set", "program", *PAIRED, "here", *PAIRED], rows)


def weights(result: dict[str, Any]) -> str:
    """A table of nDCG@10 and recall@10 by the weight of similarity."""
    by_set = result["by_weight"]
    chosen = result["similarity_weights"]
    columns = list(next(iter(next(iter(by_set.values())).values())))
    rows = [
        [
            name,
            embedder,
            *(
                _bold(
                    f"{row[one]['nDCG@10']:.3f} / {row[one]['recall@10']:.3f}",
                    float(one) == chosen[embedder],
                )
                for one in columns
            ),
        ]
        for name, of_set in by_set.items()
        for embedder, row in of_set.items()
    ]
    return _table(["set", "embedder", *columns], rows)


def budget(result: dict[str, Any]) -> str:
    """A table of the evidence within each budget for each set."""
    parts = []
    for name, figures in result["within_budget"]["sets"].items():
        rows = [
            [way, *(f"{_with_interval(one)} ({one['tokens']:,})" for one in row.values())]
            for way, row in figures["ways"].items()
        ]
        budgets = next(iter(figures["ways"].values()))
        head = [
            f"{name}, {figures['questions']} questions",
            *(f"{int(b):,} tokens" for b in budgets),
        ]
        parts.append(_table(head, rows))
    return "\n\n".join(parts)


def gate(result: dict[str, Any]) -> str:
    """A table of the questions that the gate shuts out."""
    rows = []
    for way, figures in result["gate"].items():
        measure = _measure(figures)
        for name, shut in figures["shut"].items():
            shares = [
                f"{shut[kind]:.1f}" if kind in shut else "–" for kind in (*KINDS, "unrelated")
            ]
            rows.append([way, f"{measure} < {figures['threshold']:g}", name, *shares])
    return _table(
        ["way", "shut where", "set", "answered", "near", "mid", "far", "mid and far"], rows
    )


def curves(result: dict[str, Any]) -> str:
    """A table of the shares that other thresholds would shut out: answered / mid and far."""
    parts = []
    for way, figures in result["gate"].items():
        steps = figures["curves"]["thresholds"]
        around = [
            place
            for place, step in enumerate(steps)
            if abs(step - figures["threshold"]) < 0.155
            and round(100 * (step - figures["threshold"])) % 5 == 0
        ]
        rows = [
            [
                name,
                *(
                    f"{of['answered'][place]:.1f} / {of['unrelated'][place]:.1f}"
                    for place in around
                ),
            ]
            for name, of in figures["curves"]["shut"].items()
        ]
        head = [f"{way}: {_measure(figures)}", *(f"{steps[place]:.2f}" for place in around)]
        parts.append(_table(head, rows))
    return "\n\n".join(parts)


def provenance(result: dict[str, Any]) -> str:
    """Where the figures come from."""
    where = result["provenance"]
    models = ", ".join(f"{name} `{revision}`" for name, revision in result["embedders"].items())
    return f"Commit {where['commit']}, {where['date'][:10]}, {where['processor']}; {models}."


SECTIONS: dict[str, Callable[[dict[str, Any]], str]] = {
    "rankings": rankings,
    "differences": differences,
    "recipes": recipes,
    "weights": weights,
    "budget": budget,
    "gate": gate,
    "curves": curves,
    "provenance": provenance,
}

PART_OF = {
    "rankings": "rankings",
    "differences": "rankings",
    "recipes": "rankings",
    "weights": "by_weight",
    "budget": "within_budget",
    "gate": "gate",
    "curves": "gate",
    "provenance": "provenance",
}


def printed(result: dict[str, Any]) -> str:
    """All tables of the parts that a result has."""
    return "\n\n".join(
        section(result) for name, section in SECTIONS.items() if PART_OF[name] in result
    )


def _measure(figures: dict[str, Any]) -> str:
    if not figures["similarity_weight"]:
        return "coverage"
    parts = ((figures["similarity_weight"], "similarity"), (figures["coverage_weight"], "coverage"))
    return " + ".join(name if weight == 1 else f"{weight:g} · {name}" for weight, name in parts)


def _with_interval(figure: dict[str, float]) -> str:
    return f"{figure['mean']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"


def _signed(figure: dict[str, float]) -> str:
    return f"{figure['mean']:+.3f} [{figure['low']:+.3f}, {figure['high']:+.3f}]"


def _beside(mean: float, other: float) -> str:
    return f"{mean:.3f} ({mean - other:+.3f})"


def _bold(text: str, is_bold: bool) -> str:
    return f"**{text}**" if is_bold else text


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

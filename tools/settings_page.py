"""Prints docs/settings.md, made of the table of settings.

python tools/settings_page.py > docs/settings.md
"""

from __future__ import annotations

from rootleaf.config import SETTINGS

HEAD = """\
# Settings

Each setting is a variable of the environment. What a call says itself counts first, then the
variable, then what the database records, then the default. An empty variable counts as none. A
value that cannot be is an error that names the variable, the value and what is allowed.

"""

TAIL = """
`rootleaf settings` prints the value of each, and whether it is from the environment, recorded in
the nearest database, or the default; `--json` prints the same as one object.

```console
$ rootleaf settings
…
```

[Embedding](embedding.md) says what embedders there are, and [Searching](searching.md) what the
gate is.

This page is made of the table in `python/rootleaf/config.py`, by
`python tools/settings_page.py > docs/settings.md`.
"""


def page() -> str:
    """The whole page."""
    rows = [
        "| variable | default | meaning | allowed |",
        "| --- | --- | --- | --- |",
        *(
            f"| `{setting.name}` | {setting.default} | {setting.meaning} | {setting.allowed} |"
            for setting in SETTINGS
        ),
    ]
    return HEAD + "\n".join(rows) + "\n" + TAIL


if __name__ == "__main__":
    print(page(), end="")

"""Hostile texts cost linear time and bounded memory; each runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

MOST_SECONDS = 2.0
MOST_MEGABYTES = 300

TEXTS = {
    "nested lists": "''.join('  ' * i + '- lvl\\n' for i in range(5000))",
    "quote marks": "'>' * 20000 + ' quince\\n'",
    "alternating containers": "''.join('> - ' * (i + 1) + '\\n' for i in range(2000))",
    "alternating lines": "'> a\\n- b\\n' * 1000",
    "one line": "'# Blob\\n\\n' + 'aZ09+/' * 833333 + ' mulberry\\n'",
    "one line of blanks": "'a' + ' ' * 5_000_000 + 'b'",
    "words far apart": "('a' + ' ' * 1023) * 4900",
    "brackets": "'x' + ')' * 5_000_000",
    "full stops": "'. ' * 2_500_000",
    "one line of chinese": "'漢' * 1_666_666",
    "one letter's accents": "'e' + '\\u0301' * 2_500_000",
    "flags": "'\\U0001f1e9' * 1_250_000",
    "blank lines in code": "'```\\n' + '\\n' * 5_000_000 + 'x'",
    "short lines in code": "'```\\n' + 'x\\n' * 2_500_000",
    "long table": "'|a|b|\\n|-|-|\\n' + '|1|2|\\n' * 800_000",
    "wide table": "'|' + 'a|' * 1000 + '\\n|' + '-|' * 1000 + '\\n' + ('|1' * 1000 + '\\n') * 2400",
    "long quote": "'> fig\\n>\\n' * 600_000",
    "headings": "'# a\\n## b\\n### c\\n' * 300_000",
    "definitions": "'[a]: /b\\n' * 600_000",
    "unclosed comment": "'<!--' + 'a\\n' * 2_500_000",
    "nul": "'\\0' * 5_000_000",
    "heading of one line": "'# ' + 'word ' * 1_000_000",
    "item of one line": "'- ' + 'word ' * 1_000_000",
    "deep items with text": "''.join('  ' * i + '- ' + 'w ' * 500 + '\\n' for i in range(999))",
}

PROGRAM = """
import time
from rootleaf.engine.chunker import chunk_columns
text = {text}
before = time.process_time()
columns = chunk_columns(text)
seconds = time.process_time() - before
assert columns.len_chunks() > 0
assert max(end - start for start, end in zip(columns.starts, columns.ends)) <= 1024
assert max(columns.depths) <= 106
# Not getrusage: its maximum starts with what the process held that started this one.
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(seconds, peak / 1024)
"""


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_are_bounded(name: str) -> None:
    """Under two seconds and 300 MB, Python and the text included."""
    program = PROGRAM.format(text=TEXTS[name])
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    seconds, megabytes = (float(figure) for figure in run.stdout.split())
    assert seconds < MOST_SECONDS
    assert megabytes < MOST_MEGABYTES

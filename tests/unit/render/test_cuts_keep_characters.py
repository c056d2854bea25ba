"""No limit cuts a combined emoji, or a letter from its accent."""

from __future__ import annotations

import json

import pytest
from rootleaf.engine.chunker import chunk_columns
from rootleaf.render.cheatsheet import render_cheatsheet

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ACCENTED = "e\u0301"
HANGUL = "\ud55c"
FLAG = "\U0001f3f3\ufe0f\u200d\U0001f308"
WHOLES = (FAMILY, ACCENTED, HANGUL, FLAG)
MARK = "[...]"


@pytest.mark.parametrize("lead", range(0, 41, 4))
def test_every_limit_leaves_characters_whole(lead: int) -> None:
    """Each limit from 1 to 80 gives valid text that ends between characters of the source."""
    text = "x" * lead + f"{FAMILY} {ACCENTED} {HANGUL} {FLAG}"
    columns = chunk_columns(text)
    for limit in range(1, 81):
        sheet = render_cheatsheet(text, columns, [0], budget_tokens=limit)
        shown = sheet.text.replace(MARK, "").strip()
        assert json.loads(json.dumps(sheet.text)) == sheet.text
        assert sheet.text.encode("utf-8").decode("utf-8") == sheet.text
        assert "\ufffd" not in sheet.text
        assert shown in text
        rest = shown
        for whole in WHOLES:
            rest = rest.replace(whole, "")
        assert set(rest) <= {"x", " "}, (lead, limit, shown)

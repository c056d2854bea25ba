"""docs/settings.md is what the table of settings says."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def test_the_page_of_settings_is_made_of_their_table(repository: Path) -> None:
    """If this fails: python tools/settings_page.py > docs/settings.md."""
    made = subprocess.run(
        [sys.executable, repository / "tools" / "settings_page.py"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert made == (repository / "docs" / "settings.md").read_text(encoding="utf-8")

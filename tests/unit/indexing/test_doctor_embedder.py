"""Doctor looks at what the vectors of an index were made with."""

from __future__ import annotations

from pathlib import Path

import pytest
import rootleaf
from rootleaf.embed import builtin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rootleaf.indexing.health import Check


def check_of(root: Path) -> tuple[bool, dict[str, Check]]:
    """Whether an index is healthy, and its checks by name."""
    report = rootleaf.doctor(root)
    return report.ok, {check.name: check for check in report.checks}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An index of one file."""
    directory = tmp_path / "notes"
    directory.mkdir()
    (directory / "a.md").write_text("# Crane\n\nIt is greased on Tuesdays.\n")
    return directory


def test_a_table_that_is_damaged_where_no_search_looks_is_an_error(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it checks all but the rows of numbers."""
    rootleaf.index(root, embedder="builtin")
    ok, checks = check_of(root)
    assert ok
    assert checks["embedder"].severity == "none"
    content = bytearray(Path(builtin.TABLE_PATH).read_bytes())
    middle = len(content) // 2
    content[middle : middle + 400] = bytes(byte ^ 0x55 for byte in content[middle : middle + 400])
    path = tmp_path / "flipped.table"
    path.write_bytes(content)
    monkeypatch.setattr(builtin, "TABLE_PATH", str(path))
    monkeypatch.setattr(builtin, "_table", None)
    ok, checks = check_of(root)
    assert not ok
    assert checks["embedder"].severity == "error"
    assert checks["embedder"].command == "pip install --force-reinstall rootleaf"


def test_an_index_without_its_vectors_asks_nothing_of_the_table(root: Path) -> None:
    """There is no such check."""
    rootleaf.index(root, embedder="none")
    ok, checks = check_of(root)
    assert ok
    assert "embedder" not in checks

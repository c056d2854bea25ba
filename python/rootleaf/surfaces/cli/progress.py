"""The bar that a long command shows on a terminal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any


class Progress:
    """A bar on a terminal: files, rate, time left. Nothing where its package is absent."""

    def __init__(self, *, is_shown: bool, unit: str = " files") -> None:
        self._unit = unit
        self._bar_class = _bar_class() if is_shown else None
        self._bar: Any = None

    def advance(self, done: int, total: int, path: str) -> None:
        """Says that `done` of `total` files are read; `path` is the last of them."""
        if self._bar_class is None:
            return
        if self._bar is None:
            self._bar = self._bar_class(total=total, unit=self._unit, leave=False, delay=0.3)
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()

    def count(self, done: int, total: int) -> None:
        """Says the same of what has no path; one that begins anew has a bar of its own."""
        if self._bar is not None and done < self._bar.n:
            self._bar.close()
            self._bar = None
        self.advance(done, total, "")

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar_class() -> Any:
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return None
    return tqdm

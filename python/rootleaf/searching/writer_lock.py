"""The lock that writers of a process take, and that no search waits for."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self


class WriterLock:
    """A re-entrant lock; tells when it is taken first and let go last.

    Args:
        taken: Called by the thread that has just taken it. What it raises lets the lock go again.
        let_go: Called by that thread just before it lets go.
    """

    def __init__(self, taken: Callable[[], None], let_go: Callable[[], None]) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._taken = taken
        self._let_go = let_go

    def __enter__(self) -> Self:
        self._lock.acquire()
        try:
            if self._depth == 0:
                self._taken()
            self._depth += 1
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._depth == 0:
            return  # taken before a fork, which left it to the parent
        try:
            self._depth -= 1
            if self._depth == 0:
                self._let_go()
        finally:
            self._lock.release()

    def leave_to_parent(self) -> None:
        """Lets a child of a fork go without it, whichever thread of the parent holds it."""
        self._lock = threading.RLock()
        self._depth = 0

    def waited_for(self) -> threading.RLock:
        """The lock itself, for who has to wait for writers and writes nothing."""
        return self._lock

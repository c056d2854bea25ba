"""What a fault of a database is: what it was found by, what it is, and what puts it right."""

from __future__ import annotations

from rootleaf.types import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rootleaf.store.sqlite_mending import SqliteMending

    Mend = Callable[[SqliteMending], None]

COUNTERS = "counters"
ROOTS = "roots"
TEXTS = "texts"
CHUNKSETS = "chunksets"
METADATA = "metadata"
STRAYS = "strays"
VECTORS = "vectors"


class Fault(Value):
    """Something that is wrong.

    Attributes:
        check: What it was found by.
        what: What it is, as a list shows it.
        mend: Puts it right.
        lost: The document that goes with it, because its text is gone; empty where none does.
        discards_text: Whether a text is removed that nothing can be made of any more.
    """

    check: str
    what: str
    mend: Mend
    lost: str = ""
    discards_text: bool = False

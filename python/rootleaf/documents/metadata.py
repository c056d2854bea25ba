"""A document's metadata out of its two sources."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Metadata = dict[str, str | list[str]]


def merge(
    from_rules: Mapping[str, str | list[str]], from_front_matter: Mapping[str, str | list[str]]
) -> Metadata:
    """One mapping, sorted by key; where both sources have a key, front matter wins whole.

    Lists are not joined: a list in front matter takes the place of what the rules say.
    """
    merged = {**from_rules, **from_front_matter}
    return {key: merged[key] for key in sorted(merged)}

"""Where a text may be cut without splitting what a reader sees as one character."""

from __future__ import annotations

import unicodedata

_ZERO_WIDTH_JOINER = 0x200D
_FIRST_COMBINING = 0x0300
_VIRAMA = 9
_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)

# Variation selectors, skin tones, tags; then vowels and final consonants of Hangul in parts.
_EXTENDING = (
    range(0xFE00, 0xFE10),
    range(0x1F3FB, 0x1F400),
    range(0xE0020, 0xE01F0),
    range(0x1160, 0x1200),
    range(0xD7B0, 0xD7FC),
)


def floor_grapheme(text: str, char_offset: int) -> int:
    """The greatest offset not above `char_offset` where a cut splits nothing that is read as one.

    A letter stays with its accents, an emoji with its joined parts, a flag with its pair. Returns 0
    where there is no such offset. Never cuts where Unicode's rules would not; now and then keeps
    more together than they ask for.
    Source: Unicode Standard Annex 29, rules GB3 to GB13.
    """
    offset = min(max(char_offset, 0), len(text))
    while 0 < offset < len(text) and _is_joined(text, offset):
        offset -= 1
    return offset


def _is_joined(text: str, offset: int) -> bool:
    before, after = ord(text[offset - 1]), ord(text[offset])
    if _ZERO_WIDTH_JOINER in (before, after):
        return True
    if after < _FIRST_COMBINING:
        return text[offset - 1 : offset + 1] == "\r\n"
    if any(after in extending for extending in _EXTENDING):
        return True
    if after in _REGIONAL_INDICATORS:
        first = offset
        while first > 0 and ord(text[first - 1]) in _REGIONAL_INDICATORS:
            first -= 1
        return (offset - first) % 2 == 1
    category = unicodedata.category(text[offset])
    if category in {"Mn", "Me", "Mc"}:
        return True
    # Conjuncts of Indic scripts: a consonant after a virama belongs to the one before it.
    return category == "Lo" and unicodedata.combining(text[offset - 1]) == _VIRAMA

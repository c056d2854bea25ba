"""The token count that budgets are stated in: an estimate on the high side of real tokenizers.

Every kind of text counts what it costs: a word, a mark or a digit about a token, Chinese, Thai and
emoji by script, hex and base64 by the pair. The rules stand in the core's `text/tokens.hpp`. The
size of chunks (`max_tokens` in `rootleaf.engine.chunker`) is another matter: four bytes a token.
"""

from __future__ import annotations

from rootleaf import _core

TOKEN_SEAM: int = _core.TOKEN_SEAM
"""The most tokens by which the parts of a text count more or less than the whole, for each cut."""


def count_tokens(text: str | bytes) -> int:
    """The estimate for a text, 0 or more; a lone surrogate counts as the bytes it would take.

    Args:
        text: A str, or bytes of UTF-8; any bytes are legal.
    """
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    return _core.count_tokens(text)

"""Writing to a terminal or a pipe: encoding, colour, and control characters made harmless."""

from __future__ import annotations

import sys

from rootleaf import config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_STYLES = {
    "bold": "1",
    "dim": "2",
    "match": "1;33",
    "path": "1;36",
    "warning": "33",
    "error": "1;31",
}

# What a terminal would obey becomes a picture of itself: U+241B for ESC, and so on.
_HARMLESS = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_HARMLESS[0x7F] = 0x2421
_HARMLESS.update(dict.fromkeys(range(0x80, 0xA0), 0xFFFD))


class OutputError(OSError):
    """What was to be printed cannot be written: the disk is full, say."""


class Console:
    """Standard output and error of one command.

    Args:
        stdout: Where results go.
        stderr: Where everything goes that is not the result.
        as_json: Errors become one JSON object on standard output.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO, *, as_json: bool = False) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self.as_json = as_json
        # Asked before it is changed: text is UTF-8 in any case, drawings need not be.
        encoding = getattr(stdout, "encoding", None) or ""
        self.has_unicode = encoding.lower().replace("-", "").startswith("utf8")
        for stream, errors in ((stdout, "surrogateescape"), (stderr, "backslashreplace")):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                # The same bytes under every locale; file names that are no UTF-8 as they are.
                reconfigure(encoding="utf-8", errors=errors)
        refused = config.no_color() or config.is_dumb_terminal()
        self.is_terminal = stdout.isatty()
        self.has_error_terminal = stderr.isatty()
        self.has_color = self.is_terminal and not refused
        self._has_error_color = self.has_error_terminal and not refused

    def style(self, text: str, style: str) -> str:
        """The text in a style, for standard output; plain where there is no colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.has_color and text else text

    def harmless(self, text: str) -> str:
        """Text from a file, with what a terminal would obey replaced; untouched in a pipe."""
        return text.translate(_HARMLESS) if self.is_terminal else text

    def highlight(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """Text from a file, harmless, with the given character spans shown as matches."""
        if not self.has_color:
            return self.harmless(text)
        parts = []
        end = 0
        for span_start, span_end in spans:
            parts.append(self.harmless(text[end:span_start]))
            parts.append(self.style(self.harmless(text[span_start:span_end]), "match"))
            end = span_end
        parts.append(self.harmless(text[end:]))
        return "".join(parts)

    def write(self, text: str) -> None:
        """Writes a result, with a line end."""
        self._deliver(text if text.endswith("\n") else text + "\n")

    def write_json(self, value: object) -> None:
        """Writes one JSON object: indented on a terminal, one line in a pipe."""
        import json

        indent = 2 if self.is_terminal else None
        # Lone surrogates (of file names that are no UTF-8) are no text and must stay escaped.
        text = json.dumps(value, ensure_ascii=False, indent=indent)
        if any("\ud800" <= character <= "\udfff" for character in text):
            text = json.dumps(value, indent=indent)
        self.write(self.harmless(text))

    def say(self, text: str) -> None:
        """Writes a sentence for a person to standard error."""
        self._write_error(text, "")

    def warn(self, text: str) -> None:
        """Writes a warning to standard error."""
        self._write_error(text, "warning")

    def fail(self, code: str, message: str, hint: str | None, **details: list[str]) -> None:
        """Writes an error: one JSON object to standard output, or words to standard error.

        The details are for the JSON form alone: message and hint say them in words.
        """
        if self.as_json:
            error = {"code": code, "message": message, "hint": hint, **details}
            self.write_json({"error": error})
            return
        self._write_error("rootleaf: " + message, "error")
        if hint:
            # As it stands: a line end may be part of a path.
            self._write_error(f"  try: {hint}", "")

    def _deliver(self, text: str, *, at_once: bool = False) -> None:
        try:
            self._stdout.write(text)
            if at_once:
                self._stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(*error.args) from error

    def _write_error(self, text: str, style: str) -> None:
        if self.has_error_terminal:
            text = text.translate(_HARMLESS)
        if style and self._has_error_color:
            text = f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
        # In the order of events; and a reader that has left is told nothing more.
        self._deliver("", at_once=True)
        self._stderr.write(text + "\n")
        self._stderr.flush()


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 file`, `1,200 files`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def stdin_bytes() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()

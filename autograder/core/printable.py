"""Text of unknown origin, made fit for terminals, pages and files."""

from __future__ import annotations

import re

# Control characters but tab and line feed, and what turns the direction of the text around it.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Text without control characters and lone surrogates; tabs and line feeds stay."""
    return _UNPRINTABLE.sub("", text.encode("utf-8", "replace").decode())


def one_line(text: str, length: int = 100) -> str:
    """A name, such as that of a file or a folder, as it is shown within a sentence."""
    line = " ".join(printable(text[: 2 * length]).split())
    return line if len(line) <= length else f"{line[: length - 3]}..."

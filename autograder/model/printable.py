"""Makes text of unknown origin safe for terminals, pages and files."""

from __future__ import annotations

import re

# Control characters except tab and line feed, and those that change the direction of text.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# A submission may be hostile: the time that these patterns take is proportional to the text.
_PATH = re.compile(r"/[^\s'\"]*")
_SCRATCH = re.compile(r"/autograder-\w+/")
_ADDRESS = re.compile(r"(?<=0x)[0-9a-f]{6,}")


def printable(text: str) -> str:
    """Remove control characters and lone surrogates; tabs and line feeds stay."""
    return _UNPRINTABLE.sub("", text.encode("utf-8", "replace").decode())


def one_line(text: str, length: int = 100) -> str:
    """Shorten a name, such as that of a file or a folder, for use within a sentence."""
    line = " ".join(printable(text[: 2 * length]).split())
    return line if len(line) <= length else f"{line[: length - 3]}..."


def clean(text: object, length: int) -> str:
    """Make untrusted text printable, at most `length` long, and the same in every run.

    Scratch folders and addresses are left out: they differ from one run to the next.
    """
    shown = printable(str(text)[: 2 * length])
    return _ADDRESS.sub("", _PATH.sub(_within_scratch, shown))[:length]


def _within_scratch(path: re.Match[str]) -> str:
    ends = [found.end() for found in _SCRATCH.finditer(path[0], 1)]
    return path[0][ends[-1] :] if ends else path[0]

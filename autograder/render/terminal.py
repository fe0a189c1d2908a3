"""Text for rich, which would read brackets in a plain string as markup."""

from __future__ import annotations

from rich.text import Text

from autograder.model.printable import printable


def plain(text: object, style: str = "") -> Text:
    """Return text as it is, without markup and control characters, in one style."""
    return Text(printable(str(text)), style)

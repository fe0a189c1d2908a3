"""Text for rich, which reads brackets in a plain string as markup: everything goes through here."""

from __future__ import annotations

from rich.text import Text

from autograder.core.printable import printable


def plain(text: object, style: str = "") -> Text:
    """Text as it is: no markup, no control characters; `style` is ours and holds for all of it."""
    return Text(printable(str(text)), style)

"""What of a page could act on its own: an independent reading of HTML, for tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

TAGS = re.compile(
    "applet|audio|base|button|embed|form|frame|iframe|link|marquee|math|meta|object|script|select"
    "|source|style|svg|template|textarea|title|video"
)
NO_ADDRESSES = "alt", "title", "class", "id"
"""Attributes that no browser follows; a heading's text becomes its `id`."""
SCHEMES = re.compile(r"(javascript|vbscript|data(?!:image/(png|jpeg|gif|webp);base64,[\w+/=]*$)):?")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if TAGS.fullmatch(tag):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or (tag == "input" and name == "name"):
                self.found.append(f"{tag} {name}={value!r}")
            if SCHEMES.match(address) and name not in NO_ADDRESSES:
                self.found.append(f"{tag} {name}={value!r}")
            if name == "style" and re.search(r"url|expression|position|import", address):
                self.found.append(f"{tag} {name}={value!r}")


def active_parts(html: str) -> list[str]:
    """Elements that act, event handlers, and addresses that run something, in a page's HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found

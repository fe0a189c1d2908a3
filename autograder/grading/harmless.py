"""Makes a submission's Markdown harmless: rendered by nbconvert, it holds no HTML of the student.

Formgrader and the feedback pages show Markdown as nbconvert renders it, with raw HTML, scripts and
all. So that renderer decides. Text that it renders harmlessly stays as it is. Otherwise, the
beginnings of tags are escaped, except in code and mathematics, which Markdown shows as typed. Text
that is active even then, such as a link that runs a script, is shown as it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from typing import Any

from autograder.model.printable import printable

MAX_TEXT = 10_000
"""Characters of a cell that is rendered. Longer cells are shown as typed, because the renderer's
time grows with the square of the length."""

_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_MARKED = re.compile("(\\\\*)([\ue000-\uf8ff])")
_MAY_BE_ACTIVE = re.compile(r"<[A-Za-z/!?]|[\]\\&]|mermaid")
"""Tags, links, entities, commands in mathematics, and diagrams. Other Markdown is harmless."""

# MathJax makes links and styles of these.
_ACTIVE_MATHS = re.compile(r"\\(?:href|style|class|cssId|require)(?![A-Za-z])")

_TAGS = re.compile(
    "a|blockquote|br|code|dd|del|div|dl|dt|em|h[1-6]|hr|img|input|li|ol|p|pre|span|strong|table"
    "|tbody|td|th|thead|tr|ul"
)
_ATTRIBUTES = re.compile("alt|checked|class|disabled|href|id|src|start|style|title|type")
_ADDRESS = re.compile(r"(?:https?:|mailto:|[^:]*(?:[/?#]|$))", re.IGNORECASE)
"""An address of a page, or relative to this one. No other scheme may precede the first slash."""


@dataclass(frozen=True)
class Harmless:
    """A Markdown text that renders without active parts.

    Attributes:
        text: the Markdown.
        images: names of the attachments that it shows.
        is_changed: whether a part of the text is now shown as it was typed.
    """

    text: str
    images: tuple[str, ...] = ()
    is_changed: bool = False


def harmless(source: str) -> Harmless:
    """Make Markdown of unknown origin harmless, changing only what is not."""
    text = printable(source.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > MAX_TEXT:
        return as_typed(text)
    if not _MAY_BE_ACTIVE.search(text):
        return Harmless(text)
    images = _images_if_harmless(text)
    if images is not None:
        return Harmless(text, images)
    escaped = _escaped(text)
    images = _images_if_harmless(escaped)
    return as_typed(text) if images is None else Harmless(escaped, images, True)


def as_typed(text: str) -> Harmless:
    """Return the text as a block of code, which shows it as it was typed."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Harmless(f"{fence}text\n{text}\n{fence}", (), True)


def _images_if_harmless(text: str) -> tuple[str, ...] | None:
    """Return the attachments that a text shows; None where it renders to anything active."""
    seen = _render(text)
    if seen is None or seen.is_active or _ACTIVE_MATHS.search(text):
        return None
    return tuple(dict.fromkeys(seen.images))


def _escaped(text: str) -> str:
    """Escape the beginnings of tags, except in code and mathematics.

    Each beginning is replaced by its own private character. Where the renderer finds that
    character in code, the beginning is not escaped.
    """
    text = re.sub("[\ue000-\uf8ff]", "", text)
    beginnings = iter(range(0xE000, 0xF900))
    marked = _TAG.sub(lambda _: chr(next(beginnings)), text)
    seen = _render(marked)
    literal = set("".join(seen.literal)) if seen else set()

    def put_back(found: re.Match[str]) -> str:
        is_escaped = len(found[1]) % 2 == 1
        return found[1] + ("<" if is_escaped or found[2] in literal else r"\<")

    return _MARKED.sub(put_back, marked)


class _Watch(HTMLParser):
    """Finds anything in rendered Markdown that the renderer does not make by itself."""

    is_active = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        addresses = [value or "" for name, value in attrs if name in ("href", "src")]
        if (
            not _TAGS.fullmatch(tag)
            or not all(_ATTRIBUTES.fullmatch(name) for name, _ in attrs)
            or not all(_ADDRESS.match(address) for address in addresses)
        ):
            self.is_active = True

    def _forbid(self, *_: Any, **__: Any) -> None:
        self.is_active = True

    handle_comment = handle_decl = handle_pi = unknown_decl = _forbid


def _render(text: str) -> Any:
    """Render a text as nbconvert does; return the renderer, or None where it cannot be rendered."""
    markdown, renderer_class = _nbconvert()
    renderer = renderer_class()
    watch = _Watch()
    try:
        watch.feed(markdown(renderer=renderer).render(text))
    except Exception:  # such as deeper nesting than Python's stack
        return None
    watch.close()
    renderer.is_active |= watch.is_active
    return renderer


@cache
def _nbconvert() -> tuple[Any, Any]:
    """Return nbconvert's Markdown class, and its renderer extended to report what it meets.

    Imported when a text needs it: nbconvert takes a second.
    """
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        """Notes raw HTML and diagrams (active), code and mathematics, and attached images."""

        def __init__(self) -> None:
            super().__init__(escape=False)
            self.is_active = False
            self.literal: list[str] = []
            self.images: list[str] = []

        def inline_html(self, html: str) -> str:
            self.is_active = True
            return ""

        def block_html(self, html: str) -> str:
            return self.inline_html(html)

        def block_mermaidjs(self, code: str) -> str:
            return self.inline_html(code)

        def image(self, text: str, url: str, title: str | None = None) -> str:
            if url.startswith("attachment:"):
                self.images.append(url.removeprefix("attachment:"))
                url = ""
            return super().image(text, url, title)

        def codespan(self, text: str) -> str:
            self.literal.append(text)
            return super().codespan(text)

        def block_code(self, code: str, info: str | None = None) -> str:
            self.literal.append(code)
            return super().block_code(code, info)

        def inline_math(self, body: str) -> str:
            self.literal.append(body)
            return super().inline_math(body)

        def block_math(self, body: str) -> str:
            self.literal.append(body)
            return super().block_math(body)

        def latex_environment(self, name: str, body: str) -> str:
            self.literal.append(body)
            return super().latex_environment(name, body)

    return MarkdownWithMath, Renderer

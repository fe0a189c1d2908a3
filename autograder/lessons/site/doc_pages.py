"""The pages that are written by hand: their sources lie beside what they describe.

A link from one source to another becomes a link between pages. A link to another file of the
repository leads to GitHub, or is only text where the repository is not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from autograder.lessons.lesson import LessonError

_LINK = re.compile(  # or a block of code, which is left as it is
    r"^ *(?P<fence>`{3,}|~{3,})[^\n]*$.*?(?:^ *(?P=fence) *$|\Z)"
    r"|(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)",
    re.MULTILINE | re.DOTALL,
)


class Door(NamedTuple):
    """A page of the menu, and the pages under it.

    Attributes:
        page: its name, which is its address.
        title: in the menu.
        source: the file with its text; empty where the page is generated.
        under: the sources of further pages, or names of generated ones.
    """

    page: str
    title: str
    source: str = ""
    under: Sequence[str] = ()


def page_name(source: str) -> str:
    """Return the page of a source that has no entry of its own: its file name.

    >>> page_name("autograder/docs/contributors.md")
    'contributors'
    """
    return PurePosixPath(source).stem


def find_pages(doors: list[Door], root: Path) -> dict[str, str]:
    """Return the page of each source.

    Raises:
        LessonError: a source is missing, two have the same page, or a file in a `docs` folder is
            on no page.
    """
    pages: dict[str, str] = {}
    for door in doors:
        sources = [(door.source, door.page)] if door.source else []
        sources += [(one, page_name(one)) for one in door.under if one.endswith(".md")]
        for source, page in sources:
            if not (root / source).is_file():
                raise LessonError(f"the site's page {page} has no source: {source} is missing")
            if page in pages.values():
                raise LessonError(f"the site has two pages {page}: the second is {source}")
            pages[source] = page
    written = [p.relative_to(root).as_posix() for p in sorted(root.glob("*/docs/*.md"))]
    if forgotten := [source for source in written if source not in pages]:
        raise LessonError(f"{forgotten[0]} is on no page of the site: add it to pages.toml")
    return pages


def translate(text: str, source: str, pages: Mapping[str, str], repository: str, root: Path) -> str:
    """Return a source's text with links that work on the site.

    Args:
        text: Markdown.
        source: its path in the repository.
        pages: by the path of a source, its page.
        repository: ``"owner/name"`` on GitHub; "" if unknown.
        root: of the checkout.
    """
    here = pages.get(source, page_name(source))

    def link(match: re.Match[str]) -> str:
        fence, image, words, target = match.groups()
        if fence:
            return match[0]
        if target.startswith(("http://", "https://", "mailto:")):
            return words if image else match[0]
        if target.startswith("#"):
            return match[0]
        path, _, anchor = target.partition("#")
        file = os.path.normpath(PurePosixPath(source).parent / path)
        readme = f"{file}/README.md"
        page = pages.get(file) or pages.get(readme)
        if page is not None:
            relative = os.path.relpath(f"/{page}", PurePosixPath(f"/{here}").parent)
            suffix = "" if page.endswith(".ipynb") else ".md"
            return f"[{words}]({relative}{suffix}{f'#{anchor}' if anchor else ''})"
        if image and file.startswith(".github/figures/"):
            return f"![{words}](/figures/{PurePosixPath(file).name})"
        if image or not repository:
            return words
        kind = "tree" if (root / file).is_dir() else "blob"
        return f"[{words}](https://github.com/{repository}/{kind}/main/{file})"

    translated = _LINK.sub(link, text)
    return translated if translated.endswith("\n") else f"{translated}\n"

"""HTML from templates: text of a submission is always shown as text, never as markup."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from autograder.model.printable import printable

_CODE = re.compile(r"`([^`\n]+)`")


def prose(text: str) -> Markup:
    """Return text as HTML, with what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))


@cache
def load_template(package: str, name: str) -> Template:
    """Load a template from a package's folder; the filter `prose` shows a message.

    What it shows is escaped, and without control characters.
    """
    environment = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = prose
    return environment.get_template(name)

"""Pages of Markdown, filled in from their layouts: beside this file, and in `site/layouts`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def literal(text: str) -> str:
    r"""Return text as Markdown that shows it as it is.

    >>> literal("list[int]")
    'list\\[int\\]'
    """
    return re.sub(r"([\\`*_<>\[\]$])", r"\\\1", text)


@cache
def _layouts() -> Environment:
    here = Path(__file__).parent
    environment = Environment(
        loader=FileSystemLoader([here, here / "site" / "layouts"]),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["literal"] = literal
    return environment


def fill_in_page(layout: str, **values: Any) -> str:
    """Return a page: its layout, with the values in place."""
    return _layouts().get_template(layout).render(**values).rstrip("\n") + "\n"

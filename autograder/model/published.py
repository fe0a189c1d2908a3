"""Where the kit is published: one line of `pyproject.toml`, `Repository`, says it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

_GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9-]+)/([A-Za-z0-9._-]+?)/?")
"""Nobody can have an account with an underscore, as the placeholder has."""
_RULE = re.compile(r"[a-z]+(-[a-z]+)*")


def repository_in(pyproject: str) -> str:
    """Return the repository on GitHub that the text of a `pyproject.toml` names.

    Returns:
        ``"owner/name"``; "" where it is elsewhere, or not filled in.

    >>> repository_in('[project.urls]\\nRepository = "https://github.com/ada/plnkit"')
    'ada/plnkit'
    >>> repository_in('[project.urls]\\nRepository = "https://github.com/YOUR_ACCOUNT/plnkit"')
    ''
    """
    urls = tomllib.loads(pyproject).get("project", {}).get("urls", {})
    return _repository_at(urls.get("Repository", ""))


def _repository_at(address: str) -> str:
    match = _GITHUB.fullmatch(address)
    return f"{match[1]}/{match[2]}" if match else ""


@cache
def kits_repository() -> str:
    """Return the kit's own repository as ``"owner/name"``; "" until it is filled in.

    In a checkout its `pyproject.toml` says it, in an installed package the metadata.
    """
    checkout = Path(__file__).parents[2] / "pyproject.toml"
    if checkout.is_file():
        return repository_in(checkout.read_text(encoding="utf-8"))
    return installed_repository()


def installed_repository() -> str:
    """Return the repository that the installed package was built from; "" if unknown."""
    try:
        lines = metadata.metadata("plnkit").get_all("Project-URL") or ()
    except metadata.PackageNotFoundError:
        return ""
    return _repository_at(dict(line.split(", ", 1) for line in lines).get("Repository", ""))


def site_address(repository: str) -> str:
    """Return the address of the site on GitHub Pages; "" without a repository.

    >>> site_address("ada/plnkit")
    'https://ada.github.io/plnkit'
    """
    owner, _, name = repository.partition("/")
    return f"https://{owner.lower()}.github.io/{name}" if name else ""


def rule_link(rule: str) -> str:
    """Return the permalink of a rule's page; "" where the kit is not published."""
    address = site_address(kits_repository())
    return f"{address}/rules/{rule}.html" if address and _RULE.fullmatch(rule) else ""

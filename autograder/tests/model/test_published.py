"""The one line that says where the kit is published, and the addresses made from it."""

from __future__ import annotations

import pytest

from autograder.model import published
from autograder.model.published import repository_in, rule_link, site_address


def pyproject(address: str) -> str:
    return f'[project.urls]\nRepository = "{address}"\n'


@pytest.mark.parametrize(
    ("address", "repository"),
    [
        ("https://github.com/Ada-L/plnkit", "Ada-L/plnkit"),
        ("https://github.com/Ada-L/plnkit/", "Ada-L/plnkit"),
        ("https://github.com/YOUR_ACCOUNT/plnkit", ""),
        ("https://example.org/ada/plnkit", ""),
        ("https://github.com/ada", ""),
    ],
)
def test_only_a_repository_that_can_be_there_counts(address: str, repository: str) -> None:
    assert repository_in(pyproject(address)) == repository


def test_without_the_line_there_is_none() -> None:
    assert repository_in("") == ""
    assert site_address("") == ""


def test_the_link_of_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rule_link("prints") == ""  # the checkout's line is not filled in
    monkeypatch.setattr(published, "kits_repository", lambda: "Ada/plnkit")
    assert rule_link("prints") == "https://ada.github.io/plnkit/rules/prints.html"
    assert rule_link("../prints") == rule_link("") == ""

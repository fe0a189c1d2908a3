"""`autograder explain`: every rule that a card may show has a page."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.criteria.rules import RULES
from autograder.learner.explaining import explain_rule
from autograder.lessons.rule_pages import rule_pages
from autograder.model import published

ROOMS = Path(__file__).parents[2]
NAMED = re.compile(r'Finding(?:\.error)?\(\s*"([a-z-]+)"')


def run(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["explain", *arguments], env={"COLUMNS": "100"})
    assert done.exit_code == status, done.output
    return " ".join((done.stdout + done.stderr).split())


def test_every_rule_has_a_page():
    pages = set(rule_pages())
    rooms = ("criteria", "sandbox", "judge", "grading", "errors", "programs", "model")
    sources = [path.read_text() for room in rooms for path in (ROOMS / room).rglob("*.py")]
    written = {rule for source in sources for rule in NAMED.findall(source)}
    assert len(written) > 10
    assert (written | RULES) - pages == set()


@pytest.mark.gate
def test_each_page_is_whole():
    for rule in rule_pages():
        page = explain_rule(rule)
        explained = page.partition("Code that leads to it:")[0]
        assert len(explained) > 60 and "{" not in explained, page


def test_a_page_says_cause_fix_and_lesson():
    printed = run("global-mutated")
    assert (
        "global-mutated (purity)" in printed
        and "runs the Python body only while tracing" in printed
    )
    assert "Fix: " in printed and "Lessons about it: purity_hunt." in printed
    assert "Lessons about it: puzzles, static_branch" in run("python-branch")


def test_an_unknown_rule_names_the_nearest():
    printed = run("global-mutate", status=1)
    assert "there is no rule 'global-mutate'. Did you mean global-mutated" in printed
    assert "Did you mean" in run("mutated", status=1)


def test_without_a_rule_all_are_listed():
    printed = run()
    assert "python-branch" in printed and "unrolled" in printed and "compilations:" in printed


def test_a_page_about_an_error_shows_code_that_brings_it_up():
    page = explain_rule("known-static")
    assert "Code that leads to it:\n\n    @functools.partial" in page
    assert "jnp.tile(x, n)" in page
    assert "The same code, repaired:\n\n    @functools.partial" in page


def test_a_page_names_the_site_once_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "http" not in explain_rule("prints")
    monkeypatch.setattr(published, "kits_repository", lambda: "Ada/plnkit")
    assert explain_rule("prints").endswith(": https://ada.github.io/plnkit/rules/prints.html")

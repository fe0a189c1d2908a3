"""What there is to say about each rule: its cause, its fix, and the lessons about it.

`autograder explain` and the site show it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from autograder.lessons.course import the_course
from autograder.model import error_table
from autograder.model.messages import PROGRAM_RULES
from autograder.model.report import CRITERIA
from autograder.sandbox.messages import PAGES

TAUGHT_IN = {
    "outputs": "safe_where",
    "purity": "purity_hunt",
    "compilations": "recompile_hunt",
    "speed": "timing",
    "memory": "loop_gradients",
}
"""By criterion, the lesson for rules that no lesson has hints for."""

ERRORS, PROGRAM, BEFORE = "errors", "programs", "before the check"


class RulePage(NamedTuple):
    """What there is to say about a rule; the fix may be part of the cause."""

    group: str
    cause: str
    fix: str


def rule_pages() -> dict[str, RulePage]:
    """Return what there is to say about each rule, group by group."""
    criteria = {c: import_module(f"autograder.criteria.{c}.messages").PAGES for c in CRITERIA}
    known = {rule for group in criteria.values() for rule in group}
    texts = {r: error_table.ERRORS[r].text for r in sorted(error_table.ERROR_RULES - known)}
    groups: dict[str, Mapping[str, tuple[str, str]]] = {
        BEFORE: PAGES,
        ERRORS: {rule: (_general(text), "") for rule, text in texts.items()},
        PROGRAM: {rule: (_general(text), "") for rule, text in PROGRAM_RULES.items()},
        **criteria,
    }
    return {
        rule: RulePage(group, *page)
        for group, pages in groups.items()
        for rule, page in pages.items()
    }


def rule_groups() -> dict[str, list[str]]:
    """Return the names of all rules, group by group, sorted in each."""
    groups: dict[str, list[str]] = {}
    for rule, page in rule_pages().items():
        groups.setdefault(page.group, []).append(rule)
    return {group: sorted(rules) for group, rules in groups.items()}


def _general(text: str) -> str:
    """Return a message's text without what it says of one program."""
    text = re.sub(r" \(\{(detail|names)\}\)|^\{detail\}\. ", "", text)
    return text.replace("{detail}", "...").replace("{names}", "...").replace("{static}", "...")


def lessons_about(rule: str) -> list[str]:
    """Return the lessons about a rule, in course order.

    They have hints for it, or the index of error messages names them. If there is none, the lesson
    about the rule's criterion is returned.
    """
    entries = [entry for entry in error_table.ERRORS.values() if entry.rule == rule]
    listed = {name for entry in entries for row in entry.listed for name in row.lessons}
    found = [
        lesson.name
        for lesson in the_course().lessons()
        if lesson.name in listed or any(rule in one.hints for one in lesson.rubric.exercises)
    ]
    usual = TAUGHT_IN.get(rule_pages()[rule].group)
    return found if found or usual is None else [usual]

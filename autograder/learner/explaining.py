"""`explain`: the page of a rule, with its cause, its fix, and the lesson that teaches it."""

from __future__ import annotations

import difflib

from autograder.learner import sentences
from autograder.learner.folder import LearningError
from autograder.lessons.examples import rule_examples
from autograder.lessons.layouts import fill_in_page
from autograder.lessons.rule_pages import lessons_about, rule_groups, rule_pages
from autograder.model.published import rule_link


def explain_rule(rule: str) -> str:
    """Return the page of a rule.

    Raises:
        LearningError: there is no such rule; the message names the nearest.
    """
    pages = rule_pages()
    if rule not in pages:
        near = difflib.get_close_matches(rule, sorted(pages), 3, 0.5)
        near = near or [name for name in sorted(pages) if {*rule.split("-")} & {*name.split("-")}]
        hint = sentences.DID_YOU_MEAN.format(near=" or ".join(near[:3])) if near else ""
        raise LearningError(sentences.NO_SUCH_RULE.format(rule=rule, hint=hint))
    page = fill_in_page(
        "explained.txt",
        rule=rule,
        page=pages[rule],
        example=rule_examples()[rule],
        lessons=lessons_about(rule),
        link=rule_link(rule),
    )
    return page.rstrip("\n")


def list_rules() -> str:
    """Return the names of all rules, by group."""
    lines = [sentences.ALL_RULES]
    for group, rules in rule_groups().items():
        lines += ["", f"{group}:", f"  {', '.join(rules)}"]
    return "\n".join(lines)

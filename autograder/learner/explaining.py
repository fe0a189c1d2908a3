"""`explain`: the page of a rule, with its cause, its fix, and the lesson that teaches it."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Mapping
from importlib import import_module

from autograder.learner import sentences
from autograder.learner.folder import LearningError
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
Page = tuple[str, str]


def all_pages() -> dict[str, Mapping[str, Page]]:
    """Return cause and fix of each rule, by group; the fix may be part of the cause."""
    pages = {name: import_module(f"autograder.criteria.{name}.messages").PAGES for name in CRITERIA}
    known = {rule for group in pages.values() for rule in group}
    texts = {rule: error_table.ERRORS[rule].text for rule in error_table.ERROR_RULES - known}
    errors = {rule: (_general(text), "") for rule, text in texts.items()}
    programs = {rule: (_general(text), "") for rule, text in PROGRAM_RULES.items()}
    return {BEFORE: PAGES, ERRORS: errors, PROGRAM: programs, **pages}


def _general(text: str) -> str:
    """Return a message's text without what it says of one program."""
    text = re.sub(r" \(\{(detail|names)\}\)|^\{detail\}\. ", "", text)
    return text.replace("{detail}", "...")


def explain_rule(rule: str) -> str:
    """Return the page of a rule.

    Raises:
        LearningError: there is no such rule; the message names the nearest.
    """
    for group, pages in all_pages().items():
        if rule in pages:
            cause, fix = pages[rule]
            lines = [f"{rule} ({group})", "", cause]
            lines += ["", sentences.FIX.format(fix=fix)] if fix else []
            if group == ERRORS:
                example = textwrap.indent(error_table.ERRORS[rule].example, "    ")
                lines += ["", sentences.EXAMPLE, "", example]
            lessons = ", ".join(lessons_about(rule)) or TAUGHT_IN.get(group)
            lines += ["", sentences.TAUGHT.format(lessons=lessons)] if lessons else []
            return "\n".join(lines)
    names = sorted({rule for pages in all_pages().values() for rule in pages})
    near = difflib.get_close_matches(rule, names, 3, 0.5)
    near = near or [name for name in names if {*rule.split("-")} & {*name.split("-")}][:3]
    hint = sentences.DID_YOU_MEAN.format(near=" or ".join(near)) if near else ""
    raise LearningError(sentences.NO_SUCH_RULE.format(rule=rule, hint=hint))


def lessons_about(rule: str) -> list[str]:
    """Return the lessons about a rule, in course order.

    They have hints for it, or the index of error messages names them.
    """
    entries = [entry for entry in error_table.ERRORS.values() if entry.rule == rule]
    listed = {name for entry in entries for row in entry.listed for name in row.lessons}
    return [
        lesson.name
        for lesson in the_course().lessons()
        if lesson.name in listed or any(rule in one.hints for one in lesson.rubric.exercises)
    ]


def list_rules() -> str:
    """Return the names of all rules, by group."""
    lines = [sentences.ALL_RULES]
    for group, pages in all_pages().items():
        lines += ["", f"{group}:", f"  {', '.join(sorted(pages))}"]
    return "\n".join(lines)

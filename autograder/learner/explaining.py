"""`explain`: the page of a rule, with its cause, its fix, and the lesson that teaches it."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Mapping
from importlib import import_module

from autograder.errors.error_examples import EXAMPLES
from autograder.errors.jax_errors import CLOSER, EXPLANATIONS
from autograder.learner import sentences
from autograder.learner.folder import LearningError
from autograder.lessons.course import the_course
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
    texts = {rule: text for rule, (_, text) in EXPLANATIONS.items()}
    texts |= {rule: _general(text) for rule, text in CLOSER.items()}
    errors = {rule: (text, "") for rule, text in texts.items() if rule not in known}
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
            example = EXAMPLES.get(f"EXPLANATIONS.{rule}") or EXAMPLES.get(f"CLOSER.{rule}")
            if example is not None and group == ERRORS:
                lines += ["", sentences.EXAMPLE, "", textwrap.indent(example, "    ")]
            lessons = ", ".join(lessons_about(rule)) or TAUGHT_IN.get(group)
            lines += ["", sentences.TAUGHT.format(lessons=lessons)] if lessons else []
            return "\n".join(lines)
    names = sorted({rule for pages in all_pages().values() for rule in pages})
    near = difflib.get_close_matches(rule, names, 3, 0.5)
    near = near or [name for name in names if {*rule.split("-")} & {*name.split("-")}][:3]
    hint = sentences.DID_YOU_MEAN.format(near=" or ".join(near)) if near else ""
    raise LearningError(sentences.NO_SUCH_RULE.format(rule=rule, hint=hint))


def lessons_about(rule: str) -> list[str]:
    """Return the lessons that have hints for a rule, in course order."""
    lessons = the_course().lessons()
    return [one.name for one in lessons if any(rule in e.hints for e in one.rubric.exercises)]


def list_rules() -> str:
    """Return the names of all rules, by group."""
    lines = [sentences.ALL_RULES]
    for group, pages in all_pages().items():
        lines += ["", f"{group}:", f"  {', '.join(sorted(pages))}"]
    return "\n".join(lines)

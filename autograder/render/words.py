"""Symbols and words that the text card, the HTML card and the class reports share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.model.figures import CallEffect, JaxprDiff, SpeedBars, Timeline
from autograder.model.finding import Finding, first_line
from autograder.model.published import rule_link
from autograder.model.reasons import OUTPUTS_FIRST, REASONS, meaning_of
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.templates import recipe_of

SYMBOL = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.PARTIAL: "~",
    Status.PENDING: "…",
    Status.INCONCLUSIVE: "?",
    Status.NOT_GRADED: "–",
}
STATUS_WORDS = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.PARTIAL: "partly passed",
    Status.PENDING: "pending",
    Status.INCONCLUSIVE: "inconclusive",
    Status.NOT_GRADED: "not graded",
}

CHECKED_LATER = REASONS[OUTPUTS_FIRST].words
NOT_GRADABLE = "could not be graded"

SAME_FOR = "The same holds for: {others}."
PROVISIONAL = "Provisional: checked on the public inputs; an instructor grades with others."

READ_MORE = "More: {page}"

MARKS = {
    CallEffect.COMPILED: ("C", "compiled"),
    CallEffect.AGAIN: ("!", "compiled again"),
    CallEffect.OPERATIONS: ("o", "compiled single operations"),
    CallEffect.REUSED: ("·", "reused"),
    CallEffect.NOTHING: ("-", "compiled nothing"),
    CallEffect.RAISED: ("x", "raised an error"),
}
"""A letter and words for what a call did."""


def remark(criterion: CriterionResult) -> str:
    """Return the few words that explain a criterion's status, if it needs any."""
    reason = criterion.reason
    if reason:
        could_not = criterion.status is Status.NOT_GRADED and criterion.waits_for_person
        known = meaning_of(reason).words or reason
        return f"{NOT_GRADABLE}: {known}" if could_not and not criterion.has_no_mark else known
    if criterion.status in (Status.PASSED, Status.FAILED):
        return ""
    if criterion.status is Status.NOT_GRADED:
        return NOT_GRADABLE
    return STATUS_WORDS[criterion.status]


def points_text(criterion: CriterionResult, separator: str = " / ") -> str:
    """Return the points earned and possible, with a dash where there is no mark."""
    earned = "–" if criterion.waits_for_person else f"{criterion.earned:g}"
    return f"{earned}{separator}{criterion.possible:g}"


def merge_alike(findings: Sequence[Finding]) -> list[Finding]:
    """Merge findings whose messages differ in one word only: the first one names the others'."""
    merged: dict[Any, tuple[Finding, list[str]]] = {}
    for i, finding in enumerate(findings):
        recipe = recipe_of(finding.message)
        fields = recipe[1] if recipe and isinstance(recipe[1], dict) else {}
        *others, last = fields.values() if fields else ("",)
        alike = (finding.rule, finding.severity, finding.line, recipe and recipe[0], str(others))
        key = alike if str(last).strip("'").isidentifier() else i
        merged.setdefault(key, (finding, []))[1].append(str(last))
    return [
        replace(one, message=f"{one.message} {SAME_FOR.format(others=', '.join(last[1:]))}")
        if len(last) > 1
        else one
        for one, last in merged.values()
    ]


def message_of(finding: Finding) -> str:
    """Return the message without the line number that stands above it."""
    return finding.message.removeprefix(f"Line {finding.line}: ")


def stages_of(finding: Finding) -> tuple[str, str]:
    """Return what was seen, the first line of a message, and the rest: the cause and the repair."""
    message = message_of(finding)
    seen = first_line(message)
    return seen, message[len(seen) + 1 :]


def heading_of(rule: str) -> str:
    """Return a short heading made from a rule's name: "wrong-output" gives "Wrong output"."""
    return rule[:1].upper() + rule[1:].replace("-", " ")


def notes_of(report: Report) -> list[str]:
    """Return the notes at the end of a card."""
    if report.practice:
        return list(report.notes)
    return [*report.notes, PROVISIONAL if report.provisional else _evidence_of(report)]


def _evidence_of(report: Report) -> str:
    """Return what the marks stand on, criterion by criterion, in a line."""
    found: dict[str, list[str]] = {}
    for criterion in report.criteria:
        found.setdefault(criterion.evidence, []).append(criterion.name)
    return "; ".join(f"{', '.join(names)}: {evidence}" for evidence, names in found.items())


def page_of(criteria: Sequence[CriterionResult]) -> str:
    """Return the permalink of the page about the first finding; "" where there is none."""
    findings = [finding for criterion in criteria for finding in criterion.findings]
    return rule_link(findings[0].rule) if findings else ""


def effects_in(timeline: Timeline) -> list[CallEffect]:
    """Return what the calls of a timeline did, each once, in the order of `MARKS`."""
    used = {seen.effect for seen in timeline.calls}
    return [what for what in MARKS if what in used]


def speed_words(bars: SpeedBars) -> str:
    """Return the measured speed in one line."""
    own = f"; the lesson's own solution: {bars.own:.3g}x" if bars.own else ""
    return (
        f"{bars.ratio:.3g} times the baseline's speed on this {bars.where} "
        f"({bars.low:.3g} to {bars.high:.3g}){own}; required: {bars.threshold:.3g}x"
    )


def jaxpr_words(diff: JaxprDiff) -> str:
    """Say how much of a jaxpr differs from the lesson's."""
    if not diff.lines:
        return "your jaxpr is that of the lesson's solution, operation for operation"
    of = [line.of for line in diff.lines]
    yours, lesson = of.count("yours"), of.count("lesson")
    return (
        "your jaxpr and that of the lesson's solution do the same in different ways: "
        f"{yours} line{'' if yours == 1 else 's'} only in yours, {lesson} only in the lesson's"
    )

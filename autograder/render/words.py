"""Symbols and words that text and HTML share."""

from __future__ import annotations

from autograder.core.figures import CallEffect, SpeedBars
from autograder.core.finding import Finding
from autograder.core.report import KIT_ERROR, CriterionResult, Status

SYMBOL = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.PARTIAL: "~",
    Status.PENDING: "…",
    Status.INCONCLUSIVE: "?",
    Status.NOT_GRADED: "–",
}

REASONS = {
    KIT_ERROR: "no mark yet: the kit itself failed",
    "outputs-first": "looked at once the outputs are right",
    "missing-function": "not graded: the function is missing",
    "not-callable": "not graded: the name is not a function",
    "wrong-signature": "not graded: other arguments than asked for",
    "cell-failed": "not graded: a cell before the check failed",
    "unreadable-notebook": "not graded: the notebook cannot be read",
    "empty-notebook": "not graded: the notebook has no code",
    "adapter-failed": "not graded: your pieces cannot be put together",
    "not-answers": "not graded: the name is not a dictionary of answers",
    "unknown": "not graded: the notebook gave no reason that is known",
    "timeout": "not graded: running the notebook took too long",
    "worker-died": "not graded: the notebook ended Python",
    "too-much-memory": "not graded: running the notebook took too much memory",
    "too-many-processes": "not graded: the notebook started too many processes",
}

PROVISIONAL = "Provisional: checked on the public inputs; an instructor grades with others."

MARKS = {
    CallEffect.COMPILED: ("C", "compiled"),
    CallEffect.AGAIN: ("!", "compiled again"),
    CallEffect.OPERATIONS: ("o", "compiled single operations"),
    CallEffect.REUSED: ("·", "reused"),
    CallEffect.NOTHING: ("-", "compiled nothing"),
    CallEffect.RAISED: ("x", "raised an error"),
}
"""For what a call did, a letter and the words for it."""


def remark(criterion: CriterionResult) -> str:
    """The few words after a criterion's mark."""
    if criterion.reason:
        return REASONS.get(criterion.reason, criterion.reason)
    return "" if criterion.status in (Status.PASSED, Status.FAILED) else str(criterion.status)


def earned(criterion: CriterionResult) -> str:
    """The points as a number, or a dash where there is no mark."""
    return "–" if criterion.failed_by_kit else f"{criterion.earned:g}"


def said(finding: Finding) -> str:
    """The message without the line number that stands above it."""
    return finding.message.removeprefix(f"Line {finding.line}: ")


def speed_words(bars: SpeedBars) -> str:
    """How fast, in one line."""
    return (
        f"{bars.ratio:.3g} times the baseline's speed on this {bars.where} "
        f"({bars.low:.3g} to {bars.high:.3g}); {bars.threshold:g} are asked for"
    )

"""The card for terminals."""

from __future__ import annotations

import textwrap

from autograder.model.figures import Curve, Figure, JaxprDiff, Timeline
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report
from autograder.render.words import (
    MARKS,
    READ_MORE,
    STATUS_WORDS,
    SYMBOL,
    effects_in,
    jaxpr_words,
    merge_alike,
    message_of,
    notes_of,
    page_of,
    points_text,
    remark,
)

WIDTH = 72
"""Columns of a message in a terminal, before indentation."""


def _finding_lines(finding: Finding, whole: bool) -> list[str]:
    lines = []
    if finding.line:
        code = f": {finding.code}" if finding.code else ""
        lines.append(f"line {finding.line}{code}")
    message = message_of(finding).splitlines()
    for line in message if whole else message[:1]:
        lines += textwrap.wrap(line, WIDTH)
    return lines


def _timeline(timeline: Timeline) -> str:
    letters = "".join(MARKS[seen.effect][0] for seen in timeline.calls)
    first = len(letters) - timeline.repeats
    again = f", then again {letters[first:]}" if timeline.repeats and first else ""
    legend = ", ".join(" ".join(MARKS[what]) for what in effects_in(timeline))
    return f"calls {letters[:first] or letters}{again} ({legend})"


def _curve(curve: Curve) -> str:
    last = curve.values[-1]
    yours = "not finite" if last is None else f"{last:g}"
    right = curve.reference[-1] if curve.reference else None
    reference = "" if right is None else f" (reference: {right:g})"
    return f"{curve.name} after {len(curve.values)} iterations: {yours}{reference}"


def figure_text(figure: Figure | None) -> str:
    """A figure in one line; empty where the findings say the same."""
    if isinstance(figure, Timeline):
        return _timeline(figure)
    if isinstance(figure, JaxprDiff):
        return jaxpr_words(figure)
    return _curve(figure) if isinstance(figure, Curve) else ""


def _details(criterion: CriterionResult, whole: bool = True) -> list[str]:
    merged = merge_alike(criterion.findings)
    lines = [line for finding in merged for line in _finding_lines(finding, whole)]
    return [*lines, *textwrap.wrap(figure_text(criterion.figure), WIDTH)]


def criterion_text(
    criterion: CriterionResult, *, practice: bool = False, whole: bool = True
) -> str:
    """Return one criterion on its own: its mark, then what was found.

    Args:
        practice: whether it gives no points.
        whole: whether to say the cause and the repair below what was seen.
    """
    words = remark(criterion)
    mark = "practice" if practice else f"{points_text(criterion, ' of ')} points"
    head = f"{criterion.name}: {mark}"
    more = [READ_MORE.format(page=page)] if (page := page_of([criterion])) else []
    return "\n".join([f"{head} ({words})" if words else head, *_details(criterion, whole), *more])


def text_card(report: Report, *, whole: bool = True) -> str:
    """Return the report as plain text of at most 80 columns.

    Args:
        whole: whether to say the cause and the repair below what was seen.
    """
    lines = [f"{SYMBOL[report.status]} {report.exercise}  {report.mark()}"]
    for c in report.criteria:
        mark = "" if report.practice else points_text(c, "/")
        words = remark(c) or STATUS_WORDS[c.status]
        lines.append(f"  {SYMBOL[c.status]} {c.name:<13}{mark:>5}  {words}")
        lines += [f"      {line}" for line in _details(c, whole)]
    more = [READ_MORE.format(page=page)] if (page := page_of(report.criteria)) else []
    return "\n".join([*lines, *(f"  {note}" for note in (*notes_of(report), *more))])

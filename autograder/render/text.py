"""The card for terminals."""

from __future__ import annotations

import textwrap

from autograder.core.figures import Curve, Figure, Timeline
from autograder.core.finding import Finding
from autograder.core.report import CriterionResult, Report
from autograder.render.words import MARKS, PROVISIONAL, SYMBOL, earned, remark, said

WIDTH = 72
"""Columns of a message in a terminal, before indentation."""


def _place(finding: Finding) -> str:
    where = f"line {finding.line}" if finding.line else ""
    return f"{where}: {finding.code}" if where and finding.code else where


def _finding_lines(finding: Finding) -> list[str]:
    place = _place(finding)
    message = [textwrap.wrap(line, WIDTH) for line in said(finding).splitlines()]
    return [*([place] if place else []), *(line for lines in message for line in lines)]


def _timeline(timeline: Timeline) -> str:
    letters = "".join(MARKS[seen.effect][0] for seen in timeline.calls)
    drawn = len(letters) - timeline.repeats
    again = f", then once more {letters[drawn:]}" if timeline.repeats and drawn else ""
    used = (effect for effect in MARKS if any(seen.effect == effect for seen in timeline.calls))
    legend = ", ".join(f"{letter} {words}" for letter, words in map(MARKS.__getitem__, used))
    return f"calls {letters[:drawn] or letters}{again} ({legend})"


def _curve(curve: Curve) -> str:
    last, right = curve.values[-1], curve.reference[-1] if curve.reference else None
    got = "no finite number" if last is None else f"{last:g}"
    beside = "" if right is None else f"; the reference's {right:g}"
    return f"{curve.name} after {len(curve.values)} iterations: {got}{beside}"


def figure_text(figure: Figure | None) -> str:
    """A figure in one line; empty where the findings say the same."""
    if isinstance(figure, Timeline):
        return _timeline(figure)
    return _curve(figure) if isinstance(figure, Curve) else ""


def _details(criterion: CriterionResult) -> list[str]:
    lines = [line for finding in criterion.findings for line in _finding_lines(finding)]
    figure = figure_text(criterion.figure)
    return [*lines, *textwrap.wrap(figure, WIDTH)]


def criterion_text(criterion: CriterionResult) -> str:
    """One criterion on its own: its mark, then what was found."""
    words = remark(criterion)
    head = f"{criterion.name}: {earned(criterion)} of {criterion.possible:g} points"
    return "\n".join([f"{head} ({words})" if words else head, *_details(criterion)])


def text_card(report: Report) -> str:
    """The report as plain text, to fit 80 columns."""
    lines = [f"{SYMBOL[report.status]} {report.exercise}  {report.mark()}"]
    for c in report.criteria:
        mark = f"{earned(c)}/{c.possible:g}"
        lines.append(f"  {SYMBOL[c.status]} {c.name:<13}{mark:>5}  {remark(c)}".rstrip())
        lines += [f"      {line}" for line in _details(c)]
    lines += [f"  {note}" for note in report.notes]
    if report.provisional:
        lines.append(f"  {PROVISIONAL}")
    return "\n".join(lines)

"""A report for the eye: text for terminals, HTML without JavaScript for notebooks."""

from __future__ import annotations

import textwrap
from html import escape

from autograder.finding import Finding
from autograder.report import CriterionResult, Report, Status

SYMBOL = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.PARTIAL: "~",
    Status.PENDING: "…",
    Status.INCONCLUSIVE: "?",
    Status.NOT_GRADED: "–",
}

# Mid-tones that read on white and on JupyterLab's dark grey alike.
COLOUR = {
    Status.PASSED: "#2e9e5b",
    Status.FAILED: "#d9534f",
    Status.PARTIAL: "#c98a1b",
    Status.PENDING: "#5b8dd9",
    Status.INCONCLUSIVE: "#c98a1b",
    Status.NOT_GRADED: "#8a8a8a",
}

REASONS = {
    "outputs-first": "looked at once the outputs are right",
    "missing-function": "not graded: the function is missing",
    "not-callable": "not graded: the name is not a function",
    "wrong-signature": "not graded: other arguments than asked for",
    "cell-failed": "not graded: a cell before the check failed",
    "unreadable-notebook": "not graded: the notebook cannot be read",
    "empty-notebook": "not graded: the notebook has no code",
    "adapter-failed": "not graded: your pieces cannot be put together",
    "timeout": "not graded: running the notebook took too long",
    "worker-died": "not graded: the notebook ended Python",
    "too-much-memory": "not graded: running the notebook took too much memory",
    "too-many-processes": "not graded: the notebook started too many processes",
}

WIDTH = 72
"""Columns of a message in a terminal, before indentation."""

PROVISIONAL = "Provisional: checked on the public inputs; an instructor grades with others."


def remark(criterion: CriterionResult) -> str:
    """The few words after a criterion's mark."""
    if criterion.reason:
        return REASONS.get(criterion.reason, criterion.reason)
    return "" if criterion.status in (Status.PASSED, Status.FAILED) else str(criterion.status)


def _message(finding: Finding) -> str:
    """The message without the line number that stands above it."""
    return finding.message.removeprefix(f"Line {finding.line}: ")


def _place(finding: Finding) -> str:
    where = f"line {finding.line}" if finding.line else ""
    return f"{where}: {finding.code}" if where and finding.code else where


def _finding_lines(finding: Finding) -> list[str]:
    place = _place(finding)
    message = [textwrap.wrap(line, WIDTH) for line in _message(finding).splitlines()]
    return [*([place] if place else []), *(line for lines in message for line in lines)]


def criterion_text(criterion: CriterionResult) -> str:
    """One criterion on its own: its mark, then what was found."""
    words = remark(criterion)
    head = f"{criterion.name}: {criterion.earned:g} of {criterion.possible:g} points"
    lines = [f"{head} ({words})" if words else head]
    for finding in criterion.findings:
        lines += _finding_lines(finding)
    return "\n".join(lines)


def text_card(report: Report) -> str:
    """The report as plain text, to fit 80 columns."""
    lines = [f"{SYMBOL[report.status]} {report.exercise}  {report.mark()}"]
    for c in report.criteria:
        mark = f"{c.earned:g}/{c.possible:g}"
        lines.append(f"  {SYMBOL[c.status]} {c.name:<13}{mark:>5}  {remark(c)}".rstrip())
        for finding in c.findings:
            lines += [f"      {line}" for line in _finding_lines(finding)]
    lines += [f"  {note}" for note in report.notes]
    if report.provisional:
        lines.append(f"  {PROVISIONAL}")
    return "\n".join(lines)


def _html_finding(finding: Finding) -> str:
    head, *rest = _message(finding).splitlines()
    place = ""
    if finding.line:
        code = f" <code>{escape(finding.code)}</code>" if finding.code else ""
        place = f"<div style='opacity:.8'>line {finding.line}{code}</div>"
    more = "".join(f"<div style='margin-top:2px'>{escape(line)}</div>" for line in rest)
    label = "note: " if finding.severity == "warning" else ""
    return (
        "<div style='margin:4px 0 6px 0;padding-left:10px;border-left:3px solid #8886'>"
        f"{place}<div>{label}{escape(head)}</div>{more}</div>"
    )


def _html_row(criterion: CriterionResult) -> str:
    colour = COLOUR[criterion.status]
    findings = "".join(map(_html_finding, criterion.findings))
    cell = "padding:3px 10px 3px 0;vertical-align:top;text-align:left;border:none"
    return (
        "<tr style='background:transparent'>"
        f"<td style='{cell};color:{colour};font-weight:bold'>{SYMBOL[criterion.status]}</td>"
        f"<td style='{cell}'><b>{criterion.name}</b></td>"
        f"<td style='{cell};white-space:nowrap'>{criterion.earned:g} / {criterion.possible:g}</td>"
        f"<td style='{cell};width:100%'>"
        f"<span style='opacity:.75'>{escape(remark(criterion))}</span>{findings}</td></tr>"
    )


def html_card(report: Report) -> str:
    """The report as an HTML fragment that takes its text colour from the page around it."""
    colour = COLOUR[report.status]
    notes = [*report.notes, *([PROVISIONAL] if report.provisional else [])]
    footer = "".join(f"<div>{escape(note)}</div>" for note in notes)
    return (
        f"<div class='autograder-card' style='border:1px solid #8886;"
        f"border-left:6px solid {colour};border-radius:4px;"
        "padding:8px 12px;max-width:60em;font-size:14px;line-height:1.45'>"
        f"<div style='font-size:16px'><b>{escape(report.exercise)}</b>"
        f"<span style='float:right;color:{colour};font-weight:bold'>{report.mark()}</span></div>"
        "<table style='border-collapse:collapse;margin:6px 0;width:100%'>"
        f"{''.join(map(_html_row, report.criteria))}</table>"
        f"<div style='opacity:.65;font-size:12px'>{footer}</div></div>"
    )

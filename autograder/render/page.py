"""The card for notebooks: HTML that takes its text colour from the page around it.

Boxes instead of a table: JupyterLab, nbconvert and VS Code each lay tables out their own way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.core.finding import Finding
from autograder.core.printable import escaped
from autograder.core.report import CriterionResult, Report, Status
from autograder.render.drawings import AMBER, BLUE, GREEN, GREY, RED, figure_html
from autograder.render.words import PROVISIONAL, SYMBOL, earned, remark, said

COLOUR = {
    Status.PASSED: GREEN,
    Status.FAILED: RED,
    Status.PARTIAL: AMBER,
    Status.PENDING: BLUE,
    Status.INCONCLUSIVE: AMBER,
    Status.NOT_GRADED: GREY,
}

_FOLD = "cursor:pointer;display:list-item;opacity:.8"
_CODE = re.compile(r"`([^`\n]+)`")


def _prose(text: str) -> str:
    """Text with what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escaped(text))


def _finding(finding: Finding) -> str:
    head, *rest = said(finding).splitlines() or [""]
    place = ""
    if finding.line:
        code = f" <code>{escaped(finding.code)}</code>" if finding.code else ""
        place = f"<div style='opacity:.8'>line {finding.line}{code}</div>"
    more = "".join(f"<div style='margin-top:2px'>{_prose(line)}</div>" for line in rest)
    label = "note: " if finding.severity == "warning" else ""
    return (
        "<div style='margin:4px 0 6px 0;padding-left:10px;border-left:3px solid #8886'>"
        f"{place}<div>{label}{_prose(head)}</div>{more}</div>"
    )


def _hints(hints: Sequence[str], tier: int = 1) -> str:
    """The first hint, folded, and inside it the next one."""
    if not hints:
        return ""
    count = tier + len(hints) - 1
    return (
        f"<details style='margin:2px 0 4px 0'><summary style='{_FOLD}'>hint {tier} of {count}"
        f"</summary><div style='margin-left:14px'>{_prose(hints[0])}"
        f"{_hints(hints[1:], tier + 1)}</div></details>"
    )


def _criterion(criterion: CriterionResult) -> str:
    colour = COLOUR[criterion.status]
    findings = "".join(map(_finding, criterion.findings))
    if findings and criterion.reason == "outputs-first":
        findings = (
            f"<details><summary style='{_FOLD}'>what shows already</summary>{findings}</details>"
        )
    details = f"{findings}{figure_html(criterion.figure)}{_hints(criterion.hints)}"
    return (
        "<div style='display:flex;align-items:baseline;padding:3px 0'>"
        f"<span style='flex:none;width:20px;color:{colour};font-weight:bold'>"
        f"{SYMBOL[criterion.status]}</span>"
        f"<b style='flex:none;width:116px'>{escaped(criterion.name)}</b>"
        f"<span style='flex:none;width:60px'>{earned(criterion)} / {criterion.possible:g}</span>"
        f"<div style='flex:1;min-width:0'><span style='opacity:.75'>{_prose(remark(criterion))}"
        f"</span>{details}</div></div>"
    )


def html_card(report: Report) -> str:
    """The report as an HTML fragment."""
    colour = COLOUR[report.status]
    notes = [*report.notes, *([PROVISIONAL] if report.provisional else [])]
    footer = "".join(f"<div>{_prose(note)}</div>" for note in notes)
    return (
        f"<div class='autograder-card' style='border:1px solid #8886;border-left:6px solid "
        f"{colour};border-radius:4px;padding:8px 12px;max-width:60em;font-size:14px;"
        "line-height:1.45'><div style='display:flex;justify-content:space-between;font-size:16px;"
        f"margin-bottom:4px'><b>{escaped(report.exercise)}</b>"
        f"<span style='color:{colour};font-weight:bold'>{report.mark()}</span></div>"
        f"{''.join(map(_criterion, report.criteria))}"
        f"<div style='opacity:.65;font-size:12px'>{footer}</div></div>"
    )

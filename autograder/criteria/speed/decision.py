"""What a timing means for a report: a GPU's decides the speed criterion, a CPU's informs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograder.criteria.speed import messages
from autograder.model.figures import Figure, read_figure
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status

SPEED = "speed"


def speed_of(report: Report) -> CriterionResult | None:
    """Return the speed criterion of a report; None where it has none."""
    return next((c for c in report.criteria if c.name == SPEED), None)


def with_speed(report: Report, timed: dict[str, Any] | None) -> Report:
    """Return the report with the result of timing its program on a GPU, if there is one.

    Args:
        report: changed only where its speed is pending.
        timed: a record (see `autograder.criteria.speed.results.Records`), or None.
    """
    speed = speed_of(report)
    if speed is None or timed is None or timed["status"] == Status.PENDING:
        return report
    status, reason = Status(timed["status"]), str(timed.get("reason") or "")
    text = _describe(timed, messages.ON_GPU) or reason
    severity = "error" if status is Status.FAILED else "warning"
    return _change_pending(
        report,
        status=status,
        earned=speed.possible if status is Status.PASSED else 0.0,
        reason=reason if status is Status.INCONCLUSIVE else "",
        findings=(Finding("gpu-speed", severity, None, text),),
        figure=_draw(timed, "GPU"),
    )


def with_information(report: Report, timed: dict[str, Any], threads: int) -> Report:
    """Return the report with what a CPU shows of its program; the criterion stays pending.

    `threads` is how many the program ran with; see `with_speed`.
    """
    count = "1 thread" if threads == 1 else f"{threads} threads"
    if text := _describe(timed, messages.ON_CPU.format(threads=count)):
        text += messages.INFORMS
    else:
        text = messages.SPEED_UNKNOWN.format(reason=timed.get("reason"))
    rule = "cpu-speed-failed" if timed.get("fault") else "cpu-speed"
    return _change_pending(
        report,
        reason=messages.NEEDS_GPU,
        findings=(Finding(rule, "warning", None, text),),
        figure=_draw(timed, "CPU"),
    )


def without_timing(report: Report) -> Report:
    """Return the report as it was before its program was timed, to time it again."""
    fresh = {"status": Status.PENDING, "earned": 0.0, "reason": messages.NEEDS_GPU}
    return _change(report, speed_of(report), **fresh, findings=(), hints=(), figure=None)


def tell_how_to_time(report: Report, how: str) -> Report:
    """Where speed is pending, give the way to have it timed as the reason."""
    return _change_pending(report, reason=messages.NOT_TIMED.format(how=how))


def _change_pending(report: Report, **fields: Any) -> Report:
    speed = speed_of(report)
    is_pending = speed is not None and speed.status is Status.PENDING
    return _change(report, speed, **fields) if is_pending else report


def _change(report: Report, speed: CriterionResult | None, **fields: Any) -> Report:
    criteria = tuple(replace(c, **fields) if c is speed else c for c in report.criteria)
    return replace(report, criteria=criteria)


def _describe(timed: dict[str, Any], where: str) -> str:
    """Say how fast a program is; nothing where it was not timed."""
    if not timed.get("ratio"):
        return ""
    template = messages.SLOWER if timed.get("own_ratio") else messages.FASTER
    return template.format(where=where, **timed)


def _draw(timed: dict[str, Any], where: str) -> Figure | None:
    """Return the figure of a timing: its ratios are relative to the reference solution's, if any.

    Then the whole interval is beyond what is required just where the verdict says so.
    """
    bars = {name: timed.get(name) or 0.0 for name in ("ratio", "low", "high", "threshold")}
    own = timed.get("own_ratio") or 0.0
    if own:
        slower = (timed[name] for name in ("slower", "slower_high", "slower_low"))
        bars = dict(zip(("ratio", "low", "high"), (own / by for by in slower), strict=True))
        bars |= {"threshold": own / timed["factor"], "own": own}
    return read_figure({"kind": "speed", "where": where, **bars})

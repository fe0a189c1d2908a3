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
        report: with a pending speed criterion, else it is returned as it is.
        timed: a record (see `autograder.criteria.speed.results.Records`), or None.
    """
    if timed is None or Status(timed["status"]) is Status.PENDING:
        return report
    status = Status(timed["status"])
    text = _describe(timed, messages.ON_GPU) or str(timed.get("reason"))
    severity = "error" if status is Status.FAILED else "warning"
    speed = _pending_speed(report)
    return _change_speed(
        report,
        speed,
        status=status,
        earned=speed.possible if speed and status is Status.PASSED else 0.0,
        reason=str(timed.get("reason") or "") if status is Status.INCONCLUSIVE else "",
        findings=(Finding("gpu-speed", severity, None, text),),
        figure=_draw(timed, "GPU"),
    )


def with_information(report: Report, timed: dict[str, Any], threads: int) -> Report:
    """Return the report with what a CPU shows of its program; the criterion stays pending.

    `threads` is how many the program ran with; see `with_speed`.
    """
    count = "1 thread" if threads == 1 else f"{threads} threads"
    text = _describe(timed, messages.ON_CPU.format(threads=count))
    if text:
        text += messages.INFORMS
    else:
        text = messages.SPEED_UNKNOWN.format(reason=timed.get("reason"))
    rule = "cpu-speed-failed" if timed.get("fault") else "cpu-speed"
    return _change_speed(
        report,
        _pending_speed(report),
        reason=messages.NEEDS_GPU,
        findings=(Finding(rule, "warning", None, text),),
        figure=_draw(timed, "CPU"),
    )


def without_timing(report: Report) -> Report:
    """Return the report as it was before its program was timed, to time it again."""
    return _change_speed(
        report,
        speed_of(report),
        status=Status.PENDING,
        earned=0.0,
        reason=messages.NEEDS_GPU,
        findings=(),
        hints=(),
        figure=None,
    )


def tell_how_to_time(report: Report, how: str) -> Report:
    """Where speed is pending, give the way to have it timed as the reason."""
    return _change_speed(report, _pending_speed(report), reason=messages.NOT_TIMED.format(how=how))


def _pending_speed(report: Report) -> CriterionResult | None:
    speed = speed_of(report)
    return speed if speed is not None and speed.status is Status.PENDING else None


def _change_speed(report: Report, speed: CriterionResult | None, **fields: Any) -> Report:
    if speed is None:
        return report
    changed = replace(speed, **fields)
    return replace(report, criteria=tuple(changed if c is speed else c for c in report.criteria))


def _describe(timed: dict[str, Any], where: str) -> str:
    """Say how fast a program is; nothing where it was not timed."""
    if not timed.get("ratio"):
        return ""
    template = messages.SLOWER if timed.get("own_ratio") else messages.FASTER
    return template.format(where=where, **timed)


def _draw(timed: dict[str, Any], where: str) -> Figure | None:
    """Return the figure of a timing; with a yardstick, its ratios are counted from the yardstick's.

    Then the whole interval is beyond what is required just where the verdict says so.
    """
    bars = {name: timed.get(name) or 0.0 for name in ("ratio", "low", "high", "threshold")}
    own = timed.get("own_ratio") or 0.0
    if own:
        slower = (timed[name] for name in ("slower", "slower_high", "slower_low"))
        bars = dict(zip(("ratio", "low", "high"), (own / by for by in slower), strict=True))
        bars |= {"threshold": own / timed["factor"], "own": own}
    return read_figure({"kind": "speed", "where": where, **bars})

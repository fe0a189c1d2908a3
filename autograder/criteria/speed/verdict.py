"""What a timing means for a report: a GPU's decides the speed criterion, a CPU's informs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder.core.figures import read_figure
from autograder.core.finding import Finding
from autograder.core.report import CriterionResult, Report, Status
from autograder.criteria.speed import messages

SPEED = "speed"


def speed_of(report: Report) -> CriterionResult | None:
    """The speed criterion of a report; None where it has none."""
    return next((c for c in report.criteria if c.name == SPEED), None)


def with_speed(report: Report, timed: dict[str, Any] | None) -> Report:
    """The report with the result of timing its program on a GPU.

    Args:
        report: with a pending speed criterion, else it is returned as it is.
        timed: a record of the results file (see `autograder.criteria.speed.results`), or None.
    """
    if timed is None or Status(timed["status"]) is Status.PENDING:
        return report
    return _changed(report, lambda speed: _decided(speed, timed))


def with_information(report: Report, timed: dict[str, Any], threads: int) -> Report:
    """The report with what a CPU says of its program; the criterion stays pending.

    Args:
        report: with a pending speed criterion, else it is returned as it is.
        timed: a record as `autograder.criteria.speed.results.record_of` makes it.
        threads: that the program ran with.
    """
    return _changed(report, lambda speed: _informed(speed, timed, threads))


def untimed(report: Report, reason: str) -> Report:
    """The report as it was before its program was timed, to time it again.

    Args:
        report: of a program that could be timed.
        reason: why the points are pending.
    """
    speed = speed_of(report)
    if speed is None:
        return report
    fresh = replace(
        speed,
        status=Status.PENDING,
        earned=0.0,
        reason=reason,
        findings=(),
        hints=(),
        figure=None,
    )
    return _put(report, speed, fresh)


def waiting(report: Report, how: str) -> Report:
    """The report, where speed is pending with the way to have it timed as its reason."""
    reason = messages.NOT_TIMED.format(how=how)
    return _changed(report, lambda speed: replace(speed, reason=reason))


def _changed(report: Report, change: Callable[[CriterionResult], CriterionResult]) -> Report:
    speed = speed_of(report)
    if speed is None or speed.status is not Status.PENDING:
        return report
    return _put(report, speed, change(speed))


def _put(report: Report, old: CriterionResult, new: CriterionResult) -> Report:
    return replace(report, criteria=tuple(new if c is old else c for c in report.criteria))


def _figures(timed: dict[str, Any]) -> dict[str, float]:
    return {name: timed.get(name) or 0.0 for name in ("ratio", "low", "high", "threshold")}


def _decided(speed: CriterionResult, timed: dict[str, Any]) -> CriterionResult:
    status, figures = Status(timed["status"]), _figures(timed)
    text = messages.GPU_SPEED.format(**figures) if timed.get("ratio") else str(timed.get("reason"))
    severity = "error" if status is Status.FAILED else "warning"
    return replace(
        speed,
        status=status,
        earned=speed.possible if status is Status.PASSED else 0.0,
        reason=str(timed.get("reason") or "") if status is Status.INCONCLUSIVE else "",
        findings=(Finding("gpu-speed", severity, None, text),),
        figure=read_figure({"kind": "speed", "where": "GPU", **figures}),
    )


def _informed(speed: CriterionResult, timed: dict[str, Any], threads: int) -> CriterionResult:
    figures = _figures(timed)
    if timed.get("ratio"):
        text = messages.CPU_SPEED.format(threads=messages.threads_words(threads), **figures)
    else:
        text = messages.SPEED_UNKNOWN.format(
            reason=timed.get("reason"), threshold=figures["threshold"]
        )
    rule = "cpu-speed-failed" if timed.get("fault") else "cpu-speed"
    return replace(
        speed,
        reason=messages.NEEDS_GPU,
        findings=(Finding(rule, "warning", None, text),),
        figure=read_figure({"kind": "speed", "where": "CPU", **figures}),
    )

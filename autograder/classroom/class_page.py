"""The instructor's page of an assignment: one HTML file without scripts, for any browser."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.card import remark
from autograder.classroom.mistakes import mistakes
from autograder.classroom.outcome import Outcome
from autograder.classroom.showable import showable
from autograder.classroom.table import columns
from autograder.printable import printable
from autograder.report import CriterionResult, Status


def shade(criterion: CriterionResult | None) -> str:
    """The kind of a cell; pending and not graded are none of the shades of a mark."""
    if criterion is None or criterion.status is Status.NOT_GRADED:
        return "none"
    if criterion.is_open:
        return str(criterion.status)
    share = criterion.earned / criterion.possible if criterion.possible else 1.0
    if share <= 0:
        return "zero"
    return "low" if share < 0.5 else "high" if share < 1 else "full"


def _cell(criterion: CriterionResult | None) -> dict[str, str]:
    kind = shade(criterion)
    if criterion is None:
        return {"kind": kind, "text": "–", "title": "not graded"}
    text = {"none": "–", "pending": "…", "inconclusive": "?"}.get(kind, f"{criterion.earned:g}")
    title = remark(criterion) or f"{criterion.earned:g} of {criterion.possible:g}"
    rules = sorted({f.rule for f in criterion.findings if f.severity == "error"})
    return {"kind": kind, "text": text, "title": ": ".join([title, *rules[:1]])}


def _row(outcome: Outcome, wanted: Sequence[tuple[str, str]]) -> dict[str, Any]:
    found = {(r.exercise, c.name): c for r in outcome.reports for c in r.criteria}
    return {
        "student": outcome.student,
        "mark": outcome.mark(),
        "has_mark": outcome.has_mark,
        "cells": [_cell(found.get(column)) for column in wanted],
        "seconds": outcome.graded.seconds if outcome.graded else None,
        "look": outcome.look,
    }


def _column(outcomes: Sequence[Outcome], exercise: str, criterion: str) -> dict[str, Any]:
    found = [
        c
        for outcome in outcomes
        for r in outcome.reports
        for c in r.criteria
        if (r.exercise, c.name) == (exercise, criterion)
    ]
    decided = [c.earned for c in found if not c.is_open and c.status is not Status.NOT_GRADED]
    return {
        "name": criterion,
        "possible": found[0].possible,
        "mean": statistics.fmean(decided) if decided else None,
        "full": sum(shade(c) == "full" for c in found),
    }


def _exercises(wanted: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How many columns each exercise has."""
    names = [exercise for exercise, _ in wanted]
    return {name: names.count(name) for name in names}


def page(course: str, assignment: str, outcomes: Sequence[Outcome]) -> str:
    """The page as HTML.

    Args:
        course: its name.
        assignment: name of the lesson.
        outcomes: by student.
    """
    outcomes = showable(outcomes)
    wanted = columns(outcomes)
    known = [o for o in outcomes if o.reports]
    seconds = sorted(o.graded.seconds for o in known if o.graded)
    marks = [sum(r.earned for r in o.reports) for o in outcomes if o.has_mark]
    environment = Environment(
        loader=PackageLoader("autograder.classroom", "."),
        autoescape=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("class_page.html").render(
        course=course,
        assignment=assignment,
        written=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        rows=[_row(outcome, wanted) for outcome in outcomes],
        exercises=_exercises(wanted),
        columns=[_column(outcomes, *column) for column in wanted],
        possible=max((sum(r.possible + r.pending for r in o.reports) for o in known), default=0),
        mean=statistics.fmean(marks) if marks else None,
        pending=sum(any(r.pending for r in o.reports) for o in outcomes),
        ungraded=[o.student for o in outcomes if not o.reports],
        look=[o for o in outcomes if o.look],
        mistakes=mistakes(outcomes),
        count=len(outcomes),
        seconds={
            "all": sum(seconds),
            "median": statistics.median(seconds) if seconds else 0.0,
            "longest": seconds[-1] if seconds else 0.0,
        },
    )

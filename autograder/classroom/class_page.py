"""The instructor's page of an assignment: one HTML file without scripts, for any browser."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.classroom.mistakes import mistakes
from autograder.classroom.outcome import Outcome, to_mark
from autograder.classroom.showable import showable
from autograder.classroom.table import answers, columns, max_score
from autograder.classroom.totals import CellMark
from autograder.core.printable import printable
from autograder.core.report import CriterionResult, Status
from autograder.render import remark


def shade(criterion: CriterionResult | None) -> str:
    """The kind of a cell; pending and not graded are none of the shades of a mark."""
    if criterion is None or criterion.status is Status.NOT_GRADED:
        return "none"
    if criterion.is_open:
        return str(criterion.status)
    return _shade_of(criterion.earned, criterion.possible)


def _shade_of(earned: float, possible: float) -> str:
    share = earned / possible if possible else 1.0
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


def _answer(answer: CellMark | None) -> dict[str, str]:
    if answer is None:
        return {"kind": "none", "text": "–", "title": "not graded"}
    if answer.points is None:
        return {"kind": "pending", "text": "…", "title": "to be marked by hand"}
    title = f"{answer.points:g} of {answer.possible:g}"
    kind = _shade_of(answer.points, answer.possible)
    return {"kind": kind, "text": f"{answer.points:g}", "title": title}


def _row(
    outcome: Outcome, wanted: Sequence[tuple[str, str]], words: Sequence[str]
) -> dict[str, Any]:
    said = {answer.name: answer for answer in outcome.answers} if outcome.reports else {}
    found = {(r.exercise, c.name): c for r in outcome.reports for c in r.criteria}
    return {
        "student": outcome.student,
        "mark": outcome.mark(),
        "has_mark": outcome.has_mark,
        "cells": [
            *(_cell(found.get(column)) for column in wanted),
            *(_answer(said.get(name)) for name in words),
        ],
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


def _answer_column(outcomes: Sequence[Outcome], name: str) -> dict[str, Any]:
    found = [a for o in outcomes if o.reports for a in o.answers if a.name == name]
    decided = [a.points for a in found if a.points is not None]
    return {
        "name": name,
        "possible": found[0].possible,
        "mean": statistics.fmean(decided) if decided else None,
        "full": sum(_answer(a)["kind"] == "full" for a in found),
    }


def _exercises(wanted: Sequence[tuple[str, str]], words: Sequence[str]) -> dict[str, int]:
    """How many columns each exercise has, and the answers in words."""
    names = [exercise for exercise, _ in wanted]
    widths = {name: names.count(name) for name in names}
    return {**widths, "in words": len(words)} if words else widths


def page(course: str, assignment: str, outcomes: Sequence[Outcome]) -> str:
    """The page as HTML.

    Args:
        course: its name.
        assignment: name of the lesson.
        outcomes: by student.
    """
    outcomes = showable(outcomes)
    wanted, words = columns(outcomes), answers(outcomes)
    known = [o for o in outcomes if o.reports]
    seconds = sorted(o.graded.seconds for o in known if o.graded)
    marks = [o.totals.earned for o in outcomes if o.has_mark]
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
        rows=[_row(outcome, wanted, words) for outcome in outcomes],
        exercises=_exercises(wanted, words),
        columns=[
            *(_column(outcomes, *column) for column in wanted),
            *(_answer_column(outcomes, name) for name in words),
        ],
        possible=max_score(outcomes),
        mean=statistics.fmean(marks) if marks else None,
        pending=sum(bool(o.totals.pending) for o in outcomes if o.has_mark),
        ungraded=[o.student for o in outcomes if not o.reports],
        look=[o for o in outcomes if o.needs_person],
        to_mark=to_mark(outcomes),
        mistakes=mistakes(outcomes),
        count=len(outcomes),
        seconds={
            "all": sum(seconds),
            "median": statistics.median(seconds) if seconds else 0.0,
            "longest": seconds[-1] if seconds else 0.0,
        },
    )

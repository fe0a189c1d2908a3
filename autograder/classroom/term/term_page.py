"""The page of a class over all assignments: one HTML file without scripts, for any browser."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from autograder.classroom.class_page import shade
from autograder.classroom.table import TableEntry
from autograder.classroom.term.lead_times import in_days, lead
from autograder.classroom.term.overview import AssignmentResult, Overview, Progress
from autograder.classroom.term.patterns import LAST, Recurring, Stopped
from autograder.render.markup import load_template
from autograder.render.words import heading_of

MOST = 15
"""Rules in the table of mistakes; the rest is counted."""


def _cell(result: AssignmentResult | None) -> tuple[str, str]:
    """Return a student's cell for an assignment: its CSS classes and its text."""
    if result is None:
        return "", ""
    late = " late" if result.late is not None else ""
    if result.share is None:
        if result.pending:
            return f"pending{late}", "…"
        return f"none{late}", "–"
    kind = shade(TableEntry(result.earned, result.possible))
    percent = max(math.floor(100 * result.share), int(result.share > 0))  # 100 is all points
    return kind + late, f"{percent}{'…' if result.pending else ''}"


def _assignment(progress: Progress, formgrader: str) -> dict[str, Any]:
    times = sorted(r.handed_in for r in progress.results.values() if r.handed_in)
    middle = lead(progress)
    early = None
    if middle is not None:
        early = f"{in_days(abs(middle))} {'before' if middle.days >= 0 else 'after'}"
    name = quote(progress.name, safe="")
    return {
        "progress": progress,
        "url": f"{formgrader.rstrip('/')}/gradebook/{name}/{name}",
        "first": f"{times[0]:%d %b}" if times else "",
        "last": f"{times[-1]:%d %b}" if times else "",
        "due": f"{progress.duedate:%d %b %H:%M}" if progress.duedate else "",
        "early": early,
    }


def _row(overview: Overview, student: str, label: str) -> dict[str, Any]:
    results = overview.results_of(student)
    shares = [share for r in results if r is not None and (share := r.share) is not None]
    return {
        "label": label,
        "cells": [_cell(result) for result in results],
        "count": sum(result is not None for result in results),
        "mean": f"{100 * statistics.fmean(shares):.0f}" if shares else "",
    }


def term_page(
    course: str,
    overview: Overview,
    stopped: Stopped,
    recurring: Sequence[Recurring],
    labels: Mapping[str, str],
    *,
    formgrader: str,
    now: datetime,
) -> str:
    """Return the page of the named course, as HTML.

    Args:
        labels: what stands for each student: a pseudonym, or a name. No other text names one.
        formgrader: its address.
        now: in UTC, without a zone.
    """
    means = [mean for a in overview.assignments if (mean := a.mean) is not None]
    students = sorted(overview.students, key=lambda student: labels[student].casefold())
    quiet = sorted((labels[s], latest) for s, latest in stopped.students.items())
    never = sorted(labels[s] for s in stopped.never)
    return load_template("autograder.classroom.term", "page.html").render(
        course=course,
        written=f"{now:%Y-%m-%d %H:%M} UTC",
        warnings=overview.warnings,
        count=len(overview.students),
        active=len(overview.active),
        assignments=[_assignment(a, formgrader) for a in overview.assignments],
        mean=statistics.fmean(means) if means else None,
        to_mark=sum(a.to_mark for a in overview.assignments),
        not_graded=sum(a.not_graded for a in overview.assignments),
        has_due=any(a.duedate for a in overview.assignments),
        has_times=any(r.handed_in for a in overview.assignments for r in a.results.values()),
        rows=[_row(overview, student, labels[student]) for student in students],
        stopped=stopped,
        quiet=quiet,
        never=never,
        enough=len(stopped.last) == LAST,
        last=LAST,
        recurring=recurring[:MOST],
        rest=max(0, len(recurring) - MOST),
        heading_of=heading_of,
        seconds=sum(a.seconds for a in overview.assignments),
    )

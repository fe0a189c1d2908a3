"""How long before the due date students hand in, and how times are told."""

from __future__ import annotations

import re
from datetime import timedelta

from autograder.classroom.term.overview import Progress


def in_days(time: timedelta) -> str:
    """Return a time in words: ``3.5 days``, or hours where it is less than two days."""
    hours = time / timedelta(hours=1)
    number, unit = (hours, "hours") if abs(hours) < 48 else (hours / 24, "days")
    return f"{re.sub(r'[.]0$', '', f'{number:.1f}')} {unit}"


def lead(progress: Progress) -> timedelta | None:
    """Return how long before the due date, theirs or everybody's, the median student hands in."""
    if progress.duedate is None:
        return None
    due = progress.duedate
    leads = sorted(
        due + progress.more_time.get(student, timedelta()) - result.handed_in
        for student, result in progress.results.items()
        if result.handed_in
    )
    return leads[len(leads) // 2] if leads else None

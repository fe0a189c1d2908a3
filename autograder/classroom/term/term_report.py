"""`autograder report COURSE`: the class over all assignments, in the terminal and as a page.

The page is one HTML file without scripts, for any browser. Students have pseudonyms, unless names
are asked for.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rich.console import Console
from rich.table import Table

from autograder.classroom import messages
from autograder.classroom.class_page import shade
from autograder.classroom.course_config import (
    FOLDER,
    ClassError,
    CourseKey,
    derive_key,
    read_config,
    read_key,
)
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.handed_in import source_names
from autograder.classroom.roster import Roster, read_roster
from autograder.classroom.table import TableEntry
from autograder.classroom.term.overview import (
    LAST,
    Overview,
    Progress,
    Recurring,
    Stopped,
    find_recurring,
    find_stopped,
    mean_share,
    read_overview,
)
from autograder.model.printable import one_line
from autograder.processes.files import write_whole
from autograder.render.markup import load_template
from autograder.render.terminal import plain
from autograder.render.words import heading_of

PAGE = "class.html"
FORMGRADER = "http://localhost:8888/formgrader"
"""Its address where `jupyter lab` runs on the instructor's own machine."""

_MISTAKES, _NAMES = 5, 10
"""How many the terminal shows; the page shows all."""

MOST = 15
"""Rules in the page's table of mistakes; the rest is counted."""

SECRET_FILE = FOLDER / "pseudonyms.json"
"""Not the course's key: that may be changed during the term."""

_LETTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""Of pseudonyms: without vowels, so that no words come out, and without what looks alike."""

_SHORT, _LONG = 6, 12


def write_term_report(
    course: Path,
    *,
    names: bool = False,
    roster: Path | None = None,
    formgrader: str | None = None,
    db: str | None = None,
    exports: Mapping[str, Path | None] | None = None,
    console: Console | None = None,
) -> Path:
    """Write class.html to the course's folder, and show the same briefly, without grading.

    Args:
        names: show names; default: pseudonyms, which stay the same.
        roster: names students, also those who have handed in nothing.
        formgrader: its address, for the links to what is to be marked.
        db: URL of the gradebook; default: the course's own.
        exports: options that need an assignment; each must be None.

    Returns:
        The path of the page.

    Raises:
        ClassError: no such course, nothing graded yet, a gradebook or roster that cannot be read,
            or an option that needs an assignment; says what to do.
    """
    for option in (option for option, file in (exports or {}).items() if file is not None):
        raise ClassError(messages.NEEDS_LESSON.format(option=option, course=course))
    address = formgrader or FORMGRADER
    if not address.startswith(("http://", "https://")):
        raise ClassError(messages.NOT_AN_ADDRESS.format(address=address, usual=FORMGRADER))
    console = console or Console(highlight=False)
    config = read_config(course, db)
    folder = config.course
    people = None if roster is None else read_roster(roster, source_names(folder))
    overview = read_overview(CourseGrader(config), people.people if people else (), console)
    if not any(r.is_graded for a in overview.assignments for r in a.results.values()):
        raise ClassError(messages.NOTHING_GRADED.format(course=course, assignment=""))
    labels = _labels(folder, overview, people, names=names)
    now = datetime.now(UTC).replace(tzinfo=None)
    stopped, recurring = find_stopped(overview, now), find_recurring(overview)
    text = term_page(folder.name, overview, stopped, recurring, labels, formgrader=address, now=now)
    page = folder / PAGE
    write_whole(page, text.encode(errors="replace"))
    console.print(_table(overview))
    lines = [*_summary(stopped, recurring, labels), f"Page: {page}"]
    if not names:
        lines.append(messages.EACH_NAME.format(course=course))
    lines += overview.warnings
    console.print(plain("\n".join(lines)), soft_wrap=True)
    return page


def _labels(
    course: Path, overview: Overview, roster: Roster | None, *, names: bool
) -> dict[str, str]:
    """Return what stands for each student on the page."""
    if not names:
        secret = read_key(course, SECRET_FILE, messages.BAD_PSEUDONYMS)
        return make_pseudonyms(secret, overview.students)
    people = roster.people if roster else {}
    labels = {}
    for student in overview.students:
        person = people.get(student)
        name = (person and person.name) or overview.names.get(student)
        labels[student] = one_line(f"{name} ({student})" if name else student)
    return labels


def _table(overview: Overview) -> Table:
    """Return a line for each assignment, for a terminal."""
    table = Table(title="The class over all assignments", title_justify="left")
    table.add_column("assignment")
    for heading in ("handed in", "mean", "to mark", "late", "not graded"):
        table.add_column(heading, justify="right")
    for progress in overview.assignments:
        mean = progress.mean
        entries = (
            f"{len(progress.results)} of {len(overview.students)}",
            "–" if mean is None else f"{mean:.0%}",
            *(str(n or "") for n in (progress.to_mark, progress.late, progress.not_graded)),
        )
        table.add_row(*map(plain, (progress.name, *entries)))
    return table


def _summary(stopped: Stopped, recurring: list[Recurring], labels: Mapping[str, str]) -> list[str]:
    lines = []
    if stopped.students:
        who = sorted(labels[s] for s in stopped.students)
        rest = f" and {len(who) - _NAMES} more" if len(who) > _NAMES else ""
        shown = f"{', '.join(who[:_NAMES])}{rest}"
        lines.append(f"{len(who)} handed in none of {', '.join(stopped.last)}: {shown}")
    if stopped.never:
        lines.append(f"Never handed in anything: {len(stopped.never)}")
    again = [mistake for mistake in recurring if mistake.again][:_MISTAKES]
    if again:
        lines.append("Mistakes that come back:")
    for one in again:
        lines.append(
            f"  {heading_of(one.rule)}: {len(one.students)} students in "
            f"{len(one.assignments)} assignments, {len(one.again)} of them more than once"
        )
    return lines


# --- the page -------------------------------------------------------------------------------------


def _cell(progress: Progress, student: str) -> tuple[str, str]:
    """Return a student's cell for an assignment: its CSS classes and its text."""
    result = progress.results.get(student)
    if result is None:
        return "", ""
    late = " late" if progress.is_late(student) else ""
    totals, share = result.totals, result.share
    if totals is None or share is None:
        return (f"pending{late}", "…") if totals and totals.pending else (f"none{late}", "–")
    kind = shade(TableEntry(totals.earned, totals.possible))
    percent = max(math.floor(100 * share), int(share > 0))  # 100 is all points
    return kind + late, f"{percent}{'…' if totals.pending else ''}"


def _assignment(progress: Progress, formgrader: str) -> dict[str, Any]:
    times = sorted(r.handed_in for r in progress.results.values() if r.handed_in)
    middle = progress.median_lead()
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
    mean = mean_share(results)
    return {
        "label": label,
        "cells": [_cell(progress, student) for progress in overview.assignments],
        "count": sum(result is not None for result in results),
        "mean": "" if mean is None else f"{100 * mean:.0f}",
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


def in_days(time: timedelta) -> str:
    """Return a time in words: ``3.5 days``, or hours where it is less than two days."""
    hours = time / timedelta(hours=1)
    number, unit = (hours, "hours") if abs(hours) < 48 else (hours / 24, "days")
    return f"{f'{number:.1f}'.removesuffix('.0')} {unit}"


# --- pseudonyms: the same all term, telling neither name nor order --------------------------------


def make_pseudonyms(secret: CourseKey, students: Collection[str]) -> dict[str, str]:
    """Return a pseudonym for each student: the HMAC of the id, in a few letters."""
    long = {student: _pseudonym(secret, student) for student in students}
    short = {student: name[:_SHORT] for student, name in long.items()}
    taken = list(short.values())
    return {s: name if taken.count(name) == 1 else long[s] for s, name in short.items()}


def _pseudonym(secret: CourseKey, student: str) -> str:
    number, letters = derive_key(secret.secret, student), []
    for _ in range(_LONG):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)

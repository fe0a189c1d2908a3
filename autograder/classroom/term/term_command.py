"""`autograder report COURSE`: the class over all assignments, as a page and in the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.classroom.course_folder import ClassError, check_course, source_names
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.lms.roster import Roster, read_roster
from autograder.classroom.term import messages
from autograder.classroom.term.overview import Overview, read_overview
from autograder.classroom.term.patterns import Recurring, Stopped, find_recurring, find_stopped
from autograder.classroom.term.pseudonyms import make_pseudonyms, read_secret
from autograder.classroom.term.term_page import term_page
from autograder.model.printable import one_line
from autograder.processes.files import write_whole
from autograder.render.terminal import plain
from autograder.render.words import heading_of

PAGE = "class.html"
FORMGRADER = "http://localhost:8888/formgrader"
"""Its address where `jupyter lab` runs on the instructor's own machine."""

_MISTAKES, _NAMES = 5, 10
"""How many the terminal shows; the page shows all."""


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
    folder = check_course(course)
    people = None if roster is None else read_roster(roster, source_names(folder))
    grader = CourseGrader(folder)
    with console.status("reading the results") as status:
        overview = read_overview(
            grader,
            db,
            people.people if people else (),
            lambda name: status.update(f"reading the results of {name}"),
        )
    if not any(r.is_graded for a in overview.assignments for r in a.results.values()):
        raise ClassError(messages.NOTHING_GRADED.format(course=course))
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
        return make_pseudonyms(read_secret(course), overview.students)
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
            *map(_count_of, (progress.to_mark, progress.late, progress.not_graded)),
        )
        table.add_row(*map(plain, (progress.name, *entries)))
    return table


def _count_of(number: int) -> str:
    return str(number) if number else ""


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

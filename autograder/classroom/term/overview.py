"""What is known about a class over all assignments: results, mistakes that come back, lateness."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, open_assignments
from autograder.classroom.class_page import count_mistakes
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.gradebook import class_totals, read_gradebook
from autograder.classroom.marks import Outcome, Totals
from autograder.render.progress import track

LAST = 3
"""Who has handed in none of so many last assignments has stopped."""

SHARE = 1 / 3
"""An assignment counts for that once this share of the active students has handed it in."""


@dataclass(frozen=True)
class AssignmentResult:
    """One student's submission of one assignment.

    Attributes:
        totals: of all grade cells; None where there is no mark.
        to_mark: how many cells need a mark by hand, or a mark confirmed.
        is_graded: whether there is a result, even one without a mark.
        handed_in: in UTC; None where there is no timestamp.
    """

    totals: Totals | None = None
    to_mark: int = 0
    is_graded: bool = False
    handed_in: datetime | None = None

    @property
    def share(self) -> float | None:
        """The share of the decided points that was earned; None where nothing is decided."""
        totals = self.totals
        return totals.earned / totals.possible if totals and totals.possible else None


@dataclass(frozen=True)
class Progress:
    """One assignment.

    Attributes:
        name: of the assignment.
        duedate: everybody's, in UTC; None where the gradebook has none.
        more_time: by student, how much longer they have.
        results: by student, of those who handed in.
        mistakes: by rule, who made it.
        seconds: that grading took.
        is_limits_only: whether nothing but limits confined any of the submissions.
    """

    name: str
    duedate: datetime | None
    more_time: Mapping[str, timedelta]
    results: Mapping[str, AssignmentResult]
    mistakes: Mapping[str, frozenset[str]]
    seconds: float
    is_limits_only: bool = False

    @property
    def mean(self) -> float | None:
        """The mean share of the decided points that students earned; None where none has a mark."""
        return mean_share(self.results.values())

    @property
    def to_mark(self) -> int:
        """How many cells need a mark by hand."""
        return sum(result.to_mark for result in self.results.values())

    @property
    def late(self) -> int:
        """How many submissions came after their due date, with its extension."""
        return sum(map(self.is_late, self.results))

    @property
    def not_graded(self) -> int:
        """How many submissions have no result yet."""
        return sum(not result.is_graded for result in self.results.values())

    def due(self, student: str) -> datetime | None:
        """Return a student's due date; None where there is none."""
        return self.duedate and self.duedate + self.more_time.get(student, timedelta())

    def lead(self, student: str) -> timedelta | None:
        """Return how long before the due date a student has handed in; None without one."""
        due, result = self.due(student), self.results.get(student)
        return due - result.handed_in if due and result and result.handed_in else None

    def is_late(self, student: str) -> bool:
        """Whether a student has handed in after their due date."""
        lead = self.lead(student)
        return lead is not None and lead < timedelta()

    def median_lead(self) -> timedelta | None:
        """Return how long before their due date the median student hands in; None without one."""
        leads = [lead for student in self.results if (lead := self.lead(student)) is not None]
        return statistics.median_high(leads) if leads else None


def mean_share(results: Iterable[AssignmentResult | None]) -> float | None:
    """Return the mean share of the decided points; None where nothing is decided."""
    shares = [share for result in results if result and (share := result.share) is not None]
    return statistics.fmean(shares) if shares else None


@dataclass(frozen=True)
class Overview:
    """The class: its students, sorted by id, and the assignments in the order of the lessons.

    `names` has the names that the gradebook knows, by id.
    """

    students: tuple[str, ...]
    assignments: tuple[Progress, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    def results_of(self, student: str) -> list[AssignmentResult | None]:
        """Return a student's result for each assignment; None where nothing was handed in."""
        return [a.results.get(student) for a in self.assignments]

    @property
    def warnings(self) -> list[str]:
        """That only limits confined submissions, with the names of the assignments."""
        names = [progress.name for progress in self.assignments if progress.is_limits_only]
        return [f"{', '.join(names)}: {messages.LIMITS_WARNING}"] if names else []

    @property
    def active(self) -> list[str]:
        """Those who have handed in anything."""
        return [s for s in self.students if any(self.results_of(s))]


def read_overview(
    grader: CourseGrader, more: Collection[str] = (), console: Console | None = None
) -> Overview:
    """Read all assignments of a course, without grading.

    Args:
        grader: of the course.
        more: students who may have handed in nothing.
        console: shows how far this is.

    Raises:
        ClassError: nothing handed in, or a gradebook that cannot be read; says what to do.
    """
    opened = {assignment.name: assignment for assignment in open_assignments(grader)}
    known = set(grader.lessons.names())
    released = [p.name for p in (grader.course / "release").glob("*") if p.name in known]
    order = _in_order({*opened, *released}, grader)
    names: dict[str, str] = {}
    with read_gradebook(grader.config) as gradebook:
        if gradebook is not None:
            for student in gradebook.students:
                parts = (student.first_name, student.last_name)
                names[student.id] = " ".join(filter(None, parts))
        found = [
            _read_progress(name, opened.get(name), gradebook)
            for name in track(order, messages.READING_RESULTS, console)
        ]
    handed_in = {student for progress in found for student in progress.results}
    students = tuple(sorted({*handed_in, *names, *more}))
    return Overview(students, tuple(found), names)


def _in_order(names: Collection[str], grader: CourseGrader) -> list[str]:
    """Return the names in the order of the lessons; those without a script come last."""
    scripts = {name: grader.lessons.script(name) for name in names}
    return sorted(names, key=lambda n: ((s := scripts[n]) is None, s.name if s else "", n))


def _read_progress(name: str, assignment: Assignment | None, gradebook: Any) -> Progress:
    duedate, submissions = _submissions(name, gradebook)
    outcomes = assignment.known_outcomes(class_totals(gradebook, name)) if assignment else []
    handed_in = {student: when for student, (when, _) in submissions.items()}
    mistakes: dict[str, set[str]] = defaultdict(set)
    for mistake in count_mistakes(outcomes):
        mistakes[mistake.rule].update(mistake.students)
    return Progress(
        name,
        duedate,
        {student: more for student, (_, more) in submissions.items() if more},
        {o.student: _result(o, handed_in.get(o.student)) for o in outcomes},
        {rule: frozenset(students) for rule, students in mistakes.items()},
        sum(o.graded.seconds for o in outcomes if o.graded),
        any(o.is_limits_only for o in outcomes),
    )


def _submissions(
    name: str, gradebook: Any
) -> tuple[datetime | None, dict[str, tuple[datetime | None, timedelta | None]]]:
    """Return the due date, and when each student handed in and how much longer they have."""
    from nbgrader import api as nbgrader_api

    api: Any = nbgrader_api
    if gradebook is None:
        return None, {}
    rows = gradebook.db.query(api.Assignment.duedate).filter(api.Assignment.name == name).all()
    submission = api.SubmittedAssignment
    query = gradebook.db.query(submission.student_id, submission.timestamp, submission.extension)
    found = query.join(api.Assignment).filter(api.Assignment.name == name).all()
    return rows[0][0] if rows else None, {who: (when, more) for who, when, more in found}


def _result(outcome: Outcome, handed_in: datetime | None) -> AssignmentResult:
    is_graded = bool(outcome.reports)
    totals = outcome.totals if is_graded and outcome.has_mark else None
    return AssignmentResult(totals, len(outcome.waiting), is_graded, handed_in)


# --- what shows only over several assignments ----------------------------------------------------


@dataclass(frozen=True)
class Recurring:
    """A rule that was broken: by whom, in which assignments, and by whom in several."""

    rule: str
    students: frozenset[str]
    assignments: tuple[str, ...]
    again: frozenset[str]


def find_recurring(overview: Overview) -> list[Recurring]:
    """Return all rules that were broken; first those that most students break again and again."""
    found = []
    for rule in {rule: None for progress in overview.assignments for rule in progress.mistakes}:
        where = [progress for progress in overview.assignments if rule in progress.mistakes]
        counts = Counter(student for progress in where for student in progress.mistakes[rule])
        again = frozenset(student for student, count in counts.items() if count > 1)
        found.append(Recurring(rule, frozenset(counts), tuple(p.name for p in where), again))
    return sorted(found, key=lambda r: (-len(r.again), -len(r.students), r.rule))


@dataclass(frozen=True)
class Stopped:
    """Who has stopped, and who never began.

    Attributes:
        last: the assignments that were looked at; fewer than `LAST` where it is too early to say.
        students: who handed in none of them, and the name of the last one that they handed in.
        never: who has handed in nothing at all.
    """

    last: tuple[str, ...]
    students: Mapping[str, str]
    never: tuple[str, ...]


def find_stopped(overview: Overview, now: datetime) -> Stopped:
    """Return who has handed in none of the last assignments that others have handed in.

    Args:
        overview: of the class.
        now: in UTC, without a zone. Where a student's due date is to come, nothing is missing.
    """
    active = overview.active
    counted = [
        a for a in overview.assignments if a.results and len(a.results) >= SHARE * len(active)
    ]
    last = counted[-LAST:]
    found: dict[str, str] = {}
    for student in active if len(last) == LAST else ():
        if not any(student in a.results or (a.due(student) or now) > now for a in last):
            *_, latest = (a.name for a in overview.assignments if student in a.results)
            found[student] = latest
    never = tuple(s for s in overview.students if s not in set(active))
    return Stopped(tuple(a.name for a in last), found, never)

"""An assignment's marks as Canvas and Moodle import them into their gradebooks.

Canvas: the columns of its own export, and a row with the points possible
(`lib/gradebook_importer.rb` of instructure/canvas-lms). Moodle: a column that identifies the
student, one with grades and one with feedback, which its import form lets you map
(https://docs.moodle.org/en/Grade_import).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_config import ClassError
from autograder.classroom.marks import Outcome
from autograder.classroom.roster import Person, Roster
from autograder.classroom.table import csv_cell, max_score
from autograder.model.printable import one_line

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
POINTS_POSSIBLE = "    Points Possible"
MOODLE = {"ID number": "id_number", "Email address": "email"}
"""Moodle's names of the columns, and the roster's."""

_CENT = Decimal("0.01")


Export = tuple[list[Sequence[str]], list[str]]
"""The rows of a file, and who was left out or left empty, and why."""


def round_points(points: float) -> str:
    """Return points with at most two decimals, a half rounded up."""
    rounded = Decimal(repr(points)).quantize(_CENT, ROUND_HALF_UP)
    return f"{rounded.normalize():f}"


def is_final(outcome: Outcome) -> bool:
    """Whether the gradebook holds a mark that nothing can change without a new submission."""
    is_recorded = outcome.recorded is not None and outcome.has_mark
    return is_recorded and not outcome.totals.pending and not outcome.waiting


def final_points(outcome: Outcome | None) -> str:
    """Return the points, less nbgrader's penalty for lateness; "" where they are not final."""
    if outcome is None or not is_final(outcome):
        return ""
    return round_points(outcome.totals.earned)


def export_canvas(assignment: str, outcomes: Sequence[Outcome], roster: Roster) -> Export:
    """Return the table for Canvas: a row for each student of the roster whom Canvas can find.

    Raises:
        ClassError: somebody handed in who is not in the roster.
    """
    by_student = _by_student("Canvas", outcomes, roster)
    people = [p for p in roster.people.values() if p.canvas_id or p.sis_user_id or p.sis_login_id]
    rows: list[Sequence[str]] = [
        (*CANVAS, assignment),
        (POINTS_POSSIBLE, "", "", "", "", round_points(max_score(outcomes))),
    ]
    for person in people:
        points = final_points(by_student.get(person.student_id))
        name = csv_cell(person.name or person.student_id)
        ids = (person.canvas_id, person.sis_user_id, person.sis_login_id)
        rows.append((name, *ids, csv_cell(person.section), points))
    return rows, _notices(people, by_student, roster)


def export_moodle(assignment: str, outcomes: Sequence[Outcome], roster: Roster) -> Export:
    """Return the table for Moodle: a row for each student of the roster whom Moodle can find.

    Raises:
        ClassError: somebody handed in who is not in the roster, or no column identifies all.
    """
    by_student = _by_student("Moodle", outcomes, roster)
    people = [p for p in roster.people.values() if p.id_number or p.email]
    columns = [name for name, own in MOODLE.items() if all(getattr(p, own) for p in people)]
    if not columns:
        without_number = _names(p.student_id for p in people if not p.id_number)
        without_email = _names(p.student_id for p in people if not p.email)
        without = {"without_number": without_number, "without_email": without_email}
        raise ClassError(messages.NO_COMMON_ID.format(file=roster.file, **without))
    rows: list[Sequence[str]] = [(*columns, assignment, f"{assignment} (Feedback)")]
    for person in people:
        outcome = by_student.get(person.student_id)
        points = final_points(outcome)
        ids = [getattr(person, MOODLE[column]) for column in columns]
        rows.append((*ids, points, _feedback(outcome) if outcome and points else ""))
    return rows, _notices(people, by_student, roster)


def _feedback(outcome: Outcome) -> str:
    """Return the mark and its parts: the kit's own words, as Moodle shows feedback as HTML."""
    several = len(outcome.reports) > 1
    parts = [
        f"{f'{exercise} ' if several else ''}{name} {c.earned:g} of {c.possible:g}"
        for (exercise, name), c in outcome.criteria.items()
    ]
    parts += [
        f"{answer.name} {answer.points or 0.0:g} of {answer.possible:g}"
        for answer in outcome.answers
    ]
    return csv_cell(f"{outcome.mark()}: {', '.join(parts)}")


def _by_student(system: str, outcomes: Sequence[Outcome], roster: Roster) -> dict[str, Outcome]:
    strangers = [o.student for o in outcomes if o.student not in roster.people]
    if strangers:
        where = {"file": roster.file, "system": system, "students": _names(strangers)}
        raise ClassError(messages.STRANGERS.format(**where))
    return {outcome.student: outcome for outcome in outcomes}


def _notices(people: Sequence[Person], by_student: dict[str, Outcome], roster: Roster) -> list[str]:
    there = [person.student_id for person in people]
    groups = {
        messages.LEFT_OUT: [s for s in roster.people if s not in there],
        messages.NOT_HANDED_IN: [s for s in there if s not in by_student],
        messages.STILL_OPEN: [s for s in there if s in by_student and not is_final(by_student[s])],
    }
    return [
        message.format(file=roster.file, students=_names(students))
        for message, students in groups.items()
        if students
    ]


def _names(students: Iterable[str]) -> str:
    return ", ".join(one_line(student) for student in students)


def check_targets(files: Sequence[Path | None], roster: Path) -> None:
    """Check that each file can be written, and that none replaces another or the roster.

    Raises:
        ClassError: it cannot.
    """
    taken = [roster.resolve()]
    for file in filter(None, files):
        if file.resolve() in taken:
            raise ClassError(messages.SAME_FILE.format(file=file))
        if not file.parent.is_dir():
            raise ClassError(messages.NO_FOLDER.format(file=file, folder=file.parent))
        taken.append(file.resolve())

"""`autograder report`: a class's results as a page, as a table, and for Gradescope."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.alike.similar_page import write_similar
from autograder.classroom.assignment import open_assignments
from autograder.classroom.class_page import class_page
from autograder.classroom.course_folder import ClassError, check_course, source_names
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.gradebook import read_totals
from autograder.classroom.gradescope import write_results
from autograder.classroom.lms import messages as lms_messages
from autograder.classroom.lms.exports import check_targets, export_canvas, export_moodle
from autograder.classroom.lms.roster import Roster, read_roster
from autograder.classroom.table import rich_table, write_csv
from autograder.classroom.walls import warn_of_limits
from autograder.model.printable import one_line
from autograder.processes.files import write_whole
from autograder.render.terminal import plain


def write_report(
    course: Path,
    assignment: str,
    *,
    gradescope: Path | None = None,
    canvas: Path | None = None,
    moodle: Path | None = None,
    roster: Path | None = None,
    similar: Path | None = None,
    db: str | None = None,
    console: Console | None = None,
) -> Path:
    """Write ASSIGNMENT.html and ASSIGNMENT.csv to the course's folder, without grading.

    Args:
        gradescope: a folder for a results.json of each submission; default: none is written.
        canvas, moodle: a file for their gradebooks; default: none is written.
        roster: who the students are there.
        similar: a page for pairs of submissions that are alike; default: none is written.
        db: URL of the gradebook; default: the course's own.

    Returns:
        The path of the page.

    Raises:
        ClassError: no such course or assignment, nothing graded yet, or a gradebook that cannot be
            read, or a roster that does not fit; says what to do.
    """
    console = console or Console(highlight=False)
    folder = check_course(course)
    exports = [(export_canvas, canvas), (export_moodle, moodle)]
    known = _read_roster(folder, roster, [canvas, moodle])
    grader = CourseGrader(folder)
    (opened,) = open_assignments(grader, [assignment])
    outcomes = opened.known_outcomes(read_totals(grader.course, assignment, db))
    if not any(outcome.reports for outcome in outcomes):
        raise ClassError(messages.NOTHING_GRADED.format(course=course, assignment=assignment))
    ready = [
        export(file, assignment, outcomes, known) for export, file in exports if file and known
    ]
    console.print(rich_table(assignment, outcomes))
    page, table = (grader.course / f"{assignment}{suffix}" for suffix in (".html", ".csv"))
    text = class_page(grader.course.name, assignment, outcomes, grader.notes)
    write_whole(page, text.encode(errors="replace"))
    write_csv(table, assignment, outcomes)
    lines = [f"Page:  {page}", f"Table: {table}"]
    if gradescope is not None:
        missing = write_results(gradescope, outcomes)
        lines.append(f"For Gradescope: {gradescope}/STUDENT/results.json")
        if missing:
            lines.append(f"  without: {', '.join(map(one_line, missing))} (not graded yet)")
    for export in ready:
        write_whole(export.file, export.text.encode(errors="replace"))
        lines += [f"For {export.system}: {export.file}", *export.notices]
    if similar is not None:
        lines += write_similar(similar, opened, outcomes)
    lines += warn_of_limits(outcomes)
    console.print(plain("\n".join(lines)), soft_wrap=True)
    return page


def _read_roster(course: Path, file: Path | None, targets: list[Path | None]) -> Roster | None:
    if file is None:
        if any(targets):
            raise ClassError(lms_messages.NEEDS_ROSTER)
        return None
    check_targets(targets, file)
    return read_roster(file, source_names(course))

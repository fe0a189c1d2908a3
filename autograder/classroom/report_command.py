"""`autograder report`: a class's results as a page, as a table, and for Gradescope."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.alike.similar import write_similar
from autograder.classroom.assignment import open_assignments
from autograder.classroom.class_page import class_page
from autograder.classroom.course_config import ClassError, read_config
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.gradebook import read_totals
from autograder.classroom.gradescope import write_results
from autograder.classroom.handed_in import source_names
from autograder.classroom.lms_exports import check_targets, export_canvas, export_moodle
from autograder.classroom.marks import warn_of_limits
from autograder.classroom.roster import read_roster
from autograder.classroom.table import csv_rows, rich_table, write_csv
from autograder.model.printable import one_line
from autograder.processes.files import write_whole
from autograder.render.progress import progress
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
    config = read_config(course, db)
    exports = [("Canvas", export_canvas, canvas), ("Moodle", export_moodle, moodle)]
    if roster is None and (canvas or moodle):
        raise ClassError(messages.NEEDS_ROSTER)
    if roster is not None:
        check_targets([canvas, moodle], roster)
    known = roster and read_roster(roster, source_names(config.course))
    grader = CourseGrader(config)
    with progress(messages.READING_RESULTS):
        (opened,) = open_assignments(grader, [assignment])
        outcomes = opened.known_outcomes(read_totals(config, assignment))
    if not any(outcome.reports for outcome in outcomes):
        raise ClassError(messages.NOTHING_GRADED.format(course=course, assignment=f" {assignment}"))
    ready = [
        (system, file, *export(assignment, outcomes, known))
        for system, export, file in exports
        if file and known
    ]
    console.print(rich_table(assignment, outcomes))
    page, table = (grader.course / f"{assignment}{suffix}" for suffix in (".html", ".csv"))
    text = class_page(grader.course.name, assignment, outcomes, grader.notes)
    write_whole(page, text.encode(errors="replace"))
    write_csv(table, csv_rows(assignment, outcomes))
    lines = [f"Page:  {page}", f"Table: {table}"]
    if gradescope is not None:
        missing = write_results(gradescope, outcomes)
        lines.append(f"For Gradescope: {gradescope}/STUDENT/results.json")
        if missing:
            lines.append(f"  without: {', '.join(map(one_line, missing))} (not graded yet)")
    for system, file, rows, notices in ready:
        write_csv(file, rows)
        lines += [f"For {system}: {file}", *notices]
    if similar is not None:
        lines += write_similar(similar, opened, outcomes)
    lines += warn_of_limits(outcomes)
    console.print(plain("\n".join(lines)), soft_wrap=True)
    return page

"""`autograder report`: a class's results as a page, as a table, and for Gradescope."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import ClassError, course_folder, open_assignment
from autograder.classroom.class_page import class_page
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.gradebook import GradebookError, read_totals
from autograder.classroom.gradescope import write_results
from autograder.classroom.table import rich_table, write_csv
from autograder.core.files import write_whole
from autograder.core.printable import one_line
from autograder.render.terminal import plain


def write_report(
    course: Path,
    assignment: str,
    *,
    gradescope: Path | None = None,
    db: str | None = None,
    console: Console | None = None,
) -> Path:
    """Write ASSIGNMENT.html and ASSIGNMENT.csv to the course's folder, without grading.

    Args:
        gradescope: a folder for a results.json of each submission; default: none is written.
        db: URL of the gradebook; default: the course's own.

    Returns:
        The path of the page.

    Raises:
        ClassError: no such course or assignment, nothing graded yet, or a gradebook that cannot be
            read; says what to do.
    """
    console = console or Console(highlight=False)
    grader = CourseGrader(course_folder(course))
    opened = open_assignment(grader, assignment)
    try:
        outcomes = opened.known_outcomes(read_totals(grader.course, assignment, db))
    except GradebookError as error:
        raise ClassError(str(error)) from None
    if not any(outcome.reports for outcome in outcomes):
        text = messages.NOTHING_GRADED.format(course=course, assignment=assignment)
        raise ClassError(text)
    console.print(rich_table(assignment, outcomes))
    target = grader.course / f"{assignment}.html"
    page = class_page(grader.course.name, assignment, outcomes)
    write_whole(target, page.encode(errors="replace"))
    table = target.with_suffix(".csv")
    write_csv(table, assignment, outcomes)
    console.print(plain(f"Page:  {target}\nTable: {table}"), soft_wrap=True)
    if gradescope is not None:
        missing = write_results(gradescope, outcomes)
        console.print(plain(f"For Gradescope: {gradescope}/STUDENT/results.json"), soft_wrap=True)
        if missing:
            names = ", ".join(map(one_line, missing))
            console.print(plain(f"  without: {names} (not graded yet)"), soft_wrap=True)
    return target

"""`autograder demo`: a small made-up class is graded in an nbgrader course of its own."""

from __future__ import annotations

import json
import logging
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import open_assignments
from autograder.classroom.command import run as grade
from autograder.classroom.course_config import ClassError, CourseConfig, read_config
from autograder.classroom.course_folder import make_course
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.gradebook import read_gradebook, read_totals
from autograder.classroom.report_command import write_report
from autograder.lessons.authoring import solution_cells
from autograder.lessons.course import Course
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.notebook import nbformat
from autograder.model.report import SCHEMA
from autograder.render.progress import progress
from autograder.render.terminal import plain

ASSIGNMENT = "static_branch"

STUDENTS = {
    "ada": "right_partial",
    "bela": "starter",
    "chen": "wrong_log_of_counts",
    "dana": "wrong_history",
    "emre": "wrong_jit_inside",
}
"""Made-up students; each hands in one of the submissions that the kit tests itself with."""

ANSWERS = {"ada": "A traced value has no truth value, so Python cannot branch on it."}


def solution_of(root: Path, student: str) -> str | None:
    """Return what a made-up student hands in; None leaves the starter as it is."""
    given = {one.name: one.source for one in find_submissions(root, ASSIGNMENT)}
    source = given[STUDENTS[student]]
    return source and source.partition("\n")[2]  # the first line says what it is


def _run_nbgrader(api: Any, command: str) -> None:
    """Run a command of nbgrader's API on the assignment.

    Raises:
        ClassError: it has failed.
    """
    result = getattr(api, command)(ASSIGNMENT)
    if not result["success"]:
        text = result.get("log", "") + result.get("error", "")
        words = "\n".join(text.strip().splitlines()[-8:])
        arguments = f"{command} {ASSIGNMENT}"
        raise ClassError(messages.NBGRADER_FAILED.format(arguments=arguments, words=words))


def submit(
    course: Path, assignment: str, student: str, solution: str | None, answer: str | None = None
) -> Path:
    """Hand in a released notebook with a solution and an answer in words; None changes nothing."""
    released = course / "release" / assignment / f"{assignment}.ipynb"
    notebook = nbformat.read(released, as_version=4)
    for cell in solution_cells(notebook):
        text = solution if cell["cell_type"] == "code" else answer
        cell["source"] = cell["source"] if text is None else text
    target = course / "submitted" / student / assignment / released.name
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)
    return target


def _read_rows(config: CourseConfig) -> list[dict[str, Any]]:
    """Return what the gradebook and the reports say about each student."""
    (opened,) = open_assignments(CourseGrader(config), [ASSIGNMENT])
    recorded = opened.known_outcomes(read_totals(config, ASSIGNMENT))
    outcomes = {outcome.student: outcome for outcome in recorded}
    rows = []
    for student, about in STUDENTS.items():
        totals = outcomes[student].totals
        (report,) = outcomes[student].reports
        feedback = config.course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html"
        rows.append(
            {
                "student": student,
                "about": about,
                "score": totals.earned,
                "max_score": totals.max_score,
                "mark": totals.mark(),
                "needs_manual_grade": [c.name for c in totals.cells if c.needs_manual_grade],
                "report": report.to_json(),
                "feedback": str(feedback),
            }
        )
    return rows


def run_demo(root: Path, keep: Path | None = None, json_file: Path | None = None) -> None:
    """Make a course, hand in five submissions, grade them, and print the class table.

    Args:
        root: the checkout that holds the lessons.
        keep: a new folder for the course; default: a temporary one, which stays as well, since the
            feedback pages are in it.
        json_file: where to write the class table as JSON.

    Raises:
        ClassError: `keep` is not empty, or nbgrader failed.
    """
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.plugins import CsvExportPlugin

    console = Console(highlight=False)
    course = keep.resolve() if keep else Path(tempfile.mkdtemp(prefix="autograder-demo-"), "course")
    make_course(course, Course(root))
    config = read_config(course)
    with progress(messages.RELEASING):
        folder = CourseDirectory(config=config.nbgrader)
        nbgrader = NbGraderAPI(folder, config=config.nbgrader)
        nbgrader.log.setLevel(logging.WARNING)
        _run_nbgrader(nbgrader, "generate_assignment")
        for student in STUDENTS:
            solution = solution_of(root, student)
            submit(course, ASSIGNMENT, student, solution, ANSWERS.get(student))
    # The kit's own submissions: they are graded on any machine.
    grade(course, [ASSIGNMENT], limits_only=True, console=console)
    with progress(messages.WRITING_FEEDBACK):
        _run_nbgrader(nbgrader, "generate_feedback")
        with read_gradebook(config) as gradebook:
            CsvExportPlugin(to=str(course / "grades.csv")).export(gradebook)
        rows = _read_rows(config)
    page = write_report(course, ASSIGNMENT, console=Console(quiet=True))
    lines = [f"Page: {page}", f"Course: {course}", f"Grades: {course / 'grades.csv'}", "Feedback:"]
    lines += [f"  {row['student']} ({row['about']}): {row['feedback']}" for row in rows]
    if json_file is not None:
        table = {"schema": SCHEMA, "assignment": ASSIGNMENT, "rows": rows}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        lines.append(f"JSON: {json_file}")
    console.print(plain("\n".join(lines)), soft_wrap=True)

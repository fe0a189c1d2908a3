"""`autograder demo`: nbgrader grades a small made-up class, in a folder of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from autograder.classroom import messages
from autograder.classroom.course_folder import make_course
from autograder.classroom.gradebook import class_totals, put_helpers_on_path
from autograder.core.notebook import nbformat
from autograder.core.report import SCHEMA, Report
from autograder.render.score import reports_shown
from autograder.render.terminal import plain

ASSIGNMENT = "static_branch"


class DemoError(RuntimeError):
    """nbgrader failed, or recorded other marks than the reports have."""


@dataclass(frozen=True)
class Student:
    """A made-up student; None as solution or answer leaves the cell as released."""

    name: str
    about: str
    solution: str | None
    answer: str | None = None


STUDENTS = (
    Student(
        "ada",
        "perfect",
        """\
from functools import partial


@partial(jax.jit, static_argnums=1)
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
""",
        "A traced value has no truth value, so Python cannot branch on it; a static one is known.",
    ),
    Student("bela", "unfinished: handed in as released", None),
    Student(
        "chen",
        "wrong in outputs: forgets to subtract 1",
        """\
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return (counts + 1) ** power / power
""",
    ),
    Student(
        "dana",
        "impure: keeps a history while tracing",
        """\
history = []


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    history.append(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
""",
    ),
    Student(
        "emre",
        "recompiles: makes a new jitted function at every call",
        """\
def box_cox(counts, power):
    @jax.jit
    def transform(counts):
        if power == 0:
            return jnp.log(counts + 1)
        return ((counts + 1) ** power - 1) / power

    return transform(counts)
""",
    ),
)


def _run_nbgrader(course: Path, *arguments: str) -> None:
    put_helpers_on_path()
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True)
    if done.returncode:
        words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        text = messages.NBGRADER_FAILED.format(arguments=" ".join(arguments), words=words)
        raise DemoError(text)


def submit(
    course: Path, assignment: str, student: str, solution: str | None, answer: str | None = None
) -> Path:
    """Hand in a released notebook with a solution and an answer in words; None changes nothing."""
    released = course / "release" / assignment / f"{assignment}.ipynb"
    notebook = nbformat.read(released, as_version=4)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            text = solution if cell["cell_type"] == "code" else answer
            cell["source"] = cell["source"] if text is None else text
    target = course / "submitted" / student / assignment / released.name
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)
    return target


def _read_rows(course: Path) -> list[dict[str, Any]]:
    """The rows of the class table, from the gradebook and the graded notebooks."""
    from nbgrader.api import Gradebook

    rows = []
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        recorded = class_totals(gradebook, ASSIGNMENT)
    for student in STUDENTS:
        totals = recorded[student.name]
        score = sum(c.points or 0.0 for c in totals.cells if c.name == ASSIGNMENT)
        path = course / "autograded" / student.name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        (report,) = [report for cell in notebook["cells"] for report in reports_shown(cell)]
        if abs(report.earned - score) > 1e-9:
            marks = {"student": student.name, "score": score, "earned": report.earned}
            raise DemoError(messages.OTHER_SCORE.format(**marks))
        feedback = course / "feedback" / student.name / ASSIGNMENT / f"{ASSIGNMENT}.html"
        rows.append(
            {
                "student": student.name,
                "about": student.about,
                "score": totals.earned,
                "max_score": totals.max_score,
                "mark": totals.mark(),
                "needs_manual_grade": [c.name for c in totals.cells if c.needs_manual_grade],
                "report": report.to_json(),
                "feedback": str(feedback),
            }
        )
    return rows


def _show(rows: list[dict[str, Any]], course: Path, console: Console) -> None:
    table = Table(title=plain(f"Assignment {ASSIGNMENT}"), title_justify="left")
    names = [c["name"] for c in rows[0]["report"]["criteria"]]
    for column in ("student", "submission"):
        table.add_column(column)
    for column in (*names, f"mark\nof {rows[0]['max_score']:g}"):
        table.add_column(column, justify="right")
    for row in rows:
        report = Report.from_json(row["report"])
        marks = [f"{c.earned:g} / {c.possible:g}" for c in report.criteria]
        table.add_row(*map(plain, (row["student"], row["about"], *marks, row["mark"])))
    console.print(table)
    lines = [
        f"To mark by hand in formgrader: {', '.join(row['needs_manual_grade'])} of {row['student']}"
        for row in rows
        if row["needs_manual_grade"]
    ]
    lines += [f"Course:    {course}", f"Grades:    {course / 'grades.csv'}", "Feedback:"]
    lines += [f"  {row['feedback']}" for row in rows]
    console.print(plain("\n".join(lines)), soft_wrap=True)


def run_demo(root: Path, keep: Path | None = None, json_file: Path | None = None) -> None:
    """Make a course, hand in five submissions, grade them, and print the class table.

    Args:
        root: the checkout that holds the lessons.
        keep: a new folder for the course; default: a temporary one, which stays as well, since the
            feedback pages are in it.
        json_file: where to write the class table as JSON.

    Raises:
        CourseError: `keep` is not empty.
        DemoError: nbgrader failed.
    """
    console = Console(highlight=False)
    course = keep.resolve() if keep else Path(tempfile.mkdtemp(prefix="autograder-demo-"), "course")
    with console.status("making the course") as status:
        make_course(course, root)
        status.update("nbgrader generate_assignment")
        _run_nbgrader(course, "generate_assignment", ASSIGNMENT)
        for student in STUDENTS:
            submit(course, ASSIGNMENT, student.name, student.solution, student.answer)
        status.update(f"nbgrader autograde: {len(STUDENTS)} submissions")
        _run_nbgrader(course, "autograde", ASSIGNMENT)
        status.update("nbgrader generate_feedback and export")
        _run_nbgrader(course, "generate_feedback", ASSIGNMENT)
        _run_nbgrader(course, "export")
        rows = _read_rows(course)
    _show(rows, course, console)
    if json_file is not None:
        table = {"schema": SCHEMA, "assignment": ASSIGNMENT, "rows": rows}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        console.print(plain(f"Table:     {json_file}"), soft_wrap=True)

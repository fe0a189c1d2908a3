"""`autograder demo`: a small class, graded by real nbgrader, in a folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from autograder.classroom.course_folder import make_course
from autograder.classroom.gradebook import class_totals
from autograder.core.notebook import nbformat
from autograder.core.report import SCHEMA, Report
from autograder.render.score import reports_shown
from autograder.render.terminal import plain

ASSIGNMENT = "static_branch"


class DemoError(RuntimeError):
    """nbgrader did not do what the demo asked for."""


@dataclass(frozen=True)
class Student:
    """One made-up submission: who, what is special about it, the solution, the answer in words."""

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


def _nbgrader(course: Path, *arguments: str) -> None:
    # nbgrader starts `alembic` by name, which an environment that is not activated would miss.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise DemoError(f"`nbgrader {' '.join(arguments)}` failed:\n{words}")


def submit(
    course: Path, assignment: str, student: str, solution: str | None, answer: str | None = None
) -> Path:
    """Hand in a released notebook with its solution and its answer in words (None: as it is)."""
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


def reports_in(path: Path) -> list[Report]:
    """The reports that the check cells of an executed notebook left in their outputs."""
    notebook = nbformat.read(path, as_version=4)
    return [report for cell in notebook["cells"] for report in reports_shown(cell)]


def _class_table(course: Path) -> list[dict[str, Any]]:
    from nbgrader.api import Gradebook

    rows = []
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        recorded = class_totals(gradebook, ASSIGNMENT)
        for student in STUDENTS:
            totals = recorded[student.name]
            score = sum(c.points or 0.0 for c in totals.cells if c.name == ASSIGNMENT)
            notebook = course / "autograded" / student.name / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
            (report,) = reports_in(notebook)
            if abs(report.earned - score) > 1e-9:
                raise DemoError(
                    f"{student.name}: nbgrader recorded {score}, the report says {report.earned}"
                )
            feedback = course / "feedback" / student.name / ASSIGNMENT / f"{ASSIGNMENT}.html"
            rows.append(
                {
                    "student": student.name,
                    "about": student.about,
                    "score": totals.earned,
                    "max_score": totals.max_score,
                    "mark": totals.mark(),
                    "needs_manual_grade": [c.name for c in totals.cells if c.asks],
                    "report": report.to_json(),
                    "feedback": str(feedback),
                }
            )
    return rows


def _show(rows: list[dict[str, Any]], console: Console) -> None:
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
    for row in rows:
        if waiting := row["needs_manual_grade"]:
            console.print(
                f"To mark by hand in formgrader: {', '.join(waiting)} of {row['student']}"
            )


@contextlib.contextmanager
def _course_folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep.resolve()
        return
    # Not removed: the feedback pages whose place is printed are there to be looked at.
    yield Path(tempfile.mkdtemp(prefix="autograder-demo-")) / "course"


def run_demo(root: Path, keep: Path | None = None, json_file: Path | None = None) -> None:
    """Make a course, hand in five submissions, grade them, and print the class table.

    Args:
        root: the checkout that holds the lessons.
        keep: a new folder for the course; by default a temporary one.
        json_file: where to write the class table as JSON.

    Raises:
        CourseError: `keep` holds something already.
        DemoError: nbgrader failed.
    """
    console = Console(highlight=False)
    with _course_folder(keep) as course, console.status("making the course") as status:
        make_course(course, root)
        status.update("nbgrader generate_assignment")
        _nbgrader(course, "generate_assignment", ASSIGNMENT)
        for student in STUDENTS:
            submit(course, ASSIGNMENT, student.name, student.solution, student.answer)
        status.update(f"nbgrader autograde: {len(STUDENTS)} submissions")
        _nbgrader(course, "autograde", ASSIGNMENT)
        status.update("nbgrader generate_feedback and export")
        _nbgrader(course, "generate_feedback", ASSIGNMENT)
        _nbgrader(course, "export")
        rows = _class_table(course)
    _show(rows, console)
    console.print(plain(f"Course:    {course}"), soft_wrap=True)
    console.print(plain(f"Grades:    {course / 'grades.csv'}"), soft_wrap=True)
    pages = "\n".join(["Feedback:", *(f"  {row['feedback']}" for row in rows)])
    console.print(plain(pages), soft_wrap=True)
    if json_file is not None:
        table = {"schema": SCHEMA, "assignment": ASSIGNMENT, "rows": rows}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        console.print(plain(f"Table:     {json_file}"), soft_wrap=True)

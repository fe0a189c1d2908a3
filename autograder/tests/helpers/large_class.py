"""A large class for tests: its results are written to the store, and nothing is graded."""

from __future__ import annotations

import os
import random
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import nbformat

from autograder.classroom.assignment import open_assignments
from autograder.classroom.course_config import put_helpers_on_path, read_config, source_notebook
from autograder.classroom.course_folder import make_course
from autograder.classroom.course_grader import CourseGrader
from autograder.lessons.authoring import released_version
from autograder.lessons.course import Course
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.report import EVIDENCE, CriterionResult, Report, Status
from autograder.model.rubric import Rubric
from autograder.sandbox import Protection
from autograder.tests.helpers.courses import gradebook_of

VARIANTS = 8
"""Submissions of a lesson that differ; each has a result of its own."""

RULES = {
    "outputs": ("wrong-output", "nan", "wrong-structure"),
    "purity": ("print", "global-mutated", "argument-mutated"),
    "compilations": ("compiled-again", "new-jit", "eager-code"),
    "speed": ("gpu-speed",),
    "memory": ("too-much-scratch",),
}
TERM = datetime(2025, 9, 8, 16)
SOLUTION = "x = {variant}  # a submission that nobody ever runs"


def student_id(i: int) -> str:
    """Names that a spreadsheet and a page must take as text."""
    return f"<img src=x>{i:03d}" if i % 50 == 0 else f"stu{i:03d}"


def _report(lesson: str, rubric: Rubric, variant: int, rng: random.Random) -> tuple[Report, ...]:
    reports = []
    for exercise in rubric.exercises:
        criteria = []
        for name in (name for name in EVIDENCE if name in exercise.points):
            possible = float(exercise.points[name])
            status = Status.PASSED if rng.random() < 0.35 + 0.09 * variant else Status.FAILED
            if name == "speed":
                status = Status.PENDING
            findings = ()
            if status is Status.FAILED:
                rule = rng.choice(RULES.get(name, ("a-rule",)))
                findings = (Finding(rule, "error", 1, "<script>alert(1)</script>", "x = 1"),)
            earned = possible if status is Status.PASSED else 0.0
            criteria.append(
                CriterionResult(name, status, earned, possible, EVIDENCE[name], "", findings)
            )
        reports.append(Report(lesson, exercise.name, tuple(criteria), provisional=False))
    return tuple(reports)


def make_large_class(root: Path, folder: Path, students: int, lessons: int) -> Path:
    """Make a course folder with its submissions, its results, and its gradebook.

    Every seventh student hands in nothing after half of the lessons, and the last hands in nothing
    at all. The class is the same each time, but for the secret key.
    """
    rng = random.Random(0)
    course = folder / "course"
    make_course(course, Course(root))
    chosen = [lesson.name for lesson in Course(root).lessons()][:lessons]
    for path in (course / "source").iterdir():
        if path.name not in chosen:
            shutil.rmtree(path)
    for k, lesson in enumerate(chosen):
        (course / "release" / lesson).mkdir(parents=True)
        notebook: Any = released_version(source_notebook(course, lesson))
        solution = next(
            (c for c in notebook["cells"] if c["id"].endswith("-solution")), notebook["cells"][-1]
        )
        files = []
        for variant in range(VARIANTS):
            solution["source"] = SOLUTION.format(variant=variant)
            files.append(folder / f"{lesson}-{variant}.ipynb")
            nbformat.write(notebook, files[-1])
        for i in range(students - 1):
            if (i % 7 == 3 and k >= lessons // 2) or rng.random() < 0.05:
                continue
            target = course / "submitted" / student_id(i) / lesson / f"{lesson}.ipynb"
            target.parent.mkdir(parents=True)
            os.link(files[min(VARIANTS - 1, (i % VARIANTS) + rng.randrange(3))], target)
    _store_results(course, rng)
    _fill_gradebook(course, chosen, students, rng)
    return course


def _store_results(course: Path, rng: random.Random) -> None:
    """One record for each lesson and variant, through the store's own door."""
    grader = CourseGrader(read_config(course))
    for assignment in open_assignments(grader):
        by_digest = {}
        for student in assignment.students:
            if len(by_digest) == VARIANTS:
                break
            task = assignment.task(student)
            by_digest.setdefault(task.digest, task)
        for variant, digest in enumerate(by_digest):
            reports = _report(assignment.name, assignment.rubric, variant, rng)
            grader.keep_result(
                digest, Graded(reports, seconds=2.5, confined_by=Protection.NAMESPACES)
            )


def _fill_gradebook(course: Path, lessons: list[str], students: int, rng: random.Random) -> None:
    """What nbgrader's own autograde leaves, in one transaction."""
    from nbgrader import api as nbgrader_api

    api: Any = nbgrader_api
    put_helpers_on_path()
    with gradebook_of(course) as gradebook:
        for i in range(students):
            gradebook.add_student(student_id(i), first_name="Ada", last_name=f"Nr. {i}")
        for k, lesson in enumerate(lessons):
            due = TERM + timedelta(days=4 * k)
            assignment = gradebook.add_assignment(lesson, duedate=due)
            notebook = gradebook.add_notebook(lesson, lesson)
            source = nbformat.read(source_notebook(course, lesson), as_version=4)
            cells = []
            for cell in source["cells"]:
                mark = cell["metadata"].get("nbgrader", {})
                if mark.get("grade") and mark["points"]:
                    cells.append(
                        gradebook.add_grade_cell(
                            mark["grade_id"],
                            lesson,
                            lesson,
                            max_score=mark["points"],
                            cell_type=cell["cell_type"],
                        )
                    )
            rows = []
            for path in sorted((course / "submitted").glob(f"*/{lesson}")):
                when = due + timedelta(hours=rng.gauss(-30, 20))
                submission = api.SubmittedAssignment(
                    assignment_id=assignment.id, student_id=path.parent.name, timestamp=when
                )
                own = api.SubmittedNotebook(notebook_id=notebook.id, assignment=submission)
                rows.append(submission)
                for cell in cells:
                    written = cell.cell_type == "markdown"
                    is_open = written and k > len(lessons) - 4
                    score = None if is_open else round(rng.random() * cell.max_score, 1)
                    given = {"manual_score" if written else "auto_score": score}
                    api.Grade(cell_id=cell.id, notebook=own, needs_manual_grade=is_open, **given)
            gradebook.db.add_all(rows)
            gradebook.db.commit()

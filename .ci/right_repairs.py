"""Grades right repairs of every lesson on this machine, and checks one lesson as a learner does.

Run by `.ci/machines.py` for each row of its table, in a checkout, with its environment's Python:
`python .ci/right_repairs.py KEY [LESSON ...]`. KEY is a course's secret key. The exit status is 1
where a right repair did not get full marks.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from autograder.classroom.course_config import CourseKey
from autograder.grading.pipeline import grade_submission, prepare
from autograder.judge.client import shared_judge
from autograder.lessons.authoring import (
    build_exercise,
    build_source,
    solution_cells,
    solution_region,
)
from autograder.lessons.course import find_course
from autograder.lessons.lesson import Lesson
from autograder.lessons.solutions import with_reference_solutions
from autograder.lessons.verification.requirements import full_marks
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.terms import Terms


def solve(lesson: Lesson, exercise: str = "", source: str = "") -> bytes:
    """Return the lesson's notebook with its own solutions, but `source` for one exercise."""
    notebook = build_exercise(lesson)
    own = {cell["id"]: cell["source"] for cell in solution_cells(build_source(lesson))}
    for cell in solution_cells(notebook):
        if cell["cell_type"] == "code":
            cell["source"] = solution_region(own[cell["id"]])
        if exercise and cell["id"] == f"{exercise}-solution":
            cell["source"] = source
    return nbformat.writes(notebook).encode()


def other_repair(root: Path, lesson: Lesson, draw: random.Random) -> bytes | None:
    """Return the notebook with one of the lesson's other right repairs, if there is any."""
    right = [s for s in find_submissions(root, lesson.name) if s.kind == "right" and s.source]
    if not right:
        return None
    chosen = draw.choice(right)
    return solve(lesson, chosen.exercise, chosen.source or "")


def graded_in_full(raw: bytes, lesson: Lesson, key: int) -> list[str]:
    """Grade a notebook in confined workers and return what is missing."""
    repaired = prepare(raw, lesson.notebook_name, build_exercise(lesson))
    terms = Terms(with_reference_solutions(lesson), shared_judge(), key)
    graded = grade_submission(repaired, lesson.notebook_name, terms)
    return [f"{lesson.name}: {problem}" for r in graded.reports for problem in full_marks(r)]


def checked_in_full(lesson: Lesson) -> list[str]:
    """Let pytest check a solved notebook in an empty folder, as self-learners do."""
    with tempfile.TemporaryDirectory(prefix="learner ") as folder:
        (Path(folder) / lesson.notebook_name).write_bytes(solve(lesson))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
        run = subprocess.run(command, cwd=folder, capture_output=True)
    return [] if run.returncode == 0 else [run.stdout.decode(errors="replace")[-3000:]]


def main() -> None:
    secret, names = int(sys.argv[1]), sys.argv[2:]
    draw, course, key = random.Random(secret), find_course(), CourseKey(secret)
    lessons = [x for x in course.lessons() if not names or x.name in names]
    problems = []
    for lesson in lessons:
        submissions = [solve(lesson), other_repair(course.root, lesson, draw)]
        for raw in filter(None, submissions):
            problems += graded_in_full(raw, lesson, key.for_lesson(lesson.name))
    problems += checked_in_full(draw.choice(lessons))
    print("\n".join(problems) or f"right repairs of {len(lessons)} lessons got full marks")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()

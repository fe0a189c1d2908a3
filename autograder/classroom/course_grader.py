"""A course's grader: its secret key, its result store, and what was measured on a GPU."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_folder import FOLDER, draws_by_student
from autograder.classroom.course_key import key_digest, read_key
from autograder.classroom.course_lessons import course_lessons
from autograder.core.notebook import KIT_METADATA, Notebook
from autograder.core.rubric import Rubric
from autograder.criteria.speed.bundle import digest_of, result_key
from autograder.criteria.speed.decision import with_speed
from autograder.criteria.speed.results import ResultsError, read_results
from autograder.grading.pipeline import (
    grade_cells,
    name_files_left,
    notebook_in,
    refuse_unreadable,
)
from autograder.grading.repair import Repaired
from autograder.grading.store import Graded, Store, grade_with_retry, result_digest
from autograder.grading.versions import engine_digest
from autograder.judge.client import shared_class_judge

SPEED_FOLDER = FOLDER / "speed"
"""Folder in the course for the results files from GPU machines."""


class CourseGrader:
    """Grades the notebooks of a course, unless their results are in the store.

    Args:
        course: its folder.
        strict: whether points for what was only observed wait for a person.

    Attributes:
        by_student: whether each student is judged on inputs of their own.
    """

    def __init__(self, course: Path, *, strict: bool = False) -> None:
        self.course = course
        self.strict = strict
        self.key = read_key(course)
        self.lessons = course_lessons(course)
        self.by_student = draws_by_student(course)
        self.store = Store(course / FOLDER / "results.jsonl")

    def rubric(self, lesson: str) -> Rubric:
        """Return the rubric of a lesson, by its name: of the course's own lessons or the kit's."""
        return self.lessons.rubric(lesson)

    def key_of(self, rubric: Rubric, student: str) -> int:
        """Return the key that the inputs of a lesson are drawn with for a student."""
        return self.key.for_lesson(rubric.lesson, student if self.by_student else None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What students are told about how this course grades."""
        return (messages.OWN_DRAWS,) if self.by_student else ()

    def digest(self, notebook: Notebook, rubric: Rubric, student: str) -> str:
        """Return the store's key for the result of a student's notebook."""
        cells = [
            (cell.id, cell.source, cell.role) for cell in notebook.cells if cell.role != "check"
        ]
        secret = key_digest(self.key_of(rubric, student))
        asked = () if notebook.defence is None else (notebook.defence,)
        # As in earlier results where there is none of these.
        more = (*asked, *filter(None, [notebook.beside.digest]))
        return result_digest(cells, rubric.lesson, rubric.digest, secret, engine_digest(), *more)

    def grade(self, repaired: Repaired, name: str, student: str) -> Graded:
        """Grade a repaired notebook, or take its result from the store.

        Args:
            repaired: the notebook; its metadata names the lesson.
            name: of the file, for messages.
            student: who handed it in.
        """
        rubric = self.rubric(repaired.notebook["metadata"][KIT_METADATA]["lesson"])
        if repaired.unreadable:
            return refuse_unreadable(rubric, repaired, self.key_of(rubric, student))
        notebook = notebook_in(repaired, rubric.lesson)
        digest = self.digest(notebook, rubric, student)
        graded = self.find_result(digest)
        if graded is None:
            key = self.key_of(rubric, student)
            grade = partial(grade_cells, notebook, name, rubric, shared_class_judge(), key)
            graded = grade_with_retry(grade)
            self.store.add(digest, graded)
        graded = name_files_left(graded, notebook.beside)
        return self.add_speed(graded, rubric, student)

    def find_result(self, digest: str) -> Graded | None:
        """Return the stored result; None where there is none, or where the kit failed."""
        graded = self.store.get(digest)
        if graded is not None and not graded.is_final:
            self.store.refresh()  # another process may have graded it since
            graded = self.store.get(digest)
        return graded if graded is not None and graded.is_final else None

    def add_speed(self, graded: Graded, rubric: Rubric, student: str) -> Graded:
        """Return the result with what a GPU machine has measured since."""
        if not graded.programs:
            return graded
        records, _ = self._read_speed()
        reports = []
        for report in graded.reports:
            program = graded.programs.get(report.exercise)
            if program is not None:
                sha = hashlib.sha256(program).hexdigest()
                solution = digest_of(rubric.exercise(report.exercise).yardstick)
                secret = self.key_of(rubric, student)
                key = result_key(report.exercise, sha, rubric.digest, solution, secret)
                report = with_speed(report, records.get(key))
            reports.append(report)
        return replace(graded, reports=tuple(reports))

    def _read_speed(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Return the newest record of each program, and why files cannot be read."""
        files = (self.course / SPEED_FOLDER).glob("*.json")
        records: dict[str, dict[str, Any]] = {}
        problems = []
        for path in sorted(files, key=lambda p: (p.stat().st_mtime, p.name)):
            try:
                records |= read_results(path).records
            except ResultsError as error:
                problems.append(str(error))
        return records, problems

    def speed_problems(self) -> list[str]:
        """Return a sentence for each results file that cannot be read."""
        return self._read_speed()[1]


@lru_cache(maxsize=1)
def _open_grader(course: Path) -> CourseGrader:
    return CourseGrader(course)


def course_grader(course: Path) -> CourseGrader:
    """Return the grader of a course, which stays ready for the next submission."""
    grader = _open_grader(course.resolve())
    # These may have changed while a server runs.
    grader.key = read_key(grader.course)
    grader.by_student = draws_by_student(grader.course)
    grader.lessons = course_lessons(grader.course)
    return grader

"""A course's grader: its secret key, its result store, and what was measured on a GPU."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_folder import FOLDER, has_switch
from autograder.classroom.course_key import key_digest, read_key
from autograder.classroom.course_lessons import course_lessons
from autograder.classroom.walls import accepted_protections, protection_here, protections_to_show
from autograder.criteria.speed.bundle import digest_of, result_key
from autograder.criteria.speed.decision import with_speed
from autograder.criteria.speed.results import ResultsError, read_results
from autograder.grading.pipeline import (
    grade_notebook,
    grade_with_retry,
    name_skipped_files,
    notebook_in,
    refuse_unreadable,
)
from autograder.grading.repair import Repaired
from autograder.grading.store import Store, result_digest
from autograder.grading.versions import engine_digest
from autograder.judge.client import shared_class_judge
from autograder.model.graded import Graded
from autograder.model.notebook import KIT_METADATA, Notebook
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.sandbox import Protection

SPEED_FOLDER = FOLDER / "speed"
"""Folder in the course for the results files from GPU machines."""


class CourseGrader:
    """Grades the notebooks of a course, unless their results are in the store.

    Args:
        course: its folder.
        strict: whether points for what was only observed wait for a person.
        accepted: what may have confined a submission whose result is taken from the store, the
            best first; by default anything, as results are shown.

    Attributes:
        by_student: whether each student is judged on inputs of their own.
    """

    def __init__(
        self, course: Path, *, strict: bool = False, accepted: Sequence[Protection] | None = None
    ) -> None:
        self.course = course
        self.strict = strict
        self.accepted = protections_to_show() if accepted is None else tuple(accepted)
        self.key = read_key(course)
        self.lessons = course_lessons(course)
        self.by_student = has_switch(course, "draws_by_student")
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
        """Return the digest of all that the result of a notebook depends on, but its walls."""
        cells = [
            (cell.id, cell.source, cell.role) for cell in notebook.cells if cell.role != "check"
        ]
        secret = key_digest(self.key_of(rubric, student))
        asked = () if notebook.defence is None else (notebook.defence,)
        made_by = secret, engine_digest(), notebook.saved_with, notebook.beside.digest
        return result_digest(cells, rubric.lesson, rubric.digest, *made_by, *asked)

    def grade(self, repaired: Repaired, name: str, student: str) -> Graded:
        """Grade a repaired notebook, or take its result from the store.

        Args:
            repaired: the notebook; its metadata names the lesson.
            name: of the file, for messages.
            student: who handed it in.
        """
        rubric = self.rubric(repaired.notebook["metadata"][KIT_METADATA]["lesson"])
        terms = Terms(rubric, shared_class_judge(), self.key_of(rubric, student))
        if repaired.unreadable:
            return refuse_unreadable(repaired, terms)
        notebook = notebook_in(repaired, rubric.lesson)
        digest = self.digest(notebook, rubric, student)
        graded = self.find_result(digest)
        if graded is None:
            grade = partial(grade_notebook, notebook, name, terms)
            graded = replace(grade_with_retry(grade), confined_by=str(self.accepted[0]))
            self.keep_result(digest, graded)
        graded = name_skipped_files(graded, notebook.beside)
        return self.add_speed(graded, rubric, student)

    def keep_result(self, digest: str, graded: Graded) -> None:
        """Store a result under its digest, and what confined its submission.

        Raises:
            OSError: the disk is full, or the file cannot be written.
        """
        self.store.add(result_digest(digest, graded.confined_by), graded)

    def find_result(self, digest: str, *, final: bool = True) -> Graded | None:
        """Return the stored result of a submission that was confined as is accepted.

        Args:
            digest: see `digest`.
            final: whether a result counts as none where the kit failed.
        """
        for key in (result_digest(digest, strength) for strength in self.accepted):
            graded = self.store.get(key)
            if graded is not None and not graded.is_final:
                self.store.refresh()  # another process may have graded it since
                graded = self.store.get(key)
            if graded is not None and (graded.is_final or not final):
                return graded
        return None

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
                solution = digest_of(rubric.reference_solutions.get(report.exercise, ()))
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


def course_grader(course: Path, *, limits_only: bool = False) -> CourseGrader:
    """Return the grader of a course on this machine, which stays ready for the next submission.

    Args:
        course: its folder.
        limits_only: whether limits are enough to confine a submission.

    Raises:
        ClassError: nothing else confines submissions here; says what to do.
    """
    here = protection_here(accepted_protections(limits_only=limits_only))
    grader = _open_grader(course.resolve())
    grader.accepted = (here,)
    # These may have changed while a server runs.
    grader.key = read_key(grader.course)
    grader.by_student = has_switch(grader.course, "draws_by_student")
    grader.lessons = course_lessons(grader.course)
    return grader

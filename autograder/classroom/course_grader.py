"""A course's grader: its secret key, its result store, its judge and its workers."""

from __future__ import annotations

import hashlib
import json
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.core.files import write_whole
from autograder.core.notebook import KIT_METADATA, Notebook, cells_of
from autograder.core.report import SCHEMA
from autograder.core.rubric import PUBLIC_KEY, Rubric
from autograder.criteria.speed.bundle import result_key
from autograder.criteria.speed.decision import with_speed
from autograder.criteria.speed.results import ResultsError, read_results
from autograder.grading.pipeline import grade_cells, refuse_unreadable
from autograder.grading.repair import Repaired
from autograder.grading.store import Graded, Store, result_digest
from autograder.grading.versions import engine_digest
from autograder.judge.client import Judge
from autograder.lessons.course import the_course
from autograder.sandbox import Limits, Zygotes

FOLDER = ".autograder"
SPEED_FOLDER = "speed"
"""Folder in `FOLDER` for the results files from GPU machines."""


class CourseKeyError(ValueError):
    """The course's key file cannot be used."""


def read_key(course: Path) -> int:
    """Return the course's secret key; the first call makes it."""
    path = course / FOLDER / "key.json"
    if not path.exists():
        write_key(course)
    try:
        key = json.loads(path.read_text(encoding="utf-8"))["key"]
        if type(key) is not int or key <= PUBLIC_KEY:
            raise ValueError("the key must be a positive whole number")
    except (ValueError, KeyError, TypeError) as error:
        raise CourseKeyError(
            f"{path} does not hold a key ({error}). Restore it from a backup. If you have none, "
            "remove the file: the next run makes a new key and grades all submissions again."
        ) from None
    return key


def write_key(course: Path) -> None:
    """Make a new secret key, with which everything will be graded again."""
    path = course / FOLDER / "key.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.randbelow(2**31 - 1) + 1
    write_whole(path, json.dumps({"schema": SCHEMA, "key": key}), mode=0o600)


class CourseGrader:
    """Grades the notebooks of a course, unless their results are in the store."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.key = read_key(course)
        self.store = Store(course / FOLDER / "results.jsonl")
        self.judge = Judge()
        self.zygotes = Zygotes()
        self.force = False

    def digest(self, notebook: Notebook, rubric: Rubric) -> str:
        """Return the store's key for the result of a notebook."""
        cells = [
            (cell.id, cell.source, cell.role) for cell in notebook.cells if cell.role != "check"
        ]
        secret = hashlib.sha256(f"key {self.key}".encode()).hexdigest()
        return result_digest(cells, rubric.lesson, rubric.digest, secret, engine_digest())

    def grade(self, repaired: Repaired, name: str) -> Graded:
        """Grade a repaired notebook, or take its result from the store.

        Args:
            repaired: the notebook; its metadata names the lesson.
            name: of the file, for messages.
        """
        rubric = the_course().rubric(repaired.notebook["metadata"][KIT_METADATA]["lesson"])
        if repaired.unreadable:
            return refuse_unreadable(rubric, repaired, self.key)
        notebook = Notebook(rubric.lesson, cells_of(repaired.notebook))
        digest = self.digest(notebook, rubric)
        graded = None if self.force else self.kept(digest)
        if graded is None:
            graded = self._grade(notebook, name, rubric)
            if graded.is_in_doubt:
                graded = self._grade(notebook, name, rubric)
            self.store.add(digest, graded)
        return self.timed(graded, rubric)

    def kept(self, digest: str) -> Graded | None:
        """Return the stored result; None where there is none, or where the kit failed."""
        graded = self.store.get(digest)
        if graded is not None and not graded.is_final:
            self.store.refresh()  # another process may have graded it since
            graded = self.store.get(digest)
        return graded if graded is not None and graded.is_final else None

    def _grade(self, notebook: Notebook, name: str, rubric: Rubric) -> Graded:
        return grade_cells(notebook, name, rubric, self.judge, self.key, Limits(), self.zygotes)

    def timed(self, graded: Graded, rubric: Rubric) -> Graded:
        """Return the result with what a GPU machine has measured since."""
        if not graded.programs:
            return graded
        records, _ = self._speed_results()
        reports = []
        for report in graded.reports:
            program = graded.programs.get(report.exercise)
            if program is not None:
                sha = hashlib.sha256(program).hexdigest()
                key = result_key(report.exercise, sha, rubric.digest, self.key)
                report = with_speed(report, records.get(key))
            reports.append(report)
        return Graded(tuple(reports), graded.programs, graded.seconds, graded.notes)

    def _speed_results(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Return what was measured on a GPU, the newest for each program, and a sentence for each
        results file that cannot be read."""
        files = (self.course / FOLDER / SPEED_FOLDER).glob("*.json")
        records: dict[str, dict[str, Any]] = {}
        unread = []
        for path in sorted(files, key=lambda p: (p.stat().st_mtime, p.name)):
            try:
                records |= read_results(path).records
            except ResultsError as error:
                unread.append(str(error))
        return records, unread

    def unread_speed(self) -> list[str]:
        """Return a sentence for each results file that cannot be read."""
        return self._speed_results()[1]

    def close(self) -> None:
        self.judge.close()
        self.zygotes.close()


@lru_cache(maxsize=1)
def _ready(course: Path) -> CourseGrader:
    return CourseGrader(course)


def course_grader(course: Path) -> CourseGrader:
    """Return the grader of a course, which stays ready for the next submission."""
    grader = _ready(course.resolve())
    grader.key = read_key(grader.course)  # the key may have changed while a server runs
    return grader

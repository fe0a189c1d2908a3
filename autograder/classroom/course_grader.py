"""What grades a course: its key, its rubrics, its results so far, and what confines submissions.

Without `limits_only`, nothing is graded where a submission would run with the rights of its grader.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_config import (
    FOLDER,
    ClassError,
    CourseConfig,
    key_digest,
    read_key,
)
from autograder.criteria.speed.bundle import digest_of, result_key
from autograder.criteria.speed.decision import with_speed
from autograder.criteria.speed.results import ResultsError, read_results
from autograder.grading.store import Store, engine_digest, result_digest
from autograder.model.graded import Graded
from autograder.model.notebook import Notebook
from autograder.model.rubric import Rubric
from autograder.sandbox import Protection, protection

SPEED_FOLDER = FOLDER / "speed"
"""Folder in the course for the results files from GPU machines."""


# --- what confines submissions --------------------------------------------------------------------


def accepted_protections(
    *, limits_only: bool = False, require_sandbox: bool = False
) -> tuple[Protection, ...]:
    """Return what may confine a submission, strongest first.

    Args:
        limits_only: limits alone will do.
        require_sandbox: not even another user will do.

    Raises:
        ClassError: both at once.
    """
    if limits_only and require_sandbox:
        raise ClassError(messages.BOTH_PROTECTIONS)
    strongest_first = tuple(Protection)
    weakest = Protection.NAMESPACES if require_sandbox else Protection.USER
    weakest = Protection.LIMITS if limits_only else weakest
    return strongest_first[: strongest_first.index(weakest) + 1]


def why_refused(strength: Protection, accepted: Iterable[Protection]) -> str:
    """Return why nothing may be graded where `strength` confines submissions; "" where it may."""
    if strength in accepted:
        return ""
    return messages.LIMITS_REFUSED if strength is Protection.LIMITS else messages.WEAK_SANDBOX


def protection_here(accepted: Iterable[Protection]) -> Protection:
    """Return what confines submissions on this machine.

    Raises:
        ClassError: it is not among those accepted; says what to do.
    """
    strength = protection()
    reason = why_refused(strength, accepted)
    if reason:
        raise ClassError(reason)
    return strength


# --- the grader -----------------------------------------------------------------------------------


class CourseGrader:
    """What the submissions of a course are graded with.

    Args:
        config: of the course.
        strict: whether points for what was only observed wait for a person.
        accepted: what may have confined a submission whose result is taken from the store, the
            best first. By default anything, as results are shown: first what confines them here.
    """

    def __init__(
        self,
        config: CourseConfig,
        *,
        strict: bool = False,
        accepted: Sequence[Protection] = (),
    ) -> None:
        self.config = config
        self.course = config.course
        self.strict = strict
        self.accepted = tuple(accepted) or tuple(dict.fromkeys((protection(), *Protection)))
        self.key = read_key(config.course)
        self.lessons = config.lessons()
        self.store = open_store(config.course)

    def key_of(self, rubric: Rubric, student: str) -> int:
        """Return the key that the inputs of a lesson are drawn with for a student."""
        own = student if self.config.draws_by_student else None
        return self.key.for_lesson(rubric.lesson, own)

    @property
    def notes(self) -> tuple[str, ...]:
        """What students read about how this course grades."""
        return (messages.OWN_DRAWS,) if self.config.draws_by_student else ()

    def digest(self, notebook: Notebook, rubric: Rubric, student: str) -> str:
        """Return the digest of all that the result of a notebook depends on, but its walls."""
        cells = [
            (cell.id, cell.source, cell.role) for cell in notebook.cells if cell.role != "check"
        ]
        secret = key_digest(self.key_of(rubric, student))
        asked = () if notebook.defence is None else (notebook.defence,)
        made_by = secret, engine_digest(), notebook.saved_with, notebook.beside.digest
        return result_digest(cells, rubric.lesson, rubric.digest, *made_by, *asked)

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
        records, _ = self.speed
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

    @cached_property
    def speed(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """The newest record of each program, and why files cannot be read."""
        files = (self.course / SPEED_FOLDER).glob("*.json")
        records: dict[str, dict[str, Any]] = {}
        problems = []
        for path in sorted(files, key=lambda p: (p.stat().st_mtime, p.name)):
            try:
                records |= read_results(path).records
            except ResultsError as error:
                problems.append(str(error))
        return records, problems


@lru_cache(maxsize=1)  # nbgrader's commands make a grader for each submission
def open_store(course: Path) -> Store:
    """Open the store of a course's results."""
    return Store(course / FOLDER / "results.jsonl")

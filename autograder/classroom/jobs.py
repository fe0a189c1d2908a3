"""Grading one submission in a thread of this process, or on another machine of a cluster.

The judge and the workers' processes are kept from one submission to the next.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.walls import why_refused
from autograder.grading.pipeline import grade_notebook
from autograder.grading.versions import engine_digest
from autograder.judge.pool import JudgePool
from autograder.lessons.course import Course, LessonError, course_with
from autograder.model.exercise import RubricError
from autograder.model.notebook import Beside, Cell, Defence, Notebook
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.sandbox import Protection, protection

judges = JudgePool()

_BESIDE = ("carried", "skipped")


class OtherMachineError(RuntimeError):
    """A machine of the cluster must not grade; the message says why."""


def _kit(rubric: Rubric) -> str:
    """What a result depends on besides the submission and the key."""
    return f"{engine_digest()} {rubric.digest}"


def make_job(
    notebook: Notebook, name: str, key: int, accepted: Sequence[Protection], lessons: Course
) -> dict[str, Any]:
    """Return the argument of `grade_job`: JSON, which machines with other versions can read.

    What confines the submission must be among those `accepted`.
    """
    return {
        "kit": _kit(lessons.rubric(notebook.lesson)),
        "lessons": [str(root) for root in lessons.own_roots()],
        "accepted": [str(one) for one in accepted],
        "name": name,
        "key": key,
        **asdict(notebook),
    }


def grade_job(job: dict[str, Any]) -> dict[str, Any]:
    """Grade one submission, and return what `Graded.to_json` gives.

    Raises:
        OtherMachineError: this machine has another version of the kit than the one that sent
            the job, lacks the lessons, or confines submissions less than accepted.
    """
    try:
        rubric = course_with([Path(root) for root in job["lessons"]]).rubric(job["lesson"])
    except (LessonError, RubricError) as error:
        words = {"machine": socket.gethostname(), "error": error}
        raise OtherMachineError(messages.OTHER_LESSONS.format(**words)) from None
    if job["kit"] != _kit(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=socket.gethostname()))
    strength = protection()
    reason = why_refused(strength, [Protection(one) for one in job["accepted"]])
    if reason:
        words = {"machine": socket.gethostname(), "reason": reason}
        raise OtherMachineError(messages.WEAK_MACHINE.format(**words))
    cells, asked = tuple(Cell(**cell) for cell in job["cells"]), job["defence"]
    beside = Beside(*(tuple((n, text) for n, text in job["beside"][k]) for k in _BESIDE))
    notebook = Notebook(rubric.lesson, cells, asked and Defence(**asked), job["saved_with"], beside)
    graded = grade_notebook(notebook, job["name"], Terms(rubric, judges, job["key"]))
    return replace(graded, confined_by=str(strength)).to_json()

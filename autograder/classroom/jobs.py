"""Grading one submission in a thread of this process, or on another machine of a cluster.

The judge and the workers' processes are kept from one submission to the next.
"""

from __future__ import annotations

import socket
from dataclasses import asdict
from typing import Any

from autograder.classroom import messages
from autograder.core.notebook import Cell, Defence, Notebook
from autograder.core.rubric import Rubric
from autograder.grading.pipeline import grade_cells
from autograder.grading.versions import engine_digest
from autograder.judge.pool import JudgePool
from autograder.lessons.course import the_course
from autograder.sandbox import Protection, protection

judges = JudgePool()


class OtherMachineError(RuntimeError):
    """A machine of the cluster must not grade; the message says why."""


def _kit(rubric: Rubric) -> str:
    """What a result depends on besides the submission and the key."""
    return f"{engine_digest()} {rubric.digest}"


def make_job(notebook: Notebook, name: str, key: int, require_sandbox: bool) -> dict[str, Any]:
    """Return the argument of `grade_job`: JSON, which machines with other versions can read."""
    return {
        "kit": _kit(the_course().rubric(notebook.lesson)),
        "require_sandbox": require_sandbox,
        "name": name,
        "key": key,
        **asdict(notebook),
    }


def grade_job(job: dict[str, Any]) -> dict[str, Any]:
    """Grade one submission, and return what `Graded.to_json` gives.

    Raises:
        OtherMachineError: this machine has another version of the kit than the one that sent
            the job, or a weaker sandbox than required.
    """
    rubric = the_course().rubric(job["lesson"])
    if job["kit"] != _kit(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=socket.gethostname()))
    if job["require_sandbox"] and protection() is not Protection.NAMESPACES:
        raise OtherMachineError(messages.WEAK_MACHINE.format(machine=socket.gethostname()))
    cells, asked = tuple(Cell(**cell) for cell in job["cells"]), job["defence"]
    notebook = Notebook(rubric.lesson, cells, asked and Defence(**asked))
    return grade_cells(notebook, job["name"], rubric, judges, job["key"]).to_json()

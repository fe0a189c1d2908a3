"""Grading one submission anywhere: JSON and bytes in, JSON out.

`grade_job` runs in a thread of this process, or on another machine of a cluster; there it keeps a
judge and the workers' processes warm from one submission to the next.
"""

from __future__ import annotations

import socket
from typing import Any

from autograder.classroom import messages
from autograder.core.notebook import Cell, Notebook
from autograder.core.rubric import Rubric
from autograder.grading.pipeline import grade_cells
from autograder.grading.versions import engine_digest
from autograder.judge.pool import JudgePool
from autograder.lessons.course import the_course
from autograder.sandbox import Limits, Protection, protection, shared_zygotes

_judges = JudgePool()


class OtherMachineError(RuntimeError):
    """A machine of the cluster must not grade; the message says why."""


def _kit(rubric: Rubric) -> str:
    """What a result depends on besides the submission, as the digest it is filed under has it."""
    return f"{engine_digest()} {rubric.digest}"


def job_of(
    notebook: Notebook,
    name: str,
    key: int,
    limits: Limits,
    *,
    require_sandbox: bool = False,
) -> dict[str, Any]:
    """What `grade_job` needs to know, as JSON."""
    return {
        "kit": _kit(the_course().rubric(notebook.lesson)),
        "require_sandbox": require_sandbox,
        "lesson": notebook.lesson,
        "name": name,
        "key": key,
        "limits": limits.to_json(),
        "cells": [{"id": c.id, "source": c.source, "role": c.role} for c in notebook.cells],
    }


def grade_job(job: dict[str, Any]) -> dict[str, Any]:
    """Grade one submission; the result is that of `Graded.to_json`.

    Raises:
        OtherMachineError: this machine has another kit than the one that asks, or confines less
            than was asked for.
    """
    rubric = the_course().rubric(job["lesson"])
    if job["kit"] != _kit(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=socket.gethostname()))
    if job["require_sandbox"] and protection() is not Protection.NAMESPACES:
        raise OtherMachineError(messages.WEAK_MACHINE.format(machine=socket.gethostname()))
    cells = tuple(Cell(c["id"], c["source"], c["role"]) for c in job["cells"])
    limits = Limits(**job["limits"])
    graded = grade_cells(
        Notebook(rubric.lesson, cells),
        job["name"],
        rubric,
        _judges,
        job["key"],
        limits,
        shared_zygotes(),
    )
    return graded.to_json()


def close_judges() -> None:
    """End the judges; each is started anew when it is needed again."""
    _judges.close()

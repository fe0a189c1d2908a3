"""Grading one submission anywhere: JSON and bytes in, JSON out.

`grade_job` runs in a thread of this process, or on another machine of a cluster; there it keeps a
judge and the workers' processes warm from one submission to the next.
"""

from __future__ import annotations

import socket
import threading
from typing import Any

from autograder.intake import Cell, Notebook
from autograder.judge import Judge
from autograder.messages import classroom as messages
from autograder.rubric import Rubric, load_rubric
from autograder.submission import grade_cells
from autograder.versions import engine_digest
from autograder.worker import Limits, Protection, protection, shared_zygotes

_warm = threading.local()
_judges: list[Judge] = []


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
        "kit": _kit(load_rubric(notebook.lesson)),
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
    rubric = load_rubric(job["lesson"])
    if job["kit"] != _kit(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=socket.gethostname()))
    if job["require_sandbox"] and protection() is not Protection.NAMESPACES:
        raise OtherMachineError(messages.WEAK_MACHINE.format(machine=socket.gethostname()))
    if not hasattr(_warm, "judge"):
        _warm.judge = Judge()
        _judges.append(_warm.judge)
    cells = tuple(Cell(c["id"], c["source"], c["role"]) for c in job["cells"])
    limits = Limits(**job["limits"])
    graded = grade_cells(
        Notebook(rubric.lesson, cells),
        job["name"],
        rubric,
        _warm.judge,
        job["key"],
        limits,
        shared_zygotes(),
    )
    return graded.to_json()


def close_judges() -> None:
    """End the judges of all threads; each is started anew when it is needed again."""
    for judge in _judges:
        judge.close()

"""A dask.distributed cluster that grades: it has certificates, and says when it has no worker.

What it is sent consists of JSON, which a machine with another version of the kit reads too.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, Start, Task
from autograder.classroom.course_config import ClassError
from autograder.classroom.course_grader import why_refused
from autograder.criteria.speed.bundle import digest_of
from autograder.grading.pipeline import grade_notebook
from autograder.grading.store import engine_digest
from autograder.judge.client import shared_class_judge
from autograder.lessons.course import LessonError, course_with
from autograder.model.exercise import RubricError
from autograder.model.graded import Graded
from autograder.model.notebook import Beside, Cell, Defence, Notebook
from autograder.model.printable import one_line
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.sandbox import Protection, protection

LOOK_EVERY = 5.0
"""Seconds between two looks at the cluster's workers."""


class OtherMachineError(RuntimeError):
    """A machine of the cluster must not grade; the message says why."""


def kit_digest(rubric: Rubric) -> str:
    """Return what a result depends on besides the submission and the key."""
    solutions = rubric.reference_solutions
    cells = [cell for name in sorted(solutions) for cell in solutions[name]]
    return f"{engine_digest()} {rubric.digest} {digest_of(cells)}"


def _job(assignment: Assignment, task: Task) -> dict[str, Any]:
    grader, rubric = assignment.grader, assignment.rubric
    return {
        "kit": kit_digest(rubric),
        "lessons": [str(root) for root in grader.lessons.own_roots()],
        "accepted": [str(one) for one in grader.accepted],
        "name": task.staged.file,
        "key": grader.key_of(rubric, task.staged.student),
        **asdict(task.notebook),
    }


def grade_job(job: dict[str, Any]) -> Graded:
    """Grade one submission on a machine of the cluster.

    Args:
        job: the submission's file, its notebook and its key, the versions that the sender has, and
            what it accepts as confinement.

    Raises:
        OtherMachineError: this machine has other versions, lacks the lessons, or confines
            submissions less than is accepted.
    """
    machine, strength = socket.gethostname(), protection()
    try:
        rubric = course_with([Path(root) for root in job["lessons"]]).rubric(job["lesson"])
    except (LessonError, RubricError) as error:
        text = messages.OTHER_LESSONS.format(machine=machine, error=error)
        raise OtherMachineError(text) from None
    if job["kit"] != kit_digest(rubric):
        raise OtherMachineError(messages.OTHER_KIT.format(machine=machine))
    if reason := why_refused(strength, [Protection(one) for one in job["accepted"]]):
        raise OtherMachineError(messages.WEAK_MACHINE.format(machine=machine, reason=reason))
    cells, asked = tuple(Cell(**cell) for cell in job["cells"]), job["defence"]
    carried, skipped = (tuple(map(tuple, job["beside"][k])) for k in ("carried", "skipped"))
    beside = Beside(carried, skipped)
    notebook = Notebook(rubric.lesson, cells, asked and Defence(**asked), job["saved_with"], beside)
    graded = grade_notebook(notebook, job["name"], Terms(rubric, shared_class_judge(), job["key"]))
    return replace(graded, confined_by=str(strength))


@contextmanager
def open_cluster(scheduler: str, say: Callable[[str], None]) -> Iterator[Start]:
    """Open the cluster of a scheduler.

    Jobs wait while it has no worker. The instructor hears of that within seconds, at the start and
    later, and again once there is one.

    Args:
        scheduler: its address, ``tls://HOST:PORT``.
        say: shows a line to the instructor; another thread calls it.

    Raises:
        ClassError: no such cluster, one that is open to others, or one that ends meanwhile.
    """
    if not scheduler.startswith("tls://"):
        raise ClassError(messages.OPEN_SCHEDULER.format(scheduler=one_line(scheduler)))
    from distributed import Client  # pyright: ignore[reportMissingImports]

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, TypeError, ValueError, RuntimeError) as error:  # certificates that are missing
        text = messages.NO_SCHEDULER.format(scheduler=scheduler, error=error)
        raise ClassError(text) from None
    closing = threading.Event()
    with client, client.get_executor(retries=3, pure=False) as executor:
        where = (client, scheduler, say, closing)
        threading.Thread(target=_watch_workers, args=where, daemon=True).start()
        try:
            yield lambda assignment, task: executor.submit(grade_job, _job(assignment, task))
        except CancelledError:
            raise ClassError(messages.LOST_SCHEDULER.format(scheduler=scheduler)) from None
        finally:
            closing.set()


def _watch_workers(
    client: Any, scheduler: str, say: Callable[[str], None], closing: threading.Event
) -> None:
    """Say when the cluster has no worker, and when it has one again."""
    before = None
    while not closing.is_set():
        try:
            there = bool(client.nthreads())
        except Exception:  # the scheduler has ended, or this client: its user hears of that
            return
        if there != before and not closing.is_set():
            text = messages.CLUSTER_GRADES if there else messages.NO_WORKER
            say(text.format(scheduler=scheduler))
        before = there
        closing.wait(LOOK_EVERY)

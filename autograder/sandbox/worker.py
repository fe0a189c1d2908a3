"""A worker: runs a student's cells and reports what it observed. Once they run, trust nothing.

It reads one request (cells, its part of the rubric, calls on shapes) and writes one answer
(exported programs and observations).
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
import warnings
from collections.abc import Collection, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.export  # these are imported once, before the fork, for all submissions
import numpy as np
import optax  # noqa: F401
import scipy.linalg  # noqa: F401

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.errors.error_finding import error_finding
from autograder.errors.jax_errors import CELL_ERROR
from autograder.model.failed_cells import FailedCell, failed_cells, note_cell
from autograder.model.kit_fault import kit_finding
from autograder.model.notebook import Cell, write_beside
from autograder.model.observation import Blobs, Observation, encode
from autograder.model.reasons import KIT_ERROR
from autograder.model.wire import call_from_json
from autograder.processes import child_process
from autograder.processes.frames import read_frame, write_frame
from autograder.programs.runner import set_devices
from autograder.sandbox.cells import CellError, cell_file, run_cells
from autograder.sandbox.exercise_observation import ask_about, observe, refuse
from autograder.sandbox.newer_python import NEWER, blame_python
from autograder.sandbox.unjudged import replace_check_and_defend
from autograder.sandbox.worker_part import unpack

DAY_AND_A_BIT = 100_000.5


def _note_failed(errors: list[CellError], directory: Path, module: ModuleType, saved: str) -> None:
    """Note which cells failed, so that a name that is missing later is explained by them."""
    for cell, error in errors:
        trace = traceback.extract_tb(error.__traceback__)
        files = {f.filename for f in trace if Path(f.filename).is_relative_to(directory)}
        files.add(str(cell_file(cell, directory)))
        finding = error_finding(error, files, CELL_ERROR, module=module)
        if isinstance(error, SyntaxError):
            finding = blame_python(finding, error, cell.source, saved)
        misses = str(error.name or "") if type(error) is NameError else ""
        note_cell(cell.id, FailedCell(cell.source, finding, misses, cell.role))


def _refuse_failed(observation: Observation, names: Collection[str]) -> Observation:
    """Blame the cell that failed first, not the function that it therefore did not define.

    A cell that failed because one of the `names` is not defined is not to blame for that. What
    only a newer Python can read is nobody's mistake, whatever follows from it.
    """
    findings = [f for f in observation.failures if f is not None]
    findings += [f for some in observation.observed.values() for f in some]
    failed = failed_cells()
    unread = [f.finding for f in failed if f.finding.rule == NEWER and any(map(f.binds, names))]
    unread += [f for f in findings if f.rule == NEWER]
    if unread:
        return refuse(NEWER, unread[0])
    if observation.refused is None or observation.refused[0] == KIT_ERROR:
        return observation
    is_missing = observation.refused[0] == "missing-function"
    found = [f for f in failed if is_missing and any(map(f.binds, names))]
    found += [f for f in failed if f.role in ("solution", "drill") and f.misses not in names]
    if not found:
        return observation
    finding = found[0].finding
    return refuse(NEWER if finding.rule == NEWER else "cell-failed", finding)


def _set_clock_and_random_numbers(*, second: bool) -> None:
    """Fix the random numbers; the second process has others, and another clock."""
    random.seed(int(second))
    np.random.seed(int(second))  # noqa: NPY002 (students may use the global generator)
    for name in ("time", "monotonic", "perf_counter") if second else ():
        clock = getattr(time, name)
        setattr(time, name, lambda clock=clock: clock() + DAY_AND_A_BIT)


def _start_backend(devices: int) -> None:
    """Start XLA with the threads of one core; the first compilation starts them all."""
    set_devices(devices)
    child_process.pin_to_one_core()
    jax.block_until_ready(jax.jit(lambda x: x + 1)(np.float32(1)))
    child_process.release()


def run(request_descriptor: int, answer_descriptor: int, *, second: bool) -> None:
    """Serve one request and end the process."""
    answers = os.fdopen(answer_descriptor, "wb")
    with os.fdopen(request_descriptor, "rb") as requests:
        request, sent = read_frame(requests)
    try:
        answer, blobs = _answer(request, sent, second=second)
    except Exception as error:  # raised around the student's code, not in it
        failed = Observation(refused=(KIT_ERROR, kit_finding(error)))
        answer, blobs = {name: encode(failed, Blobs()) for name in request["exercises"]}, Blobs()
    write_frame(answers, {"exercises": answer}, blobs.list)
    os._exit(0)  # the student's threads and exit handlers must not delay the end


def _answer(
    request: dict[str, Any], sent: Sequence[bytes], *, second: bool
) -> tuple[dict[str, Any], Blobs]:
    """Run the cells and observe the exercises."""
    _start_backend(request["devices"])
    _set_clock_and_random_numbers(second=second)
    cells = [Cell(**cell) for cell in request["cells"]]
    warnings.simplefilter("ignore")
    exercises = unpack(sent[0])
    replace_check_and_defend(request["points"])
    directory = Path.cwd()  # a cell may change it
    write_beside(request["beside"], directory)
    sys.path.insert(0, str(directory))  # as in a kernel; what is imported already stays
    module, errors = run_cells(cells, directory)
    _note_failed(errors, directory, module, request["saved_with"])
    answer, blobs = {}, Blobs()
    for name, calls in request["exercises"].items():
        shapes = [call_from_json(c) for c in calls]
        drawn, proved = exercises[name], frozenset(request["proved"].get(name, ()))
        observation = (
            ask_about(drawn, module)
            if request["ask"]
            else observe(drawn, module, shapes, programs_only=second, proved=proved)
        )
        observation = _refuse_failed(observation, drawn.exercise.entry_points)
        answer[name] = encode(observation, blobs)
    return answer, blobs

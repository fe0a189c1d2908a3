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
from autograder.core import child_process
from autograder.core.beside import write_beside
from autograder.core.devices import set_devices
from autograder.core.finding import Finding
from autograder.core.jax_errors import CELL_ERROR
from autograder.core.kit_fault import error_finding, kit_finding
from autograder.core.notebook import Cell
from autograder.core.observation import Blobs, Observation, encode
from autograder.core.report import KIT_ERROR
from autograder.core.seal import Seal
from autograder.core.wire import call_from_json, read_frame, write_frame
from autograder.sandbox.cells import CellError, cell_file, run_cells
from autograder.sandbox.exercise_observation import observe, refuse
from autograder.sandbox.messages import GRADER_PATCHED
from autograder.sandbox.worker_part import unpack

DAY_AND_A_BIT = 100_000.5


def _refuse_failed_cell(
    errors: list[CellError], module: ModuleType, names: Collection[str]
) -> Observation | None:
    """Blame the solution cell that failed, not the function that it therefore did not define.

    A cell that failed because one of the `names` is not defined is not to blame for that.
    """
    for failed in errors:
        missed = isinstance(failed.error, NameError) and failed.error.name in names
        if failed.cell.role in ("solution", "drill") and not missed:
            trace = traceback.extract_tb(failed.error.__traceback__)
            files = {f.filename for f in trace if Path(f.filename).is_relative_to(Path.cwd())}
            files.add(str(cell_file(failed.cell, Path.cwd())))
            finding = error_finding(failed.error, files, CELL_ERROR, module=module)
            return refuse("cell-failed", finding)
    return None


def _set_clock_and_random_numbers(*, echo: bool) -> None:
    """Fix the random numbers; the second process has others, and another clock."""
    random.seed(int(echo))
    np.random.seed(int(echo))  # noqa: NPY002 (students may use the global generator)
    for name in ("time", "monotonic", "perf_counter") if echo else ():
        clock = getattr(time, name)
        setattr(time, name, lambda clock=clock: clock() + DAY_AND_A_BIT)


def _keep_compilations() -> None:
    """Keep what XLA compiles in this submission's own scratch folder.

    Code that builds the same program again at every call is then compiled once, and counted every
    time. No other submission may read this folder: it would run what this one put there.
    """
    jax.config.update("jax_compilation_cache_dir", str(Path.cwd() / ".compilations"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def _start_backend(devices: int) -> None:
    """Start XLA with the threads of one core; the first compilation starts them all."""
    set_devices(devices)
    child_process.confine()
    jax.block_until_ready(jax.jit(lambda x: x + 1)(np.float32(1)))
    child_process.release()


def run(request_descriptor: int, answer_descriptor: int, *, echo: bool) -> None:
    """Serve one request and end the process."""
    answers = os.fdopen(answer_descriptor, "wb")
    with os.fdopen(request_descriptor, "rb") as requests:
        request, sent = read_frame(requests)
    try:
        answer, blobs = _answer(request, sent, echo=echo)
    except Exception as error:  # raised around the student's code, not in it
        failed = Observation(refused=(KIT_ERROR, kit_finding(error)))
        answer, blobs = {name: encode(failed, Blobs()) for name in request["exercises"]}, Blobs()
    write_frame(answers, {"exercises": answer}, blobs.list)
    os._exit(0)  # the student's threads and exit handlers must not delay the end


def _answer(
    request: dict[str, Any], sent: Sequence[bytes], *, echo: bool
) -> tuple[dict[str, Any], Blobs]:
    """Run the cells and observe the exercises."""
    _start_backend(request["devices"])
    _set_clock_and_random_numbers(echo=echo)
    cells = [Cell(c["id"], c["source"], c["role"]) for c in request["cells"]]
    warnings.simplefilter("ignore")
    _keep_compilations()
    exercises = unpack(sent[0])
    # Local names: the cells may replace those of the modules.
    restore, finding, distrust = Seal("autograder").restore, Finding.error, Observation.distrust
    write_beside(request.get("beside", ()), Path.cwd())
    sys.path.insert(0, str(Path.cwd()))  # as in a kernel; what is imported already stays
    module, errors = run_cells(cells, Path.cwd())
    patched = restore()
    answer, blobs = {}, Blobs()
    for name, calls in request["exercises"].items():
        shapes = [call_from_json(c) for c in calls]
        observation = observe(exercises[name], module, shapes, programs_only=echo)
        if observation.refused is not None and observation.refused[0] != KIT_ERROR:
            names = exercises[name].entry_points
            observation = _refuse_failed_cell(errors, module, names) or observation
        patched += restore()
        if patched:
            text = GRADER_PATCHED.format(name=patched[0])
            observation = distrust(observation, finding("grader-patched", text))
        answer[name] = encode(observation, blobs)
    return answer, blobs

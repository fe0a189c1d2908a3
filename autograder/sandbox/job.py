"""What a worker does: runs a student's cells and says what it saw. Untrusted from there on.

Reads one request (cells, lesson, calls on shapes), writes one answer: exported programs and
observations.
"""

from __future__ import annotations

import os
import random
import time
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.export  # this and the next: every submission finds them imported
import numpy as np
import optax  # noqa: F401
import scipy.linalg  # noqa: F401

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.core import one_core
from autograder.core.blame import error_finding
from autograder.core.finding import Finding
from autograder.core.jax_errors import CELL_ERROR
from autograder.core.kit_fault import kit_finding
from autograder.core.notebook import Cell
from autograder.core.observation import Blobs, Observation, encode
from autograder.core.report import KIT_ERROR
from autograder.core.rubric import PUBLIC_KEY, redrawn
from autograder.core.rubric_files import load_rubric
from autograder.core.seal import Seal
from autograder.core.wire import call_from_json, read_frame, write_frame
from autograder.sandbox.cells import CellError, cell_file, run_cells
from autograder.sandbox.messages import GRADER_PATCHED
from autograder.sandbox.observe import observe, refusal

DAY_AND_A_BIT = 100_000.5
COMPILATIONS = ".compilations"


def _refused_by_cell(errors: list[CellError], module: ModuleType) -> Observation | None:
    """Blame the solution cell that failed, rather than the function it did not get to define."""
    for failed in errors:
        if failed.cell.role == "solution":
            files = {str(cell_file(failed.cell, Path.cwd())), _file_of(failed)}
            finding = error_finding(failed.error, files, CELL_ERROR, module=module)
            return Observation(refused=refusal("cell-failed", finding))
    return None


def _file_of(failed: CellError) -> str:
    traceback = failed.error.__traceback__
    name = ""
    while traceback is not None:
        if Path(traceback.tb_frame.f_code.co_filename).parent == Path.cwd():
            name = traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next
    return name


def _set_the_world(*, echo: bool) -> None:
    """Fixed random numbers; in the second process others, and another clock."""
    random.seed(int(echo))
    np.random.seed(int(echo))  # noqa: NPY002 (students may use the global generator)
    for name in ("time", "monotonic", "perf_counter") if echo else ():
        clock = getattr(time, name)
        setattr(time, name, lambda clock=clock: clock() + DAY_AND_A_BIT)


def _keep_compilations() -> None:
    """Keep what XLA compiles in this submission's own scratch folder.

    Code that builds the same program anew at every call is then compiled once, and counted every
    time. No other submission sees it: what one puts there would be run by the next.
    """
    jax.config.update("jax_compilation_cache_dir", str(Path.cwd() / COMPILATIONS))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def _start_backend() -> None:
    """Start XLA with the threads of one core, which it only has once something was compiled."""
    one_core.confine()
    jax.block_until_ready(jax.jit(lambda x: x + 1)(np.float32(1)))
    one_core.release()


def run(request_descriptor: int, answer_descriptor: int, *, echo: bool) -> None:
    """Serve one request and end the process."""
    answers = os.fdopen(answer_descriptor, "wb")
    with os.fdopen(request_descriptor, "rb") as requests:
        request, _ = read_frame(requests)
    try:
        answer, blobs = _observed(request, echo=echo)
    except Exception as error:  # around the student's code, not in it
        failed = Observation(refused=(KIT_ERROR, kit_finding(error)))
        answer, blobs = {name: encode(failed, Blobs()) for name in request["exercises"]}, Blobs()
    write_frame(answers, {"exercises": answer}, blobs.list)
    os._exit(0)  # threads and exit handlers of the student's do not keep us


def _observed(request: dict[str, Any], *, echo: bool) -> tuple[dict[str, Any], Blobs]:
    """Run the cells and observe the exercises: the answer, and its blobs."""
    _start_backend()
    _set_the_world(echo=echo)
    cells = [Cell(c["id"], c["source"], c["role"]) for c in request["cells"]]
    warnings.simplefilter("ignore")
    _keep_compilations()
    if request["rubric_text"]:
        Path("rubric.py").write_text(request["rubric_text"], encoding="utf-8")
    rubric = load_rubric(request["rubric"] or "rubric.py")
    restore, finding, distrust = Seal("autograder").restore, Finding.error, Observation.distrust
    module, errors = run_cells(cells, Path.cwd())
    patched = restore()
    blobs = Blobs()
    answer = {}
    for name, calls in request["exercises"].items():
        exercise = redrawn(rubric.exercise(name), {PUBLIC_KEY: request["redraws"][name]})
        shapes = [call_from_json(c) for c in calls]
        observation = observe(exercise, module, shapes, programs_only=echo)
        if observation.refused is not None and observation.refused[0] != KIT_ERROR:
            observation = _refused_by_cell(errors, module) or observation
        patched += restore()
        if patched:
            text = GRADER_PATCHED.format(name=patched[0])
            observation = distrust(observation, finding("grader-patched", text))
        answer[name] = encode(observation, blobs)
    return answer, blobs

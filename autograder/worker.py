"""The worker, seen from the trusted side: start it, bound it, and believe nothing it says."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from autograder.finding import Finding
from autograder.intake import Cell
from autograder.observation import Observation, decode
from autograder.processes import module_command, with_kit
from autograder.rubric import Rubric
from autograder.sandbox import confined
from autograder.wire import DeadlineReader, FrameError, call_to_json, read_frame, write_frame

WORKER_SECONDS = 120.0

TIMED_OUT = (
    "Running the notebook took longer than {seconds:g} s and was stopped. Does a loop ever end? "
    "Restart the kernel, run all cells, and see which one hangs."
)
DIED = (
    "The process that ran the notebook ended before it was done. A cell exits Python, or asks "
    "for more memory than there is."
)


def _refused(exercises: Mapping[str, Any], reason: str, text: str) -> dict[str, Observation]:
    finding = Finding(reason, "error", None, text)
    return {name: Observation(refused=(reason, finding)) for name in exercises}


def observe_cells(
    cells: Sequence[Cell],
    rubric: Rubric,
    calls: Mapping[str, Sequence[tuple]],
    seconds: float = WORKER_SECONDS,
) -> dict[str, Observation]:
    """Run a notebook's cells in a process of its own and return what it observed.

    Args:
        cells: the code cells; check cells are left out.
        rubric: of the notebook's lesson.
        calls: for each exercise, the calls to export (arrays as `jax.ShapeDtypeStruct`).
        seconds: limit for everything.
    """
    request = {
        "rubric": rubric.source,
        "cells": [
            {"id": c.id, "source": c.source, "role": c.role} for c in cells if c.role != "check"
        ],
        "exercises": {name: [call_to_json(c) for c in some] for name, some in calls.items()},
    }
    # Side by side: what the two processes export differently came from outside the function.
    with ThreadPoolExecutor(2) as pool:
        first, echo = pool.map(
            lambda is_echo: _one_process({**request, "echo": is_echo}, rubric, calls, seconds),
            (False, True),
        )
    return {
        name: seen if seen.refused else seen.echoed_by(echo[name]) for name, seen in first.items()
    }


def _one_process(
    request: dict[str, Any],
    rubric: Rubric,
    calls: Mapping[str, Sequence[tuple]],
    seconds: float,
) -> dict[str, Observation]:
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as scratch:
        answer, blobs = _run(request, Path(scratch), seconds)
    if answer is None:
        reason = "timeout" if blobs is None else "worker-died"
        text = TIMED_OUT.format(seconds=seconds) if blobs is None else DIED
        return _refused(calls, reason, text)
    try:
        found = answer["exercises"]
        observations = {name: decode(found[name], blobs or ()) for name in calls}
        for name, observation in observations.items():
            wanted = set() if request["echo"] else set(rubric.exercise(name).points)
            _check_parts(observation, calls[name], wanted)
    except (FrameError, KeyError, TypeError):
        return _refused(calls, "worker-died", DIED)
    return observations


def _check_parts(observation: Observation, calls: Sequence[tuple], wanted: set[str]) -> None:
    if observation.refused is not None:
        return
    programs, failures = observation.programs, observation.failures
    if not len(programs) == len(failures) == len(calls):
        raise FrameError("not one program or failure a call")
    if any((p is None) == (f is None) for p, f in zip(programs, failures, strict=True)):
        raise FrameError("each call has either a program or a failure")
    if not wanted & {"purity", "compilations"} <= set(observation.observed):
        raise FrameError("an observation with parts missing")


def _run(
    request: dict[str, Any], scratch: Path, seconds: float
) -> tuple[dict[str, Any] | None, list[bytes] | None]:
    """One worker process: its answer; (None, []) when it died, (None, None) when it hung."""
    environment = {
        **with_kit(os.environ),
        "TMPDIR": str(scratch),
        "MPLCONFIGDIR": str(scratch),
        "PYTHONHASHSEED": "2" if request["echo"] else "1",  # fixed: the report must not vary
        "JAX_PLATFORMS": "cpu",
    }
    deadline = time.monotonic() + seconds
    process = subprocess.Popen(
        confined(module_command("autograder.worker_child"), scratch),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=scratch,
        bufsize=0,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        write_frame(process.stdin, request)  # type: ignore[arg-type]
        return read_frame(DeadlineReader(process.stdout.fileno(), deadline))
    except TimeoutError:
        return None, None
    except (FrameError, BrokenPipeError):
        return None, []
    finally:
        # Always: the worker may be done while something it started is not.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.stdin.close()
        process.stdout.close()  # not read to its end: a stray process may hold it open for ever
        process.wait()

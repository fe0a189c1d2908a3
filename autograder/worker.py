"""The worker, seen from the trusted side: start it, bound it, and believe nothing it says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.finding import Finding
from autograder.intake import Cell
from autograder.observe import Observation
from autograder.program import Program
from autograder.report import CRITERIA
from autograder.rubric import Exercise, Rubric
from autograder.wire import FrameError, array_from_blob, call_to_json, read_frame, write_frame

WORKER_SECONDS = 120.0

TIMED_OUT = (
    "Running the notebook took longer than {seconds:g} s and was stopped. Does a loop ever end? "
    "Restart the kernel, run all cells, and see which one hangs."
)
DIED = (
    "The process that ran the notebook ended before it was done. A cell exits Python, or asks "
    "for more memory than there is."
)


def _decode(entry: Mapping[str, Any], blobs: Sequence[bytes]) -> Observation:
    """Rebuild an observation from what an untrusted process sent.

    Raises:
        FrameError: malformed in any way.
    """
    try:
        refused = entry["refused"]
        if refused is not None:
            return Observation(refused=(str(refused[0])[:80], Finding.from_json(refused[1])))
        programs = tuple(
            None if p is None else Program(blobs[p["blob"]], tuple(map(str, p["names"])))
            for p in entry["programs"]
        )
        failures = tuple(None if f is None else Finding.from_json(f) for f in entry["failures"])
        public = tuple(
            None if leaves is None else tuple(array_from_blob(x, blobs[x["blob"]]) for x in leaves)
            for leaves in entry["public"]
        )
        observed = {
            str(name): tuple(Finding.from_json(f) for f in found[:100])
            for name, found in entry["observed"].items()
            if name in CRITERIA
        }
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FrameError(f"malformed observation: {error!r}") from None
    return Observation(None, programs, failures, public, observed)


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
    source = rubric.lesson if rubric.file.parent.name == "rubrics" else str(rubric.file)
    request = {
        "rubric": source,
        "cells": [
            {"id": c.id, "source": c.source, "role": c.role} for c in cells if c.role != "check"
        ],
        "exercises": {name: [call_to_json(c) for c in some] for name, some in calls.items()},
    }
    with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as scratch:
        answer, blobs = _run(request, Path(scratch), seconds)
    if answer is None:
        reason = "timeout" if blobs is None else "worker-died"
        text = TIMED_OUT.format(seconds=seconds) if blobs is None else DIED
        return _refused(calls, reason, text)
    try:
        found = answer["exercises"]
        observations = {name: _decode(found[name], blobs or ()) for name in calls}
        for name, observation in observations.items():
            _check_lengths(observation, calls[name], rubric.exercise(name))
    except (FrameError, KeyError, TypeError):
        return _refused(calls, "worker-died", DIED)
    return observations


def _check_lengths(observation: Observation, calls: Sequence[tuple], exercise: Exercise) -> None:
    if observation.refused is None:
        lengths = {len(observation.programs), len(observation.failures)}
        wanted = set(exercise.points) & {"purity", "compilations"}
        if lengths != {len(calls)} or not wanted <= set(observation.observed):
            raise FrameError("an observation with parts missing")
        if any(
            (program is None) == (failure is None)
            for program, failure in zip(observation.programs, observation.failures, strict=True)
        ):
            raise FrameError("each call has either a program or a failure")


def _run(
    request: dict[str, Any], scratch: Path, seconds: float
) -> tuple[dict[str, Any] | None, list[bytes] | None]:
    """One worker process: its answer; (None, []) when it died, (None, None) when it hung."""
    environment = {
        **os.environ,
        "TMPDIR": str(scratch),
        "PYTHONHASHSEED": "0",  # the same submission gives the same report
        "JAX_PLATFORMS": "cpu",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "autograder.worker_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    hung = threading.Event()

    def stop() -> None:
        hung.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        write_frame(process.stdin, request)  # type: ignore[arg-type]
        return read_frame(process.stdout)  # type: ignore[arg-type]
    except (FrameError, BrokenPipeError):
        return None, (None if hung.is_set() else [])
    finally:
        timer.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

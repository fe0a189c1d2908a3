"""The worker, seen from the trusted side: hand the cells over, and believe nothing it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from autograder.core.finding import Finding
from autograder.core.messages import MACHINE_BUSY
from autograder.core.notebook import Cell
from autograder.core.observation import Observation, decode
from autograder.core.report import KIT_ERROR
from autograder.core.rubric import PUBLIC_KEY, Exercise, Rubric
from autograder.core.wire import FrameError, call_to_json
from autograder.criteria.rules import known_rules
from autograder.sandbox.limits import Limits
from autograder.sandbox.zygotes import Answer, Zygotes, shared_zygotes

TIMED_OUT = (
    "Running the notebook took longer than {seconds:g} s and was stopped. Does a loop ever end? "
    "Restart the kernel, run all cells, and see which one hangs."
)
DIED = (
    "The process that ran the notebook ended before it was done. A cell exits Python, or asks "
    "for more memory than there is."
)
MEMORY = (
    "Running the notebook took more than {gib:.3g} GiB of memory and was stopped. Look for arrays "
    "that are far larger than the data."
)
PROCESSES = (
    "The notebook started more than {processes} processes and was stopped. A lesson needs none."
)


def _refused(exercises: Mapping[str, Any], reason: str, text: str) -> dict[str, Observation]:
    finding = Finding(reason, "error", None, text)
    return {name: Observation(refused=(reason, finding)) for name in exercises}


def observe_cells(
    cells: Sequence[Cell],
    rubric: Rubric,
    calls: Mapping[str, Sequence[tuple]],
    limits: Limits | None = None,
    zygotes: Zygotes | None = None,
) -> dict[str, Observation]:
    """Run a notebook's cells in processes of their own and return what was observed there.

    Args:
        cells: the code cells; check cells are left out.
        rubric: of the notebook's lesson, its draws settled (`autograder.grading.settle`).
        calls: for each exercise, the calls to export (arrays as `jax.ShapeDtypeStruct`).
        limits: of each of the two processes; by default those of `Limits`.
        zygotes: where the processes come from; by default this process's own.

    Raises:
        WorkerError: no worker can be started on this machine.
    """
    kits_own = not rubric.source.endswith(".py")
    echoed = {name: _to_echo(rubric.exercise(name), some) for name, some in calls.items()}
    request = {
        "rubric": rubric.source if kits_own else "",
        # The worker sees no files but the kit's.
        "rubric_text": "" if kits_own else rubric.file.read_text(encoding="utf-8"),
        "cells": [
            {"id": c.id, "source": c.source, "role": c.role} for c in cells if c.role != "check"
        ],
        # Of the public key alone: a worker draws the calls that it makes, and never knows another.
        "redraws": {e.name: e.redraws.get(PUBLIC_KEY, 0) for e in rubric.exercises},
    }
    limits = limits or Limits()
    zygotes = zygotes or shared_zygotes()

    def observed(wanted: Mapping[str, Sequence[tuple]], echo: bool) -> dict[str, Observation]:
        exercises = {name: [call_to_json(c) for c in some] for name, some in wanted.items()}
        answer = zygotes.ask({**request, "exercises": exercises}, limits, echo=echo)
        return _observations(answer, rubric, wanted, limits, echo=echo)

    # Side by side: what the two processes export differently came from outside the function.
    with ThreadPoolExecutor(2) as pool:
        try:
            first, echo = pool.map(observed, (calls, echoed), (False, True))
        except KeyboardInterrupt:
            zygotes.close()  # the pool would wait for cells that may never end
            raise
    return {
        name: seen if seen.refused else seen.with_echo(echo[name]) for name, seen in first.items()
    }


def _to_echo(exercise: Exercise, calls: Sequence[tuple]) -> Sequence[tuple]:
    """The calls that are judged; not the last ones, which are only looked at or timed."""
    return calls[: len(calls) - len(exercise.unrolling_calls()) - (exercise.speed is not None)]


def _observations(
    answer: Answer,
    rubric: Rubric,
    calls: Mapping[str, Sequence[tuple]],
    limits: Limits,
    *,
    echo: bool,
) -> dict[str, Observation]:
    if answer.header is None:
        texts = {
            "timeout": TIMED_OUT.format(seconds=limits.seconds),
            "starved": MACHINE_BUSY,
            "memory": MEMORY.format(gib=limits.resident / 2**30),
            "processes": PROCESSES.format(processes=limits.processes),
        }
        reasons = {
            "timeout": "timeout",
            "starved": KIT_ERROR,
            "memory": "too-much-memory",
            "processes": "too-many-processes",
        }
        return _refused(
            calls, reasons.get(answer.reason, "worker-died"), texts.get(answer.reason, DIED)
        )
    try:
        found = answer.header["exercises"]
        observations = {
            name: decode(found[name], answer.blobs, known_rules(rubric.exercise(name)))
            for name in calls
        }
        for name, observation in observations.items():
            wanted = set() if echo else set(rubric.exercise(name).points)
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

"""The grader's side of a worker: sends the cells, and checks the answer without trusting it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType

from autograder.criteria.rules import RULES
from autograder.model.finding import Finding
from autograder.model.messages import MACHINE_BUSY
from autograder.model.notebook import NOTHING, Beside, Cell
from autograder.model.observation import OBSERVED, Observation, decode
from autograder.model.report import KIT_ERROR
from autograder.model.rubric import PUBLIC_KEY, Exercise, Rubric
from autograder.model.wire import call_to_json
from autograder.processes.frames import FrameError
from autograder.sandbox import messages
from autograder.sandbox.keeper import Limits
from autograder.sandbox.plain_client import PlainWorkers
from autograder.sandbox.worker_part import pack
from autograder.sandbox.zygote_client import Answer, WorkerError, Zygotes, shared_zygotes

_NO_ANSWER = {
    "timeout": ("timeout", messages.TIMED_OUT),
    "stalled": ("stalled", messages.STALLED),
    "starved": (KIT_ERROR, MACHINE_BUSY),
    "memory": ("too-much-memory", messages.TOO_MUCH_MEMORY),
    "processes": ("too-many-processes", messages.TOO_MANY_PROCESSES),
    "died": ("worker-died", messages.DIED),
}
"""By an answer's reason: the rule of the finding, and its text."""

Calls = Mapping[str, Sequence[tuple]]
"""For each exercise, the calls to export, with arrays as `jax.ShapeDtypeStruct`."""


def try_out(workers: Zygotes | PlainWorkers) -> str:
    """Run an empty notebook, and end the workers; return "" or why it could not be run."""
    try:
        nothing = {
            "cells": [],
            "exercises": {},
            "devices": 1,
            "points": {},
            "proved": {},
            "saved_with": "",
            "beside": (),
        }
        answer = workers.ask(nothing, pack(()), Limits(), echo=False)
    except WorkerError as error:
        return str(error)
    finally:
        workers.close()
    return "" if answer.header is not None else f"the process that ran it: {answer.reason}"


def observe_cells(
    cells: Sequence[Cell],
    rubric: Rubric,
    calls: Calls,
    limits: Limits | None = None,
    workers: Zygotes | PlainWorkers | None = None,
    *,
    echo: bool = True,
    proved: Mapping[str, Collection[str]] = MappingProxyType({}),
    saved_with: str = "",
    beside: Beside = NOTHING,
) -> dict[str, Observation]:
    """Run a notebook's cells in one or two processes and return what was observed there.

    Args:
        cells: the code cells; check cells are left out.
        rubric: of the notebook's lesson, with its draws settled (`autograder.grading.run`).
        calls: for each exercise, the calls to export.
        limits: of each of the two processes; by default those of `Limits`.
        workers: where the processes come from; by default this process's own zygotes.
        echo: whether a second process exports the programs too, with another hash seed and clock.
        proved: for each exercise, the criteria that the source proves, so that nothing is observed.
        saved_with: the Python that the notebook was saved with; "" where it does not say.
        beside: the files that the cells find beside them.

    Raises:
        WorkerError: no worker can be started on this machine.
    """
    request = {
        "cells": [
            {"id": c.id, "source": c.source, "role": c.role, "only": c.only}
            for c in cells
            if c.role != "check"
        ],
        "devices": rubric.devices,
        "points": {exercise.name: dict(exercise.points) for exercise in rubric.exercises},
        "proved": {name: sorted(criteria) for name, criteria in proved.items()},
        "saved_with": saved_with,
        "beside": beside.carried,
    }
    part = pack([exercise for exercise in rubric.exercises if exercise.name in calls])
    limits = limits or Limits()
    workers = workers or shared_zygotes()
    echo_calls = {name: _judged_calls(rubric.exercise(name), some) for name, some in calls.items()}

    def observe(calls: Calls, echo: bool) -> dict[str, Observation]:
        exercises = {name: [call_to_json(c) for c in some] for name, some in calls.items()}
        answer = workers.ask({**request, "exercises": exercises}, part, limits, echo=echo)
        return _decode_answer(answer, rubric, calls, limits, echo=echo)

    if not echo:
        return observe(calls, False)
    # If the two processes export different programs, something outside the function differs.
    with ThreadPoolExecutor(2) as pool:
        try:
            first, second = pool.map(observe, (calls, echo_calls), (False, True))
        except KeyboardInterrupt:
            workers.close()  # otherwise the pool waits for cells that may never end
            raise
    return {
        name: seen if seen.refused else replace(seen, echo=second[name].programs)
        for name, seen in first.items()
    }


def _judged_calls(exercise: Exercise, calls: Sequence[tuple]) -> Sequence[tuple]:
    """Leave out the last calls, which show unrolled loops or are timed."""
    last = len(exercise.unrolling_calls(PUBLIC_KEY)) + (exercise.speed is not None)
    return calls[: len(calls) - last]


def _decode_answer(
    answer: Answer, rubric: Rubric, calls: Calls, limits: Limits, *, echo: bool
) -> dict[str, Observation]:
    reason = answer.reason
    if answer.header is not None:
        try:
            return {
                name: _decode_exercise(answer, rubric.exercise(name), some, echo=echo)
                for name, some in calls.items()
            }
        except (FrameError, KeyError, TypeError):
            reason = "died"
    rule, template = _NO_ANSWER[reason]
    gib = limits.resident / 2**30
    text = template.format(**{**vars(limits), "gib": gib})
    return {name: Observation(refused=(rule, Finding.error(rule, text))) for name in calls}


def _decode_exercise(
    answer: Answer, exercise: Exercise, calls: Sequence[tuple], *, echo: bool
) -> Observation:
    assert answer.header is not None
    sent = answer.header["exercises"][exercise.name]
    observation = decode(sent, answer.blobs, RULES)
    if observation.refused is not None:
        return observation
    if exercise.asked:
        if observation.questions is None:
            raise FrameError("there are no questions")
        return observation
    programs, failures = observation.programs, observation.failures
    if not len(programs) == len(failures) == len(calls):
        raise FrameError("each call needs an entry")
    if any((p is None) == (f is None) for p, f in zip(programs, failures, strict=True)):
        raise FrameError("each call needs either a program or a failure")
    observed = set() if echo else set(OBSERVED) & set(exercise.points)
    if not observed <= set(observation.observed):
        raise FrameError("an observed criterion is missing")
    return observation

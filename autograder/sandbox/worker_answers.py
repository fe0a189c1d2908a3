"""The grader's side of a worker: sends the cells, and checks the answer without trusting it."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from autograder.criteria.rules import RULES
from autograder.model.finding import Finding
from autograder.model.messages import MACHINE_BUSY
from autograder.model.observation import OBSERVED, Observation, decode
from autograder.model.reasons import KIT_ERROR
from autograder.model.rubric import Drawn
from autograder.model.wire import call_to_json
from autograder.processes.frames import FrameError
from autograder.sandbox import messages
from autograder.sandbox.attempt import Attempt, Calls, Proof
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


def try_out(workers: Zygotes | PlainWorkers) -> str:
    """Run an empty notebook, and end the workers; return "" or why it could not be run."""
    try:
        request = _request(Attempt((), ()), {}, {}, ask=False)
        answer = workers.ask(request, pack(()), Limits(), second=False)
    except WorkerError as error:
        return str(error)
    finally:
        workers.close()
    return "" if answer.header is not None else f"the process that ran it: {answer.reason}"


def _request(
    attempt: Attempt, calls: Calls, proofs: Mapping[str, Proof], *, ask: bool
) -> dict[str, Any]:
    cells = (cell for cell in attempt.cells if cell.role != "check")
    return {
        "cells": [{"id": c.id, "source": c.source, "role": c.role, "only": c.only} for c in cells],
        "exercises": {d.name: [call_to_json(c) for c in some] for d, some in calls.items()},
        "devices": max((drawn.devices for drawn in calls), default=1),
        "points": {drawn.name: dict(drawn.exercise.points) for drawn in calls},
        "proved": {name: sorted(proof.criteria) for name, proof in proofs.items()},
        "saved_with": attempt.saved_with,
        "beside": attempt.beside.carried,
        "ask": ask,
    }


def observe_cells(
    attempt: Attempt,
    calls: Calls,
    limits: Limits | None = None,
    workers: Zygotes | PlainWorkers | None = None,
    *,
    second: bool = True,
    ask: bool = False,
) -> dict[str, Observation]:
    """Run a notebook's cells in one or two processes, and return what was observed, by exercise.

    Args:
        attempt: what runs; its check cells are left out.
        calls: the exercises, and for each the calls to export.
        limits: of each of the two processes; by default those of `Limits`.
        workers: where the processes come from; by default this process's own zygotes.
        second: whether a second process exports the programs too, with another hash seed and clock,
            where nothing is proved.
        ask: whether the worker only makes the questions about the student's program.

    Raises:
        WorkerError: no worker can be started on this machine.
    """
    proofs = {drawn.name: attempt.proof_of(drawn) for drawn in calls}
    part, limits, workers = pack(tuple(calls)), limits or Limits(), workers or shared_zygotes()

    def observe(calls: Calls, second: bool) -> dict[str, Observation]:
        request = _request(attempt, calls, proofs, ask=ask)
        answer = workers.ask(request, part, limits, second=second)
        return _decode_answer(answer, calls, limits, second=second, ask=ask)

    if attempt.is_proved or not second or ask:
        first = observe(calls, False)
        return {name: proofs[name].complete(seen) for name, seen in first.items()}
    # If the two processes export different programs, something outside the function differs.
    judged = {drawn: some[: _count_judged(drawn)] for drawn, some in calls.items()}
    with ThreadPoolExecutor(2) as pool:
        try:
            first, other = pool.map(observe, (calls, judged), (False, True))
        except KeyboardInterrupt:
            workers.close()  # otherwise the pool waits for cells that may never end
            raise
    return {
        name: seen if seen.refused else replace(seen, second_process=other[name].programs)
        for name, seen in first.items()
    }


def _count_judged(drawn: Drawn) -> int:
    """Return how many calls are not made to show unrolled loops, or to be timed."""
    return len(drawn.calls) + len(drawn.watched_calls)


def _decode_answer(
    answer: Answer, calls: Calls, limits: Limits, *, second: bool, ask: bool
) -> dict[str, Observation]:
    reason = answer.reason
    if answer.header is not None:
        try:
            return {
                drawn.name: _decode_exercise(answer, drawn, len(some), second=second, ask=ask)
                for drawn, some in calls.items()
            }
        except (FrameError, KeyError, TypeError):
            reason = "died"
    rule, template = _NO_ANSWER[reason]
    gib = limits.resident / 2**30
    text = template.format(**{**vars(limits), "gib": gib})
    return {drawn.name: Observation(refused=(rule, Finding.error(rule, text))) for drawn in calls}


def _decode_exercise(
    answer: Answer, drawn: Drawn, count: int, *, second: bool, ask: bool
) -> Observation:
    assert answer.header is not None
    observation = decode(answer.header["exercises"][drawn.name], answer.blobs, RULES)
    if observation.refused is not None:
        return observation
    if ask:
        if observation.questions is None:
            raise FrameError("there are no questions")
        return observation
    programs, failures = observation.programs, observation.failures
    if not len(programs) == len(failures) == count:
        raise FrameError("each call needs an entry")
    if any((p is None) == (f is None) for p, f in zip(programs, failures, strict=True)):
        raise FrameError("each call needs either a program or a failure")
    observed = set() if second else set(OBSERVED) & set(drawn.exercise.points)
    if not observed <= set(observation.observed):
        raise FrameError("an observed criterion is missing")
    return observation

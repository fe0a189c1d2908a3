"""The grader's side of a worker: sends the cells, and checks the answer without trusting it."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.criteria.rules import RULES
from autograder.model.finding import Finding
from autograder.model.kit_fault import CannotJudge
from autograder.model.messages import MACHINE_BUSY
from autograder.model.observation import OBSERVED, Observation, decode
from autograder.model.reasons import KIT_ERROR
from autograder.model.rubric import Drawn
from autograder.model.wire import call_to_json
from autograder.processes.frames import FrameError
from autograder.sandbox import messages
from autograder.sandbox.attempt import Attempt, Calls
from autograder.sandbox.keeper import Limits
from autograder.sandbox.plain_client import PlainWorkers
from autograder.sandbox.worker_part import pack
from autograder.sandbox.zygote_client import Answer, Zygotes, shared_zygotes

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
        request = _request(Attempt((), ()), {}, ask=False)
        answer = workers.ask(request, pack(()), Limits(), second=False)
    except CannotJudge as error:
        return str(error)
    finally:
        workers.close()
    return "" if answer.header is not None else f"the process that ran it: {answer.reason}"


def _request(attempt: Attempt, calls: Calls, *, ask: bool) -> dict[str, Any]:
    cells = (cell for cell in attempt.cells if cell.role != "check")
    return {
        "cells": [{"id": c.id, "source": c.source, "role": c.role, "only": c.only} for c in cells],
        "exercises": {d.name: [call_to_json(c) for c in some] for d, some in calls.items()},
        "devices": max((drawn.devices for drawn in calls), default=1),
        "points": {drawn.name: dict(drawn.exercise.points) for drawn in calls},
        "proved": {drawn.name: sorted(attempt.proved(drawn)) for drawn in calls},
        "saved_with": attempt.saved_with,
        "beside": attempt.beside.carried,
        "ask": ask,
    }


@dataclass(frozen=True)
class Processes:
    """Runs a notebook's cells in one or two processes.

    Attributes:
        limits: of each process.
        workers: where the processes come from; by default this process's own zygotes.
        second: whether a second process exports the programs too, with another hash seed and clock,
            where nothing is proved.
    """

    limits: Limits = field(default_factory=lambda: Limits())
    workers: Zygotes | PlainWorkers = field(default_factory=shared_zygotes)
    second: bool = True

    def observe(self, attempt: Attempt, calls: Calls) -> Mapping[str, Observation]:
        """Run an attempt, without its check cells.

        Args:
            attempt: what runs.
            calls: the exercises, and for each the calls to export.

        Returns:
            What was observed, by exercise.

        Raises:
            CannotJudge: no worker can be started on this machine.
        """
        if attempt.is_proved or not self.second:
            return self._run(attempt, calls)
        # If the two processes export different programs, something outside the function differs.
        # Not those that show unrolled loops, or are timed.
        judged = {
            drawn: some[: len(drawn.calls) + len(drawn.watched_calls)]
            for drawn, some in calls.items()
        }
        with ThreadPoolExecutor(2) as pool:
            one = pool.submit(self._run, attempt, calls)
            other = pool.submit(self._run, attempt, judged, second=True)
            try:
                first, second = one.result(), other.result()
            except KeyboardInterrupt:
                self.workers.close()  # otherwise the pool waits for cells that may never end
                raise
        return {
            name: seen if seen.refused else replace(seen, second_process=second[name].programs)
            for name, seen in first.items()
        }

    def ask_about(self, attempt: Attempt, drawn: Drawn) -> Observation:
        """Run an attempt, and return the questions about the student's program."""
        return self._run(attempt, {drawn: ()}, ask=True)[drawn.name]

    def _run(
        self, attempt: Attempt, calls: Calls, *, second: bool = False, ask: bool = False
    ) -> dict[str, Observation]:
        request, part = _request(attempt, calls, ask=ask), pack(tuple(calls))
        answer = self.workers.ask(request, part, self.limits, second=second)
        return _decode_answer(answer, calls, self.limits, second=second, ask=ask)


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

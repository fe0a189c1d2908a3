"""The judge's child process: `python -m autograder.judge.child DEVICES [apart]`.

It reads requests from standard input and answers each with one frame on standard output. With
`apart` it neither reads nor runs a student's program itself: a confined process does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import lru_cache
from typing import IO, Any

import plnkit
from autograder.criteria import REGISTRY
from autograder.criteria.outputs.references import draw_curve, redraws_needed
from autograder.criteria.rules import RULES
from autograder.criteria.shape import Case
from autograder.model.figures import JaxprDiff, compare_jaxprs
from autograder.model.finding import Finding
from autograder.model.kit_fault import kit_message
from autograder.model.observation import decode
from autograder.model.program import Program
from autograder.model.rubric import PUBLIC_KEY, Exercise, RubricError, redrawn
from autograder.model.rubric_files import load_rubric
from autograder.processes import child_process
from autograder.processes.frames import FrameError, read_frame, write_frame
from autograder.programs.jax_private import whole_tracebacks
from autograder.programs.runner import LocalRunner, Runner, RunnerEnded, set_devices
from autograder.programs.yardstick import export_yardstick, yardstick_jaxpr

Runners = Callable[[float], AbstractContextManager[Runner]]
"""Makes what runs the programs of a request, given the seconds that they may take."""


def _make_runners(devices: int, *, apart: bool) -> Runners:
    if not apart:
        return lambda _: nullcontext(LocalRunner(devices))
    from autograder.sandbox.runner_client import ConfinedRunner, runner_limits
    from autograder.sandbox.zygote_client import Zygotes

    zygotes = Zygotes(("runner",))
    zygotes.launch()
    return lambda seconds: ConfinedRunner(zygotes, runner_limits(seconds), devices)


def _answer(request: dict[str, Any], blobs: list[bytes], runners: Runners) -> dict[str, Any]:
    source, name = request["rubric"], request["exercise"]
    if request.get("settle"):
        return {"redraws": redraws_needed(source, name, request["key"])}
    if "jaxpr" in request:
        return {"figure": _compare_jaxprs(request).to_json()}
    with runners(request["seconds"]) as runner:
        if request.get("curve"):
            curve = draw_curve(source, name, blobs[0], runner, request["redraws"])
            return {"figure": curve and curve.to_json()}
        findings = _judge_exercise(request, blobs, runner)
        return {
            "findings": {name: [f.to_json() for f in found] for name, found in findings.items()}
        }


def _exercise_of(request: dict[str, Any]) -> Exercise:
    redraws = {int(key): again for key, again in request["redraws"].items()}
    found = redrawn(load_rubric(request["rubric"]).exercise(request["exercise"]), redraws)
    return replace(found, watched=request.get("watched", PUBLIC_KEY))


def _judge_exercise(
    request: dict[str, Any], blobs: list[bytes], runner: Runner
) -> dict[str, list[Finding]]:
    """Judge an observation by all criteria and return the findings by criterion."""
    source, name, key = request["rubric"], request["exercise"], request["key"]
    observation = decode(request["observation"], blobs, RULES)
    exercise, cells = _exercise_of(request), tuple(request["yardstick"])
    digest, redraws = load_rubric(source).digest, exercise.redraws.get(key, 0)
    yardstick: Sequence[Program] = ()
    if cells:
        yardstick = _export_yardstick(source, digest, name, key, redraws, cells)
    case = Case(source, digest, exercise, key, observation, request["to_time"], yardstick, runner)
    for criterion in REGISTRY:  # a criterion may read the findings of those before it
        case.findings[criterion.name] = criterion.judge(case)
    return case.findings


def _compare_jaxprs(request: dict[str, Any]) -> JaxprDiff:
    exercise, cells = _exercise_of(request), request["yardstick"]
    right = yardstick_jaxpr(exercise, cells, exercise.calls(PUBLIC_KEY)[0])
    return compare_jaxprs(request["jaxpr"], right)


@lru_cache(maxsize=16)
def _export_yardstick(
    source: str, digest: str, exercise: str, key: int, redraws: int, cells: tuple[str, ...]
) -> tuple[Program, ...]:
    """Export the lesson's own solution for the calls that are judged.

    With `digest`, a rubric that has changed is not taken from the cache.
    """
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    return export_yardstick(found, cells, found.calls(key))


def _serve(requests: IO[bytes], answers: IO[bytes], devices: int, *, apart: bool) -> None:
    """Answer requests until the stream ends."""
    runners = _make_runners(devices, apart=apart)
    child_process.confine()
    set_devices(devices)
    try:
        plnkit.canary()  # starts the backend
    except plnkit.WrongCompilerError as error:
        write_frame(answers, {"error": str(error)})
        return
    write_frame(answers, {"ready": True})
    confined = True
    while True:
        try:
            request, blobs = read_frame(requests)
        except FrameError:
            return
        try:
            answer = _answer(request, blobs, runners)
        except RubricError as error:
            answer = {"error": f"the rubric of {request.get('rubric')!r} is at fault: {error}"}
        except RunnerEnded as end:
            answer = {"ended": end.reason}
        except Exception as error:  # an error that a program raises is caught where it runs
            answer = {"fault": kit_message(error)}
        write_frame(answers, {**answer, "nonce": request["nonce"]})
        if confined and blobs:  # XLA starts its last threads with the first programs
            child_process.release()
            confined = False


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what XLA prints must not end up between frames
    with whole_tracebacks():
        _serve(sys.stdin.buffer, answers, int(sys.argv[1]), apart="apart" in sys.argv[2:])


if __name__ == "__main__":
    main()

"""The judge's child process: `python -m autograder.judge.child DEVICES [apart]`.

It reads requests from standard input and answers each with one frame on standard output. With
`apart` it neither reads nor runs a student's program itself: a confined process does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import IO, Any

import plnkit
from autograder.criteria import judge
from autograder.criteria.outputs.references import draw_curve, redraws_needed
from autograder.criteria.rules import RULES
from autograder.criteria.shape import Case
from autograder.model.exercise import RubricError
from autograder.model.figures import compare_jaxprs
from autograder.model.kit_fault import kit_message
from autograder.model.observation import decode
from autograder.model.program import Program
from autograder.model.report import CRITERIA
from autograder.model.rubric import Drawn
from autograder.model.rubric_files import load_drawn
from autograder.processes import child_process
from autograder.processes.frames import read_frames, write_frame
from autograder.programs.jax_private import whole_tracebacks
from autograder.programs.reference import describe_solution, export_solution
from autograder.programs.runner import LocalRunner, Runner, RunnerEnded, set_devices

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
    drawn = load_drawn(request["exercise"])
    if "settle" in request:
        return {"redraws": redraws_needed(drawn, request["settle"])}
    if "jaxpr" in request:
        right = describe_solution(drawn, drawn.calls[0])
        return {"figure": compare_jaxprs(request["jaxpr"], right).to_json()}
    with runners(request["seconds"]) as runner:
        if "curve" in request:
            curve = draw_curve(drawn, blobs[0], runner)
            return {"figure": curve and curve.to_json()}
        observation = decode(request["observation"], blobs, RULES)
        case = Case(drawn, observation, request["to_time"], _reference_programs(drawn), runner)
        for criterion in CRITERIA:  # a criterion may read the findings of those before it
            case.findings[criterion] = judge(criterion, case)
        findings = case.findings.items()
        return {"findings": {name: [f.to_json() for f in found] for name, found in findings}}


@lru_cache(maxsize=16)
def _reference_programs(drawn: Drawn) -> tuple[Program, ...]:
    """Export the lesson's own solution for the calls that are judged, where it is needed."""
    if not drawn.reference_solution or "memory" not in drawn.exercise.points:
        return ()
    return export_solution(drawn, drawn.calls)


def _serve(requests: IO[bytes], answers: IO[bytes], devices: int, *, apart: bool) -> None:
    """Answer requests until the stream ends."""
    runners = _make_runners(devices, apart=apart)
    child_process.pin_to_one_core()
    set_devices(devices)
    try:
        plnkit.canary()  # starts the backend
    except plnkit.WrongCompilerError as error:
        write_frame(answers, {"error": str(error)})
        return
    write_frame(answers, {"ready": True})
    confined = True
    for request, blobs in read_frames(requests):
        try:
            answer = _answer(request, blobs, runners)
        except RubricError as error:
            rubric = request["exercise"]["rubric"]
            answer = {"error": f"the rubric of {rubric!r} is at fault: {error}"}
        except RunnerEnded as end:
            answer = {"ended": end.reason}
        except Exception as error:  # an error that a program raises is caught where it runs
            answer = {"fault": kit_message(error)}
        write_frame(answers, {**answer, "nonce": request["nonce"]})
        if confined and blobs:  # XLA starts its last threads with the first programs
            child_process.release()
            confined = False


def main() -> None:
    """Serve requests until standard input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what XLA prints must not end up between frames
    with whole_tracebacks():
        _serve(sys.stdin.buffer, answers, int(sys.argv[1]), apart="apart" in sys.argv[2:])


if __name__ == "__main__":
    main()

"""The judge's child process: `python -m autograder.judge.child`.

It reads requests from standard input and answers each with one frame on standard output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import IO, Any

import plnkit
from autograder.core import child_process
from autograder.core.jax_internals import whole_tracebacks
from autograder.core.kit_fault import kit_message
from autograder.core.observation import decode
from autograder.core.program import Program
from autograder.core.rubric import RubricError, redrawn
from autograder.core.rubric_files import load_rubric
from autograder.core.wire import FrameError, read_frame, write_frame
from autograder.core.yardstick import export_yardstick
from autograder.criteria import REGISTRY
from autograder.criteria.outputs.references import draw_curve, redraws_needed
from autograder.criteria.rules import RULES
from autograder.criteria.shape import Case


def _answer(request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    source, name = request["rubric"], request["exercise"]
    if request.get("settle"):
        return {"redraws": redraws_needed(source, name, request["key"])}
    if request.get("curve"):
        curve = draw_curve(source, name, blobs[0], request["redraws"])
        return {"figure": curve and curve.to_json()}
    return {"findings": _judge_exercise(request, blobs)}


def _judge_exercise(request: dict[str, Any], blobs: list[bytes]) -> dict[str, list[Any]]:
    """Judge an observation by all criteria and return the findings by criterion."""
    source, name, key = request["rubric"], request["exercise"], request["key"]
    observation = decode(request["observation"], blobs, RULES)
    redraws = {int(key): again for key, again in request["redraws"].items()}
    rubric, cells = load_rubric(source), tuple(request["yardstick"])
    yardstick: Sequence[Program] = ()
    if cells:
        yardstick = _export_yardstick(source, rubric.digest, name, key, redraws.get(key, 0), cells)
    exercise = redrawn(rubric.exercise(name), redraws)
    case = Case(source, rubric.digest, exercise, key, observation, request["to_time"], yardstick)
    for criterion in REGISTRY:  # a criterion may read the findings of those before it
        case.findings[criterion.name] = criterion.judge(case)
    return {name: [f.to_json() for f in findings] for name, findings in case.findings.items()}


@lru_cache(maxsize=16)
def _export_yardstick(
    source: str, digest: str, exercise: str, key: int, redraws: int, cells: tuple[str, ...]
) -> tuple[Program, ...]:
    """Export the lesson's own solution for the calls that are judged.

    With `digest`, a rubric that has changed is not taken from the cache.
    """
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    return export_yardstick(found, cells, found.calls(key))


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the stream ends."""
    child_process.confine()
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
            answer = _answer(request, blobs)
        except RubricError as error:
            answer = {"error": f"the rubric of {request.get('rubric')!r} is at fault: {error}"}
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
        _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

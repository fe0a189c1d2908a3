"""The judge's child process: `python -m autograder.judge.child`.

Reads requests from standard input and answers on standard output, one frame each.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

import plnkit
from autograder.core import one_core
from autograder.core.jax_internals import whole_tracebacks
from autograder.core.kit_fault import kit_message
from autograder.core.observation import decode
from autograder.core.program import Program
from autograder.core.rubric import RubricError
from autograder.core.rubric_files import load_rubric
from autograder.core.wire import FrameError, read_frame, write_frame
from autograder.criteria.outputs.references import draw_curve, redraws_needed
from autograder.criteria.rules import RULES
from autograder.judge.verdict import judge
from autograder.judge.yardstick import export_yardstick


def _answer(request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    rubric, exercise = request["rubric"], request["exercise"]
    if request.get("settle"):
        return {"redraws": redraws_needed(rubric, exercise, request["key"])}
    if request.get("curve"):
        curve = draw_curve(rubric, exercise, blobs[0], request.get("redraws", 0))
        return {"figure": curve and curve.to_json()}
    observation = decode(request["observation"], blobs, RULES)
    redraws = {int(key): again for key, again in request["redraws"].items()}
    key, cells = request["key"], tuple(request["yardstick"])
    yardstick: Sequence[Program] = ()
    if cells:
        digest, again = load_rubric(rubric).digest, redraws.get(key, 0)
        yardstick = export_yardstick(rubric, digest, exercise, key, again, cells)
    found = judge(rubric, exercise, key, observation, request["to_time"], redraws, yardstick)
    return {"findings": {name: [f.to_json() for f in some] for name, some in found.items()}}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the stream ends."""
    one_core.confine()
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
        except Exception as error:  # what programs may raise is caught where they are run
            answer = {"fault": kit_message(error)}
        write_frame(answers, {**answer, "nonce": request["nonce"]})
        if confined and blobs:  # with the first programs, XLA has started its last threads
            one_core.release()
            confined = False


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever XLA prints must not end up between frames
    with whole_tracebacks():
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

"""The judge's child process: `python -m autograder.judge_child MEMORY_BYTES`.

Reads requests from standard input and answers on standard output, one frame each.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Any, BinaryIO

import plnkit
from autograder.observation import decode
from autograder.rubric import RubricError
from autograder.verdict import draw_curve, judge
from autograder.wire import FrameError, read_frame, write_frame


def _answer(request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    if request.get("curve"):
        curve = draw_curve(request["rubric"], request["exercise"], blobs[0])
        return {"picture": curve and curve.to_json()}
    observation = decode(request["observation"], blobs)
    verdict = judge(
        request["rubric"],
        request["exercise"],
        request["key"],
        observation,
        request["to_time"],
    )
    findings = {name: [f.to_json() for f in some] for name, some in verdict.findings.items()}
    return {"findings": findings}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the stream ends."""
    try:
        plnkit.canary()
    except plnkit.WrongCompilerError as error:
        write_frame(answers, {"error": str(error)})
        return
    write_frame(answers, {"ready": True})
    while True:
        try:
            request, blobs = read_frame(requests)
        except FrameError:
            return
        try:
            answer = _answer(request, blobs)
        except RubricError as error:
            answer = {"error": f"the rubric of {request.get('rubric')!r} is at fault: {error}"}
        write_frame(answers, {**answer, "nonce": request["nonce"]})


def main() -> None:
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever XLA prints must not end up between frames
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

"""A runner: runs the exported programs of one submission. Trust nothing of what it answers.

It answers requests until their stream ends. It gets programs and the inputs of calls, and no right
results.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.model.kit_fault import kit_message
from autograder.model.program import ProgramError
from autograder.model.wire import array_from_blob, array_to_blob
from autograder.processes import child_process
from autograder.processes.frames import read_frames, write_frame
from autograder.programs.runner import LocalRunner, set_devices


def run(request_descriptor: int, answer_descriptor: int) -> None:
    """Answer requests, and end the process."""
    child_process.pin_to_one_core()
    answers, runner, confined = os.fdopen(answer_descriptor, "wb"), None, True
    with os.fdopen(request_descriptor, "rb") as requests:
        for request, blobs in read_frames(requests):
            if runner is None:
                set_devices(request["devices"])
                runner = LocalRunner(request["devices"])
            try:
                answer, results = _answer(runner, request, blobs)
            except ProgramError as error:
                answer, results = {"refused": [error.rule, str(error)]}, []
            except Exception as error:
                answer, results = {"fault": kit_message(error)}, []
            write_frame(answers, answer, results)
            if confined and request["do"] == "run":  # XLA has started its last threads
                child_process.release()
                confined = False
        os._exit(0)


def _answer(
    runner: LocalRunner, request: dict[str, Any], blobs: Sequence[bytes]
) -> tuple[dict[str, Any], Sequence[bytes]]:
    what, program = request["do"], blobs[0]
    if what == "inspect":
        found = runner.inspect(program)
        return {"operations": found.operations, "loops": found.loops}, []
    if what == "scratch":
        return {"bytes": runner.scratch_bytes(program)}, []
    if what == "compare":
        difference = runner.compare(program, blobs[1])
        return {"difference": difference and [difference.operation, difference.line]}, []
    data = [array_from_blob(m, b) for m, b in zip(request["data"], blobs[1:], strict=True)]
    sent = [array_to_blob(array) for array in runner.run(program, tuple(data))]
    return {"results": [meta for meta, _ in sent]}, [blob for _, blob in sent]

"""The worker's process: `python -m autograder.worker_child`. Runs a student's cells; untrusted.

Reads one request from standard input (cells, lesson, calls on shapes), writes one answer to
standard output: exported programs and observations.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.cells import CellError, run_cells
from autograder.intake import Cell
from autograder.observe import Observation, error_finding, observe
from autograder.rubric import Exercise, load_rubric
from autograder.wire import array_to_blob, call_from_json, read_frame, write_frame


def _refused_by_cell(exercise: Exercise, errors: list[CellError]) -> Observation | None:
    """Blame the solution cell that failed, rather than the function it did not get to define."""
    for failed in errors:
        if failed.cell.role == "solution":
            finding = error_finding(failed.error, {_file_of(failed)})
            return Observation(refused=("cell-failed", finding))
    return None


def _file_of(failed: CellError) -> str:
    traceback = failed.error.__traceback__
    name = ""
    while traceback is not None:
        if Path(traceback.tb_frame.f_code.co_filename).parent == Path.cwd():
            name = traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next
    return name


def _encode(observation: Observation, blobs: list[bytes]) -> dict[str, Any]:
    def put(blob: bytes) -> int:
        blobs.append(blob)
        return len(blobs) - 1

    def leaf(array: Any) -> dict[str, Any]:
        meta, blob = array_to_blob(array)
        return {**meta, "blob": put(blob)}

    refused = observation.refused
    return {
        "refused": refused and [refused[0], refused[1].to_json()],
        "programs": [
            p and {"names": list(p.names), "blob": put(p.blob)} for p in observation.programs
        ],
        "failures": [f and f.to_json() for f in observation.failures],
        "public": [
            None if leaves is None else [leaf(x) for x in leaves] for leaves in observation.public
        ],
        "observed": {
            name: [f.to_json() for f in found] for name, found in observation.observed.items()
        },
    }


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # what the student prints is not ours to read
    os.dup2(nowhere, 2)
    request, _ = read_frame(sys.stdin.buffer)
    os.chdir(tempfile.gettempdir())
    cells = [Cell(c["id"], c["source"], c["role"]) for c in request["cells"]]
    warnings.simplefilter("ignore")
    module, errors = run_cells(cells, Path.cwd())
    rubric = load_rubric(request["rubric"])
    blobs: list[bytes] = []
    answer = {}
    for name, calls in request["exercises"].items():
        exercise = rubric.exercise(name)
        observation = observe(exercise, module, [call_from_json(c) for c in calls])
        if observation.refused is not None:
            observation = _refused_by_cell(exercise, errors) or observation
        answer[name] = _encode(observation, blobs)
    write_frame(answers, {"exercises": answer}, blobs)
    os._exit(0)  # threads and exit handlers of the student's do not keep us


if __name__ == "__main__":
    main()

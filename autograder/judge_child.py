"""The judge's child process: `python -m autograder.judge_child MEMORY_BYTES`.

Reads requests from standard input and answers on standard output, one frame each.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, BinaryIO

import numpy as np

import plnkit
from autograder import messages
from autograder.finding import Finding
from autograder.outputs import Expected, compare_results, expected_results
from autograder.program import ProgramError, load_program, runnable, split_data
from autograder.rubric import PUBLIC_KEY, Exercise, RubricError, load_rubric
from autograder.wire import FrameError, array_from_blob, read_frame, write_frame

DISAGREES = (
    "{call}: called in the notebook it returns {got}, but its compiled program returns {want}. "
    "The function depends on something besides its arguments, or does not run as one compiled "
    "function."
)


@lru_cache(maxsize=64)
def _expected(source: str, digest: str, exercise: str, key: int) -> list[tuple[tuple, Expected]]:
    """Reference results by call, kept because they are the dear part of judging."""
    found = load_rubric(source).exercise(exercise)
    return [(args, expected_results(found.reference, args)) for args in found.calls(key)]


@lru_cache(maxsize=64)
def _load(blob: bytes) -> Callable[[tuple], list[np.ndarray]]:
    """A program ready to run, compiled once however many calls it serves."""
    return runnable(load_program(blob))


class _Results:
    """Results of one request's programs: what has been run is not run again."""

    def __init__(self) -> None:
        self._known: dict[tuple, list[np.ndarray]] = {}

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        data, _ = split_data(args)
        key = (blob, *(x.tobytes() for x in data))
        if key not in self._known:
            self._known[key] = _load(blob)(args)
        return self._known[key]


def _judge_outputs(
    exercise: Exercise,
    expected: list[tuple[tuple, Expected]],
    programs: Sequence[tuple[tuple[str, ...], bytes] | None],
    results: _Results,
) -> Finding | None:
    name = exercise.entry_points[0]
    for (args, right), program in zip(expected, programs, strict=True):
        if program is None:
            continue
        names, blob = program
        try:
            got = results.run(blob, args)
        except ProgramError as error:
            text = messages.PROGRAM_RULES[error.rule].format(detail=str(error))
            return Finding(error.rule, "error", None, text)
        except Exception as error:  # XLA's own: out of memory, a shape it cannot compile
            detail = f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"
            text = messages.PROGRAM_RULES["run-failed"].format(detail=detail)
            return Finding("run-failed", "error", None, text)
        finding = compare_results(names, got, right, args, name, exercise.cap)
        if finding is not None:
            return finding
    return None


def _agree(got: np.ndarray, want: np.ndarray) -> bool:
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if not np.issubdtype(want.dtype, np.inexact):
        return bool((got == want).all())
    finite = np.isfinite(want)
    scale = float(np.max(np.abs(want), where=finite, initial=0.0))
    return np.allclose(got, want, rtol=1e-3, atol=1e-3 * scale, equal_nan=True)


def _judge_agreement(
    exercise: Exercise,
    programs: Sequence[tuple[tuple[str, ...], bytes] | None],
    public: Sequence[list[np.ndarray] | None],
    results: _Results,
) -> Finding | None:
    """Hold what the function returned in the student's process against its program."""
    calls = exercise.calls(PUBLIC_KEY)
    for args, program, leaves in zip(calls, programs, public, strict=True):
        if program is None or leaves is None:
            continue
        try:
            want = results.run(program[1], args)
        except ProgramError:
            return None  # the outputs criterion says why
        if len(leaves) == len(want) and all(map(_agree, leaves, want)):
            continue
        text = DISAGREES.format(
            call=messages.call_text(exercise.entry_points[0], args),
            got=", ".join(map(messages.brief, leaves)),
            want=", ".join(map(messages.brief, want)),
        )
        return Finding("disagrees-with-program", "error", None, text)
    return None


def _answer(request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any]:
    rubric = load_rubric(request["rubric"])
    exercise = rubric.exercise(request["exercise"])
    expected = _expected(request["rubric"], rubric.digest, exercise.name, request["key"])
    programs = [
        None if p is None else (tuple(map(str, p["names"])), blobs[p["blob"]])
        for p in request["programs"]
    ]
    public = [
        None if leaves is None else [array_from_blob(leaf, blobs[leaf["blob"]]) for leaf in leaves]
        for leaves in request["public"]
    ]
    results = _Results()
    outputs = _judge_outputs(exercise, expected, programs[: len(expected)], results)
    agreement = _judge_agreement(exercise, programs[len(expected) :], public, results)
    return {
        "outputs": outputs and outputs.to_json(),
        "agreement": agreement and agreement.to_json(),
    }


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
        write_frame(answers, answer)


def main() -> None:
    memory = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever XLA prints must not end up between frames
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

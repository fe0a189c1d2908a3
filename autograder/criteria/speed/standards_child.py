"""The process that makes what an exercise's programs are timed with.

It reads a request as JSON from standard input, and writes the fields of an entry, or an error.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.criteria.speed.bundle import BundleWriter
from autograder.criteria.speed.calls import baseline_call, without_arrays
from autograder.criteria.speed.right_results import DRAWS, as_arrays, expect_results
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.model.program import ProgramError
from autograder.model.rubric import Rubric
from autograder.model.rubric_files import load_rubric
from autograder.programs.export import export_program, split_data
from autograder.programs.reference_solution import TRUSTED_SECONDS, export_solution

_CANDIDATES = 2 * DRAWS
"""Draws in a bundle: some may turn out to be ill-conditioned where they are timed."""


def _make(
    writer: BundleWriter, rubric: Rubric, exercise: ProgramExercise, key: int, solution: list[str]
) -> dict[str, Any]:
    speed = exercise.speed
    assert speed is not None
    calls = exercise.speed_calls(key, _CANDIDATES)
    call, baseline_iterations, program_iterations = baseline_call(exercise, calls[0])
    baseline = yardstick = expected = ""
    paths: tuple[str, ...] = ()
    if not speed.eager:
        try:
            blob = export_program(exercise.results(speed.baseline), call, TRUSTED_SECONDS).blob
        except Exception as error:  # whatever the rubric's code raises
            text = f"its baseline is not a program: {_describe(error)}"
            raise RubricError(text) from error
        baseline = writer.put_program(blob)
    if solution:
        drawn = replace(rubric.draw(exercise.name, key), reference_solution=tuple(solution))
        (program,) = export_solution(drawn, calls[:1])
        yardstick = writer.put_program(program.blob)
    if exercise.comparison is None:
        right = [expect_results(exercise, one) for one in calls]
        expected = writer.put_arrays([as_arrays(one) for one in right])
        paths = tuple(leaf.path for leaf in right[0])
    needs_rubric = speed.eager or not expected
    return {
        "baseline": baseline,
        "yardstick": yardstick,
        "inputs": writer.put_arrays([split_data(one)[0] for one in calls]),
        "expected": expected,
        "paths": paths,
        "program_iterations": program_iterations,
        "baseline_iterations": baseline_iterations,
        "lesson": rubric.lesson if needs_rubric else "",
        "call": without_arrays(calls[0]) if needs_rubric else (),
    }


def _describe(error: Exception) -> str:
    own = isinstance(error, (ProgramError, RubricError))
    return str(error) if own else f"{type(error).__name__}: {error}"


def _main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a lesson's cells print is no answer
    request = json.load(sys.stdin)
    try:
        rubric = load_rubric(request["rubric"])
        exercise = rubric.exercise(request["exercise"])
        writer = BundleWriter(Path(request["folder"]))
        answer = _make(writer, rubric, exercise, request["key"], request["solution"])
    except Exception as error:  # whatever the rubric's code raises
        answer = {"error": _describe(error)[:1000]}
    json.dump(answer, answers)
    answers.close()


if __name__ == "__main__":
    _main()

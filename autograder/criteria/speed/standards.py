"""What the programs of an exercise are timed with: baseline, own solution, inputs, right results.

They are made in a child process on the CPU: the rubric's code and the lesson's own solution start
JAX's devices, which belong to the notebook, or to whatever is timed next.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import BundleWriter, Entry, PlainValue, digest_of
from autograder.criteria.speed.right_results import DRAWS, as_arrays
from autograder.criteria.speed.speed_process import SpeedProcess, SpeedProcessError
from autograder.model.call_text import kind_of
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.model.program import ProgramError
from autograder.model.rubric import Drawn, Rubric
from autograder.processes.child_process import ONE_CORE
from autograder.processes.frames import FrameError
from autograder.programs.exported import export_program, is_data, split_data
from autograder.programs.reference import TRUSTED_SECONDS, expected_results, export_solution

_SECONDS = 300.0
_CANDIDATES = 2 * DRAWS
"""Draws in a bundle: some may turn out to be ill-conditioned where they are timed."""


def add_to_bundle(
    writer: BundleWriter,
    rubric: Rubric,
    exercise: ProgramExercise,
    program: bytes,
    key: int,
    *,
    stays_here: bool = False,
) -> Entry:
    """Put a student's program in a bundle, with what it is timed with.

    Args:
        writer: of the bundle.
        rubric, exercise: what the program was made for. The exercise has a speed criterion.
        program: exported for `exercise.speed_calls(key)`: the last one of an observation.
        key: of the draws to time with.
        stays_here: whether the bundle is timed on this machine, where the rubric is.

    Raises:
        RubricError: its baseline, its reference or the lesson's own solution fails.
    """
    standards = prepare_standards(writer, rubric, exercise, key, stays_here=stays_here)
    speed = exercise.speed
    assert speed is not None
    return writer.add(
        Entry(
            exercise=exercise.name,
            program=writer.put_program(program),
            rubric=rubric.digest,
            key=key,
            threshold=speed.threshold,
            factor=speed.factor,
            eager=speed.eager,
            solution=digest_of(rubric.reference_solutions.get(exercise.name, ())),
            **standards,
        )
    )


def prepare_standards(
    writer: BundleWriter,
    rubric: Rubric,
    exercise: ProgramExercise,
    key: int,
    *,
    stays_here: bool = False,
) -> dict[str, Any]:
    """Return the fields of an entry that name what its program is timed with; it is made once.

    Threads may prepare those of different exercises at the same time. See `add_to_bundle`.
    """
    speed = exercise.speed
    assert speed is not None
    needs_rubric = speed.eager or exercise.comparison is not None
    if needs_rubric and rubric.source != rubric.lesson and not stays_here:
        raise RubricError(messages.OWN_RUBRIC.format(exercise=exercise.name))
    known = (exercise.name, key)
    if known not in writer.standards:
        drawn, folder = rubric.draw(exercise.name, key), str(writer.path.resolve())
        try:
            with closing(SpeedProcess("cpu", ONE_CORE, silent=True)) as process:
                made = process.ask("prepare", _SECONDS, folder=folder, exercise=drawn.to_json())
        except (SpeedProcessError, TimeoutError, FrameError) as error:
            made = {"error": f"the process that prepares it did not answer: {error}"}
        if "error" in made:
            text = messages.NO_STANDARDS.format(exercise=exercise.name, error=made["error"])
            raise RubricError(text)
        lists = {name: tuple(made[name]) for name in ("call", "paths")}
        lesson = rubric.lesson if needs_rubric else ""
        writer.standards[known] = {**made, **lists, "lesson": lesson}
    return writer.standards[known]


def make_standards(writer: BundleWriter, drawn: Drawn) -> dict[str, Any]:
    """Write what programs are timed with, and return its fields of an entry.

    This runs the rubric's code.

    Raises:
        RubricError: the baseline or the solution fails. Other exceptions are the reference's.
    """
    exercise = drawn.exercise
    speed = exercise.speed
    calls = exercise.speed_calls(drawn.key, _CANDIDATES)
    call, baseline_iterations, program_iterations = baseline_call(exercise, calls[0])
    baseline = reference_solution = expected = ""
    paths: tuple[str, ...] = ()
    if not speed.eager:
        try:
            blob = export_program(exercise.results(speed.baseline), call, TRUSTED_SECONDS).blob
        except Exception as error:  # whatever the rubric's code raises
            text = f"its baseline is not a program: {describe(error)}"
            raise RubricError(text) from error
        baseline = writer.put_program(blob)
    if drawn.reference_solution:
        (program,) = export_solution(drawn, calls[:1])
        reference_solution = writer.put_program(program.blob)
    if exercise.comparison is None:
        reference = exercise.results(exercise.reference)
        right = [expected_results(reference, one, exercise.scales) for one in calls]
        expected = writer.put_arrays([as_arrays(one) for one in right])
        paths = tuple(leaf.path for leaf in right[0])
    return {
        "baseline": baseline,
        "reference_solution": reference_solution,
        "inputs": writer.put_arrays([split_data(one)[0] for one in calls]),
        "expected": expected,
        "paths": paths,
        "program_iterations": program_iterations,
        "baseline_iterations": baseline_iterations,
        "call": without_arrays(calls[0]) if speed.eager or not expected else (),
    }


def describe(error: Exception) -> str:
    """Return what an error of the rubric's code says."""
    own = isinstance(error, (ProgramError, RubricError))
    return str(error) if own else f"{type(error).__name__}: {error}"


def baseline_call(exercise: ProgramExercise, call: tuple) -> tuple[tuple, int, int]:
    """Return the call of the baseline, its own number of iterations, and the program's."""
    speed, loop = exercise.speed, exercise.loop
    if speed is None or loop is None:
        return call, 1, 1
    at = loop.argument
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def without_arrays(call: tuple) -> tuple[PlainValue, ...]:
    """Return the arguments of a call, None for each array; they must be plain values otherwise."""
    for argument in call:
        if not is_data(argument) and type(argument) not in (bool, int, float, str):
            raise RubricError(
                "where a program is timed, the rubric's code is called with arrays, numbers and "
                f"strings, not with {kind_of(argument)}"
            )
    return tuple(None if is_data(argument) else argument for argument in call)


def fill_call(call: Sequence[Any], arrays: Sequence[Any]) -> tuple:
    """Return a call with arrays in place of None."""
    given = iter(arrays)
    return tuple(next(given) if argument is None else argument for argument in call)

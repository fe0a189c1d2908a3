"""What the programs of an exercise are timed with: baseline, yardstick, inputs, right results.

They are made in a child process on the CPU: the rubric's code and the lesson's own solution start
JAX's devices, which belong to the notebook, or to whatever is timed next.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import BundleWriter, Entry, digest_of
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.model.rubric import Rubric
from autograder.processes.child_process import ONE_CORE, module_command, with_kit, without_settings

_SECONDS = 300.0


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
        rubric, exercise: what the program was made for.
        program: exported for `exercise.speed_calls(key)`: the last one of an observation.
        key: of the draws to time with.
        stays_here: whether the bundle is timed on this machine, where the rubric is.

    Raises:
        RubricError: the exercise has no speed criterion, or its baseline, its reference or the
            lesson's own solution fails.
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
    if speed is None:
        raise RubricError(f"exercise {exercise.name!r} has no speed criterion")
    travels = rubric.source != rubric.lesson and not stays_here
    if travels and (speed.eager or exercise.comparison is not None):
        raise RubricError(messages.OWN_RUBRIC.format(exercise=exercise.name))
    known = (exercise.name, key)
    if known not in writer.standards:
        writer.standards[known] = _make_standards(writer.path, rubric, exercise, key)
    return writer.standards[known]


def _make_standards(
    folder: Path, rubric: Rubric, exercise: ProgramExercise, key: int
) -> dict[str, Any]:
    """Write files to a folder and return the fields of an entry that name them."""
    request = {
        "folder": str(folder.resolve()),
        "rubric": rubric.source,
        "exercise": exercise.name,
        "key": key,
        "solution": list(rubric.reference_solutions.get(exercise.name, ())),
    }
    try:
        done = subprocess.run(
            module_command("autograder.criteria.speed.standards_child"),
            input=json.dumps(request),
            capture_output=True,
            text=True,
            env=with_kit({**without_settings(os.environ), **ONE_CORE, "JAX_PLATFORMS": "cpu"}),
            timeout=_SECONDS,
            check=False,
        )
        answer = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, ValueError) as error:
        answer = {"error": f"the process that prepares it did not answer ({type(error).__name__})"}
    if "error" in answer:
        raise RubricError(messages.NO_STANDARDS.format(exercise=exercise.name, **answer))
    return {**answer, "call": tuple(answer["call"]), "paths": tuple(answer["paths"])}

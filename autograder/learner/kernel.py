"""`check("name")`: the check cell of a notebook. The kernel is the worker."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.core.kit_fault import kit_finding
from autograder.core.observation import Observation
from autograder.core.quiet import quiet
from autograder.core.report import KIT_ERROR
from autograder.core.rubric import PUBLIC_KEY, Rubric, RubricError
from autograder.core.rubric_files import find_exercise
from autograder.criteria.speed.here import time_here
from autograder.criteria.speed.verdict import waiting
from autograder.grading.mark import calls_to_export, grade, not_graded
from autograder.grading.settle import observe_settled
from autograder.judge.client import JudgeError, shared_judge
from autograder.render.score import Score
from autograder.sandbox.exercise_observation import observe


def _module_of(namespace: dict[str, Any]) -> ModuleType:
    module = sys.modules.get(namespace.get("__name__", ""))
    if module is None or vars(module) is not namespace:
        raise RuntimeError(
            "check() looks for your functions in the module it is called from, and found none. "
            "Call it at the top level of a notebook cell or of a script."
        )
    return module


def check(
    exercise: str, criterion: str | None = None, *, rubric: str | Path | None = None
) -> Score:
    """Check the caller's functions against an exercise and return the score.

    Args:
        exercise: the exercise's name, such as ``"static_branch"``.
        criterion: show and count this one only; all by default. Only ``"speed"``, asked for by
            itself, times the program: the verdict where JAX finds a GPU, information elsewhere.
        rubric: lesson name or file of a rubric of one's own (``"my_rubric.py"``); by default the
            kit's lessons are searched.

    Returns:
        The points earned, as a float that shows itself as a card in a notebook and prints as text
        (``print(check(...))``). Judged on the public inputs, hence provisional.

    Raises:
        RubricError: there is no such exercise, or it is not judged by `criterion`.
        JudgeError: this machine cannot judge; the message says what to mend.
    """
    module = _module_of(sys._getframe(1).f_globals)
    found, asked = find_exercise(exercise, rubric)
    if criterion is not None and criterion not in asked.points:
        raise RubricError(
            f"exercise {exercise!r} has no criterion {criterion!r}; it has {list(asked.points)}"
        )
    judge = shared_judge()
    timed = criterion == "speed"  # takes its time, so only when it is asked for

    def observed(rubric: Rubric) -> Observation:
        settled = rubric.exercises[0]
        calls = calls_to_export(settled, PUBLIC_KEY, timed=timed)
        with quiet():  # nbgrader gives 0 to a cell that writes to stderr
            return observe(settled, module, calls, programs_only=timed)

    only = replace(found, exercises=(asked,))
    try:
        settled, observation = observe_settled(only, PUBLIC_KEY, judge, observed)
        asked = settled.exercises[0]
        report = grade(found, asked, observation, judge, PUBLIC_KEY, to_time=timed, drawn=not timed)
        if timed:
            program = observation.programs[-1] if observation.programs else None
            report = time_here(report, found, asked, program and program.blob)
        else:
            report = waiting(report, f'`check("{exercise}", "speed")`')
    except (JudgeError, RubricError):
        raise
    except Exception as error:
        report = not_graded(found, asked, KIT_ERROR, kit_finding(error))
    return Score(report if criterion is None else report.only(criterion))

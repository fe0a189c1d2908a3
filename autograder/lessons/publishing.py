"""Writes what students get of a rubric of one's own: public calls and what comes out of them."""

from __future__ import annotations

import json
from typing import Any

from autograder.criteria.outputs.references import redraws_needed, reference_results
from autograder.model.exercise import BehaviourExercise, Draws, Exercise, FunctionExercise
from autograder.model.public_rubric import describe, encode_calls, rubric_digest
from autograder.model.report import SCHEMA
from autograder.model.rubric import PUBLIC_KEY, Rubric

NOT_HERE = ("speed", "memory")
"""Criteria that compare with the lesson's own solution, which students do not have."""

_WHY = {
    "answers": "the right answers would stand in the released file",
    "probe": "it is judged by what its code does, with code that says what is right",
    "compare": "its results are judged with code that says what is right",
    "adapter": "it is called through code of the rubric",
    "points": "all of its points are for speed or memory",
    "calls": "its calls hold {kind}, and a released file holds arrays and plain values only",
}


def public_text(rubric: Rubric) -> str:
    """Return the text of a lesson's public file.

    Raises:
        RubricError: the reference cannot be run, or no draw tells right from wrong.
    """
    exercises, withheld = [], {}
    for exercise in rubric.exercises:
        why = _why_withheld(exercise)
        if not why:
            try:
                exercises.append(_public(rubric, rubric.exercise(exercise.name)))
            except TypeError as error:  # `encode`
                why = _WHY["calls"].format(kind=error)
        if why:
            withheld[exercise.name] = why
    data = {
        "schema": SCHEMA,
        "lesson": rubric.lesson,
        "learned": rubric.learned,
        "minutes": rubric.minutes,
        "rubric": rubric_digest(rubric),
        "exercises": exercises,
        "withheld": withheld,
    }
    return json.dumps(data, indent=1) + "\n"


def _why_withheld(exercise: Exercise) -> str:
    """Return why students cannot check an exercise without what tells them the answer."""
    if not isinstance(exercise, FunctionExercise):
        return _WHY["answers"]
    if isinstance(exercise, BehaviourExercise) and exercise.probe is not None:
        return _WHY["probe"]
    if exercise.comparison is not None:
        return _WHY["compare"]
    if exercise.adapter is not None:
        return _WHY["adapter"]
    return "" if set(exercise.points) - set(NOT_HERE) else _WHY["points"]


def _public(rubric: Rubric, exercise: FunctionExercise) -> dict[str, Any]:
    drawn = rubric.draw(exercise.name, PUBLIC_KEY)
    draws = Draws(PUBLIC_KEY, redraws_needed(drawn, PUBLIC_KEY))
    given = describe(exercise)
    given["points"] = {n: p for n, p in exercise.points.items() if n not in NOT_HERE}
    given["hints"] = {n: h for n, h in exercise.hints.items() if n not in NOT_HERE}
    for which in ("calls", "loops"):
        results = reference_results(drawn, draws, which)
        given[which] = encode_calls([(args, right) for args, right in results if right is not None])
    return given

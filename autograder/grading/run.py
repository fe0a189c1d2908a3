"""Run: which calls a worker exports, and running it with the draws that count.

A draw that the reference cannot judge with is replaced by the next one of its key. The judge finds
these draws once for an exercise and a key, before anything is judged. A worker only ever learns the
draws of the key whose calls it makes: the public one, or in a class a throw-away one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from autograder.judge.client import judge_draw
from autograder.model.exercise import Draws, FunctionExercise, ProgramExercise
from autograder.model.observation import Observation
from autograder.model.rubric import Drawn
from autograder.model.terms import Terms
from autograder.programs.exported import abstract
from autograder.sandbox import Attempt, Calls


class Worker(Protocol):
    """Runs a student's code: a notebook's kernel, or processes of the sandbox."""

    def observe(self, attempt: Attempt, calls: Calls) -> Mapping[str, Observation]:
        """Run what is planned, and return what was observed, by exercise."""
        ...


def calls_to_export(drawn: Drawn, *, timed: bool = True) -> list[tuple]:
    """List the calls that a worker exports, as shapes and dtypes.

    They are, in this order: the judged calls, the watched ones, those that show whether a loop is
    unrolled and, if the program is to be `timed`, the call to time.
    """
    exercise = drawn.exercise
    if not isinstance(exercise, ProgramExercise):
        return []
    calls = [
        *drawn.calls,
        *drawn.watched_calls,
        *drawn.unrolling_calls,
        *(exercise.speed_calls(drawn.key) if timed else ()),
    ]
    return [abstract(args) for args in calls]


def run(attempt: Attempt, terms: Terms, worker: Worker) -> dict[Drawn, Observation]:
    """Run a worker with the draws that count.

    Returns:
        The exercises of the attempt, with these draws, and what was observed of each.

    Raises:
        CannotJudge: the judge cannot work here, or no draw can be judged.
    """
    terms = terms.only(*attempt.exercises)
    settled = [find_draws(terms, name) for name in attempt.exercises]
    calls = {one: calls_to_export(one, timed=terms.timed) for one in settled}
    seen = worker.observe(attempt, calls)
    timelines = {drawn: attempt.timeline_of(drawn) for drawn in settled}
    return {
        drawn: replace(seen[drawn.name], timeline=timeline) if timeline else seen[drawn.name]
        for drawn, timeline in timelines.items()
    }


_known: dict[tuple[str, str, str, int], int] = {}
"""How often to draw again, by rubric, its digest, exercise and key."""


def find_draws(terms: Terms, exercise: str) -> Drawn:
    """Return an exercise with the draws that count, which the judge finds.

    Raises:
        CannotJudge: the judge cannot work here, or no draw can be judged.
    """
    drawn = terms.rubric.draw(exercise, terms.key)
    for draws in _judged_draws(drawn):
        if (known := _known_as(drawn, draws)) not in _known:
            _known[known] = judge_draw(terms.judge, drawn, draws.key)
    draws = (drawn.judged, drawn.watched)
    return drawn.redrawn({one.key: _known.get(_known_as(drawn, one), 0) for one in draws})


def _known_as(drawn: Drawn, draws: Draws) -> tuple[str, str, str, int]:
    return drawn.rubric, drawn.digest, drawn.name, draws.key


def _judged_draws(drawn: Drawn) -> set[Draws]:
    """Return the draws that are judged with the reference, or shown with it."""
    exercise = drawn.exercise
    if not isinstance(exercise, FunctionExercise) or exercise.draws is None:
        return set()
    if exercise.comparison is not None:
        return set()
    is_program = isinstance(exercise, ProgramExercise)
    return {drawn.watched, drawn.judged} if is_program else {drawn.watched}

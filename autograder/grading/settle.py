"""Which draws count: one that the reference cannot judge with is replaced by the next of its key.

The judge finds out, once for an exercise and a key, before anything is judged. What it says is kept
with the exercise, so that the calls to export, the worker and the judge agree on it. A worker is
told of the public key only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from autograder.core.rubric import PUBLIC_KEY, Exercise, Rubric, redrawn
from autograder.judge.client import AnyJudge, judge_draw

T = TypeVar("T")

_known: dict[tuple[str, str, str, int], int] = {}
"""How often to draw again, by rubric, its digest, exercise and key."""


def _keys(exercise: Exercise, key: int) -> set[int]:
    """The keys whose draws are judged with the reference, or shown with it."""
    if exercise.draws is None or exercise.reference is None:
        return set()
    return {PUBLIC_KEY} if exercise.kind == "behaviour" else {PUBLIC_KEY, key}


def _settled(rubric: Rubric, key: int, judge: AnyJudge | None) -> Rubric:
    """The rubric with the draws that count; without a judge, as far as they are known."""
    source, digest = rubric.source, rubric.digest
    exercises = []
    for exercise in rubric.exercises:
        redraws = {}
        for one in sorted(_keys(exercise, key)):
            known = (source, digest, exercise.name, one)
            if known not in _known and judge is not None:
                _known[known] = judge_draw(judge, source, exercise.name, one)
            redraws[one] = _known.get(known, 0)
        exercises.append(redrawn(exercise, redraws))
    return replace(rubric, exercises=tuple(exercises))


def settle(rubric: Rubric, key: int, judge: AnyJudge) -> Rubric:
    """The rubric with the draws that count for a key, and for the public one.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here, or no draw can be judged.
    """
    return _settled(rubric, key, judge)


def observe_settled(
    rubric: Rubric, key: int, judge: AnyJudge, observe: Callable[[Rubric], T]
) -> tuple[Rubric, T]:
    """Observe with the draws that count; the judge finds them meanwhile.

    A judge takes a second to start, so the observation does not wait for it: what was seen with a
    draw that turns out not to count is thrown away, and observed again.

    Args:
        rubric: of what is observed.
        key: of the draws to judge with.
        judge: finds the draws that count.
        observe: given the rubric with its draws, says what was observed.

    Returns:
        The settled rubric, and what was observed with it.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here, or no draw can be judged.
    """
    judge.launch()
    likely = _settled(rubric, key, None)
    seen = observe(likely)
    settled = settle(rubric, key, judge)
    same = [e.redraws for e in likely.exercises] == [e.redraws for e in settled.exercises]
    return settled, seen if same else observe(settled)

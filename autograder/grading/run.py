"""Run: which calls a worker exports, and running it with the draws that count.

A draw that the reference cannot judge with is replaced by the next one of its key. The judge finds
these draws once for an exercise and a key, before anything is judged. The answer is kept with the
exercise, so that the calls to export, the worker and the judge agree on it. A worker only ever
learns the draws of the key whose calls it makes: the public one, or in a class a throw-away one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from autograder.grading.plan import Run
from autograder.judge.client import AnyJudge, judge_draw
from autograder.model.notebook import Notebook
from autograder.model.observation import Observation
from autograder.model.rubric import Exercise, Rubric, redrawn, watch_key
from autograder.programs.export import abstract
from autograder.sandbox import Calls, Limits, PlainWorkers, Zygotes, observe_cells

Worker = Callable[[Rubric, Calls], Mapping[str, Observation]]
"""Runs a student's code and returns what it observed, by exercise. A notebook's kernel is one
worker; the sandbox's processes are another."""

_known: dict[tuple[str, str, str, int], int] = {}
"""How often to draw again, by rubric, its digest, exercise and key."""


def calls_to_export(exercise: Exercise, key: int, *, timed: bool = True) -> list[tuple]:
    """List the calls that a worker exports, as shapes and dtypes.

    They are, in this order: the judged calls, the watched ones, those that show whether a loop is
    unrolled and, if the program is to be `timed`, the call to time.
    """
    if exercise.kind != "program":
        return []
    calls = [
        *exercise.calls(key),
        *exercise.watched_calls,
        *exercise.unrolling_calls(key),
        *(exercise.speed_calls(key) if timed else ()),
    ]
    return [abstract(args) for args in calls]


def observe_run(
    planned: Run,
    rubric: Rubric,
    calls: Calls,
    notebook: Notebook,
    limits: Limits | None,
    workers: Zygotes | PlainWorkers | None,
    *,
    echo: bool = True,
) -> Mapping[str, Observation]:
    """Run what was planned, and observe what the source does not prove.

    For the arguments, see `autograder.grading.pipeline.grade_cells`.
    """
    proofs = {name: planned.prove(rubric.exercise(name)) for name in planned.exercises}
    seen = observe_cells(
        planned.cells,
        rubric,
        calls,
        limits,
        workers,
        echo=echo and not planned.is_proved,
        proved={name: proof.criteria for name, proof in proofs.items()},
        saved_with=notebook.saved_with,
        beside=notebook.beside,
    )
    return {name: proofs[name].complete(one) for name, one in seen.items()}


def run(
    rubric: Rubric, worker: Worker, judge: AnyJudge, key: int, *, timed: bool = True
) -> tuple[Rubric, Mapping[str, Observation]]:
    """Run a worker with the draws that count, which the judge finds meanwhile.

    A judge takes a second to start, so the worker does not wait for it. If a draw turns out not to
    count, what was observed with it is discarded and the worker runs again.

    For the arguments, see `autograder.grading.pipeline.grade_exercises`.

    Returns:
        The rubric with the draws that count, and what was observed with it, by exercise.

    Raises:
        JudgeError: the judge cannot work here, or no draw can be judged.
    """

    def observe(rubric: Rubric) -> Mapping[str, Observation]:
        calls = {e.name: calls_to_export(e, key, timed=timed) for e in rubric.exercises}
        return worker(rubric, calls)

    judge.launch(rubric.devices)
    likely = settle(rubric, key, None)
    seen = observe(likely)
    settled = settle(rubric, key, judge)
    same = [e.redraws for e in likely.exercises] == [e.redraws for e in settled.exercises]
    return settled, seen if same else observe(settled)


def settle(rubric: Rubric, key: int, judge: AnyJudge | None) -> Rubric:
    """Return the rubric with the draws that count for a key and for the key to watch with.

    The judge finds these draws; without a judge, what is known already is used.

    Raises:
        JudgeError: the judge cannot work here, or no draw can be judged.
    """
    exercises = []
    for exercise in rubric.exercises:
        redraws = {}
        for one in sorted(_judged_keys(exercise, key)):
            known = (rubric.source, rubric.digest, exercise.name, one)
            if known not in _known and judge is not None:
                _known[known] = judge_draw(judge, rubric.source, exercise.name, one, rubric.devices)
            redraws[one] = _known.get(known, 0)
        exercises.append(replace(redrawn(exercise, redraws), watched=watch_key(key)))
    return replace(rubric, exercises=tuple(exercises))


def _judged_keys(exercise: Exercise, key: int) -> set[int]:
    """Return the keys whose draws are judged with the reference, or shown with it."""
    if exercise.draws is None or exercise.reference is None:
        return set()
    watched = watch_key(key)
    return {watched} if exercise.kind == "behaviour" else {watched, key}

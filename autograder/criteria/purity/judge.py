"""Judges purity: a function must mean the same everywhere, called or compiled, in any process."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.criteria.purity import messages
from autograder.criteria.purity.values import is_close
from autograder.criteria.shape import Case, found_or_fault
from autograder.model.call_text import call_text, dtype_and_shape, number
from autograder.model.exercise import ProgramExercise
from autograder.model.finding import Finding
from autograder.model.observation import Returned
from autograder.model.program import Program, ProgramError
from autograder.model.rubric import Drawn
from autograder.programs.runner import Runner

TOLERANCE = 1e-3
"""How far a returned array may be from what the program computes, relative to the largest entry."""

FITTED = 2e-2
"""The tolerance where results are judged by their quality: hundreds of steps of an optimizer
amplify the rounding of a single step."""


def judge(case: Case) -> list[Finding]:
    """Check that the function means the same everywhere: called or compiled, in any process."""
    seen = case.observation
    if not isinstance(case.exercise, ProgramExercise):
        return []
    runner = case.runner
    other = seen.second_process
    differs = found_or_fault(judge_second_process, seen.programs, other, runner) if other else []
    return differs + found_or_fault(judge_agreement, case.drawn, case.watched, seen.watched, runner)


def _agree(
    exercise: ProgramExercise,
    names: Sequence[str],
    args: tuple,
    got: Sequence[np.ndarray],
    want: Sequence[np.ndarray],
) -> bool:
    if [(x.shape, x.dtype) for x in got] != [(x.shape, x.dtype) for x in want]:
        return False
    comparison = exercise.comparison
    tolerance = TOLERANCE if comparison is None else FITTED
    if all(
        is_close(x, y, tolerance, tolerance, tolerance * exercise.scales.get(name, 0.0))
        if np.issubdtype(y.dtype, np.inexact)
        else (x == y).all()
        for name, x, y in zip(names, got, want, strict=True)
    ):
        return True
    if comparison is None or comparison.agree is None:
        return False
    return comparison.agree(args, list(got), list(want))


def _show_difference(got: Sequence[np.ndarray], want: Sequence[np.ndarray]) -> str:
    """Say what the notebook's call and the program return, where they differ most."""
    if [(x.shape, x.dtype) for x in got] != [(x.shape, x.dtype) for x in want]:
        return messages.OTHER_TYPES.format(
            got=", ".join(map(dtype_and_shape, got)), want=", ".join(map(dtype_and_shape, want))
        )
    with np.errstate(all="ignore"):
        gaps = [_gaps(x, y) for x, y in zip(got, want, strict=True)]
    which = max(range(len(gaps)), key=lambda i: gaps[i].max(initial=0))
    at = np.unravel_index(int(np.argmax(gaps[which])), gaps[which].shape)
    place = f"[{', '.join(map(str, at))}]" if at else ""
    name = f"result {which + 1} of {len(got)}" if len(got) > 1 else "the result"
    return messages.OTHER_VALUES.format(
        where=f"{name}{f', entry {place},' if place else ''}",
        got=number(got[which][at]),
        want=number(want[which][at]),
    )


def _gaps(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far apart two arrays are, relative to the largest; the most where only one is NaN."""
    x, y = x.astype(np.complex128), y.astype(np.complex128)
    apart = np.where(x == y, 0, np.abs(x - y)) / (np.abs(y).max(initial=0) or 1)
    return np.where(np.isnan(x) & np.isnan(y), 0, np.nan_to_num(apart, nan=np.inf))


def judge_agreement(
    drawn: Drawn,
    programs: Sequence[Program | None],
    watched: Sequence[Returned | None],
    runner: Runner,
) -> Finding | None:
    """Compare what the function returned in the student's process with its programs' results."""
    for args, program, returned in zip(drawn.watched_calls, programs, watched, strict=True):
        if program is None or returned is None:
            continue
        leaves = returned.leaves
        try:
            want = runner.run(program.blob, args)
        except Exception:
            return None  # the outputs criterion reports why
        if _agree(drawn.exercise, program.names, args, leaves, want):
            continue
        text = messages.DISAGREES.format(
            call=call_text(drawn.exercise.entry_points[0], args),
            difference=_show_difference(leaves, want),
        )
        return Finding.error("disagrees-with-program", text)
    return None


def judge_second_process(
    programs: Sequence[Program | None], others: Sequence[Program | None], runner: Runner
) -> Finding | None:
    """Check that two processes export the same programs; a difference comes from outside."""
    for program, other in zip(programs, others, strict=False):
        if program is None or other is None:
            if program is not other:
                return Finding.error("differs-between-processes", messages.DIFFERS_ALTOGETHER)
            continue
        if program.blob == other.blob:
            continue
        try:
            difference = runner.compare(other.blob, program.blob)
        except ProgramError:
            return None  # the outputs criterion reports why
        if difference is not None:
            text = messages.DIFFERS.format(operation=difference.operation)
            return Finding.error("differs-between-processes", text, difference.line)
    return None

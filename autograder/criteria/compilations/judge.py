"""Judges the exported programs: a loop that is unrolled, a line that cannot be traced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.criteria.compilations import messages
from autograder.criteria.shape import Case, found_or_fault, measure_growth
from autograder.model.exercise import ProgramExercise
from autograder.model.finding import Finding
from autograder.model.messages import PROGRAM_RULES
from autograder.model.program import Program
from autograder.model.reasons import KIT_ERROR
from autograder.model.templates import join_texts
from autograder.programs.exported import MAX_EQUATIONS
from autograder.programs.runner import Runner

RULE = "outside-jit"
COSTS_COMPILATIONS = {RULE, "too-large"}
"""Rules of what keeps a program from being judged, and is a fault of how it compiles."""
_OTHERS = {*PROGRAM_RULES, KIT_ERROR, "leaked-tracer"}
"""Rules of failures that say nothing of where the student's lines run."""


def judge(case: Case) -> list[Finding]:
    """Check that no loop is unrolled."""
    if not isinstance(case.exercise, ProgramExercise):
        return []
    failed = [failure for failure in case.unrolling_failures if failure is not None][:1]
    if failed and failed[0].rule == "too-large":
        return [_unrolled(None, case.iterations)]
    return [
        *failed,
        *found_or_fault(judge_unrolling, case.unrolling, case.iterations, case.runner),
    ]


def judge_unrolling(
    programs: Sequence[Program | None], iterations: Sequence[int], runner: Runner
) -> Finding | None:
    """Check that the programs do not grow with the number of iterations."""
    growth = measure_growth(programs, iterations, runner)
    if growth is None:
        return None
    sizes, at, loops = growth
    if at is None:
        return _unrolled(sizes, iterations)
    if not growth.has_more_loops:
        return None
    many = loops.index(max(loops))
    return _say((iterations[at], iterations[at + many]), str(loops[0]), f"{loops[many]} loops")


def _unrolled(sizes: Sequence[int] | None, iterations: Sequence[int]) -> Finding:
    """Say that programs grow; `sizes` is None where one is too large to be counted."""
    ends = iterations[0], iterations[-1]
    if not sizes:
        return _say(ends, "", f"{MAX_EQUATIONS:,}")
    return _say(ends, str(sizes[0]), f"{sizes[-1]} operations")


def _say(iterations: tuple[int, int], first: str, last: str) -> Finding:
    few, many = iterations
    growth = (messages.GROWS if first else messages.IS_LARGE).format(first=first, last=last)
    text = messages.UNROLLED_DATA if few == many else messages.UNROLLED
    return Finding.error("unrolled", text.format(few=few, many=many, growth=growth))


def find_outside_jit(
    failures: Sequence[Finding | None], observed: Sequence[Finding]
) -> Finding | None:
    """Return a finding where only tracing fails: the line at fault is outside of jit.

    There is no program for some failures; a plain call, as in a notebook, fails as observed.
    """
    failure = next((f for f in failures if f is not None), None)
    fails_plainly = any(f.rule in ("call-failed", KIT_ERROR) for f in observed)
    if failure is None or failure.rule in _OTHERS or fails_plainly:
        return None
    return replace(failure, rule=RULE, message=messages.page_text(RULE))


def say_works(failure: Finding | None) -> Finding | None:
    """Return why there is no program, and add that a plain call works."""
    if failure is None or failure.rule in _OTHERS:
        return failure
    return replace(failure, message=join_texts("\n", (failure.message, messages.WORKS_PLAINLY)))

"""The criterion of compilations: nothing outside of jitted functions, no unrolled loop."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core import messages
from autograder.core.finding import Finding
from autograder.core.program import Program, ProgramError
from autograder.core.rubric import ITERATIONS
from autograder.core.running import inspect_program
from autograder.criteria.shape import Case, proved

_CALLS = {"func.call", "func.return", "stablehlo.constant"}


def judge(case: Case) -> list[Finding]:
    """Whether all work is done in jitted functions, and no loop is unrolled."""
    exercise = case.exercise
    if exercise.kind != "program":
        return []
    # An adapter, or the gradient, has operations of its own around the student's.
    plain = exercise.adapter is None and exercise.gradient is None and exercise.one_program
    eager = proved(judge_one_program, case.programs) if plain else []
    return [*eager, *proved(judge_unrolling, case.unrolling)]


def judge_one_program(programs: Sequence[Program | None]) -> Finding | None:
    """Whether the programs do nothing but call jitted functions: eager code would show there."""
    for program in programs:
        if program is None:
            continue
        try:
            eager = inspect_program(program.blob).main - _CALLS
        except ProgramError:
            return None  # the outputs criterion says why
        if eager:
            names = ", ".join(sorted(name.split(".")[-1] for name in eager)[:5])
            return Finding.error("eager-code", messages.NOT_JITTED.format(names=names))
    return None


def judge_unrolling(programs: Sequence[Program | None]) -> Finding | None:
    """Whether the program grows with the number of iterations."""
    if len(programs) != len(ITERATIONS) or any(p is None for p in programs):
        return None
    try:
        few, many = (inspect_program(p.blob).operations for p in programs if p is not None)
    except ProgramError:
        return Finding.error(
            "unrolled", messages.UNROLLED.format(few="", many="", sizes="too many")
        )
    if many <= few:
        return None
    text = messages.UNROLLED.format(few=ITERATIONS[0], many=ITERATIONS[1], sizes=f"{few} to {many}")
    return Finding.error("unrolled", text)

"""Judges compilations: all work is in jitted functions, and no loop is unrolled."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.finding import Finding
from autograder.core.program import MAX_OPERATIONS, Program, ProgramError
from autograder.core.runner import Runner
from autograder.criteria.compilations import messages
from autograder.criteria.shape import Case, first_loop, loops_of, proved, sizes_of

_CALLS = {"func.call", "func.return", "stablehlo.constant"}
_OPERATIONS = {"manual_computation": "shard_map", "case": "device_put or cond"}
"""Operations of a program that do not have the name of their function in JAX."""


def judge(case: Case) -> list[Finding]:
    """Check that all work is done in jitted functions, and that no loop is unrolled."""
    exercise = case.exercise
    if exercise.kind != "program":
        return []
    # An adapter, or the gradient, has operations of its own around the student's.
    plain = exercise.adapter is None and exercise.gradient is None and exercise.one_program
    observed = case.observation.observed.get("compilations", ())
    if any(f.rule == "jit-disabled" and f.severity == "error" for f in observed):
        plain = False  # it says why all work is outside of jit
    eager = proved(_judge_one_program, case.programs, case.runner) if plain else []
    failed = [failure for failure in case.unrolling_failures if failure is not None][:1]
    if failed and failed[0].rule == "too-large" and None not in case.programs:
        return [*eager, _unrolled(None, case.iterations)]
    return [*eager, *failed, *proved(judge_unrolling, case.unrolling, case.iterations, case.runner)]


def _judge_one_program(programs: Sequence[Program | None], runner: Runner) -> Finding | None:
    """Check that the programs do nothing but call jitted functions: eager code would show there."""
    for program in programs:
        if program is None:
            continue
        try:
            eager = runner.inspect(program.blob).main - _CALLS
        except ProgramError:
            return None  # the outputs criterion reports why
        if eager:
            shown = sorted(name.split(".")[-1] for name in eager)
            # What differs between platforms has a case for each.
            shown = [name for name in shown if name != "case" or len(shown) == 1][:5]
            names = ", ".join(_OPERATIONS.get(name, name) for name in shown)
            return Finding.error("eager-code", messages.NOT_JITTED.format(names=names))
    return None


def judge_unrolling(
    programs: Sequence[Program | None], iterations: Sequence[int], runner: Runner
) -> Finding | None:
    """Check that the programs do not grow with the number of iterations."""
    if not programs or None in programs:
        return None
    sizes = sizes_of(programs, runner)
    at = first_loop(sizes, iterations)
    if at is None:
        return _unrolled(sizes, iterations)
    few, *others = loops_of([p for p in programs if p is not None], runner)[at:]
    # A loop in chunks has one more where some iterations are left over.
    if max(others) <= few + 1:
        return None
    many = max(others)
    numbers = {"few": iterations[at], "many": iterations[at + 1 + others.index(many)]}
    text = messages.UNROLLED_CHUNKS.format(**numbers, loops=f"{few} to {many}")
    return Finding.error("unrolled", text)


def _unrolled(sizes: Sequence[int] | None, iterations: Sequence[int]) -> Finding:
    """Say that programs grow; `sizes` is None where one is too large to be counted."""
    few, many = iterations[0], iterations[-1]
    if sizes:
        unrolled = messages.UNROLLED if few != many else messages.UNROLLED_DATA
        text = unrolled.format(few=few, many=many, sizes=f"{sizes[0]} to {sizes[-1]}")
    else:
        unrolled = messages.UNROLLED_FAR if few != many else messages.UNROLLED_DATA_FAR
        text = unrolled.format(many=many, most=f"{MAX_OPERATIONS:,}")
    return Finding.error("unrolled", text)

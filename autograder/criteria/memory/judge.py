"""The criterion of memory: compares the scratch memory of compiled programs with a budget.

The budget is relative to the lesson's own solution, compiled beside them: both come from the same
XLA on the same machine, so the result does not depend on the machine. Where an exercise names a
number of bytes, leave room: XLA decides the last of them.
"""

from __future__ import annotations

from autograder.criteria.memory import messages
from autograder.criteria.shape import Case, proved
from autograder.model.call_text import call_text
from autograder.model.finding import Finding
from autograder.model.program import Program, ProgramError
from autograder.model.reasons import KIT_ERROR
from autograder.programs.runner import LocalRunner, Runner

_SMALL = 4096
"""Bytes that any program may use: XLA alone decides the sizes of small buffers."""


def judge(case: Case) -> list[Finding]:
    """Find the first program that needs too much scratch memory; none where outputs are wrong."""
    if "memory" not in case.exercise.points or not case.outputs_right:
        return []
    if case.exercise.memory.scratch is not None:
        return proved(_judge_bytes, case)
    if len(case.reference_programs) != len(case.programs):
        return [Finding.error(KIT_ERROR, messages.NO_REFERENCE_SOLUTION)]
    return proved(_judge_scratch, case)


def _judge_bytes(case: Case) -> Finding | None:
    allowed = case.exercise.memory.scratch
    for args, program in zip(case.drawn.calls, case.programs, strict=True):
        used = _bytes(program, case.runner)
        if used is not None and used > allowed:
            text = messages.OVER_THE_LIMIT.format(
                call=call_text(case.exercise.entry_points[0], args),
                used=messages.size(used),
                allowed=messages.size(allowed),
            )
            return Finding.error("too-much-scratch", text)
    return None


def _judge_scratch(case: Case) -> Finding | None:
    factor, calls = case.exercise.memory.factor, case.drawn.calls
    devices = case.exercise.devices
    own_runner = LocalRunner(devices)
    for args, program, own in zip(calls, case.programs, case.reference_programs, strict=True):
        # The lesson's own solution is trusted, and compiled once for a class.
        used, needed = _bytes(program, case.runner), _bytes(own, own_runner)
        if used is None or needed is None:
            continue
        allowed = max(_SMALL, int(factor * needed))
        if used > allowed:
            template = messages.TOO_MUCH if devices == 1 else messages.TOO_MUCH_ON_EACH
            text = template.format(
                call=call_text(case.exercise.entry_points[0], args),
                used=messages.size(used),
                own=messages.size(needed),
                factor=factor,
                devices=devices,
                allowed=messages.size(allowed),
            )
            return Finding.error("too-much-scratch", text)
    return None


def _bytes(program: Program | None, runner: Runner) -> int | None:
    try:
        return None if program is None else runner.scratch_bytes(program.blob)
    except ProgramError:
        return None  # the outputs criterion says why

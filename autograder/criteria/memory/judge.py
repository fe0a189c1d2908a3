"""The criterion of memory: compares the scratch memory of compiled programs with a budget.

The budget is relative to the lesson's own solution, compiled beside them: both come from the same
XLA on the same machine, so the result does not depend on the machine. Where an exercise names a
number of bytes, leave room: XLA decides the last of them.
"""

from __future__ import annotations

from autograder.criteria.memory import messages
from autograder.criteria.shape import Case, found_or_fault
from autograder.model.call_text import call_text
from autograder.model.finding import Finding
from autograder.model.reasons import KIT_ERROR
from autograder.programs.runner import LocalRunner

_SMALL = 4096
"""Bytes that any program may use: XLA alone decides the sizes of small buffers."""


def judge(case: Case) -> list[Finding]:
    """Find the first program that needs too much scratch memory; none where outputs are wrong."""
    exercise = case.exercise
    if "memory" not in exercise.points or not case.outputs_right:
        return []
    is_relative = exercise.memory.factor is not None
    if is_relative and len(case.reference_programs) != len(case.programs):
        return [Finding.error(KIT_ERROR, messages.NO_SOLUTION)]
    return found_or_fault(_judge_scratch, case)


def _judge_scratch(case: Case) -> Finding | None:
    exercise, memory = case.exercise, case.exercise.memory
    calls = zip(case.drawn.calls, case.programs, strict=True)
    # The lesson's own solution is trusted, and compiled once for a class.
    own_runner = LocalRunner(exercise.devices)
    several = exercise.devices > 1
    advice = messages.ADVICE_ON_EACH if several else messages.ADVICE
    for i, (args, program) in enumerate(calls):
        assert program is not None  # its outputs are right
        used = case.runner.scratch_bytes(program.blob)
        if memory.factor is None:
            allowed, limit = memory.scratch, messages.size(memory.scratch)
        else:
            own = own_runner.scratch_bytes(case.reference_programs[i].blob)
            allowed = max(_SMALL, int(memory.factor * own))
            limit = messages.RELATIVE.format(
                factor=memory.factor, own=messages.size(own), allowed=messages.size(allowed)
            )
        if used > allowed:
            text = messages.TOO_MUCH.format(
                call=call_text(exercise.entry_points[0], args),
                used=messages.size(used),
                each=messages.ON_EACH if several else "",
                limit=limit,
                advice=advice.format(devices=exercise.devices),
            )
            return Finding.error("too-much-scratch", text)
    return None

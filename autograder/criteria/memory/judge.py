"""The criterion of memory: scratch bytes of the compiled programs, held against a budget.

The budget is relative to what the lesson's own solution, compiled beside them, needs: both come
from the same XLA on the same machine, so the comparison holds on any.
"""

from __future__ import annotations

from autograder.core.call_text import call_text
from autograder.core.finding import Finding
from autograder.core.program import Program, ProgramError
from autograder.core.report import KIT_ERROR
from autograder.core.running import scratch_bytes
from autograder.criteria.memory import messages
from autograder.criteria.shape import Case, proved

SMALL = 4096
"""Bytes that any program may use: below this, the sizes of buffers are XLA's own affair."""


def judge(case: Case) -> list[Finding]:
    """The first program that needs too much scratch memory; none where outputs are wrong."""
    if "memory" not in case.exercise.points or not case.outputs_right:
        return []
    if len(case.yardstick) != len(case.programs):
        return [Finding.error(KIT_ERROR, messages.NO_YARDSTICK)]
    return proved(judge_memory, case)


def judge_memory(case: Case) -> Finding | None:
    """The first program whose scratch memory is over the budget."""
    factor = case.exercise.memory
    assert factor is not None
    for args, program, own in zip(
        case.exercise.calls(case.key), case.programs, case.yardstick, strict=True
    ):
        used, needed = _bytes(program), _bytes(own)
        if used is None or needed is None:
            continue
        allowed = max(SMALL, int(factor * needed))
        if used > allowed:
            text = messages.TOO_MUCH.format(
                call=call_text(case.exercise.entry_points[0], args),
                used=messages.size(used),
                own=messages.size(needed),
                factor=factor,
                allowed=messages.size(allowed),
            )
            return Finding.error("too-much-scratch", text)
    return None


def _bytes(program: Program | None) -> int | None:
    try:
        return None if program is None else scratch_bytes(program.blob)
    except ProgramError:
        return None  # the outputs criterion says why

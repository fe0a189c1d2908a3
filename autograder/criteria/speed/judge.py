"""The criterion of speed before anything is timed: can the program be loaded at all?"""

from __future__ import annotations

from autograder.criteria.shape import Case, found_or_fault
from autograder.model.finding import Finding
from autograder.model.program import Program, ProgramError
from autograder.programs.runner import Runner


def judge(case: Case) -> list[Finding]:
    """Find why the program cannot be timed. One with wrong outputs is never timed."""
    if "speed" not in case.exercise.points or not case.outputs_right or case.timed is None:
        return []
    return found_or_fault(_judge_loading, case.timed, case.runner)


def _judge_loading(program: Program, runner: Runner) -> Finding | None:
    try:
        runner.inspect(program.blob)
    except ProgramError as error:
        return error.finding()
    return None

"""The criterion of speed before anything is timed: can the program be loaded at all?"""

from __future__ import annotations

from autograder.core.finding import Finding
from autograder.core.messages import PROGRAM_RULES
from autograder.core.program import Program, ProgramError
from autograder.core.running import load_program
from autograder.criteria.shape import Case, proved


def judge(case: Case) -> list[Finding]:
    """Why the program cannot be timed anywhere; one with wrong outputs never will be."""
    if case.exercise.speed is None or not case.outputs_right:
        return []
    return proved(judge_loading, case.timed)


def judge_loading(program: Program | None) -> Finding | None:
    """Why a program cannot be timed on any machine; None where it can, or where there is none."""
    try:
        if program is not None:
            load_program(program.blob)
    except ProgramError as error:
        text = PROGRAM_RULES[error.rule].format(detail=str(error))
        return Finding(error.rule, "error", None, text)
    return None

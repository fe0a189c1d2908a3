"""Finds out whether the student's code switches jit off."""

from __future__ import annotations

from types import CodeType, ModuleType

import jax

from autograder.core.finding import Finding
from autograder.core.student_code import Line, student_codes
from autograder.criteria.compilations import messages

_SETTING = "jax_disable_jit"
_CONTEXT = "disable_jit"


def is_disabled() -> bool:
    """Whether jit is switched off for the whole process."""
    return bool(getattr(jax.config, _SETTING, False))


def disabled_finding() -> Finding:
    """Say that jit is switched off for the whole process."""
    return _finding(f"the setting `{_SETTING}`", None)


def find_disabled(module: ModuleType) -> Finding | None:
    """Find the first function that uses `jax.disable_jit`; None if there is none.

    It is asked where work was found to be outside of jit: this may say why.
    """
    codes = [code for code in student_codes(module) if _CONTEXT in code.co_names]
    if not codes:
        return None
    return _finding(f"`jax.{_CONTEXT}`", _line_of(min(codes, key=lambda c: c.co_firstlineno)))


def _line_of(code: CodeType) -> Line:
    """Return the first line of a function that has the name in it."""
    first = Line(code.co_firstlineno, code.co_filename)
    numbers = sorted({number for _, _, number in code.co_lines() if number})
    lines = (Line(number, code.co_filename) for number in numbers)
    return next((line for line in lines if _CONTEXT in line.text), first)


def _finding(what: str, line: Line | None) -> Finding:
    text = messages.JIT_DISABLED.format(what=what)
    return Finding("jit-disabled", "error", line, text, line.text if line else "")

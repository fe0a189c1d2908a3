"""The worker's part: what is done beside the student's code, in the student's process.

Programs are exported from shapes alone; purity and compilations are observed on public inputs.
Everything here is untrusted once it has run: the judge believes only programs.
"""

from __future__ import annotations

import difflib
import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import jax
import numpy as np

from autograder import messages
from autograder.compilations import check_compilations
from autograder.finding import Finding
from autograder.observation import Observation
from autograder.program import (
    Program,
    ProgramError,
    concrete,
    export_program,
    named_leaves,
)
from autograder.purity import check_purity
from autograder.rubric import PUBLIC_KEY, Exercise
from autograder.student_code import source_line, student_files
from autograder.wire import DTYPES


def blame(error: BaseException, files: set[str]) -> tuple[int | None, str]:
    """The innermost line of the student's code that an exception passed through, and its text."""
    line, code = None, ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename in files:
            line, code = frame.lineno, source_line(frame.filename, frame.lineno)
    return line, code


def error_finding(error: BaseException, files: set[str]) -> Finding:
    """An exception of the student's function as a finding, with line and explanation."""
    line, code = blame(error, files)
    if isinstance(error, ProgramError):
        text = messages.PROGRAM_RULES[error.rule].format(detail=str(error))
        return Finding(error.rule, "error", line, text, code)
    rule, text = messages.explain_error(error)
    return Finding(rule, "error", line, text, code)


def missing(exercise: Exercise, namespace: Mapping[str, Any]) -> tuple[str, Finding] | None:
    """Why the exercise's functions cannot be found, if they cannot."""
    for name in exercise.entry_points:
        if name not in namespace:
            mine = [k for k, v in namespace.items() if callable(v) and k[0] != "_"]
            near = difflib.get_close_matches(name, mine, n=1, cutoff=0.7)
            text = messages.MISSPELT_FUNCTION if near else messages.MISSING_FUNCTION
            text = text.format(name=name, near=near[0] if near else "")
            return "missing-function", Finding("missing-function", "error", None, text)
        if not callable(namespace[name]):
            kind = f"a {type(namespace[name]).__name__}"
            text = messages.NOT_CALLABLE.format(name=name, kind=kind)
            return "not-callable", Finding("not-callable", "error", None, text)
    return None


def wrong_signature(name: str, function: Callable, args: tuple) -> tuple[str, Finding] | None:
    """Why `function` cannot be called with the exercise's arguments, if it cannot."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None  # nothing to compare with; the call itself will tell
    try:
        signature.bind(*args)
    except TypeError as error:
        text = messages.WRONG_SIGNATURE.format(
            name=name,
            signature=signature,
            call=messages.call_text(name, args),
            problem=error,
        )
        return "wrong-signature", Finding("wrong-signature", "error", None, text)
    return None


def observe(
    exercise: Exercise, module: ModuleType, calls: Sequence[tuple], *, programs_only: bool = False
) -> Observation:
    """Export the student's programs and observe their behaviour.

    Args:
        exercise: what to look at.
        module: the module that the student's cells ran in.
        calls: the calls to export, arrays given as `jax.ShapeDtypeStruct` (see
            `autograder.program.abstract`); statics as they are.
        programs_only: leave out what is observed; a second process only echoes the programs.
    """
    refused = missing(exercise, vars(module))
    if refused is not None:
        return Observation(refused=refused)
    files = student_files(module)
    try:
        function = exercise.function(vars(module))
    except Exception as error:
        return Observation(refused=("adapter-failed", error_finding(error, files)))
    name = exercise.entry_points[0]
    refused = wrong_signature(name, function, calls[0])
    if refused is not None:
        return Observation(refused=refused)

    made: dict[str, tuple[Program | None, Finding | None]] = {}
    for args in calls:
        signature = repr(args)  # shapes, dtypes and static values
        if signature not in made:
            made[signature] = _export(exercise.results(function), args, files)
    programs, failures = zip(*(made[repr(args)] for args in calls), strict=True)
    if programs_only:
        return Observation(None, programs, failures)
    public, observed = _observe_behaviour(exercise, function, module)
    return Observation(None, programs, failures, (), public, observed)


def _export(
    function: Callable, args: tuple, files: set[str]
) -> tuple[Program | None, Finding | None]:
    try:
        return export_program(function, args), None
    except Exception as error:
        return None, error_finding(error, files)


def _observe_behaviour(
    exercise: Exercise, function: Callable, module: ModuleType
) -> tuple[tuple[tuple[np.ndarray, ...] | None, ...], dict[str, tuple[Finding, ...]]]:
    public_calls = exercise.calls(PUBLIC_KEY)
    observed: dict[str, tuple[Finding, ...]] = {}
    if "compilations" in exercise.points:
        calls = [concrete(args) for args in public_calls]
        jax.block_until_ready(calls)
        observed["compilations"] = tuple(
            check_compilations(function, calls, module, total=exercise.budget)
        )
    if "purity" in exercise.points:
        observed["purity"] = tuple(
            check_purity(function, lambda: concrete(public_calls[0]), module)
        )
    public: list[tuple[np.ndarray, ...] | None] = []
    for args in public_calls:
        try:
            _, leaves = named_leaves(exercise.results(function)(*concrete(args)))
            arrays = tuple(np.asarray(leaf) for leaf in leaves)
            # bfloat16 and its like do not cross; the program's own dtype is judged anyway.
            public.append(arrays if all(a.dtype in DTYPES for a in arrays) else None)
        except Exception:  # the same call's export has failed too, and says why
            public.append(None)
    return tuple(public), observed
